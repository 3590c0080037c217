"""What one decode step reads and multiplies: weights by tensor group, the cache by kind of attention."""

from dataclasses import dataclass

import numpy as np

from advisor.facts.formats import WeightFormat
from advisor.facts.models import ModelShape, ParameterGroups
from advisor.resolve.works import ServeWork
from advisor.units import BITS_PER_BYTE, FloatArray

BF16_BITS = 16.0
SPARSE_ATTENTION_TOKENS = 2_048
"""Cached tokens that sparse attention reads: `index_topk` of DeepSeek V3.2, taken for every model with an indexer."""


@dataclass(frozen=True, slots=True, eq=False)
class WeightTraffic:
    """Weights by the way they are read in a step, and the parameters that multiply a token.

    *_bytes: stored size [bytes]; *_parameters: multiplied by each token [parameters]. `attention` is what attention
    data parallel repeats on every rank; `dense` is read by every step; `experts` as far as tokens are routed to them.
    """

    attention_bytes: float
    dense_bytes: float
    head_bytes: float
    experts_bytes: float
    attention_parameters: float
    dense_parameters: float
    head_parameters: float
    experts_parameters: float
    experts: int
    experts_per_token: int


def weight_traffic(model: ModelShape, weights: WeightFormat) -> WeightTraffic:
    """Return the weights by the way they are read; rows of the input embedding are looked up, not read."""
    groups, bits = model.groups, weights.bits
    tied = model.tied_embeddings or not groups.lm_head
    head = groups.embedding if tied else groups.lm_head
    head_bits = bits.embedding if tied else bits.lm_head
    dense = ("mlp", "shared_experts", "router", "norm")
    active_share = model.experts_per_token / model.experts if model.experts else 0.0
    return WeightTraffic(
        attention_bytes=_size(groups, bits, "attention") + _size(groups, bits, "linear_attention"),
        dense_bytes=sum(_size(groups, bits, group) for group in dense),
        head_bytes=head * head_bits / BITS_PER_BYTE,
        experts_bytes=_size(groups, bits, "experts"),
        attention_parameters=float(groups.attention + groups.linear_attention),
        dense_parameters=float(sum(getattr(groups, group) for group in dense)),
        head_parameters=float(head),
        experts_parameters=groups.experts * active_share,
        experts=model.experts,
        experts_per_token=model.experts_per_token,
    )


def _size(groups: ParameterGroups, bits: object, group: str) -> float:
    return float(getattr(groups, group) * getattr(bits, group) / BITS_PER_BYTE)


def distinct_expert_share(chosen_share: FloatArray, tokens: FloatArray, variety: FloatArray) -> FloatArray:
    """Return the expected share of experts that at least one of `tokens` is routed to [D].

    1 - (1 - k/E)^tokens for independent and even routing (notes on throughput, section 2); tokens of like texts and
    favoured experts act like fewer tokens: tokens^variety, variety between 0 and 1.
    """
    return np.asarray(1.0 - (1.0 - chosen_share) ** (np.maximum(tokens, 1.0) ** variety))


def cache_bytes_at(work: ServeWork, context: float) -> float:
    """Return the cache of one sequence of `context` tokens, fixed state of linear attention included [bytes]."""
    model, scale = work.model, work.cache_bits / BF16_BITS
    window = min(context, float(model.sliding_window or context))
    full = model.kv_bytes_per_token_full_bf16 * context
    sliding = model.kv_bytes_per_token_sliding_bf16 * window
    return (
        (full + sliding) * scale + model.indexer_elements_per_token * context + model.state_bytes_per_sequence
    )


def cache_bytes_read(work: ServeWork, context: float) -> float:
    """Return what one sequence reads of its cache in a step at `context` tokens [bytes].

    Sparse attention reads all indexer keys and the chosen tokens; the state of linear attention is read and written.
    """
    model, scale = work.model, work.cache_bits / BF16_BITS
    attended = min(context, SPARSE_ATTENTION_TOKENS) if model.indexer_elements_per_token else context
    window = min(context, float(model.sliding_window or context))
    keys = model.kv_bytes_per_token_full_bf16 * attended + model.kv_bytes_per_token_sliding_bf16 * window
    return keys * scale + model.indexer_elements_per_token * context + 2 * model.state_bytes_per_sequence


def cache_split(model: ModelShape, attention_shards: FloatArray) -> FloatArray:
    """Return over how many tensor-parallel ranks the cache of a sequence is split [D].

    A latent cache is the same on every rank; key and value heads are repeated where ranks outnumber them.
    """
    if model.has_latent_cache:
        return np.ones_like(attention_shards)
    return np.minimum(attention_shards, max(1, model.kv_heads))


def attention_flops(model: ModelShape, prompt: float, shared_prefix: float) -> float:
    """Return the FLOPs of causal attention over a prompt whose first `shared_prefix` tokens are cached [FLOP].

    2 (d_qk + d_v) for each pair of tokens, head and layer; the causal mask leaves s^2/2 pairs, windows w keys a token.
    """
    latent = model.qk_nope_head_dim + model.qk_rope_head_dim + model.v_head_dim
    width = float(latent if model.has_latent_cache else 2 * model.head_dim)
    pairs = (prompt**2 - shared_prefix**2) / 2
    window = float(model.sliding_window or prompt)
    windowed = min(pairs, (prompt - shared_prefix) * window)
    chosen = min(pairs, (prompt - shared_prefix) * SPARSE_ATTENTION_TOKENS)
    full = chosen if model.indexer_elements_per_token else pairs
    layers = full * model.full_attention_layers + windowed * model.sliding_attention_layers
    return 2.0 * model.attention_heads * width * layers


def decode_attention_flops(model: ModelShape, context: float) -> float:
    """Return the FLOPs of attention of one new token over `context` cached tokens [FLOP]: 2 a pair, head and dimension.

    A latent cache is multiplied as it is stored: each head meets the whole latent twice and the rotary part once.
    """
    latent = 2 * model.kv_lora_rank + model.qk_rope_head_dim
    width = float(latent if model.has_latent_cache else 2 * model.head_dim)
    attended = min(context, SPARSE_ATTENTION_TOKENS) if model.indexer_elements_per_token else context
    window = min(context, float(model.sliding_window or context))
    pairs = attended * model.full_attention_layers + window * model.sliding_attention_layers
    return 2.0 * model.attention_heads * width * pairs
