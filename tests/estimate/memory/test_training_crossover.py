"""Where QLoRA needs more at its peak than LoRA, and that the estimate says so there."""

import pytest

from advisor import Facts
from tests.estimate.memory.training_cases import known, memory, state_gib, train

PEFT = {"engine": "peft"}


def crosses(facts: Facts, model: str, sequence_tokens: int) -> bool:
    warnings = train(facts, model, PEFT, method="qlora", sequence_tokens=sequence_tokens).warnings
    return "peak-crosses-over" in [warning.code for warning in warnings]


@pytest.mark.parametrize("model", ["qwen2.5-0.5b", "gemma-3-1b", "llama-3.2-1b"])
def test_a_small_model_with_a_large_vocabulary_crosses_over_at_long_sequences(
    facts: Facts, model: str
) -> None:
    qlora = memory(facts, model, PEFT, method="qlora", sequence_tokens=8_192)
    lora = memory(facts, model, PEFT, method="lora", sequence_tokens=8_192)
    assert known(qlora.peak_gib) > known(lora.peak_gib)
    assert crosses(facts, model, 8_192)


@pytest.mark.parametrize("model", ["llama-3.1-8b", "mistral-7b-v0.3", "llama-3.1-70b"])
def test_a_large_model_does_not_at_usual_sequences(facts: Facts, model: str) -> None:
    qlora = memory(facts, model, PEFT, method="qlora", sequence_tokens=2_048)
    lora = memory(facts, model, PEFT, method="lora", sequence_tokens=2_048)
    assert known(qlora.peak_gib) < known(lora.peak_gib)
    assert not crosses(facts, model, 2_048)


def test_the_crossing_of_qwen_1_5b_lies_between_2048_and_8192_tokens(facts: Facts) -> None:
    assert not crosses(facts, "qwen2.5-1.5b", 2_048)
    assert crosses(facts, "qwen2.5-1.5b", 8_192)


def test_engines_that_keep_16_bit_embeddings_do_not_cross_over(facts: Facts) -> None:
    estimate = train(facts, "qwen2.5-0.5b", {"engine": "axolotl"}, method="qlora", sequence_tokens=8_192)
    assert "peak-crosses-over" not in [warning.code for warning in estimate.warnings]


def test_fp32_embeddings_can_outweigh_even_the_state_of_lora(facts: Facts) -> None:
    """The named exception to QLoRA <= LoRA of the state: 168 of 268 million parameters are embedding."""
    qlora = memory(facts, "gemma-3-270m", PEFT, method="qlora")
    lora = memory(facts, "gemma-3-270m", PEFT, method="lora")
    assert state_gib(qlora) > state_gib(lora)
    assert crosses(facts, "gemma-3-270m", 2_048)
