"""Weight and cache formats: bits by tensor group, what computes natively, what is only stored."""

import fnmatch
import re
from dataclasses import dataclass, replace
from pathlib import Path

from advisor.errors import AdvisorError
from advisor.facts.gguf import GgufRules, gguf_group_bits, load_gguf_rules
from advisor.facts.group_bits import GroupBits
from advisor.facts.models import ModelShape, ParameterGroups
from advisor.facts.names import NameIndex, build_index
from advisor.facts.table import Row, parse_rows, read_rows
from advisor.units import BITS_PER_BYTE

SIXTEEN = 16.0
_REPORTED = re.compile(r"whole-file bits per weight reported for Llama 3.1 8B: (\d+\.\d+)")
EXL2_ID = re.compile(r"exl[23]-(\d+(?:\.\d+)?)(?:bpw)?")

CACHE_BITS = {"bf16": 16.0, "fp16": 16.0, "fp32": 32.0, "fp8": 8.0, "int8": 8.0, "q8_0": 8.5, "q4_0": 4.5}
"""Bits of one cached element, with llama.cpp's block scales (34/32 and 18/32 bytes): notes on GGUF."""

COMPUTE_OF = {
    "fp8": "fp8",
    "mxfp8": "fp8",
    "int8": "int8",
    "mxfp4": "fp4",
    "nvfp4": "fp4",
    "native": "fp8",
}
"""Precision in which a format multiplies where the chip has it; every other format unpacks to 16 bit."""


@dataclass(frozen=True, slots=True, eq=False)
class FormatRow:
    """One weight format as the table gives it, before a model is known.

    bits: of one quantized weight with its scales [bits]; kept: of each tensor group, `quantized` or the format kept.
    """

    id: str
    bits: float
    whole_file_bits: float
    kept: tuple[tuple[str, str], ...]
    kv_default: str
    needs: str
    source: str
    note: str


@dataclass(frozen=True, slots=True, eq=False)
class WeightFormat:
    """A weight format for one model: bits of each tensor group and the precision it multiplies in.

    compute: fp8, int8 or fp4 where the chip multiplies in the format itself, else 16bit (stored and unpacked);
    width: f16, i8 or q, the class by which measured efficiencies differ.
    """

    id: str
    bits: GroupBits
    compute: str
    kv_default: str

    @property
    def width(self) -> str:
        """Return f16, i8 or q (five bits and fewer per weight of the layers)."""
        smallest = min(self.bits.mlp, self.bits.experts)
        if smallest >= SIXTEEN:
            return "f16"
        return "i8" if smallest > 5.8 else "q"

    @property
    def is_gguf(self) -> bool:
        """Whether this is a llama.cpp file type."""
        return self.id.startswith("gguf-")


@dataclass(frozen=True, slots=True, eq=False)
class Formats:
    """The table of weight formats."""

    rows: dict[str, FormatRow]
    names: NameIndex
    gguf: GgufRules

    def find_id(self, name: str, field: str = "workload.weights") -> str:
        """Return the id of a format name; `exl2-<bpw>` takes any average from 2 to 8. Raises AdvisorError."""
        exl2 = EXL2_ID.fullmatch(name.strip().lower())
        if exl2 and 2 <= float(exl2[1]) <= 8:
            return f"exl2-{float(exl2[1]):g}"
        if name.strip().lower() == "native":
            return "native"
        return self.names.find(name, field)[0]

    def row(self, format_id: str) -> FormatRow:
        """Return the row of an id, making one for an EXL2 average that the table does not list."""
        if format_id in self.rows:
            return self.rows[format_id]
        bits = float(format_id.removeprefix("exl2-"))
        return replace(self.rows["exl2-4"], id=format_id, bits=bits)

    def weight_format(self, format_id: str, shape: ModelShape) -> WeightFormat:
        """Return the format for one model."""
        native = shape.native_format if format_id == "native" else format_id
        if native == "native":
            # Four-bit experts over an eight-bit rest, as DeepSeek V4 is published.
            rest = self._bits(self.row("fp8"), shape)
            return WeightFormat("native", replace(rest, experts=self.row("mxfp4").bits), "fp8", "bf16")
        row = self.row(native)
        return WeightFormat(row.id, self._bits(row, shape), COMPUTE_OF.get(row.id, "16bit"), row.kv_default)

    def _bits(self, row: FormatRow, shape: ModelShape) -> GroupBits:
        if row.id.startswith("gguf-"):
            file_type = row.id.removeprefix("gguf-")
            return gguf_group_bits(file_type, row.bits, row.whole_file_bits, shape, self.gguf)
        kept = dict(row.kept)

        def of(group: str) -> float:
            cell = kept[group]
            return row.bits if cell == "quantized" else float(cell.split(" ")[0])

        plain = row.bits if kept["norm"] == "quantized" else SIXTEEN
        return GroupBits(
            embedding=of("embed"),
            lm_head=of("lm_head"),
            attention=of("attn"),
            linear_attention=of("attn"),
            mlp=of("mlp"),
            experts=of("experts"),
            shared_experts=of("mlp"),
            router=of("router"),
            norm=of("norm"),
            vision=of("vision"),
            other=plain,
        )

    def matching(self, pattern: str) -> tuple[str, ...]:
        """Return the ids that fit a pattern such as `gguf-*`."""
        return tuple(format_id for format_id in self.rows if fnmatch.fnmatch(format_id, pattern))


def weight_bytes(groups: ParameterGroups, bits: GroupBits) -> float:
    """Return the size of all weights: sum over the tensor groups of parameters x bits / 8 [bytes]."""
    names = ParameterGroups.__slots__
    return float(sum(getattr(groups, name) * getattr(bits, name) for name in names) / BITS_PER_BYTE)


def load_formats(folder: Path) -> tuple[Formats, list[AdvisorError]]:
    """Read `formats.csv` and the GGUF tables; returns the formats and the refused rows."""
    rows, refused = parse_rows(read_rows(folder, "formats", "id"), _parse_format)
    rules, refused_rules = load_gguf_rules(folder)
    names = build_index((row.id, ()) for row in rows)
    return Formats({row.id: row for row in rows}, names, rules), refused + refused_rules


def _parse_format(row: Row) -> FormatRow:
    groups = ("embed", "lm_head", "attn", "mlp", "experts", "router", "norm", "vision")
    kv_default = row.text("kv_default")
    return FormatRow(
        id=row.text("id"),
        bits=row.number("bits_per_quantized_weight"),
        whole_file_bits=float(reported[1])
        if (reported := _REPORTED.search(row.text("bits_detail")))
        else 0.0,
        kept=tuple((group, row.text(group)) for group in groups),
        kv_default="fp16" if kv_default == "f16" else kv_default,
        needs=row.text("needs"),
        source=row.text("source"),
        note=row.text("note"),
    )
