"""What holds for every serving work: more work never needs less, fewer bits never more, ranks only share."""

from dataclasses import astuple, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor import Facts
from advisor.estimate.layouts import uniform_layout
from advisor.estimate.memory.serving import serving_memory
from advisor.estimate.results import Memory
from advisor.facts.models import ModelShape
from advisor.resolve import resolve
from advisor.resolve.works import ServeWork
from advisor.units import FloatArray
from advisor.workload import CACHE_FORMATS, Deployment, Workload

TOLERANCE = 1 + 1e-9
MODELS = (
    "qwen3-0.6b",
    "llama-3.1-8b",
    "gemma-3-27b",
    "gpt-oss-120b",
    "deepseek-v3",
    "qwen3.5-397b-a17b",
    "kimi-linear-48b-a3b",
    "falcon-7b",
    "gemma-3n-e4b",
)
ENGINES = ("vllm", "sglang", "tensorrt-llm", "lmdeploy", "llama.cpp", "transformers", "litgpt", "exllamav2")
TIED_FP8_HEAD = ("transformers", "fp8")
"""The named exception of formats: an FP8 checkpoint in Transformers holds a tied head twice, BF16 once."""

works = st.fixed_dictionaries(
    {
        "model": st.sampled_from(MODELS),
        "engine": st.sampled_from(ENGINES),
        "version": st.sampled_from(["", "0.6.6", "0.16", "0.19.0"]),
        "kv_cache": st.sampled_from(CACHE_FORMATS),
        "context_tokens": st.integers(1, 200_000),
        "concurrency": st.integers(1, 512),
        "shared_prefix_tokens": st.sampled_from([0, 512, 100_000]),
        "draft": st.sampled_from([None, "mtp", "ngram", "llama-3.2-1b"]),
    }
)
Case = dict[str, Any]


def serve_work(facts: Facts, case: Case, weights: str = "bf16", **changed: Any) -> ServeWork:
    given_case = case | changed
    draft = {"draft": given_case["draft"]} if given_case["draft"] else None
    workload = Workload.from_dict(
        {
            "model": given_case["model"],
            "weights": "gguf-bf16" if given_case["engine"] == "llama.cpp" and weights == "bf16" else weights,
            "kv_cache": given_case["kv_cache"],
            "context_tokens": given_case["context_tokens"],
            "concurrency": given_case["concurrency"],
            "shared_prefix_tokens": given_case["shared_prefix_tokens"],
            "speculative": draft,
        },
        "workload",
    )
    deployment = Deployment(
        gpu="h200", engine=given_case["engine"], engine_version=given_case["version"] or None
    )
    work = resolve(workload, deployment, facts).work
    assert isinstance(work, ServeWork)
    return work


def on_ranks(facts: Facts, work: ServeWork, ranks: int = 1) -> Memory[FloatArray]:
    placement = resolve(
        Workload(model="llama-3.1-8b"), Deployment(gpu="h200", gpu_count=ranks), facts
    ).placement
    assert placement is not None
    concurrency = np.nan if work.concurrency is None else float(work.concurrency)
    return serving_memory(work, placement.hardware, uniform_layout(1, ranks, concurrency=concurrency), facts)


def needed(facts: Facts, work: ServeWork) -> float:
    return float(on_ranks(facts, work).needed_gib[0])


@given(case=works, factor=st.floats(1, 8))
def test_more_context_never_needs_less(facts: Facts, case: Case, factor: float) -> None:
    longer = int(case["context_tokens"] * factor)
    if case["version"] == "0.6.6" and case["engine"] == "vllm":
        # The named exception: beyond 32k, V0 turned chunked prefill on and its profile run shrank.
        longer = min(
            longer, max(case["context_tokens"], 32_768 if case["context_tokens"] <= 32_768 else longer)
        )
    before = needed(facts, serve_work(facts, case))
    assert needed(facts, serve_work(facts, case, context_tokens=longer)) * TOLERANCE >= before


@given(case=works, more=st.integers(0, 512))
def test_more_requests_never_need_less(facts: Facts, case: Case, more: int) -> None:
    before = needed(facts, serve_work(facts, case))
    after = needed(facts, serve_work(facts, case, concurrency=case["concurrency"] + more))
    assert after * TOLERANCE >= before


def with_more_layers(shape: ModelShape, factor: int) -> ModelShape:
    """Return the model with every layer repeated."""
    groups = shape.groups
    layered = {
        name: getattr(groups, name) * factor
        for name in ("attention", "linear_attention", "mlp", "experts", "shared_experts", "router", "norm")
    }
    counts = {
        name: getattr(shape, name) * factor
        for name in (
            "layers",
            "mlp_layers",
            "moe_layers",
            "full_attention_layers",
            "sliding_attention_layers",
            "linear_attention_layers",
            "kv_bytes_per_token_full_bf16",
            "kv_bytes_per_token_sliding_bf16",
            "state_bytes_per_sequence",
        )
    }
    return replace(shape, groups=replace(groups, **layered), **counts)


@given(case=works, factor=st.integers(2, 4))
def test_more_layers_never_need_less(facts: Facts, case: Case, factor: int) -> None:
    work = serve_work(facts, case)
    deeper = replace(work, model=with_more_layers(work.model, factor))
    assert needed(facts, deeper) * TOLERANCE >= needed(facts, work)


@given(case=works, ranks=st.sampled_from([1, 2, 4, 8, 16]))
def test_more_ranks_never_hold_more_weights_cache_and_state(facts: Facts, case: Case, ranks: int) -> None:
    """Communication buffers are the named exception, and what V0 of vLLM logged with the weights of a rank."""
    work = serve_work(facts, case | {"version": ""})
    fewer, more = on_ranks(facts, work, ranks), on_ranks(facts, work, 2 * ranks)
    for part in ("weights_gib", "kv_cache_gib", "state_gib", "draft_gib"):
        assert getattr(more, part)[0] <= getattr(fewer, part)[0] * TOLERANCE


@given(case=works)
def test_a_shared_prefix_never_needs_more(facts: Facts, case: Case) -> None:
    alone = needed(facts, serve_work(facts, case, shared_prefix_tokens=0))
    assert needed(facts, serve_work(facts, case)) <= alone * TOLERANCE


@given(case=works)
def test_need_and_leftover_make_up_what_a_budget_takes(facts: Facts, case: Case) -> None:
    memory = on_ranks(facts, serve_work(facts, case))
    if memory.needed_gib[0] <= memory.budget_gib[0]:
        assert memory.reserved_gib[0] * TOLERANCE >= memory.needed_gib[0]
        assert memory.leftover_gib[0] <= memory.reserved_gib[0]
    assert memory.low_gib[0] <= memory.needed_gib[0] <= memory.high_gib[0]
    assert memory.reserved_low_gib[0] <= memory.reserved_gib[0] <= memory.reserved_high_gib[0]


@pytest.mark.parametrize(
    "engine", ["vllm", "sglang", "tensorrt-llm", "llama.cpp", "exllamav2", "transformers", "litgpt"]
)
@pytest.mark.parametrize("model", MODELS)
def test_fewer_bits_in_every_group_never_need_more_for_weights(facts: Facts, engine: str, model: str) -> None:
    shape = facts.language_models.by_id[model]
    ids = [name for name in facts.formats.rows if facts.engines.rows[engine].takes_format(name)]
    sizes = []
    for name in ids:
        if (engine, name) == TIED_FP8_HEAD and shape.tied_embeddings:
            continue
        case = {"model": model, "engine": engine, "version": "", "kv_cache": "bf16", "context_tokens": 1_024}
        case |= {"concurrency": 1, "shared_prefix_tokens": 0, "draft": None}
        memory = on_ranks(facts, serve_work(facts, case, weights=name))
        bits = astuple(facts.formats.weight_format(name, shape).bits)
        # Padding of MXFP4 experts is the kernel's own; the format is compared without it.
        if name != "mxfp4":
            sizes.append((bits, float(memory.weights_gib[0] + memory.host_gib[0])))
    for bits, size in sizes:
        for other_bits, other_size in sizes:
            if all(one <= other for one, other in zip(bits, other_bits, strict=True)):
                assert size <= other_size * TOLERANCE


@pytest.mark.slow
@pytest.mark.parametrize(
    "engine", ["vllm", "llama.cpp", "transformers", "exllamav2", "sglang", "tensorrt-llm", "neuron"]
)
def test_every_model_in_every_format_of_every_engine_has_an_answer(facts: Facts, engine: str) -> None:
    formats = [name for name in facts.formats.rows if facts.engines.rows[engine].takes_format(name)]
    for shape in facts.language_models.rows:
        if not shape.has_architecture:
            continue
        case = {
            "model": shape.id,
            "engine": engine,
            "version": "",
            "kv_cache": "bf16",
            "context_tokens": 8_192,
        }
        case |= {"concurrency": 4, "shared_prefix_tokens": 0, "draft": None}
        for name in formats:
            memory = on_ranks(facts, serve_work(facts, case, weights=name), 8)
            assert np.isfinite(memory.needed_gib[0])
            assert memory.weights_gib[0] > 0
