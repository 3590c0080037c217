"""Training memory against literal right values: arithmetic on known counts, and runs that people measured."""

from typing import Any

import pytest

from advisor import Facts
from advisor.estimate.results import verdict
from advisor.units import GIB
from tests.estimate.memory.training_cases import known, memory, state_gib, train

LLAMA_8B = 8_030_261_248
LLAMA_70B = 70_553_706_496


def test_qlora_of_a_7b_with_a_152k_vocabulary_at_2048_tokens(facts: Facts) -> None:
    figures = memory(facts, "qwen2.5-7b", method="qlora", sequence_tokens=2_048)
    assert 9.5 <= known(figures.peak_gib) <= 14.6


def test_full_8b_at_4096_tokens_in_pure_bf16(facts: Facts) -> None:
    figures = memory(facts, method="full", training_precision="pure-bf16", sequence_tokens=4_096)
    assert 60 <= known(figures.peak_gib) <= 80


def test_full_8b_at_4096_tokens_in_mixed_precision(facts: Facts) -> None:
    figures = memory(facts, method="full", training_precision="mixed", sequence_tokens=4_096)
    assert 115 <= known(figures.peak_gib) <= 160


@pytest.mark.parametrize(("precision", "state"), [("mixed", 1_051.3), ("pure-bf16", 525.7)])
def test_the_state_of_a_full_70b_before_activations(facts: Facts, precision: str, state: float) -> None:
    figures = memory(facts, "llama-3.1-70b", method="full", training_precision=precision)
    assert state_gib(figures) == pytest.approx(state, abs=0.1)


@pytest.mark.parametrize(
    ("engine", "sharding", "precision", "optimizer", "bytes_per_parameter"),
    [
        ("torchtune", "none", "pure-bf16", "adamw", 8),
        ("torchtune", "none", "pure-bf16", "adamw-8bit", 6),
        ("torchtune", "none", "mixed", "lion", 12),
        ("torchtune", "none", "mixed", "adamw", 16),
        ("peft", "zero2", "mixed", "adamw", 16),
        ("megatron", "none", "mixed", "adamw", 18),
        ("torchtune", "none", "pure-bf16", "sgd", 4),
        ("torchtune", "none", "pure-bf16", "adafactor", 4),
        ("torchtune", "none", "mixed", "muon", 12),
    ],
)
def test_a_recipe_takes_its_named_bytes_a_parameter(
    facts: Facts, engine: str, sharding: str, precision: str, optimizer: str, bytes_per_parameter: float
) -> None:
    estimate = train(
        facts,
        deployment={"engine": engine, "sharding": sharding},
        method="full",
        training_precision=precision,
        optimizer=optimizer,
    )
    assert state_gib(estimate.memory) == pytest.approx(bytes_per_parameter * LLAMA_8B / GIB)
    told = {assumption.field: assumption.value for assumption in estimate.assumed}
    assert told["bytes_per_parameter"] == bytes_per_parameter


def test_adapters_of_rank_16_on_all_linear_matrices_of_llama_8b(facts: Facts) -> None:
    # 32 layers x 16 x (q 8,192 + k 5,120 + v 5,120 + o 8,192 + 3 x 18,432) = 41,943,040 parameters of 4 bytes.
    figures = memory(
        facts, method="lora", lora_rank=16, lora_targets="all-linear", deployment={"engine": "peft"}
    )
    assert known(figures.adapters_gib) == pytest.approx(41_943_040 * 4 / GIB)
    assert known(figures.gradients_gib) == pytest.approx(41_943_040 * 4 / GIB)
    assert known(figures.optimizer_gib) == pytest.approx(41_943_040 * 8 / GIB)
    assert known(figures.weights_gib) == pytest.approx(LLAMA_8B * 2 / GIB)


def test_kbit_preparation_keeps_embedding_head_and_norms_in_fp32(facts: Facts) -> None:
    # 6,979,321,856 matrix weights of 4.5 bits; 2 x 525,336,576 and 266,240 of 32 (the table counts 131,072 norm
    # parameters with the attention, which are quantized here).
    quantized, kept = 6_979_452_928, LLAMA_8B - 6_979_452_928
    figures = memory(facts, method="qlora", weights="nf4", deployment={"engine": "peft"})
    assert known(figures.weights_gib) == pytest.approx((quantized * 4.5 / 8 + kept * 4) / GIB, rel=1e-4)
    plain = memory(facts, method="qlora", weights="nf4-dq", deployment={"engine": "axolotl"})
    assert known(plain.weights_gib) == pytest.approx((quantized * 4.127 / 8 + kept * 2) / GIB, rel=1e-4)


MEASURED_ALLOCATED = [
    # T4 archive (fitcheck), torch allocated: m1313, m1311, m1305, m1341, m1257
    (
        "smollm2-1.7b",
        "peft",
        {"method": "lora", "weights": "fp16", "sequence_tokens": 2_048, "lora_rank": 32},
        4.8603,
    ),
    (
        "smollm2-1.7b",
        "peft",
        {"method": "qlora", "weights": "nf4", "sequence_tokens": 2_048, "lora_rank": 32},
        3.2673,
    ),
    (
        "qwen2.5-1.5b",
        "peft",
        {"method": "lora", "weights": "fp16", "sequence_tokens": 2_048, "lora_rank": 32},
        7.2288,
    ),
    (
        "mistral-7b-v0.3",
        "peft",
        {"method": "qlora", "weights": "nf4", "sequence_tokens": 1_024, "lora_rank": 16},
        5.9143,
    ),
    (
        "smollm2-135m",
        "peft",
        {"method": "lora", "weights": "fp16", "sequence_tokens": 4_096, "lora_rank": 32},
        3.0743,
    ),
]


@pytest.mark.parametrize(("model", "engine", "work", "measured_gib"), MEASURED_ALLOCATED)
def test_measured_runs_with_checkpointing(
    facts: Facts, model: str, engine: str, work: dict[str, object], measured_gib: float
) -> None:
    figures = memory(facts, model, {"engine": engine, "gpu": "t4"}, lora_targets="attention", **work)
    assert known(figures.peak_gib) == pytest.approx(measured_gib, rel=0.02)


@pytest.mark.parametrize(
    ("model", "weights", "method", "batch", "measured_gib"),
    [
        ("phi-1.5", "bf16", "lora", 1, 4.489),
        ("phi-1.5", "bf16", "lora", 4, 9.9465),
        ("phi-1.5", "nf4", "qlora", 1, 3.5204),
    ],
)
def test_measured_runs_without_checkpointing(
    facts: Facts, model: str, weights: str, method: str, batch: int, measured_gib: float
) -> None:
    figures = memory(
        facts,
        model,
        {"engine": "litgpt", "gpu": "a100-sxm-40gb"},
        method=method,
        weights=weights,
        micro_batch=batch,
        sequence_tokens=1_044,
        gradient_checkpointing="none",
        lora_rank=8,
        lora_targets="attention-qv",
    )
    assert known(figures.peak_gib) == pytest.approx(measured_gib, rel=0.03)


@pytest.mark.parametrize(
    ("checkpointing", "compiled", "fused", "measured_gib"),
    [
        ("none", False, False, 60.0),
        ("none", True, False, 51.0),
        ("none", True, True, 42.9),
        ("full", True, True, 24.9),
    ],
)
def test_the_published_steps_of_a_full_3b(
    facts: Facts, checkpointing: str, compiled: bool, fused: bool, measured_gib: float
) -> None:
    # pytorch/torchtune README: Llama 3.2 3B, pure BF16, two packed sequences of 4,096 tokens, one A100.
    figures = memory(
        facts,
        "llama-3.2-3b",
        {"engine": "torchtune"},
        method="full",
        training_precision="pure-bf16",
        sequence_tokens=4_096,
        micro_batch=2,
        gradient_checkpointing=checkpointing,
        compile=compiled,
        fused_cross_entropy=fused,
    )
    assert known(figures.peak_gib) == pytest.approx(measured_gib, rel=0.1)


def test_eager_attention_grows_with_the_square_of_the_sequence(facts: Facts) -> None:
    # m1307: 32 heads x 2,048 x 2,048 scores outweigh the logits of a small vocabulary.
    work: dict[str, Any] = {
        "method": "qlora",
        "weights": "nf4",
        "sequence_tokens": 2_048,
        "lora_rank": 32,
        "lora_targets": "attention",
    }
    eager = memory(facts, "smollm2-1.7b", {"engine": "peft", "gpu": "t4"}, flash_attention=False, **work)
    assert known(eager.peak_gib) == pytest.approx(4.2217, rel=0.03)


RAN_OUT_OF_MEMORY = [
    # id, model, GPU, count, engine, work
    (
        "m0043",
        "llama-2-7b",
        "a100-sxm-40gb",
        1,
        "litgpt",
        {
            "method": "lora",
            "sequence_tokens": 1_304,
            "micro_batch": 4,
            "gradient_checkpointing": "none",
            "lora_rank": 8,
            "lora_targets": "attention-qv",
        },
    ),
    (
        "m0108",
        "gemma-2-9b",
        "a10g",
        1,
        "litgpt",
        {"method": "lora", "sequence_tokens": 512, "gradient_checkpointing": "none", "lora_rank": 16},
    ),
    (
        "m0111",
        "llama-2-7b",
        "a10g",
        4,
        "litgpt",
        {"method": "full", "training_precision": "pure-bf16", "sequence_tokens": 512, "micro_batch": 4},
    ),
    (
        "m1018",
        "llama-2-7b",
        "a100-sxm-40gb",
        1,
        "llama-factory",
        {"method": "qlora", "weights": "nf4", "sequence_tokens": 65_536, "lora_rank": 8},
    ),
]


@pytest.mark.parametrize(("run", "model", "gpu", "count", "engine", "work"), RAN_OUT_OF_MEMORY)
def test_a_run_that_ran_out_of_memory_is_never_said_to_fit(
    facts: Facts, run: str, model: str, gpu: str, count: int, engine: str, work: dict[str, Any]
) -> None:
    deployment = {"gpu": gpu, "gpu_count": count, "engine": engine}
    figures = memory(facts, model, deployment, **work)
    assert known(figures.needed_gib) > known(figures.budget_gib)
    assert verdict(figures) != "fits"
