"""Bits per weight of llama.cpp files, against llama.cpp's own table and the same rules on a larger model."""

import pytest

from advisor import Facts
from advisor.facts.formats import weight_bytes
from advisor.facts.gguf import more_bits


def whole_file_bits(facts: Facts, model: str, file_type: str) -> float:
    shape = facts.language_models.by_id[model]
    weights = facts.formats.weight_format(f"gguf-{file_type}", shape)
    return weight_bytes(shape.groups, weights.bits) * 8 / shape.parameters_total


@pytest.mark.parametrize(
    ("file_type", "bits"),
    [
        ("q2_k", 3.1593),
        ("q4_k_s", 4.6672),
        ("q4_k_m", 4.8944),
        ("q5_k_s", 5.5704),
        ("q5_k_m", 5.7036),
        ("q6_k", 6.5633),
        ("q8_0", 8.5008),
        ("f16", 16.0005),
    ],
)
def test_an_8b_model_has_the_bits_that_llama_cpp_reports(facts: Facts, file_type: str, bits: float) -> None:
    # The model table counts the norms of the layers with their attention; in the file they are 32 bits wide.
    assert whole_file_bits(facts, "llama-3.1-8b", file_type) == pytest.approx(bits, abs=0.0006)


@pytest.mark.parametrize(
    ("file_type", "bits"),
    [
        ("q2_k", 2.990),
        ("q3_k_m", 3.885),
        ("q4_k_s", 4.574),
        ("q4_k_m", 4.820),
        ("q5_k_s", 5.516),
        ("q5_k_m", 5.663),
        ("q6_k", 6.563),
        ("q8_0", 8.500),
    ],
)
def test_a_70b_model_has_fewer_by_the_same_rules(facts: Facts, file_type: str, bits: float) -> None:
    assert whole_file_bits(facts, "llama-3.1-70b", file_type) == pytest.approx(bits, abs=0.001)


@pytest.mark.parametrize(("model", "gigabytes"), [("llama-3.1-8b", 4.9), ("llama-3.1-70b", 42.5)])
def test_the_size_of_a_q4_k_m_file(facts: Facts, model: str, gigabytes: float) -> None:
    shape = facts.language_models.by_id[model]
    size = weight_bytes(shape.groups, facts.formats.weight_format("gguf-q4_k_m", shape).bits)
    assert size / 1e9 == pytest.approx(gigabytes, rel=0.01)


@pytest.mark.parametrize(("file_type", "bits"), [("iq3_s", 3.6606), ("q3_k_l", 4.2979), ("iq2_xxs", 2.3824)])
def test_a_type_without_rules_takes_the_reported_figure(facts: Facts, file_type: str, bits: float) -> None:
    assert whole_file_bits(facts, "llama-3.1-8b", file_type) == pytest.approx(bits, rel=0.01)


def test_layers_with_more_bits() -> None:
    assert [layer for layer in range(32) if more_bits(layer, 32)] == [
        *range(4),
        *(6, 9, 12, 15, 18, 21, 24, 27),
        *range(28, 32),
    ]
