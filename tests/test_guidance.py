"""The statements people are given as advice, each confirmed or corrected with a number (docs/guidance.md)."""

import dataclasses
from typing import Any

import numpy as np
import pytest

from advisor import Deployment, Estimate, Facts, Needs, Observed, Workload, diagnose, estimate, rank
from advisor.economics.spot import SpotTerms, verdict_over_range
from tests.conftest import TODAY


def served(facts: Facts, model: str, weights: str, gpu: str, gpu_count: int = 1, **more: Any) -> Estimate:
    """Estimate one served model; `more` goes to the workload, `engine` and `link` to the deployment."""
    placed = ("engine", "link", "tensor_parallel")
    deployed: dict[str, Any] = {name: more.pop(name) for name in placed if name in more}
    workload = Workload.from_dict({"task": "serve", "model": model, "weights": weights, **more}, "workload")
    deployment = Deployment.from_dict({"gpu": gpu, "gpu_count": gpu_count, **deployed}, "deployment")
    return estimate(workload, deployment, facts)


def trained(facts: Facts, model: str, gpu: str, gpu_count: int = 1, **more: Any) -> Estimate:
    """Estimate one fine-tuning; `more` goes to the workload."""
    workload = Workload.from_dict({"task": "finetune", "model": model, **more}, "workload")
    return estimate(workload, Deployment(gpu=gpu, gpu_count=gpu_count), facts)


def fits(answer: Estimate) -> bool:
    assert answer.memory.needed_gib is not None
    assert answer.memory.budget_gib is not None
    return answer.memory.needed_gib <= answer.memory.budget_gib


def tokens_per_second(answer: Estimate) -> float:
    assert answer.throughput is not None
    return answer.throughput.decode_tokens_per_second_per_request or 0.0


@pytest.mark.parametrize("gpu", ["l4", "rtx-4090"])
@pytest.mark.parametrize("weights", ["int4-awq", "int8"])
@pytest.mark.parametrize(
    ("model", "context"),
    [("llama-3.1-8b", 8192), ("gemma-2-9b", 8192), ("llama-2-13b", 4096), ("phi-4-14b", 8192)],
)
def test_g1_quantized_7_to_14b_run_on_one_24_gb_card(
    facts: Facts, model: str, context: int, weights: str, gpu: str
) -> None:
    answer = served(facts, model, weights, gpu, context_tokens=context, concurrency=1)
    assert fits(answer)
    assert (answer.memory.kv_cache_tokens or 0) >= context


@pytest.mark.parametrize(
    ("model", "weights", "concurrency"),
    [
        ("llama-3.1-8b", "bf16", 8),
        ("qwen2.5-14b", "bf16", 4),
        ("qwen2.5-32b", "int4-awq", 1),
        ("yi-34b", "int8", 1),
    ],
)
def test_g2_medium_models_and_full_precision_want_24_to_48_gb(
    facts: Facts, model: str, weights: str, concurrency: int
) -> None:
    fitting = [
        memory_gb
        for memory_gb, gpu in ((16, "rtx-4080"), (24, "rtx-4090"), (32, "rtx-5090"), (48, "rtx-6000-ada"))
        if fits(served(facts, model, weights, gpu, concurrency=concurrency, context_tokens=4096))
    ]
    assert fitting
    assert 24 <= fitting[0] <= 48


SEVENTY = "llama-3.1-70b"


def test_g3_70b_at_16_bit_needs_more_than_any_card_up_to_141_gb(facts: Facts) -> None:
    work: dict[str, Any] = {"concurrency": 8, "context_tokens": 8192, "engine": "vllm"}
    answer = served(facts, SEVENTY, "bf16", "b200-sxm-180gb", **work)
    assert answer.memory.weights_gib == pytest.approx(131.4, abs=0.7)
    for gpu in ("a100-sxm-80gb", "h100-nvl-94gb", "h200-sxm-141gb"):
        assert not fits(served(facts, SEVENTY, "bf16", gpu, **work))
    for gpu in ("b200-sxm-180gb", "mi300x"):
        assert fits(served(facts, SEVENTY, "bf16", gpu, **work))
    assert fits(served(facts, SEVENTY, "bf16", "h100-sxm-80gb", 4, **work))
    two = served(facts, SEVENTY, "bf16", "h100-sxm-80gb", 2, engine="vllm", tensor_parallel=2)
    assert not fits(served(facts, SEVENTY, "bf16", "h100-sxm-80gb", 2, **work))
    assert 2_000 <= (two.memory.kv_cache_tokens or 0) <= 12_000


def test_g3_70b_in_fp8_and_4_bit(facts: Facts) -> None:
    work: dict[str, Any] = {"concurrency": 8, "context_tokens": 8192, "engine": "vllm"}
    one = served(facts, SEVENTY, "fp8", "h100-sxm-80gb", engine="vllm")
    assert one.memory.weights_gib == pytest.approx(67.7, abs=0.7)
    assert (one.memory.kv_cache_tokens or 0) < 5_000
    assert not fits(served(facts, SEVENTY, "fp8", "h100-sxm-80gb", **work))
    assert fits(served(facts, SEVENTY, "fp8", "h200-sxm-141gb", **work))
    assert fits(served(facts, SEVENTY, "fp8", "h100-sxm-80gb", 2, **work))
    for gpu, tokens in (("rtx-a6000", 7_000), ("l40s", 3_000)):
        four_bit = served(
            facts, SEVENTY, "int4-awq", gpu, engine="vllm", concurrency=1, context_tokens=tokens
        )
        assert four_bit.memory.weights_gib == pytest.approx(37.0, abs=0.7)
        assert fits(four_bit)
        assert (four_bit.memory.kv_cache_tokens or 0) >= tokens


def test_g4_the_cache_of_one_sequence_equals_the_weights_near_122500_tokens(facts: Facts) -> None:
    answer = served(facts, "llama-3.1-8b", "bf16", "h100-sxm-80gb", concurrency=1, context_tokens=122_500)
    assert answer.memory.kv_cache_gib == pytest.approx(answer.memory.weights_gib, rel=0.01)


def test_g5_full_fine_tuning_in_mixed_precision_is_16_to_18_bytes_a_parameter(facts: Facts) -> None:
    memory = trained(facts, "llama-3.1-8b", "b200-sxm-180gb", method="full").memory
    state = sum(part or 0.0 for part in (memory.weights_gib, memory.gradients_gib, memory.optimizer_gib))
    assert 16 <= state * 2**30 / 8_030_261_248 <= 18.01


@pytest.mark.parametrize(
    ("model", "gpu"),
    [
        ("qwen2.5-7b", "rtx-4090"),
        ("llama-2-13b", "rtx-4090"),
        ("qwen2.5-14b", "rtx-4090"),
        ("yi-34b", "l40s"),
        ("qwen2.5-32b", "l40s"),
        (SEVENTY, "h100-sxm-80gb"),
    ],
)
def test_g6_qlora_brings_substantial_models_to_24_to_80_gb(facts: Facts, model: str, gpu: str) -> None:
    assert fits(trained(facts, model, gpu, method="qlora", sequence_tokens=1024))


def test_g7_full_fine_tuning_needs_several_cards(facts: Facts) -> None:
    assert not fits(trained(facts, "llama-3.1-8b", "h100-sxm-80gb", method="full"))
    assert not fits(trained(facts, SEVENTY, "h100-sxm-80gb", 8, method="full"))
    assert fits(trained(facts, SEVENTY, "b200-sxm-180gb", 8, method="full"))
    assert fits(trained(facts, SEVENTY, "mi300x", 8, method="full"))
    short: dict[str, Any] = {"method": "full", "training_precision": "pure-bf16", "sequence_tokens": 1024}
    assert fits(trained(facts, SEVENTY, "h100-sxm-80gb", 8, **short))


def test_g7_two_nodes_hold_a_70b_in_mixed_precision(facts: Facts) -> None:
    workload = Workload(task="finetune", model=SEVENTY, method="full", sequence_tokens=1024)
    two = estimate(workload, Deployment(gpu="h100-sxm-80gb", gpu_count=16, nodes=2), facts)
    assert fits(two)


@pytest.mark.parametrize(
    ("hbm", "gddr", "model"),
    [
        ("h100-nvl-94gb", "rtx-pro-6000-server", "llama-3.1-8b"),
        ("a100-sxm-40gb", "rtx-a6000", "llama-3.1-8b"),
    ],
)
def test_g8_hbm_makes_more_tokens_than_gddr_at_the_same_vram(
    facts: Facts, hbm: str, gddr: str, model: str
) -> None:
    fast = tokens_per_second(served(facts, model, "bf16", hbm, engine="vllm", concurrency=1))
    slow = tokens_per_second(served(facts, model, "bf16", gddr, engine="vllm", concurrency=1))
    nominal = facts.gpus[hbm].memory_bandwidth / facts.gpus[gddr].memory_bandwidth
    assert fast / slow > 1.2
    # The ratio is bandwidth times achieved share: the shares of GDDR and HBM differ by at most a third.
    assert nominal * 0.65 < fast / slow < nominal * 1.15


def test_g8_an_old_llama_cpp_is_the_named_exception(facts: Facts) -> None:
    work: dict[str, Any] = {"engine": "llama.cpp", "concurrency": 1, "prompt_tokens": 1, "output_tokens": 512}
    a100 = tokens_per_second(served(facts, "llama-3-8b", "gguf-f16", "a100-sxm-80gb", **work))
    consumer = tokens_per_second(served(facts, "llama-3-8b", "gguf-f16", "rtx-4090", **work))
    assert a100 == pytest.approx(consumer, rel=0.15)


def test_g9_a_slow_stream_on_an_idle_looking_gpu_is_normal(facts: Facts) -> None:
    advice = diagnose(
        Workload(task="serve", model="llama-3.1-8b", weights="bf16", concurrency=1),
        Deployment(gpu="rtx-a6000", engine="vllm"),
        Observed(tokens_per_second=40.0, gpu_utilization=0.5),
        facts,
    )
    assert advice.bound == "bandwidth"
    assert {"faster-memory", "lower-precision", "larger-batch"} <= {
        remedy.message.code for remedy in advice.remedies
    }
    assert all(remedy.factor > 1.05 for remedy in advice.remedies)


def test_g10_batching_grows_the_total_almost_linearly_until_a_knee(facts: Facts) -> None:
    totals = []
    for concurrency in (1, 2, 4, 8, 256):
        answer = served(
            facts,
            "llama-3.1-8b",
            "bf16",
            "h100-sxm-80gb",
            engine="vllm",
            concurrency=concurrency,
            prompt_tokens=128,
            output_tokens=128,
        )
        assert answer.throughput is not None
        totals.append(answer.throughput.decode_tokens_per_second or 0.0)
    assert np.all(np.diff(totals) > 0)
    assert totals[3] > 6 * totals[0]
    assert totals[4] < 0.7 * 256 * totals[0]


def test_g11_fp8_computes_faster_only_where_the_chip_has_it(facts: Facts) -> None:
    def prefill(weights: str, gpu: str) -> float:
        answer = served(facts, "llama-3.1-8b", weights, gpu, engine="vllm", concurrency=8)
        assert answer.throughput is not None
        return answer.throughput.prefill_tokens_per_second or 0.0

    for gpu in ("h100-sxm-80gb", "l40s", "rtx-4090", "b200-sxm-180gb", "mi300x"):
        assert prefill("fp8", gpu) > 1.1 * prefill("bf16", gpu)
    for gpu in ("a100-sxm-80gb", "rtx-3090"):
        assert prefill("fp8", gpu) <= 1.01 * prefill("bf16", gpu)


def test_g11_a_stored_format_still_speeds_up_small_batches(facts: Facts) -> None:
    stored = served(facts, "llama-3.1-8b", "fp8", "a100-sxm-80gb", engine="vllm", concurrency=1)
    plain = served(facts, "llama-3.1-8b", "bf16", "a100-sxm-80gb", engine="vllm", concurrency=1)
    assert tokens_per_second(stored) > 1.2 * tokens_per_second(plain)
    assert (stored.memory.weights_gib or 0) < 0.65 * (plain.memory.weights_gib or 0)


def test_g11_int8_is_no_gain_on_blackwell_ultra(facts: Facts) -> None:
    assert facts.gpus["b300-sxm-288gb"].int8_flops < 0.1 * facts.gpus["b300-sxm-288gb"].bf16_flops
    assert facts.gpus["a100-sxm-80gb"].int8_flops == 2 * facts.gpus["a100-sxm-80gb"].bf16_flops


def test_g12_replicas_rank_before_shards_unless_the_target_needs_them(facts: Facts) -> None:
    workload = Workload(task="serve", model="llama-3.1-8b")
    for offer in rank(workload, Needs(), facts, TODAY):
        if offer.gpu.memory_gb >= 40 and offer.gpu.vendor == "NVIDIA":
            assert offer.tensor_parallel == 1, "one card holds the model, so every GPU is a copy"
            assert offer.replicas == offer.gpu_count
    fast = Needs(tokens_per_second_per_request=250.0)
    assert {offer.tensor_parallel for offer in rank(workload, fast, facts, TODAY)} - {1}


def test_g13_nvlink_keeps_the_shards_fed(facts: Facts) -> None:
    by_link = {
        link: served(
            facts,
            SEVENTY,
            "bf16",
            "a100-sxm-80gb",
            4,
            engine="vllm",
            link=link,
            concurrency=1,
            tensor_parallel=4,
        )
        for link in ("nvswitch", "pcie")
    }
    assert tokens_per_second(by_link["nvswitch"]) > 1.1 * tokens_per_second(by_link["pcie"])
    shares = {}
    for link, answer in by_link.items():
        assert answer.throughput is not None
        shares[link] = (answer.throughput.communication_seconds or 0) / (answer.throughput.step_seconds or 1)
    assert shares["pcie"] > 1.5 * shares["nvswitch"]


@pytest.mark.parametrize(
    ("terms", "waiting", "verdict"),
    [
        (SpotTerms(730, 4.0, 2.0, float("nan"), 0.0), True, "spot-only-with-fallback"),
        (SpotTerms(48, 4.0, 2.0), False, "spot-with-checkpoints"),
        (SpotTerms(48, 4.0, 2.0, float("nan"), 0.02), False, "spot-suitable"),
        (SpotTerms(48, 4.0, 2.0, float("nan"), 48.0), False, "spot-unsuitable"),
    ],
)
def test_g17_spot_suits_what_an_interruption_only_restarts(
    terms: SpotTerms, waiting: bool, verdict: str
) -> None:
    assert verdict_over_range(terms, waiting, float("inf"), None) == verdict


def test_g19_every_figure_carries_source_and_date_or_says_that_it_has_none(facts: Facts) -> None:
    ranking = rank(Workload(task="serve", model="llama-3.1-8b"), Needs(), facts, TODAY)
    assert all(offer.price_source for offer in ranking)
    assert all(offer.price_as_of is not None or offer.expired for offer in ranking)
    assert all(offer.stock == "unknown" for offer in ranking)


def test_g20_a_24_gb_consumer_card_is_enough_and_cheaper_for_small_work(facts: Facts) -> None:
    chat = Workload(task="serve", model="llama-3.1-8b", weights="int4-awq", concurrency=1)
    ranking = rank(chat, Needs(), facts, TODAY)
    consumer = min(
        offer.usd_per_month
        for offer in ranking
        if offer.gpu.segment == "consumer" and not offer.expired and offer.gpu.memory_gb <= 24
    )
    big = min(offer.usd_per_month for offer in ranking if offer.gpu.memory_gb >= 80 and not offer.expired)
    assert consumer < 0.6 * big
    long_context = dataclasses.replace(chat, context_tokens=131_072, weights="bf16", concurrency=4)
    patient = Needs(time_to_first_token_ms=120_000, tokens_per_second_per_request=1)
    singles = [offer for offer in rank(long_context, patient, facts, TODAY) if offer.gpu_count == 1]
    assert min(offer.gpu.memory_gb for offer in singles) > 24
