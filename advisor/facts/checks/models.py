"""The checks of the model tables: names, parameter counts, layers, and the cache against the shape."""

from collections.abc import Iterator

from advisor.facts.checks.findings import CheckedRow, CheckedTables, Finding
from advisor.facts.checks.model_columns import PARAMETER_GROUPS
from advisor.facts.names import folded

MODEL_TABLES = ("models_llm", "models_diffusion", "models_audio")

PARAMETER_TOLERANCE = 1e-4
"""Share of the total by which the groups may miss it: one model is summed without its norms."""

BYTES_16_BIT = 2


def check_models(tables: CheckedTables) -> Iterator[Finding]:
    """Yield what is wrong with the language, image, video and audio models."""
    yield from _check_names(tables)
    for row in tables.rows("models_llm"):
        if not row.text("params_total"):
            continue  # Two rows have a name and a headline only; the estimate says so.
        yield from _check_parameters(row)
        yield from _check_experts(row)
        yield from _check_layers(row)
        yield from _check_cache(row)


def _check_names(tables: CheckedTables) -> Iterator[Finding]:
    """Ids, names, Hub names and aliases are unique over the three tables, compared as people write them."""
    owner: dict[str, str] = {}
    for table in MODEL_TABLES:
        for row in tables.rows(table):
            yield from _check_cut_names(row)
            for name in (row.text("id"), row.text("name"), row.text("hf_id"), *row.words("aliases")):
                holder = owner.setdefault(folded(name), row.text("id")) if name else row.text("id")
                if holder != row.text("id"):
                    yield row.refuse("aliases", f"holds «{name}», a name of {holder} already")


def _check_cut_names(row: CheckedRow) -> Iterator[Finding]:
    for part in row.text("aliases").split(";"):
        if part != part.strip():
            yield row.doubt(
                "aliases", f"has «{part}» with a space around it; is it the rest of a longer name?"
            )


def _check_parameters(row: CheckedRow) -> Iterator[Finding]:
    """The tensor groups add up to the total; the active parameters are a part of it."""
    total, counted = row.total(["params_total"]), row.total(PARAMETER_GROUPS)
    if abs(counted - total) > PARAMETER_TOLERANCE * total:
        yield row.refuse("params_total", f"is not the sum of the tensor groups, {counted:.0f}")
    if row.total(["params_active"]) > total:
        yield row.refuse("params_active", f"is more than all parameters, {total:.0f}")
    if row.text("tie_word_embeddings") == "true" and row.total(["p_lm_head"]) > 0:
        yield row.refuse("p_lm_head", "is not zero although the output is tied to the embedding")


def _check_experts(row: CheckedRow) -> Iterator[Finding]:
    """A token takes at most all experts, and a model with experts has expert parameters."""
    experts, taken = row.total(["n_experts"]), row.total(["n_experts_per_token"])
    if taken > experts:
        yield row.refuse("n_experts_per_token", f"is more than the {experts:.0f} experts")
    if (experts > 0) != (row.total(["p_experts"]) > 0):
        yield row.refuse("p_experts", f"contradicts n_experts = {experts:.0f}")


def _check_layers(row: CheckedRow) -> Iterator[Finding]:
    """The kinds of layers add up, and the heads share out the cached heads evenly.

    In some hybrids a layer is attention, a state or a feed-forward block; LongCat has two attentions a layer.
    """
    layers = row.total(["layers"])
    mixers = row.total(["full_attention_layers", "sliding_attention_layers", "linear_attention_layers"])
    blocks = mixers + row.total(["moe_layers", "mlp_layers"])
    if layers not in (mixers, mixers / 2, blocks):
        yield row.doubt("layers", f"is not the sum of the kinds of layers, {mixers:.0f} or {blocks:.0f}")
    heads, cached_heads = row.total(["attention_heads"]), row.total(["kv_heads"])
    if cached_heads and heads % cached_heads:
        yield row.refuse("kv_heads", f"does not divide the {heads:.0f} attention heads")
    if row.total(["sliding_attention_layers"]) and not row.text("sliding_window"):
        yield row.refuse("sliding_window", "is unknown although some layers slide")


def _check_cache(row: CheckedRow) -> Iterator[Finding]:
    """The cached bytes a token follow from the shape, unless `kv_note` says what is different."""
    full, sliding = "kv_bytes_per_token_full_bf16", "kv_bytes_per_token_sliding_bf16"
    expected = _cached_elements_per_layer(row) * row.total(["full_attention_layers"]) * BYTES_16_BIT
    explained = row.text("kv_note") and not row.total(["kv_lora_rank"])
    if not explained and row.total([full]) != expected:
        yield row.refuse(full, f"is not what the shape gives, {expected:.0f}")
    expected = _cached_elements_per_layer(row) * row.total(["sliding_attention_layers"]) * BYTES_16_BIT
    if expected and not row.total([sliding]):
        yield row.doubt(
            sliding, "is zero although some layers slide: the cache of their window is not counted"
        )
    elif not row.text("kv_note") and row.total([sliding]) != expected:
        yield row.doubt(
            sliding, f"is not what the shape gives, {expected:.0f}; do the sliding layers keep other heads?"
        )


def _cached_elements_per_layer(row: CheckedRow) -> float:
    """Return what one layer caches of a token: keys and values of each head, or a latent and a rotary key.

    Values are as wide as keys unless `v_head_dim` says otherwise [elements/token].
    """
    if row.total(["kv_lora_rank"]):
        return row.total(["kv_lora_rank", "qk_rope_head_dim"])
    key_width = row.total(["head_dim"])
    return row.total(["kv_heads"]) * (key_width + (row.total(["v_head_dim"]) or key_width))
