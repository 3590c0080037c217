"""The family of each accelerator: which measured coefficients it shares, and what its kernels were seen to reach."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from advisor.errors import AdvisorError
from advisor.facts.gpus import Gpus
from advisor.facts.table import Row, float_column, parse_rows, read_rows
from advisor.units import GB, TERA, BoolArray, FloatArray, IntArray, read_only

ALL_REDUCE_SIZES = (2, 4, 8)
"""Numbers of GPUs for which a measured all-reduce is in the table."""


@dataclass(frozen=True, slots=True, eq=False)
class FamilyRow:
    """One accelerator: its family and the shares of its data sheet that single kernels reach.

    *_fraction: of the data-sheet figure; all_reduce: bus bandwidth among 2, 4, 8 GPUs [bytes/s], NaN where unknown,
    measured over PCIe or over the part's own link;
    assumed_flops_16bit: rate used where the data sheet has none [FLOP/s], else NaN.
    """

    gpu_id: str
    family: str
    bandwidth_fraction: float
    gemm_16bit_fraction: float
    gemm_fp8_fraction: float
    gemm_fp4_fraction: float
    all_reduce: tuple[float, float, float]
    all_reduce_over_pcie: bool
    assumed_flops_16bit: float
    source: str


@dataclass(frozen=True, slots=True, eq=False)
class GpuFamilies:
    """The families as columns [GPU], in the order of the GPU table."""

    names: tuple[str, ...]
    index: IntArray
    bandwidth_fraction: FloatArray
    gemm_16bit_fraction: FloatArray
    gemm_fp8_fraction: FloatArray
    gemm_fp4_fraction: FloatArray
    all_reduce: FloatArray
    all_reduce_over_pcie: BoolArray
    flops_16bit: FloatArray

    def family_of(self, gpu_index: int) -> str:
        """Return the name of the family of one row of the GPU table."""
        return self.names[int(self.index[gpu_index])]

    def gemm_fraction(self, compute: str) -> FloatArray:
        """Return the share of the data-sheet rate that large matrix products reach [GPU]; int8 as fp8."""
        if compute == "16bit":
            return self.gemm_16bit_fraction
        return self.gemm_fp4_fraction if compute == "fp4" else self.gemm_fp8_fraction


def load_families(folder: Path, gpus: Gpus) -> tuple[GpuFamilies, list[AdvisorError]]:
    """Read `gpu_families.csv`; a GPU without a row is refused by name and gets no figures."""
    rows, refused = parse_rows(read_rows(folder, "gpu_families", "gpu_id"), _parse_family)
    by_gpu = {row.gpu_id: row for row in rows}
    missing = [gpu.id for gpu in gpus.rows if gpu.id not in by_gpu]
    refused += [
        AdvisorError("bad-cell", f"gpu_families.{gpu_id}.family", (), {"given": ""}) for gpu_id in missing
    ]
    ordered = [by_gpu.get(gpu.id, _unknown(gpu.id)) for gpu in gpus.rows]
    return _families_from(ordered, gpus), refused


def _families_from(ordered: list[FamilyRow], gpus: Gpus) -> GpuFamilies:
    names = tuple(sorted({row.family for row in ordered}))
    index = np.array([names.index(row.family) for row in ordered], dtype=np.int64)
    assumed = float_column([row.assumed_flops_16bit for row in ordered])
    flops = np.where(np.isnan(gpus.flops_16bit), assumed, gpus.flops_16bit)
    all_reduce = np.array([row.all_reduce for row in ordered], dtype=np.float64)
    over_pcie = np.array([row.all_reduce_over_pcie for row in ordered], dtype=np.bool_)
    for array in (index, flops, all_reduce, over_pcie):
        read_only(array)
    return GpuFamilies(
        names=names,
        index=index,
        bandwidth_fraction=float_column([row.bandwidth_fraction for row in ordered]),
        gemm_16bit_fraction=float_column([row.gemm_16bit_fraction for row in ordered]),
        gemm_fp8_fraction=float_column([row.gemm_fp8_fraction for row in ordered]),
        gemm_fp4_fraction=float_column([row.gemm_fp4_fraction for row in ordered]),
        all_reduce=all_reduce,
        all_reduce_over_pcie=over_pcie,
        flops_16bit=flops,
    )


def _unknown(gpu_id: str) -> FamilyRow:
    nan = float("nan")
    return FamilyRow(gpu_id, "unknown", nan, nan, nan, nan, (nan, nan, nan), False, nan, "")


def _parse_family(row: Row) -> FamilyRow:
    two, four, eight = (row.number(f"allreduce_{n}_gpus_gb_per_second") * GB for n in ALL_REDUCE_SIZES)
    return FamilyRow(
        gpu_id=row.text("gpu_id"),
        family=row.text("family"),
        bandwidth_fraction=row.number("bandwidth_fraction"),
        gemm_16bit_fraction=row.number("gemm_16bit_fraction"),
        gemm_fp8_fraction=row.number("gemm_fp8_fraction"),
        gemm_fp4_fraction=row.number("gemm_fp4_fraction"),
        all_reduce=(two, four, eight),
        all_reduce_over_pcie=row.text("allreduce_over") == "pcie",
        assumed_flops_16bit=row.number("assumed_16bit_tflops") * TERA,
        source=row.text("source"),
    )
