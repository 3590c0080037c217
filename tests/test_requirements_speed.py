"""Requirements 27 to 33 of users of comparable tools: what speed must say, a test each."""

from typing import Any

import pytest

import advisor
from advisor import Facts, Needs, Workload
from tests.conftest import TODAY
from tests.estimate.speed.serving_cases import known, serve


def test_r27_the_formula_behind_the_speed_is_shown(facts: Facts) -> None:
    answer = serve(facts, "llama-3.1-8b", "rtx-4090", weights="gguf-q8_0", engine="llama.cpp", concurrency=1)
    parts = (
        answer.cache_seconds,
        answer.launch_seconds,
        answer.communication_seconds,
        answer.offload_seconds,
    )
    step = max(known(answer.weights_seconds), known(answer.compute_seconds)) + sum(
        known(part) for part in parts
    )
    assert known(answer.step_seconds) == pytest.approx(step)
    assert known(answer.decode_tokens_per_second_per_request) == pytest.approx(1 / step)
    assert answer.bound == "bandwidth"


def test_r28_a_mixture_is_read_by_its_active_experts_and_offload_is_slower(facts: Facts) -> None:
    ask: dict[str, Any] = {"weights": "gguf-q8_0", "engine": "llama.cpp", "concurrency": 1}
    # Measured on a DGX Spark: 57.6 tokens/s; all 30 B at 273 GB/s would give 9.
    mixture = serve(facts, "qwen3-coder-30b-a3b", "gb10", prompt_tokens=512, output_tokens=32, **ask)
    assert 45 < known(mixture.decode_tokens_per_second_per_request) < 65
    whole = serve(facts, "llama-3.1-70b", "rtx-4090", **{**ask, "weights": "gguf-q4_k_m"}, gpu_layers=80)
    half = serve(facts, "llama-3.1-70b", "rtx-4090", **{**ask, "weights": "gguf-q4_k_m"}, gpu_layers=40)
    assert half.bound == "offload"
    assert known(half.decode_tokens_per_second) < 0.5 * known(whole.decode_tokens_per_second)


@pytest.mark.parametrize(
    ("fast", "slow"),
    [("rtx-4090", "rtx-4060-ti-16gb"), ("rtx-3090", "rtx-3060"), ("rtx-5090", "rtx-5060-ti-16gb")],
)
def test_r29_the_bandwidth_is_that_of_the_gpu_model(facts: Facts, fast: str, slow: str) -> None:
    ask: dict[str, Any] = {
        "weights": "gguf-q4_k_m",
        "engine": "llama.cpp",
        "concurrency": 1,
        "prompt_tokens": 100,
    }
    answers = [serve(facts, "llama-3.1-8b", gpu, **ask) for gpu in (fast, slow)]
    reading = known(answers[1].weights_seconds) / known(answers[0].weights_seconds)
    assert reading == pytest.approx(facts.gpus[fast].memory_bandwidth / facts.gpus[slow].memory_bandwidth)
    speeds = [known(answer.decode_tokens_per_second_per_request) for answer in answers]
    assert 1.5 * speeds[1] < speeds[0] < reading * speeds[1]


def test_r30_split_mode_and_link_count(facts: Facts) -> None:
    ask: dict[str, Any] = {"weights": "bf16", "concurrency": 1, "gpu_count": 4, "gpu": "a100-pcie-80gb"}
    layers = serve(facts, "llama-3.1-70b", pipeline_parallel=4, tensor_parallel=1, **ask)
    slotted = serve(facts, "llama-3.1-70b", tensor_parallel=4, link="pcie", **ask)
    bridged = serve(facts, "llama-3.1-70b", tensor_parallel=4, link="nvlink", **ask)
    speeds = [known(answer.decode_tokens_per_second_per_request) for answer in (layers, slotted, bridged)]
    # Layers in turn read all weights at the rate of one card; shards read theirs together.
    assert speeds == sorted(speeds)
    one_pass = 2 * (70_553_706_496 - 128_256 * 8_192) / facts.gpus["a100-pcie-80gb"].memory_bandwidth
    assert known(layers.weights_seconds) > one_pass
    assert speeds[2] > 2 * speeds[0]


def test_r31_speed_is_a_range_with_its_basis(facts: Facts) -> None:
    ask: dict[str, Any] = {"weights": "gguf-q4_k_m", "concurrency": 1, "engine": "llama.cpp"}
    measured = serve(facts, "llama-3.1-8b", "rtx-4090", engine_version="2024-05", **ask)
    unmeasured = serve(facts, "llama-3.1-8b", "radeon-rx-7900-xtx", engine_version="2024-05", **ask)
    assert measured.measured
    assert not unmeasured.measured
    widths = [known(answer.high) / known(answer.low) for answer in (measured, unmeasured)]
    assert 1.05 < widths[0] < 1.6 < widths[1] < 3
    assert measured.group == "serve/llama.cpp/dense/single"


@pytest.mark.parametrize("gpu", ["t4", "mi250x", "gaudi2", "tpu-v6e", "mi210", "arc-pro-b60", "k80"])
@pytest.mark.parametrize("weights", ["nvfp4", "mxfp4", "fp8", "int8", "nf4-dq", "exl2-2.5"])
def test_r32_a_pair_without_measurements_is_a_flagged_estimate(facts: Facts, gpu: str, weights: str) -> None:
    answer = serve(facts, "llama-3.2-3b", gpu, weights=weights, concurrency=1)
    assert known(answer.decode_tokens_per_second) > 0
    assert not answer.measured


def test_r33_a_target_load_gives_the_fewest_gpus(facts: Facts) -> None:
    workload = Workload.from_dict(
        {
            "task": "serve",
            "model": "llama-3.1-8b",
            "weights": "fp8",
            "prompt_tokens": 1_000,
            "output_tokens": 500,
        },
        "workload",
    )

    def fewest(tokens_per_second: float) -> int:
        needs = Needs(tokens_per_second=tokens_per_second, sort="cost")
        ranking = advisor.rank(workload, needs, facts, TODAY)
        return min(offer.gpu_count * offer.instances for offer in ranking.offers)

    small, large = fewest(500), fewest(200_000)
    assert small == 1
    assert 4 < large < 200
