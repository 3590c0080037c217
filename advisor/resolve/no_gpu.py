"""Hardware for a question that names no GPU: every figure of the card is unknown (NaN)."""

from functools import cache

import numpy as np

from advisor.facts.gpus import Gpu, gpus_from
from advisor.facts.names import build_index
from advisor.resolve.hardware import FABRICS, LINKS, UNKNOWN_FABRIC_BANDWIDTH, Hardware

UNKNOWN_GPU = Gpu(
    id="unknown",
    name="",
    aliases=(),
    vendor="NVIDIA",
    architecture="",
    release_year=0,
    segment="",
    form_factor="",
    memory_gb=np.nan,
    memory_bytes_total=np.nan,
    memory_bytes_allocatable=np.nan,
    memory_type="",
    memory_bandwidth=np.nan,
    bf16_flops=np.nan,
    fp16_flops=np.nan,
    fp8_flops=np.nan,
    int8_flops=np.nan,
    fp4_flops=np.nan,
    supports_bf16=True,
    supports_fp8=True,
    supports_int8=True,
    supports_fp4=False,
    link_bandwidth=np.nan,
    interconnect="pcie",
    pcie_generation=4,
    power_w=np.nan,
    compute_capability="",
    source="",
    notes="",
)


@cache
def hardware_without_gpu(gpu_count: int = 1, nodes: int = 1) -> Hardware:
    """Return one deployment of so many unknown cards [1]."""
    return Hardware(
        gpus_from((UNKNOWN_GPU,), build_index([("unknown", ())])),
        np.array([0]),
        np.array([gpu_count]),
        np.array([nodes]),
        np.array([LINKS.index("pcie")]),
        np.array([FABRICS.index("unknown")]),
        np.array([UNKNOWN_FABRIC_BANDWIDTH]),
    )
