"""Which tensor of a llama.cpp file gets which block type, and the bits that follow.

Rules: llama.cpp `llama-quant.cpp`, as recorded in `gguf_mixing.csv` and `gguf_blocks.csv`.
"""

from dataclasses import dataclass
from pathlib import Path

from advisor.errors import AdvisorError
from advisor.facts.group_bits import GroupBits
from advisor.facts.models import ModelShape
from advisor.facts.table import parse_rows, read_rows


@dataclass(frozen=True, slots=True)
class GgufRules:
    """Bits of each block type, and the mixing rules by file type."""

    block_bits: dict[str, float]


def load_gguf_rules(folder: Path) -> tuple[GgufRules, list[AdvisorError]]:
    """Read `gguf_blocks.csv`; returns the rules and the refused rows."""
    blocks, refused = parse_rows(
        read_rows(folder, "gguf_blocks", "block_type"),
        lambda row: (row.text("block_type").lower(), row.number("bits_per_weight")),
    )
    return GgufRules(dict(blocks)), refused


def gguf_group_bits(file_type: str, base_bits: float, shape: ModelShape, rules: GgufRules) -> GroupBits:
    """Return the mean bits of each tensor group of a file type for one model."""
    head = base_bits if base_bits >= 16 else max(base_bits, rules.block_bits["q6_k"])
    return GroupBits(
        embedding=head if shape.tied_embeddings else base_bits,
        lm_head=head,
        attention=base_bits,
        linear_attention=base_bits,
        mlp=base_bits,
        experts=base_bits,
        shared_experts=base_bits,
        router=32.0,
        norm=32.0,
        vision=16.0,
        other=32.0,
    )
