"""Weights of one GPU: each tensor group at its own precision, split as serving engines split it."""

from dataclasses import dataclass, replace

import numpy as np

from advisor.facts.formats import WeightFormat
from advisor.facts.models import ModelShape
from advisor.resolve.hardware import Layout
from advisor.units import BITS_PER_BYTE, FloatArray

SIXTEEN = 16.0


@dataclass(frozen=True, slots=True)
class WeightParts:
    """Stored weights by the way they are split [bytes].

    attention: over tensor-parallel ranks that share their requests; key_value: its key and value projections, of which
    a rank holds at least one head; blocks: feed-forward layers and shared experts; experts: routed ones;
    embedding, head: over tensor-parallel ranks, at the ends of a pipeline; whole: on every rank.
    """

    attention: float
    key_value: float
    latent: float
    blocks: float
    experts: float
    embedding: float
    head: float
    whole: float
    vision: float

    @property
    def total(self) -> float:
        """Return all weights [bytes]."""
        layers = self.attention + self.key_value + self.latent + self.blocks + self.experts
        return layers + self.embedding + self.head + self.whole + self.vision


def weight_parts(shape: ModelShape, weights: WeightFormat, expert_padding: float = 1.0) -> WeightParts:
    """Return the weights by the way they are split; expert_padding: factor of an engine's padded experts."""
    groups, bits = shape.groups, weights.bits
    key_value, latent = key_value_parameters(shape), latent_parameters(shape)
    query_output = max(0, groups.attention - key_value - latent)

    def size(parameters: float, bits_each: float) -> float:
        return parameters * bits_each / BITS_PER_BYTE

    return WeightParts(
        attention=size(query_output, bits.attention) + size(groups.linear_attention, bits.linear_attention),
        key_value=size(key_value, bits.attention),
        latent=size(latent, bits.attention),
        blocks=size(groups.mlp, bits.mlp) + size(groups.shared_experts, bits.shared_experts),
        experts=size(groups.experts, bits.experts) * expert_padding,
        embedding=size(groups.embedding, bits.embedding),
        head=size(groups.lm_head, bits.lm_head),
        whole=size(groups.router, bits.router)
        + size(groups.norm, bits.norm)
        + size(groups.other, bits.other),
        vision=size(groups.vision, bits.vision),
    )


def with_own_head(parts: WeightParts, shape: ModelShape) -> WeightParts:
    """Return the weights with a 16-bit output head apart from the tied embedding, as some loaders hold it."""
    if not shape.tied_embeddings or parts.head:
        return parts
    return replace(parts, head=shape.groups.embedding * SIXTEEN / BITS_PER_BYTE)


def key_value_parameters(shape: ModelShape) -> int:
    """Return the key and value projections of all attention layers: 2 H g d a layer [parameters]."""
    layers = shape.full_attention_layers + shape.sliding_attention_layers
    if shape.has_latent_cache or not shape.kv_heads:
        return 0
    return min(2 * shape.hidden_size * shape.kv_heads * shape.head_dim * layers, shape.groups.attention)


def latent_parameters(shape: ModelShape) -> int:
    """Return the down-projections to the latents, which every rank holds: H (c + rope) + H q [parameters]."""
    if not shape.has_latent_cache:
        return 0
    width = shape.kv_lora_rank + shape.qk_rope_head_dim + shape.q_lora_rank
    return min(shape.hidden_size * width * shape.full_attention_layers, shape.groups.attention)


def weights_bytes_per_gpu(parts: WeightParts, shape: ModelShape, layout: Layout) -> FloatArray:
    """Return the weights of the fullest rank [D, bytes].

    Tensor parallelism splits attention, feed-forward layers, experts and vocabulary; a rank keeps one key/value head
    at least; norms, routers and latent down-projections stay whole. Attention data parallelism splits attention over
    fewer ranks; a pipeline leaves one end of the vocabulary to its fullest stage.
    """
    tensor = layout.tensor_parallel.astype(np.float64)
    attention = np.maximum(1.0, tensor / layout.attention_data_parallel)
    heads = np.minimum(attention, max(1, shape.kv_heads))
    layers = parts.latent + parts.attention / attention + parts.key_value / heads
    layers = layers + (parts.blocks + parts.experts) / tensor + parts.whole
    pipeline = layout.pipeline_parallel.astype(np.float64)
    share = np.ceil(max(1, shape.layers) / pipeline) / max(1, shape.layers)
    ends = np.where(pipeline > 1, max(parts.embedding, parts.head), parts.embedding + parts.head)
    return layers * share + (ends + parts.vision) / tensor
