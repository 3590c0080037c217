"""Memory of serving a language model on one GPU: need, what the engine reserves, what is left, what it holds."""

from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

import numpy as np

from advisor.estimate.memory.cache import (
    block_cache_bytes,
    cache_bytes_per_sequence,
    cache_split,
    state_split,
)
from advisor.estimate.memory.profile import Overheads, overheads
from advisor.estimate.memory.weights import weight_parts, weights_bytes_per_gpu, with_own_head
from advisor.estimate.results import Memory
from advisor.facts import Facts
from advisor.facts.engine_memory import BLOCKS, POOL, EngineMemory
from advisor.facts.intervals import Interval
from advisor.facts.models import ModelShape
from advisor.resolve.hardware import Hardware, Layout
from advisor.resolve.works import ServeWork
from advisor.units import GIB, FloatArray


@dataclass(frozen=True, slots=True)
class _Parts:
    """Memory of one GPU by parts [D, GiB]; sequence, state: of one sequence in flight; shared: of a common prefix."""

    weights: FloatArray
    host: FloatArray
    draft: FloatArray
    sequence: FloatArray
    state: FloatArray
    shared: FloatArray
    other: Overheads


def serving_memory(work: ServeWork, hardware: Hardware, layout: Layout, facts: Facts) -> Memory[FloatArray]:
    """Return the memory of the fullest GPU of D deployments.

    Where no concurrency is stated, an engine with a pool fills it, and the need is that of one request.
    """
    settings = work.settings
    engine = facts.engine_memories.profile(settings.engine.profile, settings.version)
    parts = _parts(work, hardware, layout, engine)
    allocatable = hardware.memory_bytes_allocatable / GIB
    share = settings.memory_utilization or engine.utilization
    budget = allocatable * share if engine.kind == POOL else allocatable
    in_flight = layout.concurrency_per_replica / layout.attention_data_parallel
    asked = np.where(np.isnan(in_flight), 1.0, np.ceil(in_flight))
    cache, state = asked * parts.sequence + parts.shared, asked * parts.state
    fixed = _fixed(parts, engine)
    peak = parts.weights + parts.draft + cache + state + parts.other.activations
    slack = engine.slack_share * peak + engine.cache_slack_share * cache
    outside = _outside(parts, engine)
    needed = fixed + cache + state + slack + (0.0 if engine.kind == POOL else engine.context_gib)
    pool = np.maximum(0.0, budget - fixed)
    most = _most_in_flight(pool, parts, layout)
    reserved = budget + outside if engine.kind == POOL else needed
    filled = np.isnan(in_flight) & (engine.kind == POOL)
    interval = facts.memory_intervals.find(_group(work))
    return Memory.columns(
        len(hardware),
        _group(work),
        interval.measured,
        weights_gib=parts.weights,
        kv_cache_gib=np.where(filled & ~np.isnan(pool), np.maximum(pool, 0.0), cache),
        state_gib=state,
        activations_gib=parts.other.activations,
        draft_gib=parts.draft,
        cuda_graphs_gib=parts.other.graphs,
        overhead_gib=parts.other.libraries + (engine.context_gib if engine.kind != POOL else 0.0) + slack,
        peak_gib=peak,
        needed_gib=needed,
        reserved_gib=reserved,
        leftover_gib=np.maximum(0.0, reserved - outside - needed) if engine.kind == POOL else 0.0,
        allocatable_gib=allocatable,
        budget_gib=budget,
        host_gib=parts.host,
        max_concurrency=most,
        kv_cache_tokens=_pool_tokens(work, engine, pool, parts, most, layout),
        **_interval_of(interval, needed, reserved, engine),
    )


def _parts(work: ServeWork, hardware: Hardware, layout: Layout, engine: EngineMemory) -> _Parts:
    padding = engine.expert_padding if work.weights.id == "mxfp4" else 1.0
    parts = weight_parts(work.model, work.weights, padding)
    if fnmatchcase(work.weights.id, engine.head_copy):
        parts = with_own_head(parts, work.model)
    if engine.kind == BLOCKS and not work.image_tokens:
        # llama.cpp keeps the vision encoder in a file of its own, loaded for pictures only.
        parts = replace(parts, vision=0.0)
    weights = weights_bytes_per_gpu(parts, work.model, layout) / GIB
    host = np.zeros(len(hardware))
    if engine.kind == BLOCKS and not work.model.tied_embeddings:
        # llama.cpp looks rows of an untied embedding up in host memory.
        host = host + parts.embedding / GIB
        weights = weights - parts.embedding / GIB / layout.pipeline_parallel / layout.tensor_parallel
    kept = _kept_share(work)
    moved = weights * (1 - kept) + np.minimum(weights * kept, work.offload_bytes / GIB)
    sequence, state, shared = _sequence_parts(work, layout, engine)
    draft = _draft_bytes(work, layout) / GIB
    return _Parts(
        weights - moved,
        host + moved,
        np.asarray(draft, dtype=np.float64),
        sequence * kept / GIB,
        state / GIB,
        shared / GIB,
        overheads(work, hardware, layout, engine),
    )


def _kept_share(work: ServeWork) -> float:
    """Return the share of the layers on the GPU, by llama.cpp's count of them."""
    if work.gpu_layers is None or not work.model.layers:
        return 1.0
    return min(1.0, work.gpu_layers / work.model.layers)


def _sequence_parts(
    work: ServeWork, layout: Layout, engine: EngineMemory
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return cache and state of one sequence and the cache of a shared prefix on one GPU [D, bytes]."""
    model, split = work.model, cache_split(work.model, layout)
    own = work.context_tokens + work.image_tokens - work.shared_prefix_tokens
    shared = cache_bytes_per_sequence(
        model, work.cache_bits, work.shared_prefix_tokens, engine.manages_windows
    )
    if engine.kind == BLOCKS:
        slots = np.where(np.isnan(layout.concurrency), 1.0, layout.concurrency_per_replica)
        cells = np.array([block_cache_bytes(model, work.cache_bits, own, slot) / slot for slot in slots])
        sequence = cells * split
    else:
        sequence = cache_bytes_per_sequence(model, work.cache_bits, own, engine.manages_windows) * split
    state = model.state_bytes_per_sequence * state_split(layout)
    return np.asarray(sequence, dtype=np.float64), state, np.asarray(shared * split, dtype=np.float64)


def _draft_bytes(work: ServeWork, layout: Layout) -> FloatArray | float:
    """Return the weights of a draft model on one GPU [D, bytes]; built-in layers and n-grams add none here."""
    if work.draft is None or work.draft.model is None:
        return 0.0
    draft: ModelShape = work.draft.model
    # Drafts are served in the 16 bits they are published in.
    return draft.parameters_total * 2.0 / layout.tensor_parallel


def _fixed(parts: _Parts, engine: EngineMemory) -> FloatArray:
    """Return what lies inside the budget beside the cache [D, GiB]."""
    inside = parts.other.graphs if engine.graphs_in_budget or engine.kind != POOL else 0.0
    return parts.weights + parts.draft + parts.other.activations + parts.other.libraries + inside


def _outside(parts: _Parts, engine: EngineMemory) -> FloatArray:
    """Return what a pool engine takes beside its share of the card [D, GiB]."""
    if engine.kind != POOL or engine.graphs_in_budget:
        return np.zeros(len(parts.weights))
    return parts.other.graphs


def _most_in_flight(pool: FloatArray, parts: _Parts, layout: Layout) -> FloatArray:
    """Return the requests of the stated context that the pool of one replica holds [D]."""
    each = parts.sequence + parts.state
    room = np.maximum(0.0, pool - parts.shared)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.floor(room / each) * layout.attention_data_parallel


def _pool_tokens(
    work: ServeWork,
    engine: EngineMemory,
    pool: FloatArray,
    parts: _Parts,
    most: FloatArray,
    layout: Layout,
) -> FloatArray:
    """Return the tokens that one replica's pool holds [D, tokens]; by requests where windows or state are fixed."""
    model = work.model
    if model.state_bytes_per_sequence or (model.sliding_window and engine.manages_windows):
        return most * work.context_tokens
    token = cache_bytes_per_sequence(model, work.cache_bits, 1.0, False) * cache_split(model, layout) / GIB
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.floor(pool / token) * layout.attention_data_parallel


def _group(work: ServeWork) -> str:
    return f"serve/{work.settings.engine.profile}"


def _interval_of(
    interval: Interval, needed: FloatArray, reserved: FloatArray, engine: EngineMemory
) -> dict[str, FloatArray]:
    """Return the 80 % intervals of the need and of what is reserved [D, GiB]; a pool reserves what it is told."""
    low, high = interval.low_factor, interval.high_factor
    reserved_low = reserved * (0.98 if engine.kind == POOL else low)
    reserved_high = reserved * (1.02 if engine.kind == POOL else high)
    return {
        "low_gib": needed * low,
        "high_gib": needed * high,
        "reserved_low_gib": reserved_low,
        "reserved_high_gib": reserved_high,
    }
