"""Worked questions of serving speed with literal bounds, and what the parts of a step must say."""

from typing import Any

import pytest

from advisor import Facts
from tests.estimate.speed.serving_cases import known, serve


def per_request(facts: Facts, model: str, gpu: str, **more: object) -> float:
    return known(serve(facts, model, gpu, concurrency=1, **more).decode_tokens_per_second_per_request)


@pytest.mark.parametrize(
    ("gpu", "weights", "low", "high"),
    [
        # llama.cpp of May 2024, 512 to 8,192 tokens: XiongjieDai/GPU-Benchmarks-on-LLM-Inference README.md.
        ("rtx-4090", "gguf-f16", 50.9, 54.4),
        ("rtx-a6000", "gguf-f16", 38.5, 40.3),
        ("a100-sxm-80gb", "gguf-f16", 49.0, 54.0),
        ("rtx-3070", "gguf-q4_k_m", 60.0, 72.8),
    ],
)
def test_single_stream_8b_lies_within_the_measured_spread(
    facts: Facts, gpu: str, weights: str, low: float, high: float
) -> None:
    speed = per_request(
        facts,
        "llama-3-8b",
        gpu,
        weights=weights,
        engine="llama.cpp",
        engine_version="2024-05",
        prompt_tokens=1,
    )
    assert 0.95 * low < speed < 1.05 * high


def test_a_70b_at_four_bits_on_one_48_gb_card(facts: Facts) -> None:
    # Measured: 14.6 tokens/s at 512 tokens (RTX A6000, llama.cpp of May 2024).
    speed = per_request(
        facts,
        "llama-3-70b",
        "rtx-a6000",
        weights="gguf-q4_k_m",
        engine="llama.cpp",
        engine_version="2024-05",
        prompt_tokens=1,
        output_tokens=512,
    )
    assert 13.0 < speed < 15.5


@pytest.mark.parametrize(("gpus", "gpt_fast"), [(4, 37.45), (8, 58.78)])
def test_a_70b_over_a100_with_a_link_matches_the_published_figures(
    facts: Facts, gpus: int, gpt_fast: float
) -> None:
    # Llama 3.1 70B BF16: pytorch-labs/gpt-fast README.md.
    speed = per_request(
        facts,
        "llama-3.1-70b",
        "a100-sxm-80gb",
        weights="bf16",
        engine="gpt-fast",
        gpu_count=gpus,
        tensor_parallel=gpus,
        link="nvlink",
        prompt_tokens=5,
        output_tokens=200,
    )
    assert speed == pytest.approx(gpt_fast, rel=0.15)


@pytest.mark.parametrize("gpus", [2, 4, 8])
def test_a_70b_over_a100_loses_more_to_pcie_the_more_cards_share_it(facts: Facts, gpus: int) -> None:
    ask = {"weights": "int4-awq", "gpu_count": gpus, "tensor_parallel": gpus, "concurrency": 1}
    linked = serve(facts, "llama-3.1-70b", "a100-sxm-80gb", link="nvswitch", **ask)
    slotted = serve(facts, "llama-3.1-70b", "a100-sxm-80gb", link="pcie", **ask)
    lost = known(slotted.step_seconds) / known(linked.step_seconds)
    assert known(slotted.communication_seconds) > 2 * known(linked.communication_seconds)
    low, high = {2: (1.05, 1.5), 4: (1.2, 2.2), 8: (1.4, 3.5)}[gpus]
    assert low < lost < high


def test_a_mixture_decodes_faster_than_a_dense_model_of_its_size(facts: Facts) -> None:
    mixture = per_request(
        facts, "mixtral-8x22b", "h100-sxm-80gb", weights="bf16", gpu_count=8, tensor_parallel=8
    )
    dense = per_request(
        facts, "mistral-large-2", "h100-sxm-80gb", weights="bf16", gpu_count=8, tensor_parallel=8
    )
    # 141 B in all, 39 B active, against 123 B dense: the bytes give 3.1, launches and all-reduces take their part.
    assert 1.5 * dense < mixture < 3.5 * dense


def test_the_curve_over_concurrency_rises_to_a_knee_and_then_flattens(facts: Facts) -> None:
    points = [
        serve(facts, concurrency=count, weights="bf16") for count in (1, 2, 4, 8, 16, 64, 256, 1_024, 4_096)
    ]
    totals = [known(point.decode_tokens_per_second) for point in points]
    assert totals == sorted(totals)
    assert totals[1] > 1.9 * totals[0]
    assert totals[-1] < 1.05 * totals[-3]
    assert points[0].bound == "bandwidth"
    assert points[-1].bound == "capacity"


def test_more_requests_than_fit_wait_for_their_place(facts: Facts) -> None:
    few, many = serve(facts, concurrency=64, weights="bf16"), serve(facts, concurrency=2_000, weights="bf16")
    assert known(few.time_to_first_token_ms) < 200
    assert known(many.time_to_first_token_ms) > 10_000
    assert known(many.concurrency) < 2_000


def test_replicas_multiply_the_total_and_leave_a_reader_alone(facts: Facts) -> None:
    one = serve(facts, concurrency=16)
    four = serve(facts, concurrency=64, gpu_count=4, data_parallel=4)
    assert known(four.decode_tokens_per_second) == pytest.approx(4 * known(one.decode_tokens_per_second))
    speeds = one.decode_tokens_per_second_per_request, four.decode_tokens_per_second_per_request
    assert known(speeds[0]) == pytest.approx(known(speeds[1]))


def test_idle_replicas_add_nothing(facts: Facts) -> None:
    one = serve(facts, concurrency=1)
    eight = serve(facts, concurrency=1, gpu_count=8, data_parallel=8)
    assert known(eight.decode_tokens_per_second) == pytest.approx(known(one.decode_tokens_per_second))


def test_eager_launches_bind_a_small_model(facts: Facts) -> None:
    graphs = serve(facts, "llama-3.2-1b", concurrency=1)
    eager = serve(facts, "llama-3.2-1b", concurrency=1, cuda_graphs=False)
    assert eager.bound == "launch"
    assert known(eager.step_seconds) > 2 * known(graphs.step_seconds)


def test_prompts_in_small_chunks_are_read_slower(facts: Facts) -> None:
    whole = serve(facts, concurrency=1, prompt_tokens=8_000)
    chunked = serve(facts, concurrency=1, prompt_tokens=8_000, max_batched_tokens=256)
    assert known(chunked.prefill_tokens_per_second) < 0.8 * known(whole.prefill_tokens_per_second)


def test_fp8_halves_the_bytes_but_multiplies_faster_only_where_the_chip_does(facts: Facts) -> None:
    def gain(gpu: str, figure: str) -> float:
        speeds = [known(getattr(serve(facts, gpu=gpu, weights=kind), figure)) for kind in ("fp8", "bf16")]
        return speeds[0] / speeds[1]

    assert gain("a100-sxm-80gb", "prefill_tokens_per_second") == pytest.approx(1, abs=0.05)
    assert gain("h100-sxm-80gb", "prefill_tokens_per_second") > 1.3
    assert gain("a100-sxm-80gb", "decode_tokens_per_second") > 1


def test_sparse_attention_slows_less_with_context_than_its_dense_forerunner(facts: Facts) -> None:
    def slowdown(model: str) -> float:
        speeds = [
            per_request(
                facts,
                model,
                "h200-sxm-141gb",
                gpu_count=8,
                tensor_parallel=8,
                prompt_tokens=tokens,
                weights="fp8",
            )
            for tokens in (1_000, 120_000)
        ]
        return speeds[0] / speeds[1]

    assert slowdown("deepseek-v3.2") < slowdown("deepseek-v3")


def test_a_cached_prefix_shortens_the_time_to_first_token(facts: Facts) -> None:
    whole = serve(facts, prompt_tokens=16_000, concurrency=1)
    cached = serve(facts, prompt_tokens=16_000, concurrency=1, shared_prefix_tokens=15_000)
    assert known(cached.time_to_first_token_ms) < 0.25 * known(whole.time_to_first_token_ms)


def speculative_gain(facts: Facts, concurrency: int) -> float:
    ask: dict[str, Any] = {"concurrency": concurrency, "prompt_tokens": 100, "output_tokens": 100}
    draft = {"draft": "ngram", "tokens": 3, "acceptance": 0.5}
    plain, drafted = serve(facts, **ask), serve(facts, speculative=draft, **ask)
    speeds = plain.decode_tokens_per_second_per_request, drafted.decode_tokens_per_second_per_request
    return known(speeds[1]) / known(speeds[0])


def test_speculation_yields_the_expected_tokens_a_step_as_long_as_reading_binds(facts: Facts) -> None:
    expected = 1 + 0.5 + 0.25 + 0.125
    assert speculative_gain(facts, 1) == pytest.approx(expected, rel=0.02)
    # In a large batch the drafted tokens are multiplied for nothing.
    assert speculative_gain(facts, 512) < 0.8 * expected


def test_the_headline_is_the_reader_with_a_stated_concurrency_and_the_total_without(facts: Facts) -> None:
    stated, free = serve(facts, concurrency=4), serve(facts)
    assert stated.headline == "decode_tokens_per_second_per_request"
    assert free.headline == "decode_tokens_per_second"
    for answer in (stated, free):
        figure = known(getattr(answer, answer.headline))
        assert known(answer.low) < figure < known(answer.high)


def test_expert_parallel_with_data_parallel_attention_names_the_gpus_of_one_copy(facts: Facts) -> None:
    spread = serve(
        facts,
        "qwen3-235b-a22b",
        weights="fp8",
        kv_cache="fp8",
        gpu_count=8,
        expert_parallel=8,
        attention_data_parallel=8,
        engine="tensorrt-llm",
        engine_version="1.0",
        max_concurrent_sequences=3_000,
    )
    # Measured at 1,000 in and 1,000 out: 14,898 tokens/s (TensorRT-LLM 1.0 performance overview).
    assert 11_000 < known(spread.decode_tokens_per_second) < 20_000
