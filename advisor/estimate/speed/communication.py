"""What GPUs say to each other in a pass over the layers: all-reduce, expert exchange, hand-over between stages."""

import numpy as np

from advisor.facts.families import ALL_REDUCE_SIZES, GpuFamilies
from advisor.resolve.hardware import LINKS, Hardware
from advisor.units import GB, BoolArray, FloatArray

PCIE_ALL_REDUCE_SHARE = 0.5
"""Bus bandwidth of an all-reduce over PCIe as a share of the slot: 12-25 GB/s on PCIe 4 cards, notes section 8."""
LINK_ALL_REDUCE_SHARE = 0.8
"""The same on a scale-up link without a measurement of its own: 0.75-0.99 of one direction on A100 to B200."""
FEWEST_NODE_GB_PER_SECOND = 1.0


def over_pcie(hardware: Hardware) -> BoolArray:
    """Return where the GPUs of a node talk over PCIe or plain Ethernet [D]."""
    slow = (hardware.link == LINKS.index("pcie")) | np.isnan(hardware.gpus.link_bandwidth[hardware.gpu_index])
    return np.asarray(slow)


def all_reduce_bandwidth(hardware: Hardware, families: GpuFamilies, ranks: FloatArray) -> FloatArray:
    """Return the bus bandwidth of a large all-reduce among `ranks` GPUs [D, bytes/s].

    Measured by GPU and number of ranks where the table has it, else a share of the link; the fabric between nodes
    limits a group that spans several.
    """
    by_slot = hardware.link_bandwidth * np.where(
        over_pcie(hardware), PCIE_ALL_REDUCE_SHARE, LINK_ALL_REDUCE_SHARE
    )
    column = np.searchsorted(ALL_REDUCE_SIZES, np.minimum(ranks, ALL_REDUCE_SIZES[-1]))
    measured = families.all_reduce[hardware.gpu_index, column]
    same_link = over_pcie(hardware) == families.all_reduce_over_pcie[hardware.gpu_index]
    fits = ~np.isnan(measured) & same_link
    inside = np.where(fits, measured, by_slot)
    spans = ranks > hardware.gpus_per_node
    between = np.maximum(hardware.fabric_bandwidth, FEWEST_NODE_GB_PER_SECOND * GB)
    return np.asarray(np.where(spans, np.minimum(inside, between), inside))


def all_reduce_seconds(
    message_bytes: FloatArray, ranks: FloatArray, bandwidth: FloatArray, latency: FloatArray
) -> FloatArray:
    """Return the time of one all-reduce [s]: latency for each doubling, 2 (n - 1)/n of the message at bus bandwidth."""
    steps = np.log2(np.maximum(ranks, 1.0))
    return np.asarray(latency * steps + 2.0 * (ranks - 1.0) / ranks * message_bytes / bandwidth)
