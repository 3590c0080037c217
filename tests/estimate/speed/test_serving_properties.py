"""What must hold for every serving set-up, over made-up ones."""

import functools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import advisor
from advisor import Facts
from tests.estimate.speed.serving_cases import known, serve

MODELS = (
    "llama-3.1-8b",
    "llama-3.1-70b",
    "mixtral-8x7b",
    "deepseek-v3",
    "gemma-3-27b",
    "qwen3-30b-a3b",
    "qwen3-next-80b-a3b",
)
ENGINES = ("vllm", "sglang", "tensorrt-llm", "lmdeploy", "transformers", "mlc-llm", "gpt-fast", "deepspeed")
GPUS = ("h100-sxm-80gb", "a100-sxm-80gb", "rtx-4090", "l40s", "mi300x", "b200-sxm-180gb", "gb10", "t4")
WEIGHTS = ("bf16", "fp8", "int4-awq", "nvfp4")

setups = st.fixed_dictionaries(
    {
        "model": st.sampled_from(MODELS),
        "gpu": st.sampled_from(GPUS),
        "engine": st.sampled_from(ENGINES),
        "weights": st.sampled_from(WEIGHTS),
        "gpu_count": st.just(8),
        "tensor_parallel": st.sampled_from((1, 2, 4, 8)),
        "prompt_tokens": st.integers(1, 30_000),
        "output_tokens": st.integers(1, 4_000),
        "concurrency": st.sampled_from((1, 2, 7, 8, 9, 32, 100, 1_000)),
    }
)

ROUNDING = 1 + 1e-9


@functools.cache
def catalogue() -> Facts:
    """The embedded catalogue; a failing example prints its arguments, and these tables are long."""
    return advisor.load_facts()


def figure(name: str, setup: dict[str, Any]) -> float:
    return known(getattr(serve(catalogue(), **setup), name))


@given(setup=setups, longer=st.integers(1, 60_000))
def test_decode_never_gets_faster_with_context(setup: dict[str, Any], longer: int) -> None:
    more = {**setup, "prompt_tokens": setup["prompt_tokens"] + longer}
    for name in ("decode_tokens_per_second", "decode_tokens_per_second_per_request"):
        assert figure(name, more) <= figure(name, setup) * ROUNDING


@given(setup=setups, factor=st.integers(2, 9))
def test_the_total_never_falls_with_concurrency_and_a_reader_never_gains(
    setup: dict[str, Any], factor: int
) -> None:
    more = {**setup, "concurrency": setup["concurrency"] * factor}
    total, reader = "decode_tokens_per_second", "decode_tokens_per_second_per_request"
    assert figure(total, more) >= figure(total, setup) / ROUNDING
    assert figure(reader, more) <= figure(reader, setup) * ROUNDING


@given(setup=setups)
def test_a_link_of_its_own_is_never_slower_than_pcie(setup: dict[str, Any]) -> None:
    linked, slotted = {**setup, "link": "nvswitch"}, {**setup, "link": "pcie"}
    for name in ("decode_tokens_per_second", "prefill_tokens_per_second"):
        assert figure(name, linked) >= figure(name, slotted) / ROUNDING


@given(setup=setups)
def test_the_parts_add_up_to_the_step_and_name_what_binds(setup: dict[str, Any]) -> None:
    answer = serve(catalogue(), **setup)
    parts = {
        "bandwidth": known(answer.weights_seconds) + known(answer.cache_seconds),
        "compute": known(answer.compute_seconds),
        "launch": known(answer.launch_seconds),
        "communication": known(answer.communication_seconds),
        "offload": known(answer.offload_seconds),
    }
    overlapped = max(known(answer.weights_seconds), known(answer.compute_seconds)) + known(
        answer.cache_seconds
    )
    rest = parts["launch"] + parts["communication"] + parts["offload"]
    assert known(answer.step_seconds) == pytest.approx(overlapped + rest)
    if answer.bound != "capacity":
        others = [part for name, part in parts.items() if name not in ("bandwidth", "compute")]
        assert parts[str(answer.bound)] >= max(others) / ROUNDING


@given(setup=setups)
def test_keeping_weights_on_the_host_never_helps(setup: dict[str, Any]) -> None:
    offloaded = {**setup, "offload": "weights", "offload_gib": 5.0}
    name = "decode_tokens_per_second"
    # With more room for the cache more requests may run together; one alone can only lose.
    alone = {"concurrency": 1}
    assert figure(name, {**offloaded, **alone}) < figure(name, {**setup, **alone})


@pytest.mark.parametrize("weights", ["bf16", "fp8", "mxfp4", "gguf-q4_k_m", "exl2-4.0", "nf4", "native"])
def test_every_gpu_answers_or_says_that_it_has_no_figures(facts: Facts, weights: str) -> None:
    without = set()
    for gpu in facts.gpus.rows:
        answer = serve(facts, "llama-3.2-1b", gpu.id, weights=weights, concurrency=1)
        if answer.decode_tokens_per_second is None:
            without.add(gpu.id)
        else:
            assert 0.1 < answer.decode_tokens_per_second < 10_000
    assert without == {"mi308x", "gaudi1"}
