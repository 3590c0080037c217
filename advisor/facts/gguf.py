"""Which tensor of a llama.cpp file gets which block type, and the mean bits of each tensor group that follow.

A file type (Q4_K_M) names a base block type and promotes some tensors in some layers. The rules are llama.cpp's
`llama-quant.cpp`, as recorded in `gguf_mixing.csv`; bits of the block types are in `gguf_blocks.csv`.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from advisor.errors import AdvisorError
from advisor.facts.group_bits import GroupBits
from advisor.facts.models import ModelShape
from advisor.facts.table import Row, parse_rows, read_rows

BLOCK_ROW = 256
"""k-quant blocks span this many weights of a row; shorter or odd rows fall back to a smaller block type."""

FALLBACK = {"q2_k": "q4_0", "q3_k": "q4_0", "q4_k": "q5_0", "q5_k": "q5_1", "q6_k": "q8_0"}
UNQUANTIZED = ("f32", "f16", "bf16")
LARGE_LAYERS, LARGE_HIDDEN = 80, 8_192
EIGHT_EXPERTS = 8
GROUPED_RATIO = 4

_LAYER_BOUND = re.compile(r"i (<|>=) (?:(\d+)|n//(\d+))")


@dataclass(frozen=True, slots=True, eq=False)
class MixingRule:
    """One promotion: file types, tensor, layers (`all`, `more_bits(i,n)`, `i < n//8`), block type, condition."""

    file_type: str
    tensor: str
    layers: str
    block_type: str
    condition: str


@dataclass(frozen=True, slots=True, eq=False)
class GgufRules:
    """Bits of each block type [bits/weight], and the promotions of each file type."""

    block_bits: dict[str, float]
    mixing: dict[str, tuple[MixingRule, ...]]

    def bits(self, block_type: str, row_length: int) -> float:
        """Return the bits of a block type, or of its fallback where rows do not divide into blocks."""
        if row_length % BLOCK_ROW and block_type in FALLBACK:
            block_type = FALLBACK[block_type]
        return self.block_bits[block_type]


def load_gguf_rules(folder: Path) -> tuple[GgufRules, list[AdvisorError]]:
    """Read `gguf_blocks.csv` and `gguf_mixing.csv`; returns the rules and the refused rows."""
    blocks, refused = parse_rows(
        read_rows(folder, "gguf_blocks", "block_type"),
        lambda row: (row.text("block_type").lower(), row.number("bits_per_weight")),
    )
    rules, refused_rules = parse_rows(read_rows(folder, "gguf_mixing", ("file_type", "tensor")), _parse_rule)
    mixing: dict[str, tuple[MixingRule, ...]] = {}
    for rule in rules:
        mixing[rule.file_type] = (*mixing.get(rule.file_type, ()), rule)
    return GgufRules(dict(blocks), mixing), refused + refused_rules


def _parse_rule(row: Row) -> MixingRule:
    return MixingRule(
        row.text("file_type").lower(),
        row.text("tensor"),
        row.text("layers"),
        row.text("block_type").lower(),
        row.text("condition"),
    )


def gguf_group_bits(
    file_type: str, base_bits: float, whole_file_bits: float, shape: ModelShape, rules: GgufRules
) -> GroupBits:
    """Return the mean bits of each tensor group of a file type for one model.

    A type without rules of its own (IQ*, Q3_K_S, Q3_K_L) takes the whole-file figure that llama.cpp reports for an 8B
    model, an approximation; plain types (F16, F32) keep their width everywhere.
    """
    if file_type in UNQUANTIZED:
        return _uniform(base_bits, base_bits)
    if file_type == "mxfp4_moe":
        return _uniform(rules.block_bits["q8_0"], rules.block_bits["mxfp4"])
    own = rules.mixing.get(file_type, ())
    base = next((rule.block_type for rule in own if rule.tensor.startswith("default")), "")
    if not base:
        return _uniform(whole_file_bits or base_bits, whole_file_bits or base_bits)
    promoted = _Promotions(shape, rules, own, base)
    head = next(rule.block_type for rule in own if rule.tensor.startswith("output"))
    head_bits = rules.bits(head, shape.hidden_size)
    embedding = head_bits if shape.tied_embeddings else rules.bits(base, shape.hidden_size)
    feed_forward = promoted.feed_forward(shape.intermediate_size)
    return GroupBits(
        embedding=embedding,
        lm_head=head_bits,
        attention=promoted.attention(),
        linear_attention=promoted.mean("attn_q", shape.hidden_size),
        mlp=feed_forward,
        experts=promoted.feed_forward(shape.expert_intermediate_size or shape.intermediate_size),
        shared_experts=promoted.feed_forward(shape.shared_intermediate_size or shape.intermediate_size),
        router=rules.block_bits["f32"],
        norm=rules.block_bits["f32"],
        vision=rules.block_bits["f16"],
        # What is larger than the embedding is a table of its own kind, quantized like it; the rest is 1-D tensors.
        other=embedding if shape.groups.other > shape.groups.embedding else rules.block_bits["f32"],
    )


def _uniform(bits: float, expert_bits: float) -> GroupBits:
    plain = max(bits, 16.0)
    return GroupBits(bits, bits, bits, bits, bits, expert_bits, bits, 32.0, 32.0, min(plain, 16.0), plain)


@dataclass(frozen=True, slots=True, eq=False)
class _Promotions:
    """The promotions of one file type in one model: mean bits over the layers for each tensor."""

    shape: ModelShape
    rules: GgufRules
    own: tuple[MixingRule, ...]
    base: str

    def mean(self, tensor: str, row_length: int) -> float:
        """Return the mean bits of a tensor over all layers."""
        layers = max(1, self.shape.layers)
        blocks = [self._block_type(tensor, layer, layers) for layer in range(layers)]
        return sum(self.rules.bits(block, row_length) for block in blocks) / layers

    def attention(self) -> float:
        """Return the mean bits of queries, keys, values and output, weighted by their parameters."""
        shape = self.shape
        width = shape.attention_heads * shape.head_dim
        narrow = shape.kv_heads * shape.head_dim
        if not narrow or shape.has_latent_cache:
            return self.mean("attn_q", shape.hidden_size)
        bits = (
            width * self.mean("attn_q", shape.hidden_size),
            narrow * self.mean("attn_k", shape.hidden_size),
            narrow * self.mean("attn_v", shape.hidden_size),
            width * self.mean("attn_output", width),
        )
        return sum(bits) / (2 * width + 2 * narrow)

    def feed_forward(self, intermediate_size: int) -> float:
        """Return the mean bits of gate, up and down matrices of one width."""
        up = self.mean("ffn_up", self.shape.hidden_size)
        down = self.mean("ffn_down", intermediate_size)
        others = max(1, self.shape.mlp_matrices - 1)
        return (others * up + down) / (others + 1)

    def _block_type(self, tensor: str, layer: int, layers: int) -> str:
        block = self.base
        for rule in self.own:
            if rule.tensor == tensor and _in_layers(rule.layers, layer, layers) and self._holds(rule, block):
                block = rule.block_type
        if self.shape.experts == EIGHT_EXPERTS and tensor in ("attn_k", "attn_v"):
            return "q8_0"
        return block

    def _holds(self, rule: MixingRule, block: str) -> bool:
        ratio = self.shape.attention_heads // max(1, self.shape.kv_heads)
        if ">= 4" in rule.condition:
            return ratio >= GROUPED_RATIO
        if "< 4" in rule.condition:
            return ratio < GROUPED_RATIO
        if "70B rule" in rule.condition:
            large = (self.shape.layers, self.shape.hidden_size) == (LARGE_LAYERS, LARGE_HIDDEN)
            return large and block in ("q3_k", "q4_k")
        return True


def more_bits(layer: int, layers: int) -> bool:
    """Whether a layer gets more bits: the first eighth, the last eighth, and every third between them."""
    eighth = layers // 8
    return layer < eighth or layer >= 7 * layers // 8 or (layer - eighth) % 3 == 2


def _in_layers(expression: str, layer: int, layers: int) -> bool:
    if expression == "more_bits(i,n)":
        return more_bits(layer, layers)
    bound = _LAYER_BOUND.fullmatch(expression)
    if not bound:
        return True
    limit = int(bound[2]) if bound[2] else layers // int(bound[3])
    compare: Callable[[int, int], bool] = int.__lt__ if bound[1] == "<" else int.__ge__
    return compare(layer, limit)
