"""Speed of training: FLOPs of a token, exchange, methods, jobs; literal values from published runs."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor import Facts
from advisor.estimate.speed.training_load import model_flops_per_token, training_load
from advisor.resolve import resolve
from advisor.resolve.works import TrainingWork
from advisor.workload import Deployment, Workload
from tests.estimate.media_cases import make, speed_of

MPT_7B: dict[str, Any] = {
    "model": "mpt-7b",
    "sequence_tokens": 2_048,
    "micro_batch": 6,
    "gradient_checkpointing": "none",
}
CLUSTER = {"gpu": "h100-sxm-80gb", "gpu_count": 64, "nodes": 8}


def pretrain(
    facts: Facts, deployment: dict[str, Any], model: str = "llama-3.1-8b", **work: Any
) -> dict[str, Any]:
    return speed_of(make(facts, "pretrain", model, deployment, **work))


def finetune(
    facts: Facts, deployment: dict[str, Any], model: str = "llama-3.1-8b", **work: Any
) -> dict[str, Any]:
    return speed_of(make(facts, "finetune", model, deployment, **work))


def load_of(facts: Facts, **work: Any) -> Any:
    resolved = resolve(Workload.from_dict(work, "workload"), Deployment(), facts)
    assert isinstance(resolved.work, TrainingWork)
    return training_load(resolved.work, facts.training_profiles.find(resolved.work.settings.engine.profile))


def test_a_trained_token_costs_6_flops_a_parameter_and_attention(facts: Facts) -> None:
    load = load_of(facts, task="pretrain", model="llama-3-70b", sequence_tokens=8_192)
    parameters = 70_553_706_496 - 128_256 * 8_192
    causal = 6 * 80 * 8_192 * 8_192
    assert float(model_flops_per_token(load, 0.5)) == pytest.approx(6 * parameters + causal, rel=1e-3)
    assert float(model_flops_per_token(load, 1.0)) == pytest.approx(6 * parameters + 2 * causal, rel=1e-3)


@pytest.mark.parametrize("method", ["lora", "qlora"])
def test_frozen_weights_cost_4_flops_a_parameter(facts: Facts, method: str) -> None:
    adapters = load_of(facts, task="finetune", model="llama-3.1-8b", method=method)
    full = load_of(facts, task="finetune", model="llama-3.1-8b", method="full")
    assert adapters.matrix_passes / full.matrix_passes == pytest.approx(4 / 6)
    assert adapters.matrix_flops == full.matrix_flops


@pytest.mark.parametrize(
    ("gpu", "gpu_count", "mfu", "tokens_per_gpu"),
    [
        ("a100-sxm-80gb", 8, 0.6423, 4_641),
        ("h100-sxm-80gb", 8, 0.4644, 10_643),
        ("h100-sxm-80gb", 512, 0.422, 9_670),
    ],
)
def test_published_pretraining_of_a_7b(
    facts: Facts, gpu: str, gpu_count: int, mfu: float, tokens_per_gpu: float
) -> None:
    deployment = {"gpu": gpu, "gpu_count": gpu_count, "nodes": gpu_count // 8, "sharding": "fsdp"}
    speed = pretrain(facts, {**deployment, "engine": "llm-foundry"}, **MPT_7B)
    assert speed["mfu"] == pytest.approx(mfu, rel=0.12)
    assert speed["training_tokens_per_second"] == pytest.approx(tokens_per_gpu * gpu_count, rel=0.12)


def test_published_pretraining_in_fp8_and_fp4(facts: Facts) -> None:
    layout = {"gpu_count": 64, "tensor_parallel": 1, "pipeline_parallel": 4, "data_parallel": 16}
    deployment = {"gpu": "gb300", **layout, "engine": "megatron", "engine_version": "megatron-bridge 26.04"}
    work: dict[str, Any] = {"sequence_tokens": 8_192, "micro_batch": 1, "gradient_accumulation": 16}
    for weights, tflops in (("fp8", 2_131), ("nvfp4", 3_321)):
        speed = pretrain(facts, deployment, "llama-3-70b", weights=weights, **work)
        assert speed["training_tflops_per_gpu"] == pytest.approx(tflops, rel=0.12)


def test_long_sequences_cost_more_than_their_share(facts: Facts) -> None:
    short, long = (
        pretrain(facts, {"gpu": "h100-sxm-80gb", "gpu_count": 8}, sequence_tokens=length)
        for length in (4_096, 65_536)
    )
    assert long["training_tokens_per_second"] < 0.75 * short["training_tokens_per_second"]


def test_recomputing_is_not_counted_as_useful_work(facts: Facts) -> None:
    kept = pretrain(facts, {"gpu": "a100-sxm-80gb", "gpu_count": 8, "engine": "llm-foundry"}, **MPT_7B)
    again = {**MPT_7B, "gradient_checkpointing": "full"}
    repeated = pretrain(facts, {"gpu": "a100-sxm-80gb", "gpu_count": 8, "engine": "llm-foundry"}, **again)
    assert repeated["mfu"] < 0.9 * kept["mfu"]
    ratio = repeated["training_tokens_per_second"] / kept["training_tokens_per_second"]
    assert repeated["mfu"] / kept["mfu"] == pytest.approx(ratio, rel=1e-9)


def test_a_job_has_hours_device_hours_checkpoints_and_a_read_rate(facts: Facts) -> None:
    speed = pretrain(facts, CLUSTER, dataset_tokens=1e12, epochs=2)
    tokens_per_second = speed["training_tokens_per_second"]
    assert speed["hours"] == pytest.approx(2e12 / tokens_per_second / 3_600)
    assert speed["device_hours"] == pytest.approx(64 * speed["hours"])
    # Weights 2, master copy 4 and moments 8 bytes a parameter.
    assert speed["checkpoint_gib"] == pytest.approx(8_030_261_248 * 14 / 2**30, rel=1e-6)
    assert speed["checkpoint_write_gb_per_second"] == pytest.approx(8_030_261_248 * 14 / 1e9 / 60, rel=1e-6)
    assert speed["dataset_read_gb_per_second"] == pytest.approx(tokens_per_second * 4 / 1e9)


def test_a_lora_checkpoint_holds_adapters_alone(facts: Facts) -> None:
    full = finetune(facts, {"gpu": "h100-sxm-80gb"}, method="full")
    lora = finetune(facts, {"gpu": "h100-sxm-80gb"}, method="lora")
    assert 0.1 < lora["checkpoint_gib"] < 1 < full["checkpoint_gib"]


def test_a_slow_network_takes_most_of_a_sharded_step(facts: Facts) -> None:
    fast = pretrain(facts, {**CLUSTER, "fabric": "infiniband", "fabric_gb_per_second": 50}, micro_batch=2)
    slow = pretrain(facts, {**CLUSTER, "fabric": "unknown"}, micro_batch=2)
    assert slow["training_tokens_per_second"] < fast["training_tokens_per_second"] / 3
    assert slow["bound"] == "communication"
    assert fast["bound"] == "compute"


def test_machines_of_soldered_parts_are_taken_as_a_cluster_and_others_are_not(facts: Facts) -> None:
    stated = pretrain(facts, {**CLUSTER, "fabric": "infiniband", "fabric_gb_per_second": 50})
    assert pretrain(facts, CLUSTER)["training_tokens_per_second"] == stated["training_tokens_per_second"]
    cards = {"gpu": "l40s", "gpu_count": 16, "nodes": 2}
    unknown = pretrain(facts, {**cards, "fabric": "unknown"})
    assert pretrain(facts, cards)["training_tokens_per_second"] == unknown["training_tokens_per_second"]


def test_sharding_over_pcie_with_one_short_sample_is_slow(facts: Facts) -> None:
    pair = {"gpu": "rtx-3090", "gpu_count": 2, "link": "pcie", "sharding": "fsdp", "engine": "peft"}
    short = finetune(facts, pair, "llama-2-7b", method="lora", sequence_tokens=512)
    packed = finetune(facts, pair, "llama-2-7b", method="lora", sequence_tokens=2_048, micro_batch=6)
    assert short["training_tokens_per_second"] == pytest.approx(202, rel=0.25)
    assert packed["training_tokens_per_second"] == pytest.approx(1_749, rel=0.15)
    assert short["bound"] == "communication"


def test_padding_is_not_trained_on(facts: Facts) -> None:
    packed = finetune(facts, {"gpu": "h100-sxm-80gb"})
    half = finetune(facts, {"gpu": "h100-sxm-80gb"}, packing=False, average_tokens=1_024)
    assert half["training_tokens_per_second"] == pytest.approx(packed["training_tokens_per_second"] / 2)
    assert half["mfu"] == pytest.approx(packed["mfu"])


def test_a_mixture_of_experts_trains_faster_than_a_dense_model_of_its_size(facts: Facts) -> None:
    deployment = {"gpu": "h100-sxm-80gb", "gpu_count": 64, "nodes": 8, "fabric": "infiniband"}
    mixture = pretrain(facts, deployment, "mixtral-8x7b")
    dense = pretrain(facts, deployment, "llama-3-70b")
    assert mixture["training_tokens_per_second"] > 1.5 * dense["training_tokens_per_second"]
    assert mixture["mfu"] < dense["mfu"]


@pytest.mark.parametrize("objective", ["dpo", "grpo", "ppo"])
def test_preference_training_costs_more_than_supervised(facts: Facts, objective: str) -> None:
    plain = finetune(facts, {"gpu": "h100-sxm-80gb"})
    other = finetune(facts, {"gpu": "h100-sxm-80gb"}, objective=objective)
    assert other["training_tokens_per_second"] < plain["training_tokens_per_second"]


def test_offloading_the_optimizer_costs_time(facts: Facts) -> None:
    resident = finetune(facts, {"gpu": "h100-sxm-80gb"}, method="full")
    offloaded = finetune(facts, {"gpu": "h100-sxm-80gb"}, method="full", offload="optimizer")
    assert offloaded["training_tokens_per_second"] < resident["training_tokens_per_second"]
    assert offloaded["offload_seconds"] > 0


@given(
    gpu=st.sampled_from(["h100-sxm-80gb", "a100-sxm-80gb", "mi300x", "b200-sxm-180gb"]),
    machines=st.integers(1, 16),
    more=st.integers(1, 16),
    batch=st.integers(1, 8),
    method=st.sampled_from(["full", "lora", "qlora"]),
)
def test_more_machines_never_train_slower_on_a_fast_fabric(
    facts: Facts, gpu: str, machines: int, more: int, batch: int, method: str
) -> None:
    def tokens_per_second(count: int) -> float:
        deployment = {"gpu": gpu, "gpu_count": 8 * count, "nodes": count, "fabric": "infiniband"}
        deployment["fabric_gb_per_second"] = 50
        return float(
            finetune(facts, deployment, method=method, micro_batch=batch)["training_tokens_per_second"]
        )

    assert tokens_per_second(machines + more) >= 0.9 * tokens_per_second(machines)


@given(
    model=st.sampled_from(["llama-3.1-8b", "qwen3-30b-a3b", "llama-3.1-70b", "gemma-3-27b"]),
    sequence=st.sampled_from([512, 2_048, 8_192]),
    batch=st.integers(1, 4),
)
def test_a_larger_micro_batch_never_trains_slower(
    facts: Facts, model: str, sequence: int, batch: int
) -> None:
    deployment = {"gpu": "h100-sxm-80gb", "gpu_count": 8}
    small, large = (
        finetune(facts, deployment, model, method="lora", sequence_tokens=sequence, micro_batch=size)
        for size in (batch, batch + 1)
    )
    assert large["training_tokens_per_second"] >= small["training_tokens_per_second"]
