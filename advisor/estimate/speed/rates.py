"""What a GPU can reach: matrix products, memory, its slot and its network."""

import numpy as np

from advisor.facts import Facts
from advisor.resolve.hardware import PCIE_BANDWIDTH, Hardware
from advisor.units import FloatArray

PCIE_GPUS_AT_FULL_RATE = 2
"""GPUs of one host that exchange at the full rate of their slots; more share the host's paths in proportion."""


def reachable_flops(hardware: Hardware, compute: str, facts: Facts) -> FloatArray:
    """Return what large matrix products of one GPU reach in a precision [D, FLOP/s].

    The 16-bit figure where the chip only stores the format. compute: 16bit, fp8, int8 or fp4.
    """
    families, gpu = facts.families, hardware.gpu_index
    plain = families.flops_16bit[gpu] * families.gemm_16bit_fraction[gpu]
    if compute == "16bit":
        return np.asarray(plain)
    native = hardware.flops(compute) * families.gemm_fraction(compute)[gpu]
    return np.where(hardware.computes_natively(compute), native, plain)


def reachable_bandwidth(hardware: Hardware, facts: Facts) -> FloatArray:
    """Return what large reads of one GPU's memory reach [D, bytes/s]."""
    return np.asarray(hardware.memory_bandwidth * facts.families.bandwidth_fraction[hardware.gpu_index])


def slot_bandwidth(hardware: Hardware) -> FloatArray:
    """Return the usable rate between host and GPU [D, bytes/s]."""
    return np.asarray(PCIE_BANDWIDTH[hardware.gpus.pcie_generation[hardware.gpu_index]])
