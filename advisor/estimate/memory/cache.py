"""The cache of one sequence: by kind of attention, by the engine's way of managing it, by rank."""

import math

import numpy as np

from advisor.facts.models import ModelShape
from advisor.resolve.hardware import Layout
from advisor.units import BITS_PER_BYTE, FloatArray

BF16_BITS = 16.0
INDEXER_BITS = 8 * 132 / 128
"""An indexer key is stored in 8 bits with a 4-byte scale for 128 elements: notes on sparse attention [bits]."""

WINDOW_CELLS = 256
"""llama.cpp rounds the cells of a window up to a multiple of this [tokens]."""

MICRO_BATCH_TOKENS = 512
"""llama.cpp's default physical batch, which its window caches hold beside the window [tokens]."""


def cache_bytes_per_sequence(
    shape: ModelShape, cache_bits: float, tokens: float | FloatArray, manages_windows: bool
) -> float | FloatArray:
    """Return the cache of one sequence over all layers, before any split [bytes].

    full T + sliding min(T, W), in the cache format, plus the keys of a sparse-attention indexer. An engine that
    does not manage windows keeps T tokens on every layer.
    """
    window = np.minimum(tokens, shape.sliding_window) if manages_windows and shape.sliding_window else tokens
    full = shape.kv_bytes_per_token_full_bf16 * tokens
    sliding = shape.kv_bytes_per_token_sliding_bf16 * window
    indexer = shape.indexer_elements_per_token * INDEXER_BITS / BITS_PER_BYTE * tokens
    return (full + sliding) * cache_bits / BF16_BITS + indexer


def cache_split(shape: ModelShape, layout: Layout) -> FloatArray:
    """Return the share of a sequence's cache that one rank holds [D, 0 to 1].

    Heads are split over tensor-parallel ranks as far as there are key/value heads; a latent cache is the same on every
    rank. A pipeline stage holds the cache of its layers; context parallelism splits the tokens.
    """
    ranks = layout.tensor_parallel / layout.attention_data_parallel
    heads = 1.0 if shape.has_latent_cache else np.clip(ranks, 1.0, max(1, shape.kv_heads))
    layers = max(1, shape.layers)
    stage = np.ceil(layers / layout.pipeline_parallel) / layers
    return np.asarray(stage / heads / layout.context_parallel, dtype=np.float64)


def state_split(layout: Layout) -> FloatArray:
    """Return the share of the fixed state of linear attention that one rank holds [D, 0 to 1]."""
    ranks = np.maximum(1.0, layout.tensor_parallel / layout.attention_data_parallel)
    return np.asarray(1.0 / ranks / layout.pipeline_parallel, dtype=np.float64)


def block_cache_bytes(shape: ModelShape, cache_bits: float, context_tokens: int, slots: float) -> float:
    """Return llama.cpp's cache for some slots of a context each: full layers T n, window layers by cells [bytes].

    Window cells = the window of every slot and one micro-batch, rounded up to 256, at most all cells.
    """
    cells = padded_cells(context_tokens * slots)
    full = shape.kv_bytes_per_token_full_bf16 * cells
    window = shape.sliding_window * slots + MICRO_BATCH_TOKENS if shape.sliding_window else cells
    sliding = shape.kv_bytes_per_token_sliding_bf16 * min(cells, padded_cells(window))
    return (full + sliding) * cache_bits / BF16_BITS


def padded_cells(tokens: float) -> float:
    """Return cells rounded up to llama.cpp's block of 256 [tokens]."""
    return math.ceil(tokens / WINDOW_CELLS) * WINDOW_CELLS
