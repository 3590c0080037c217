"""Weights of one GPU: each tensor group at its own precision, split as serving engines split it."""

import math
from dataclasses import dataclass

import numpy as np

from advisor.estimate.split import Split
from advisor.facts.engine_memory import EngineMemory
from advisor.facts.formats import WeightFormat
from advisor.facts.models import ModelShape
from advisor.units import BITS_PER_BYTE, FloatArray, bytes_from_gib

SIXTEEN_BITS = 16.0
MOST_ROTARY_POSITIONS = 2**20
"""Longer maximal contexts are taken to compute their rotary positions; no log shows a larger table."""


@dataclass(frozen=True, slots=True)
class WeightParts:
    """Stored weights by the way they are split [bytes].

    attention: over the ranks that share one attention; key_value: its key and value projections, of which a rank
    holds one head at least; latent: down-projections to a latent cache, on every rank; blocks: feed-forward layers
    and shared experts, over all shards; experts: routed ones, over all shards; whole: norms and routers, on every rank;
    embedding, head: over all shards, at the two ends of a pipeline; vision: over all shards, at its first stage;
    rotary: tables of rotary positions, on every rank; host: kept in host memory.
    """

    attention: float
    key_value: float
    latent: float
    blocks: float
    experts: float
    whole: float
    embedding: float
    head: float
    vision: float
    rotary: float
    host: float

    @property
    def total(self) -> float:
        """Return all weights of one copy on its GPUs, replication apart [bytes]."""
        layers = self.attention + self.key_value + self.latent + self.blocks + self.experts + self.whole
        return layers + self.embedding + self.head + self.vision


def weight_parts(
    shape: ModelShape, weights: WeightFormat, engine: EngineMemory, with_vision: bool = True
) -> WeightParts:
    """Return the weights by the way they are split; with_vision: whether pictures are served."""
    groups, bits = shape.groups, weights.bits
    key_value, latent = key_value_parameters(shape), latent_parameters(shape)
    embedding = group_bytes(groups.embedding, bits.embedding)
    on_host = bool(engine.embedding_on_host) and not shape.tied_embeddings
    other = group_bytes(groups.other, bits.other)
    host = (embedding if on_host else 0.0) + (
        other if engine.embedding_on_host and has_layer_tables(shape) else 0.0
    )
    vision = group_bytes(groups.vision, bits.vision) if with_vision or not engine.vision_apart else 0.0
    return WeightParts(
        attention=group_bytes(groups.attention - key_value - latent, bits.attention)
        + group_bytes(groups.linear_attention, bits.linear_attention),
        key_value=group_bytes(key_value, bits.attention),
        latent=group_bytes(latent, bits.attention),
        blocks=group_bytes(groups.mlp, bits.mlp)
        + group_bytes(groups.shared_experts, bits.shared_experts)
        + (0.0 if engine.embedding_on_host and has_layer_tables(shape) else other),
        experts=group_bytes(groups.experts, bits.experts) * expert_padding(shape, weights, engine),
        whole=group_bytes(groups.router, bits.router) + group_bytes(groups.norm, bits.norm),
        embedding=0.0 if on_host else embedding,
        head=head_bytes(shape, weights, engine),
        vision=vision,
        rotary=rotary_bytes(shape, weights) if engine.rotary_table else 0.0,
        host=host,
    )


def group_bytes(parameters: float, bits: float) -> float:
    """Return the size of a tensor group: parameters x bits / 8 [bytes]."""
    return max(0.0, parameters) * bits / BITS_PER_BYTE


def has_layer_tables(shape: ModelShape) -> bool:
    """Return whether the model looks up an embedding in every layer: Gemma 3n and 4 E, larger than the usual one."""
    return shape.family == "Gemma" and shape.groups.other > shape.groups.embedding


def key_value_parameters(shape: ModelShape) -> int:
    """Return the key and value projections of all attention layers: 2 H g d a layer [parameters]."""
    if shape.has_latent_cache or not shape.kv_heads:
        return 0
    layers = shape.full_attention_layers + shape.sliding_attention_layers
    return min(2 * shape.hidden_size * shape.kv_heads * shape.head_dim * layers, shape.groups.attention)


def latent_parameters(shape: ModelShape) -> int:
    """Return the down-projections to the latents, which every rank holds: H (c + rope + q) a layer [parameters]."""
    if not shape.has_latent_cache:
        return 0
    width = shape.kv_lora_rank + shape.qk_rope_head_dim + shape.q_lora_rank
    return min(shape.hidden_size * width * shape.full_attention_layers, shape.groups.attention)


def head_bytes(shape: ModelShape, weights: WeightFormat, engine: EngineMemory) -> float:
    """Return the output head [bytes]: nothing where it is tied, unless the engine holds it apart."""
    bits = weights.bits
    apart = engine.unties_head or (engine.unties_fp8_head and weights.id == "fp8")
    parameters = shape.groups.lm_head or (shape.groups.embedding if apart and shape.tied_embeddings else 0)
    return group_bytes(parameters, bits.mlp if engine.quantizes_head else bits.lm_head)


def expert_padding(shape: ModelShape, weights: WeightFormat, engine: EngineMemory) -> float:
    """Return the factor by which MXFP4 kernels pad experts to a multiple of their width."""
    width = shape.expert_intermediate_size
    if weights.id != "mxfp4" or not engine.padded_width or not width or width % engine.padded_width == 0:
        return 1.0
    padded = math.ceil(width / engine.padded_width) * engine.padded_width
    return padded / width * engine.expert_padding


def rotary_bytes(shape: ModelShape, weights: WeightFormat) -> float:
    """Return the cosines and sines of all positions: positions x rotated width x element [bytes]."""
    width = shape.qk_rope_head_dim or shape.head_dim
    element = max(SIXTEEN_BITS, weights.bits.norm) if weights.id == "fp32" else SIXTEEN_BITS
    return min(shape.max_context, MOST_ROTARY_POSITIONS) * width * element / BITS_PER_BYTE


def stage_share(layers: int, split: Split) -> FloatArray:
    """Return the share of the layers on the fullest pipeline stage [D, 0 to 1]."""
    stages: FloatArray = np.ceil(max(1, layers) / split.stages) / max(1, layers)
    return stages


def weights_per_gpu(parts: WeightParts, shape: ModelShape, engine: EngineMemory, split: Split) -> FloatArray:
    """Return the weights of the fullest GPU [D, bytes].

    Shards split the feed-forward layers, the experts and the vocabulary; an attention is split over its own ranks,
    of which each keeps one key/value head at least; norms, routers and latent down-projections are whole on every
    rank. The fullest stage of a pipeline has one end of the vocabulary, with a tied matrix at both.
    """
    heads = np.minimum(split.attention_shards, max(1, shape.kv_heads))
    layers = parts.latent + parts.whole + parts.attention / split.attention_shards + parts.key_value / heads
    layers = layers + (parts.blocks + parts.experts) / split.shards
    first, last = parts.embedding + parts.vision, parts.head or parts.embedding
    ends = np.where(split.stages > 1, max(first, last), first + parts.head)
    ends = ends / (split.shards if engine.splits_embedding else 1.0)
    logged = np.where(split.shards > 1, bytes_from_gib(engine.rank_weights_gib), 0.0)
    return layers * stage_share(shape.layers, split) + ends + parts.rotary + logged
