"""Language models: exact parameter counts by tensor group, attention, cache and state."""

import re
from dataclasses import dataclass
from pathlib import Path

from advisor.errors import AdvisorError
from advisor.facts.names import NameIndex, build_index
from advisor.facts.table import Row, parse_rows, read_rows

NATIVE_FORMATS = {
    "int4 experts (QAT)": "int4-g32",
    "mxfp4 experts": "mxfp4",
    "fp4 experts + fp8": "native",
}
"""Native formats that the model table writes in words; a mix of two formats is the format `native`."""

_INDEXER = re.compile(r"indexer key cache (\d+) elems x (\d+) layers")


@dataclass(frozen=True, slots=True, eq=False)
class ParameterGroups:
    """Parameters by tensor group, so that each group can have its own precision [parameters]."""

    embedding: int = 0
    lm_head: int = 0
    attention: int = 0
    linear_attention: int = 0
    mlp: int = 0
    experts: int = 0
    shared_experts: int = 0
    router: int = 0
    norm: int = 0
    vision: int = 0
    other: int = 0

    @property
    def total(self) -> int:
        """Return the sum of the groups [parameters]."""
        return (
            self.embedding
            + self.lm_head
            + self.attention
            + self.linear_attention
            + self.mlp
            + self.experts
            + self.shared_experts
            + self.router
            + self.norm
            + self.vision
            + self.other
        )


@dataclass(frozen=True, slots=True, eq=False)
class ModelShape:
    """A language model as estimators see it: scalars only.

    Sizes are counts of elements or layers; `kv_bytes_per_token_*_bf16` are the 16-bit cache of all layers of that
    kind [bytes/token]; `state_bytes_per_sequence` is the fixed state of linear attention [bytes].
    `indexer_elements_per_token`: keys of a sparse-attention indexer over all layers, stored in 8 bits.
    """

    id: str
    name: str
    aliases: tuple[str, ...]
    hf_id: str
    family: str
    parameters_total: int
    parameters_active: int
    groups: ParameterGroups
    layers: int
    hidden_size: int
    intermediate_size: int
    expert_intermediate_size: int
    experts: int
    experts_per_token: int
    shared_experts: int
    shared_intermediate_size: int
    moe_layers: int
    mlp_layers: int
    mlp_matrices: int
    attention_heads: int
    kv_heads: int
    head_dim: int
    q_lora_rank: int
    kv_lora_rank: int
    qk_rope_head_dim: int
    qk_nope_head_dim: int
    v_head_dim: int
    sliding_window: int
    full_attention_layers: int
    sliding_attention_layers: int
    linear_attention_layers: int
    linear_kind: str
    vocabulary: int
    tied_embeddings: bool
    max_context: int
    native_format: str
    kv_bytes_per_token_full_bf16: float
    kv_bytes_per_token_sliding_bf16: float
    state_bytes_per_sequence: float
    indexer_elements_per_token: int
    kv_note: str
    license: str
    released: str
    source: str
    notes: str

    @property
    def is_mixture(self) -> bool:
        """Whether the model routes tokens over experts."""
        return self.experts > 0

    @property
    def has_latent_cache(self) -> bool:
        """Whether the cache holds one latent vector a token (MLA), the same on every tensor-parallel rank."""
        return self.kv_lora_rank > 0

    @property
    def has_architecture(self) -> bool:
        """Whether the table knows the layers; two rows have only their parameter count."""
        return self.layers > 0 and self.hidden_size > 0

    @property
    def attention_kind(self) -> str:
        """Return mla, mqa, gqa or mha, with `hybrid-` or `sliding-` before it where some layers differ."""
        if self.has_latent_cache:
            kind = "mla"
        elif self.kv_heads == 1:
            kind = "mqa"
        else:
            kind = "gqa" if self.kv_heads < self.attention_heads else "mha"
        if self.linear_attention_layers:
            return f"hybrid-{kind}"
        return f"sliding-{kind}" if self.sliding_attention_layers else kind


@dataclass(frozen=True, slots=True, eq=False)
class LanguageModels:
    """The language models and the index of their names."""

    rows: tuple[ModelShape, ...]
    by_id: dict[str, ModelShape]
    names: NameIndex


def load_language_models(folder: Path) -> tuple[LanguageModels, list[AdvisorError]]:
    """Read `models_llm.csv`; returns the table and the refused rows."""
    rows, refused = parse_rows(read_rows(folder, "models_llm", "id"), parse_model)
    names = build_index((row.id, (row.name, row.hf_id, *row.aliases)) for row in rows)
    return LanguageModels(tuple(rows), {row.id: row for row in rows}, names), refused


def parse_model(row: Row) -> ModelShape:
    """Return the model of one row; raises AdvisorError bad-cell."""
    native = row.text("native_dtype")
    return ModelShape(
        id=row.text("id"),
        name=row.text("name"),
        aliases=row.words("aliases"),
        hf_id=row.text("hf_id"),
        family=row.text("family"),
        parameters_total=row.whole("params_total"),
        parameters_active=row.whole("params_active") or row.whole("params_total"),
        groups=_parse_groups(row),
        layers=row.whole("layers"),
        hidden_size=row.whole("hidden_size"),
        intermediate_size=row.whole("intermediate_size"),
        expert_intermediate_size=row.whole("moe_intermediate_size"),
        experts=row.whole("n_experts"),
        experts_per_token=row.whole("n_experts_per_token"),
        shared_experts=row.whole("n_shared_experts"),
        shared_intermediate_size=row.whole("shared_intermediate_size"),
        moe_layers=row.whole("moe_layers"),
        mlp_layers=row.whole("mlp_layers"),
        mlp_matrices=row.whole("mlp_matrices", 3),
        attention_heads=row.whole("attention_heads"),
        kv_heads=row.whole("kv_heads"),
        head_dim=row.whole("head_dim"),
        q_lora_rank=row.whole("q_lora_rank"),
        kv_lora_rank=row.whole("kv_lora_rank"),
        qk_rope_head_dim=row.whole("qk_rope_head_dim"),
        qk_nope_head_dim=row.whole("qk_nope_head_dim"),
        v_head_dim=row.whole("v_head_dim"),
        sliding_window=row.whole("sliding_window"),
        full_attention_layers=row.whole("full_attention_layers"),
        sliding_attention_layers=row.whole("sliding_attention_layers"),
        linear_attention_layers=row.whole("linear_attention_layers"),
        linear_kind=row.text("linear_spec").split(" ")[0],
        vocabulary=row.whole("vocab_size"),
        tied_embeddings=row.flag("tie_word_embeddings"),
        max_context=row.whole("max_context"),
        native_format=NATIVE_FORMATS.get(native, native),
        kv_bytes_per_token_full_bf16=row.number("kv_bytes_per_token_full_bf16", 0.0),
        kv_bytes_per_token_sliding_bf16=row.number("kv_bytes_per_token_sliding_bf16", 0.0),
        state_bytes_per_sequence=row.number("state_bytes_per_sequence", 0.0),
        indexer_elements_per_token=_indexer_elements(row.text("kv_note")),
        kv_note=row.text("kv_note"),
        license=row.text("license"),
        released=row.text("released"),
        source=row.text("source"),
        notes=row.text("notes"),
    )


def _parse_groups(row: Row) -> ParameterGroups:
    return ParameterGroups(
        embedding=row.whole("p_embed"),
        lm_head=row.whole("p_lm_head"),
        attention=row.whole("p_attn"),
        linear_attention=row.whole("p_linear"),
        mlp=row.whole("p_mlp_dense"),
        experts=row.whole("p_experts"),
        shared_experts=row.whole("p_shared"),
        router=row.whole("p_router"),
        norm=row.whole("p_norm"),
        vision=row.whole("vision_params"),
        # Learned positions have a column of their own; they stay at the precision of the rest.
        other=row.whole("other_params") + row.whole("learned_positions"),
    )


def _indexer_elements(kv_note: str) -> int:
    """Return the indexer key elements of all layers a token: 128 a layer that owns an indexer."""
    found = _INDEXER.search(kv_note)
    return int(found[1]) * int(found[2]) if found else 0
