"""The cache of sequences in flight: by kind of attention, by the engine's way of managing it, by rank."""

import math
from dataclasses import dataclass

import numpy as np

from advisor.estimate.memory.weights import stage_share
from advisor.estimate.split import Split
from advisor.facts.engine_memory import EngineMemory
from advisor.facts.models import ModelShape
from advisor.resolve.hardware import Layout
from advisor.units import BITS_PER_BYTE, FloatArray

BF16_BITS = 16.0
INDEXER_BITS = 8.25
"""An indexer key is 128 elements of 8 bits and one 32-bit scale: 132 bytes, notes on memory, section 3 [bits]."""


@dataclass(frozen=True, slots=True)
class CacheDemand:
    """What requests of one length hold in all layers, before any split [bytes].

    each: of one more request; once: of all together, a shared prefix or a micro-batch in the window cells;
    alone: of one request that shares nothing; n requests hold the smaller of once + n x each and n x alone.
    cell: of one token in the sliding layers; window: tokens of a slot's window; batch: tokens of a micro-batch; block:
    window cells come in multiples of it, 0 where they are exact.
    """

    each: float
    once: float
    alone: float
    cell: float
    window: float
    batch: float
    block: float

    def total(self, requests: FloatArray) -> FloatArray:
        """Return the cache of some requests together [D, bytes]."""
        together = self.once + requests * self.each
        if self.block:
            cells = self.window * requests + self.batch
            together = together + (np.ceil(cells / self.block) * self.block - cells) * self.cell
        held: FloatArray = np.minimum(together, requests * self.alone)
        return held


def cache_bytes(shape: ModelShape, cache_bits: float, tokens: float, window_tokens: float) -> float:
    """Return the cache of one sequence over all layers, before any split [bytes].

    full x T + sliding x min(T, W) in the cache format, plus the keys of a sparse-attention indexer; notes on memory,
    section 3. tokens: T; window_tokens: W as the engine manages it, infinite where it keeps every token.
    """
    full = shape.kv_bytes_per_token_full_bf16 * tokens
    sliding = shape.kv_bytes_per_token_sliding_bf16 * min(tokens, window_tokens)
    indexer = shape.indexer_elements_per_token * INDEXER_BITS / BITS_PER_BYTE * tokens
    return (full + sliding) * cache_bits / BF16_BITS + indexer


def managed_window(shape: ModelShape, engine: EngineMemory) -> float:
    """Return the tokens that sliding layers hold of a sequence: the window, or all of them [tokens]."""
    return float(shape.sliding_window) if engine.window_managed and shape.sliding_window else math.inf


def cache_demand(
    shape: ModelShape,
    cache_bits: float,
    tokens: float,
    prefix_tokens: float,
    micro_batch_tokens: float,
    engine: EngineMemory,
) -> CacheDemand:
    """Return what requests of T tokens hold, of which the first S are the same for all.

    An engine with window cells holds W n + micro-batch tokens in its sliding layers, in blocks: notes, section 3.
    """
    window = managed_window(shape, engine)
    cell = shape.kv_bytes_per_token_sliding_bf16 * cache_bits / BF16_BITS
    in_cells = bool(engine.window_cells_round) and window < tokens
    prefix = cache_bytes(shape, cache_bits, prefix_tokens, window)
    return CacheDemand(
        each=cache_bytes(shape, cache_bits, tokens - prefix_tokens, window),
        once=prefix + (micro_batch_tokens * cell if in_cells else 0.0),
        alone=cache_bytes(shape, cache_bits, tokens, math.inf if in_cells else window),
        cell=cell,
        window=window,
        batch=micro_batch_tokens,
        block=engine.window_cells_round if in_cells else 0.0,
    )


def cache_share(shape: ModelShape, layout: Layout, split: Split) -> FloatArray:
    """Return the share of a sequence's cache that one GPU holds [D, 0 to 1].

    Key/value heads are split over the ranks of an attention as far as there are heads; a latent cache is the same on
    every rank. A pipeline stage holds the cache of its layers; context parallelism splits the tokens.
    """
    heads = 1.0 if shape.has_latent_cache else np.minimum(split.attention_shards, max(1, shape.kv_heads))
    share: FloatArray = stage_share(shape.layers, split) / heads / layout.context_parallel
    return share


def state_share(shape: ModelShape, split: Split) -> FloatArray:
    """Return the share of the fixed state of linear attention that one GPU holds [D, 0 to 1]."""
    return stage_share(shape.layers, split) / split.attention_shards
