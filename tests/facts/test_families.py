"""Every accelerator has a family, and the shares that its kernels reach are plausible."""

import numpy as np
import pytest

from advisor import Facts


def test_every_gpu_has_a_family(facts: Facts) -> None:
    assert "unknown" not in facts.families.names
    assert len(facts.families.index) == len(facts.gpus.rows)


@pytest.mark.parametrize(
    ("gpu", "family"),
    [
        ("h200-sxm-141gb", "hopper"),
        ("a30", "ampere-hbm"),
        ("rtx-3090", "ampere-geforce"),
        ("rtx-a6000", "ampere-pro"),
        ("rtx-pro-6000-server", "blackwell-pro"),
        ("mi325x", "cdna3"),
        ("trainium2", "neuron"),
    ],
)
def test_the_family_of_a_gpu(facts: Facts, gpu: str, family: str) -> None:
    assert facts.families.family_of(facts.gpus.index_of[gpu]) == family


def test_kernels_reach_less_than_the_data_sheet_of_the_memory(facts: Facts) -> None:
    assert np.all((facts.families.bandwidth_fraction > 0.5) & (facts.families.bandwidth_fraction < 1))


def test_a_missing_matrix_rate_is_assumed_only_where_the_table_says_so(facts: Facts) -> None:
    gb10, mi308x = (facts.gpus.index_of[gpu] for gpu in ("gb10", "mi308x"))
    assert facts.families.flops_16bit[gb10] == 125e12
    assert np.isnan(facts.families.flops_16bit[mi308x])
