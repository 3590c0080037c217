"""What holds for every training work: more work never needs less, methods are ordered, ranks only share."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor import Facts
from advisor.estimate.results import Memory, Number
from advisor.facts.hf_config import shape_from_config
from advisor.workload import OBJECTIVES, OPTIMIZERS
from tests.estimate.memory.training_cases import known, memory, state_gib

MODELS = (
    "smollm2-135m",
    "qwen2.5-1.5b",
    "llama-3.1-8b",
    "qwen3-30b-a3b",
    "deepseek-v2-lite",
    "gemma-3-27b",
    "qwen3.5-9b",
)
ENGINES = (
    "peft",
    "torchtune",
    "axolotl",
    "litgpt",
    "unsloth",
    "llama-factory",
    "ms-swift",
    "megatron",
    "deepspeed",
)
TOLERANCE = 1 + 1e-9

works = st.fixed_dictionaries(
    {
        "method": st.sampled_from(["lora", "qlora", "full"]),
        "sequence_tokens": st.integers(64, 32_768),
        "micro_batch": st.integers(1, 16),
        "gradient_accumulation": st.sampled_from([1, 8]),
        "gradient_checkpointing": st.sampled_from(["none", "selective", "full"]),
        "flash_attention": st.booleans(),
        "fused_cross_entropy": st.booleans(),
        "compile": st.booleans(),
        "optimizer": st.sampled_from(OPTIMIZERS),
        "training_precision": st.sampled_from(["mixed", "pure-bf16"]),
        "objective": st.sampled_from(OBJECTIVES),
        "generations_per_prompt": st.sampled_from([1, 4]),
        "offload": st.sampled_from(["none", "optimizer", "parameters", "activations", "all"]),
    }
)
cases = st.tuples(st.sampled_from(MODELS), st.sampled_from(ENGINES), works)
Case = tuple[str, str, dict[str, Any]]


def on_one_gpu(facts: Facts, case: Case, **changed: Any) -> Memory[Number]:
    model, engine, work = case
    return memory(facts, model, {"engine": engine, "gpu": "h200"}, **(work | changed))


@given(case=cases, factor=st.integers(2, 5))
@pytest.mark.parametrize("field", ["sequence_tokens", "micro_batch", "generations_per_prompt"])
def test_more_work_at_once_never_needs_less(facts: Facts, field: str, case: Case, factor: int) -> None:
    less = on_one_gpu(facts, case)
    more = on_one_gpu(facts, case, **{field: case[2][field] * factor})
    assert known(less.peak_gib) <= known(more.peak_gib) * TOLERANCE
    assert known(less.needed_gib) <= known(more.needed_gib) * TOLERANCE


@given(work=works, layers=st.integers(2, 60), hidden=st.sampled_from([512, 2_048, 4_096]))
@pytest.mark.parametrize("engine", ["peft", "megatron"])
def test_more_layers_never_need_less(
    facts: Facts, engine: str, work: dict[str, Any], layers: int, hidden: int
) -> None:
    def needed(count: int) -> float:
        config = {
            "model_type": "llama",
            "hidden_size": hidden,
            "intermediate_size": 3 * hidden,
            "num_attention_heads": hidden // 64,
            "num_hidden_layers": count,
            "vocab_size": 64_000,
        }
        assert shape_from_config(config).layers == count
        return known(on_one_gpu(facts, ({"config": config}, engine, work)).needed_gib)  # type: ignore[arg-type]

    assert needed(layers) <= needed(layers + 1) * TOLERANCE


@given(
    model=st.sampled_from(MODELS),
    precision=st.sampled_from(["mixed", "pure-bf16"]),
    rank=st.sampled_from([8, 16, 32]),
)
@pytest.mark.parametrize("engine", ["axolotl", "torchtune", "unsloth", "ms-swift"])
def test_of_the_state_qlora_lora_and_full_are_ordered(
    facts: Facts, engine: str, model: str, precision: str, rank: int
) -> None:
    recipe = {"optimizer": "adamw", "training_precision": precision}
    qlora, lora, full = (
        state_gib(memory(facts, model, {"engine": engine}, method=method, lora_rank=rank, **recipe))
        for method in ("qlora", "lora", "full")
    )
    assert qlora <= lora <= full


@given(case=cases, small=st.sampled_from([1, 2, 4]), factor=st.sampled_from([2, 4]))
@pytest.mark.parametrize("sharding", ["zero1", "zero2", "zero3", "fsdp"])
def test_more_sharding_ranks_never_hold_more_state(
    facts: Facts, sharding: str, case: Case, small: int, factor: int
) -> None:
    model, engine, work = case

    def state(ranks: int) -> float:
        deployment = {"engine": engine, "gpu": "h200", "gpu_count": ranks, "sharding": sharding}
        return state_gib(memory(facts, model, deployment, **work))

    assert state(small * factor) <= state(small) * TOLERANCE


@given(case=cases, small=st.sampled_from([1, 2, 4]))
@pytest.mark.parametrize("degree", ["tensor_parallel", "pipeline_parallel"])
def test_more_model_parallel_ranks_never_hold_more_state(
    facts: Facts, degree: str, case: Case, small: int
) -> None:
    model, engine, work = case

    def state(ranks: int) -> float:
        deployment = {"engine": engine, "gpu_count": ranks, degree: ranks, "sharding": "none"}
        return state_gib(memory(facts, model, deployment, **work))

    assert state(2 * small) <= state(small) * TOLERANCE


@given(case=cases)
def test_training_holds_no_cache_and_no_part_is_negative(facts: Facts, case: Case) -> None:
    figures = on_one_gpu(facts, case)
    assert figures.kv_cache_gib == 0
    for name in (
        "weights",
        "adapters",
        "gradients",
        "optimizer",
        "activations",
        "reference",
        "overhead",
        "host",
    ):
        assert known(getattr(figures, f"{name}_gib")) >= 0
    assert known(figures.peak_gib) < known(figures.needed_gib)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["lora", "qlora", "full"])
def test_every_model_trains_with_every_optimizer(facts: Facts, method: str) -> None:
    for shape in facts.language_models.rows:
        if not shape.has_architecture:
            continue
        for optimizer in OPTIMIZERS:
            figures = memory(facts, shape.id, {"engine": "peft"}, method=method, optimizer=optimizer)
            assert 0 < known(figures.peak_gib) < known(figures.needed_gib) < 1e6


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_every_format_of_an_engine_answers(facts: Facts, engine: str) -> None:
    found = facts.engines.find(engine)
    formats = [name for name in facts.formats.rows if found.takes_format(name)]
    for format_id in formats:
        for method in ("lora", "qlora", "full"):
            figures = memory(facts, "qwen3-30b-a3b", {"engine": engine}, method=method, weights=format_id)
            assert known(figures.needed_gib) > 0
