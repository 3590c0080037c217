"""Time that GPUs spend talking, with literal values."""

import numpy as np
import pytest

from advisor import Facts
from advisor.estimate.speed.communication import all_reduce_bandwidth, all_reduce_seconds, over_pcie
from advisor.resolve.hardware import FABRICS, LINKS, Hardware
from advisor.units import GB


def hardware(facts: Facts, gpu: str, link: str, gpu_count: int = 8, nodes: int = 1) -> Hardware:
    ones = np.ones(1, dtype=np.int64)
    return Hardware(
        facts.gpus,
        np.array([facts.gpus.index_of[gpu]]),
        ones * gpu_count,
        ones * nodes,
        np.array([LINKS.index(link)]),
        np.array([FABRICS.index("infiniband")]),
        np.array([50.0 * GB]),
    )


@pytest.mark.parametrize(
    ("gpu", "link", "ranks", "gb_per_second"),
    [
        ("a100-sxm-80gb", "nvswitch", 8, 222),
        ("h100-sxm-80gb", "nvswitch", 8, 445),
        ("h100-sxm-80gb", "nvswitch", 2, 318),
        ("b200-sxm-180gb", "nvswitch", 8, 704),
        # Measured over PCIe; a bridge has no figure of its own and gives a share of its rate.
        ("a100-pcie-80gb", "pcie", 2, 20),
        ("a100-pcie-80gb", "nvlink", 2, 0.8 * 300),
        # No figure at all: half of a PCIe 4 slot.
        ("rtx-4000-ada", "pcie", 4, 12.5),
    ],
)
def test_all_reduce_bandwidth_is_the_measured_one_of_the_link(
    facts: Facts, gpu: str, link: str, ranks: int, gb_per_second: float
) -> None:
    found = all_reduce_bandwidth(hardware(facts, gpu, link), facts.families, np.array([float(ranks)]))
    assert found[0] / GB == pytest.approx(gb_per_second)


def test_a_group_over_several_machines_is_held_by_the_fabric(facts: Facts) -> None:
    two_nodes = hardware(facts, "h100-sxm-80gb", "nvswitch", gpu_count=16, nodes=2)
    found = all_reduce_bandwidth(two_nodes, facts.families, np.array([16.0]))
    assert found[0] == 50 * GB


def test_a_part_without_a_link_talks_over_pcie(facts: Facts) -> None:
    assert over_pcie(hardware(facts, "rtx-4090", "nvlink"))[0]
    assert not over_pcie(hardware(facts, "h100-sxm-80gb", "nvswitch"))[0]


def test_an_all_reduce_pays_latency_for_each_doubling_and_its_message_at_bus_bandwidth() -> None:
    ranks = np.array([1.0, 2.0, 8.0])
    found = all_reduce_seconds(np.full(3, 1e6), ranks, np.full(3, 100e9), np.full(3, 5e-6))
    assert found == pytest.approx([0, 5e-6 + 1e6 / 100e9, 15e-6 + 2 * 7 / 8 * 1e6 / 100e9])
