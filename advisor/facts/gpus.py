"""The accelerators: one row a variant, as columns."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from advisor.errors import AdvisorError
from advisor.facts.names import NameIndex, build_index
from advisor.facts.table import Row, float_column, int_column, parse_rows, read_rows
from advisor.units import GB, TERA, BoolArray, FloatArray, IntArray, bytes_from_gib, read_only


@dataclass(frozen=True, slots=True, eq=False)
class Gpu:
    """One accelerator variant, with the figures of its data sheet and what a process can get.

    memory_bytes_allocatable: what a process gets [bytes]; memory_bytes_total: what the driver shows [bytes];
    memory_bandwidth: [bytes/s]; *_flops: dense matrix rate [FLOP/s], NaN where the chip lacks the precision;
    link_bandwidth: scale-up link of one GPU, one direction [bytes/s], NaN where unknown.
    """

    id: str
    name: str
    aliases: tuple[str, ...]
    vendor: str
    architecture: str
    release_year: int
    segment: str
    form_factor: str
    memory_gb: float
    memory_bytes_total: float
    memory_bytes_allocatable: float
    memory_type: str
    memory_bandwidth: float
    bf16_flops: float
    fp16_flops: float
    fp8_flops: float
    int8_flops: float
    fp4_flops: float
    supports_bf16: bool
    supports_fp8: bool
    supports_int8: bool
    supports_fp4: bool
    link_bandwidth: float
    interconnect: str
    pcie_generation: int
    power_w: float
    compute_capability: str
    source: str
    notes: str

    @property
    def is_hbm(self) -> bool:
        """Whether the memory is stacked high-bandwidth memory."""
        return self.memory_type.startswith("HBM")

    @property
    def compute_capability_number(self) -> float:
        """NVIDIA compute capability as a number; NaN for other vendors."""
        return (
            float(self.compute_capability) if self.vendor == "NVIDIA" and self.compute_capability else np.nan
        )


@dataclass(frozen=True, slots=True, eq=False)
class Gpus:
    """The accelerator table: records, the index of names, and the columns that estimators read."""

    rows: tuple[Gpu, ...]
    index_of: dict[str, int]
    names: NameIndex
    memory_bytes_allocatable: FloatArray
    memory_bytes_total: FloatArray
    memory_bandwidth: FloatArray
    flops_16bit: FloatArray
    fp8_flops: FloatArray
    int8_flops: FloatArray
    fp4_flops: FloatArray
    link_bandwidth: FloatArray
    compute_capability: FloatArray
    pcie_generation: IntArray
    supports_bf16: BoolArray

    def __getitem__(self, gpu_id: str) -> Gpu:
        """Return the accelerator of an id."""
        return self.rows[self.index_of[gpu_id]]

    def find(self, name: str, field: str = "deployment.gpu") -> tuple[Gpu, bool]:
        """Return the accelerator of a name and whether a variant was assumed; raises AdvisorError."""
        gpu_id, assumed = self.names.find(name, field)
        return self[gpu_id], assumed


def load_gpus(folder: Path) -> tuple[Gpus, list[AdvisorError]]:
    """Read `gpus.csv` and `gpu_ambiguous.csv`; returns the table and the refused rows."""
    rows, refused = parse_rows(read_rows(folder, "gpus", "id"), _parse_gpu)
    ambiguous, refused_names = parse_rows(read_rows(folder, "gpu_ambiguous", "alias"), _parse_ambiguous)
    known = {row.id for row in rows}
    assumed = {alias: (ids, chosen) for alias, ids, chosen in ambiguous if chosen in known}
    names = build_index(((row.id, (row.name, *row.aliases)) for row in rows), assumed)
    return gpus_from(tuple(rows), names), refused + refused_names


def _parse_ambiguous(row: Row) -> tuple[str, tuple[str, ...], str]:
    return row.text("alias"), row.words("candidate_ids"), row.text("assume_id")


def _parse_gpu(row: Row) -> Gpu:
    tera = TERA
    return Gpu(
        id=row.text("id"),
        name=row.text("name"),
        aliases=row.words("aliases"),
        vendor=row.text("vendor"),
        architecture=row.text("architecture"),
        release_year=row.whole("release_year"),
        segment=row.text("segment"),
        form_factor=row.text("form_factor"),
        memory_gb=row.number("memory_gb"),
        memory_bytes_total=bytes_from_gib(
            row.number("memory_gib_usable", row.number("memory_gib_allocatable"))
        ),
        memory_bytes_allocatable=bytes_from_gib(row.number("memory_gib_allocatable")),
        memory_type=row.text("memory_type"),
        memory_bandwidth=row.number("memory_bandwidth_gb_s") * GB,
        bf16_flops=row.number("bf16_dense_tflops") * tera,
        fp16_flops=row.number("fp16_dense_tflops") * tera,
        fp8_flops=row.number("fp8_dense_tflops") * tera,
        int8_flops=row.number("int8_dense_tops") * tera,
        fp4_flops=row.number("fp4_dense_tflops") * tera,
        supports_bf16=row.flag("supports_bf16"),
        supports_fp8=row.flag("supports_fp8"),
        supports_int8=row.flag("supports_int8"),
        supports_fp4=row.flag("supports_fp4"),
        # Data sheets print both directions together; formulas want one.
        link_bandwidth=row.number("nvlink_gb_s_total") / 2 * GB,
        interconnect=row.text("interconnect"),
        pcie_generation=row.whole("pcie_gen"),
        power_w=row.number("tdp_w"),
        compute_capability=row.text("compute_capability"),
        source=row.text("source"),
        notes=row.text("notes"),
    )


def gpus_from(rows: tuple[Gpu, ...], names: NameIndex) -> Gpus:
    """Lay accelerators out as columns."""
    supports_bf16 = np.array([row.supports_bf16 for row in rows], dtype=np.bool_)
    read_only(supports_bf16)
    return Gpus(
        rows=rows,
        index_of={row.id: index for index, row in enumerate(rows)},
        names=names,
        memory_bytes_allocatable=float_column([row.memory_bytes_allocatable for row in rows]),
        memory_bytes_total=float_column([row.memory_bytes_total for row in rows]),
        memory_bandwidth=float_column([row.memory_bandwidth for row in rows]),
        flops_16bit=float_column([_flops_16bit(row) for row in rows]),
        fp8_flops=float_column([row.fp8_flops if row.supports_fp8 else np.nan for row in rows]),
        int8_flops=float_column([row.int8_flops if row.supports_int8 else np.nan for row in rows]),
        fp4_flops=float_column([row.fp4_flops if row.supports_fp4 else np.nan for row in rows]),
        link_bandwidth=float_column([row.link_bandwidth for row in rows]),
        compute_capability=float_column([row.compute_capability_number for row in rows]),
        pcie_generation=int_column([row.pcie_generation for row in rows]),
        supports_bf16=supports_bf16,
    )


def _flops_16bit(row: Gpu) -> float:
    """Return the rate of the 16-bit format the chip is used with: BF16 where it has it, else FP16 [FLOP/s]."""
    return row.bf16_flops if row.supports_bf16 and row.bf16_flops > 0 else row.fp16_flops
