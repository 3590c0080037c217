"""Names as people write them."""

import pytest

from advisor import AdvisorError, Facts
from advisor.facts.names import build_index


@pytest.mark.parametrize(
    ("written", "gpu_id"),
    [
        ("RTX 4090", "rtx-4090"),
        ("rtx4090", "rtx-4090"),
        ("NVIDIA L4", "l4"),
        ("h100_sxm_80gb", "h100-sxm-80gb"),
    ],
)
def test_a_gpu_is_found_however_it_is_spelled(facts: Facts, written: str, gpu_id: str) -> None:
    gpu, assumed = facts.gpus.find(written)
    assert (gpu.id, assumed) == (gpu_id, False)


def test_a_bare_name_takes_the_cautious_variant_and_says_so(facts: Facts) -> None:
    gpu, assumed = facts.gpus.find("H100")
    assert (gpu.id, assumed) == ("h100-pcie-80gb", True)


def test_an_unknown_name_lists_the_nearest(facts: Facts) -> None:
    with pytest.raises(AdvisorError) as caught:
        facts.gpus.find("RTX 4099")
    assert caught.value.code == "unknown-name"
    assert "rtx-4090" in caught.value.accepted


@pytest.mark.parametrize(
    "written", ["meta-llama/Llama-3.1-8B-Instruct", "Llama-3.1-8B", "llama 3.1 8b", "LLAMA_3.1_8B"]
)
def test_a_model_is_found_with_and_without_its_organisation(facts: Facts, written: str) -> None:
    assert facts.language_models.names.find(written, "workload.model") == ("llama-3.1-8b", False)


def test_a_name_of_several_rows_is_refused_with_its_candidates() -> None:
    index = build_index([("a-1", ("shared", "one")), ("a-2", ("shared",))])
    with pytest.raises(AdvisorError) as caught:
        index.find("Shared", "workload.model")
    assert (caught.value.code, caught.value.accepted) == ("ambiguous-name", ("a-1", "a-2"))


def test_an_id_wins_over_the_alias_of_another_row() -> None:
    index = build_index([("x", ()), ("y", ("x",))])
    assert index.find("X", "f") == ("x", False)
