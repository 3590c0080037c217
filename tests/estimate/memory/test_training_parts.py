"""Sharding, offload, objectives and the moments of a step: what each may and may not move."""

from typing import Any

import pytest

from advisor import Facts
from advisor.units import GIB
from tests.estimate.memory.training_cases import known, memory, state_gib

LLAMA_8B = 8_030_261_248
FULL: dict[str, Any] = {"method": "full", "training_precision": "mixed"}
EIGHT: dict[str, Any] = {"gpu": "h100-sxm-80gb", "gpu_count": 8, "engine": "peft"}


@pytest.mark.parametrize(
    ("sharding", "weights", "gradients", "optimizer"),
    [
        ("zero1", 2.0, 2.0, 12 / 8),
        ("zero2", 2.0, 2 / 8, 12 / 8),
        ("zero3", 2 / 8, 2 / 8, 12 / 8),
        ("fsdp", 4 / 8, 4 / 8, 8 / 8),
        ("none", 4.0, 4.0, 8.0),
    ],
)
def test_each_sharding_splits_its_part_of_the_state(
    facts: Facts, sharding: str, weights: float, gradients: float, optimizer: float
) -> None:
    figures = memory(facts, deployment={**EIGHT, "sharding": sharding}, **FULL)
    assert known(figures.weights_gib) == pytest.approx(weights * LLAMA_8B / GIB)
    assert known(figures.gradients_gib) == pytest.approx(gradients * LLAMA_8B / GIB)
    assert known(figures.optimizer_gib) == pytest.approx(optimizer * LLAMA_8B / GIB)


def test_tensor_parallel_splits_all_but_the_norms(facts: Facts) -> None:
    deployment = {"engine": "megatron", "gpu_count": 8, "tensor_parallel": 8, "sharding": "none"}
    figures = memory(facts, deployment=deployment, **FULL)
    norms = 135_168
    assert known(figures.weights_gib) == pytest.approx(2 * ((LLAMA_8B - norms) / 8 + norms) / GIB)


def test_pipeline_parallel_leaves_one_embedding_on_the_fullest_stage(facts: Facts) -> None:
    deployment = {"engine": "megatron", "gpu_count": 4, "pipeline_parallel": 4, "sharding": "none"}
    figures = memory(facts, deployment=deployment, **FULL)
    layers = LLAMA_8B - 2 * 525_336_576
    assert known(figures.weights_gib) == pytest.approx(2 * (layers / 4 + 525_336_576) / GIB, rel=1e-4)


def test_expert_parallel_splits_the_experts_only(facts: Facts) -> None:
    plain = memory(facts, "qwen3-30b-a3b", {"engine": "megatron", "gpu_count": 8, "sharding": "none"}, **FULL)
    spread = memory(
        facts,
        "qwen3-30b-a3b",
        {"engine": "megatron", "gpu_count": 8, "sharding": "none", "expert_parallel": 8},
        **FULL,
    )
    saved = 2 * 28_991_029_248 * 7 / 8 / GIB
    assert known(plain.weights_gib) - known(spread.weights_gib) == pytest.approx(saved)


def test_context_parallel_splits_activations_and_not_weights(facts: Facts) -> None:
    work: dict[str, Any] = {"method": "lora", "sequence_tokens": 65_536}
    one = memory(facts, deployment={**EIGHT, "sharding": "none", "data_parallel": 8}, **work)
    four = memory(
        facts, deployment={**EIGHT, "sharding": "none", "data_parallel": 2, "context_parallel": 4}, **work
    )
    assert four.weights_gib == one.weights_gib
    assert known(four.activations_gib) == pytest.approx(known(one.activations_gib) / 4, rel=1e-6)


def test_offloading_the_optimizer_moves_it_to_the_host(facts: Facts) -> None:
    deployment = {**EIGHT, "sharding": "zero2"}
    resident = memory(facts, deployment=deployment, **FULL)
    offloaded = memory(facts, deployment=deployment, offload="optimizer", **FULL)
    assert offloaded.optimizer_gib == 0
    assert known(offloaded.host_gib) == pytest.approx(12 * LLAMA_8B / GIB)
    assert known(offloaded.peak_gib) < known(resident.peak_gib)


def test_offloading_activations_moves_checkpoints_to_the_host(facts: Facts) -> None:
    work: dict[str, Any] = {"method": "lora", "sequence_tokens": 16_384, "fused_cross_entropy": True}
    kept = memory(facts, deployment={"engine": "axolotl"}, **work)
    offloaded = memory(facts, deployment={"engine": "axolotl"}, offload="activations", **work)
    checkpoints = 16_384 * 32 * 4_096 * 2 / GIB
    assert known(offloaded.host_gib) == pytest.approx(checkpoints)
    assert known(kept.peak_gib) - known(offloaded.peak_gib) == pytest.approx(checkpoints)


def test_a_paged_optimizer_lives_in_host_memory(facts: Facts) -> None:
    paged = memory(facts, method="full", training_precision="pure-bf16", optimizer="paged-adamw-8bit")
    assert paged.optimizer_gib == 0
    assert known(paged.host_gib) == pytest.approx(2 * LLAMA_8B / GIB)


def test_dpo_runs_pairs_and_a_full_model_keeps_its_reference(facts: Facts) -> None:
    sft = memory(facts, method="full", training_precision="pure-bf16", micro_batch=2)
    dpo = memory(facts, method="full", training_precision="pure-bf16", micro_batch=1, objective="dpo")
    assert known(dpo.reference_gib) == pytest.approx(2 * LLAMA_8B / GIB)
    assert known(dpo.peak_gib) == pytest.approx(known(sft.peak_gib) + known(dpo.reference_gib))


def test_adapters_switched_off_are_their_own_reference(facts: Facts) -> None:
    assert memory(facts, method="lora", objective="dpo").reference_gib == 0
    resident = memory(facts, method="lora", objective="dpo", reference_model="resident")
    assert known(resident.reference_gib) == pytest.approx(2 * LLAMA_8B / GIB)
    offloaded = memory(facts, method="lora", objective="dpo", reference_model="offloaded")
    assert offloaded.reference_gib == 0
    assert known(offloaded.host_gib) == pytest.approx(2 * LLAMA_8B / GIB)


def test_full_ppo_trains_a_value_model_and_keeps_reference_and_reward(facts: Facts) -> None:
    grpo = memory(facts, method="full", objective="grpo")
    ppo = memory(facts, method="full", objective="ppo")
    assert known(ppo.optimizer_gib) == pytest.approx(2 * known(grpo.optimizer_gib))
    assert known(ppo.reference_gib) == pytest.approx(2 * 2 * LLAMA_8B / GIB)


def test_a_frozen_vision_tower_has_weights_and_no_optimizer(facts: Facts) -> None:
    figures = memory(
        facts, "qwen2.5-vl-7b", {"engine": "torchtune"}, method="full", training_precision="pure-bf16"
    )
    assert known(figures.gradients_gib) == pytest.approx(2 * 7_615_616_512 / GIB)
    assert known(figures.weights_gib) == pytest.approx(2 * (7_615_616_512 + 676_550_144) / GIB)


@pytest.mark.parametrize("engine", ["axolotl", "torchtune", "peft"])
def test_a_fused_loss_removes_most_of_the_logits(facts: Facts, engine: str) -> None:
    whole = memory(facts, "qwen2.5-7b", {"engine": engine}, sequence_tokens=8_192)
    fused = memory(facts, "qwen2.5-7b", {"engine": engine}, sequence_tokens=8_192, fused_cross_entropy=True)
    logits = 14 * 8_192 * 152_064 / GIB
    assert known(whole.peak_gib) - known(fused.peak_gib) > logits / 2


def test_checkpointing_keeps_less_and_selective_lies_between(facts: Facts) -> None:
    peaks = [
        known(
            memory(
                facts, sequence_tokens=8_192, fused_cross_entropy=True, gradient_checkpointing=kind
            ).peak_gib
        )
        for kind in ("none", "selective", "full")
    ]
    assert peaks == sorted(peaks, reverse=True)
    assert peaks[0] > 1.5 * peaks[2]


def test_the_parts_add_up_to_the_peak_and_the_peak_to_the_need(facts: Facts) -> None:
    figures = memory(facts, deployment={**EIGHT, "sharding": "fsdp"}, method="full", objective="dpo")
    parts = state_gib(figures) + known(figures.reference_gib) + known(figures.activations_gib)
    assert parts == pytest.approx(known(figures.peak_gib))
    assert known(figures.needed_gib) == pytest.approx(known(figures.peak_gib) + known(figures.overhead_gib))
    assert figures.reserved_gib == figures.needed_gib
    assert known(figures.low_gib) < known(figures.needed_gib) < known(figures.high_gib)


def test_stated_degrees_count_without_a_named_gpu(facts: Facts) -> None:
    deployment = {"gpu_count": 8, "tensor_parallel": 8, "engine": "megatron"}
    named = memory(facts, deployment={**deployment, "gpu": "h100-sxm-80gb"}, **FULL)
    unnamed = memory(facts, deployment=deployment, **FULL)
    assert unnamed.weights_gib == named.weights_gib
    assert unnamed.peak_gib == named.peak_gib
    assert unnamed.budget_gib is None
