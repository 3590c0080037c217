"""Memory of serving a language model on the fullest GPU: need, what the engine reserves, what is left."""

from dataclasses import dataclass

import numpy as np

from advisor.estimate.memory.budget import Budget, budget_of, has_budget, requests_held
from advisor.estimate.memory.cache import cache_demand, cache_share, state_share
from advisor.estimate.memory.serving_activations import Beside, beside_weights_and_cache
from advisor.estimate.memory.serving_draft import draft_demand
from advisor.estimate.memory.weights import weight_parts, weights_per_gpu
from advisor.estimate.results import Memory
from advisor.estimate.split import Split, split_of
from advisor.facts import Facts
from advisor.facts.engine_memory import EngineMemory
from advisor.resolve.hardware import Hardware, Layout
from advisor.resolve.works import ServeWork
from advisor.units import GIB, FloatArray

UNVERIFIED = "unverified"
UNVERIFIED_CACHE = "serve/unverified-cache"


@dataclass(frozen=True, slots=True)
class Requests:
    """Requests of the busiest GPU of D deployments [bytes, of what this GPU holds].

    in_flight: on this GPU's attention, 1 where as many as fit; cache, state: of those in flight; each, once, alone:
    of a request with its state, as in `CacheDemand`.
    """

    in_flight: FloatArray
    cache: FloatArray
    state: FloatArray
    each: FloatArray
    once: FloatArray
    alone: FloatArray


@dataclass(frozen=True, slots=True)
class ServingParts:
    """Memory of the fullest GPU of D deployments by parts [bytes]; host: of all hosts together."""

    weights: FloatArray
    draft: FloatArray
    host: FloatArray
    requests: Requests
    beside: Beside
    budget: Budget
    needed: FloatArray


def serving_memory(work: ServeWork, hardware: Hardware, layout: Layout, facts: Facts) -> Memory[FloatArray]:
    """Return the memory of the fullest GPU of D deployments [D].

    Where no concurrency is stated, the cache is what the engine's pool takes, and the need is that of one request.
    """
    settings = work.settings
    engine = facts.engine_memories.profile(settings.engine.profile, settings.version)
    split = split_of(layout)
    parts = serving_parts(work, hardware, layout, split, engine)
    return _columns(work, hardware, layout, facts, split, has_budget(engine), parts)


def serving_parts(
    work: ServeWork, hardware: Hardware, layout: Layout, split: Split, engine: EngineMemory
) -> ServingParts:
    """Return weights, requests, what lies beside them, the budget and the need."""
    on_gpu, shards = share_on_gpu(work), split.shards * split.stages
    stored = weight_parts(work.model, work.weights, engine, bool(work.image_tokens))
    whole = weights_per_gpu(stored, work.model, engine, split)
    weights = np.maximum(0.0, whole * on_gpu - work.offload_bytes / shards)
    draft = draft_demand(work, cached_tokens(work), engine)
    drafted = draft.weights / split.shards
    requests = requests_of(work, layout, split, engine, draft.each, on_gpu)
    beside = beside_weights_and_cache(work, hardware, split, requests.in_flight, requests.cache, engine)
    slack = engine.slack * (weights + beside.activations)
    inside, outside = charged(engine, beside, weights + drafted + slack)
    budget = budget_of(engine, work.settings, hardware.memory_bytes_allocatable, inside, outside)
    needed = inside + (requests.cache + requests.state) * budget.cache_factor + budget.overhang
    host = ((whole - weights) * shards + stored.host) * split.copies
    return ServingParts(weights, drafted, host, requests, beside, budget, needed)


def cached_tokens(work: ServeWork) -> float:
    """Return the tokens that a request caches, its pictures included [tokens]."""
    return float(work.context_tokens + work.image_tokens)


def share_on_gpu(work: ServeWork) -> float:
    """Return the share of the layers that lies on GPUs, by llama.cpp's count of them, 0 to 1."""
    if work.gpu_layers is None or not work.model.layers:
        return 1.0
    return min(1.0, work.gpu_layers / work.model.layers)


def requests_of(
    work: ServeWork, layout: Layout, split: Split, engine: EngineMemory, draft_each: float, on_gpu: float
) -> Requests:
    """Return what the requests of the busiest GPU hold; attentions side by side each have their own."""
    model = work.model
    micro_batch = float(work.settings.max_batched_tokens or engine.tokens)
    demand = cache_demand(
        model, work.cache_bits, cached_tokens(work), work.shared_prefix_tokens, micro_batch, engine
    )
    share = cache_share(model, layout, split) * on_gpu
    state = state_share(model, split) * on_gpu * model.state_bytes_per_sequence
    asked = np.ceil(np.ceil(layout.concurrency / split.copies) / split.attention_ranks)
    in_flight = np.where(np.isnan(asked), 1.0, asked)
    return Requests(
        in_flight=in_flight,
        cache=(demand.total(in_flight) + in_flight * draft_each) * share,
        state=state * in_flight,
        each=(demand.each + draft_each) * share + state,
        once=demand.once * share,
        alone=(demand.alone + draft_each) * share + state,
    )


def charged(engine: EngineMemory, beside: Beside, tensors: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return what is not cache within the engine's budget and outside it [D, bytes]."""
    inside, outside = tensors, np.zeros(len(tensors))
    if engine.activations_inside:
        inside = inside + beside.activations + beside.libraries
    else:
        outside = outside + beside.activations + beside.libraries
    if engine.graphs_inside:
        return inside + beside.graphs, outside
    return inside, outside + beside.graphs


def capacity(
    work: ServeWork, layout: Layout, split: Split, parts: ServingParts
) -> tuple[FloatArray, FloatArray]:
    """Return the requests of `context_tokens` and the tokens that one replica's pool holds [D].

    Requests are whole; tokens are those of the unrounded count, as vLLM prints them for every kind of cache.
    """
    requests = parts.requests
    on_attention = requests_held(parts.budget.pool, requests.each, requests.once, requests.alone)
    per_replica = on_attention * split.attention_ranks * split.copies / layout.replicas
    return np.floor(per_replica), np.floor(per_replica * cached_tokens(work))


def interval_groups(work: ServeWork) -> tuple[str, str]:
    """Return the calibration groups of the need and of what the process holds.

    A model whose cache is only derived has a group without cases, and so the interval of its family, doubled.
    """
    engine = work.settings.engine.profile
    if UNVERIFIED in work.model.kv_note:
        return UNVERIFIED_CACHE, UNVERIFIED_CACHE
    return f"serve/{engine}/need", f"serve/{engine}/process"


def _columns(
    work: ServeWork,
    hardware: Hardware,
    layout: Layout,
    facts: Facts,
    split: Split,
    takes_share: bool,
    parts: ServingParts,
) -> Memory[FloatArray]:
    need_group, process_group = interval_groups(work)
    need, process = facts.memory_intervals.find(need_group), facts.memory_intervals.find(process_group)
    requests, beside, budget = parts.requests, parts.beside, parts.budget
    filled = np.isnan(layout.concurrency)
    cache = np.where(filled, budget.pool, requests.cache)
    state = np.where(filled, 0.0, requests.state)
    reserved = budget.taken if takes_share else parts.needed
    leftover = np.maximum(0.0, budget.pool - requests.cache - requests.state) if takes_share else 0.0
    most, tokens = capacity(work, layout, split, parts)
    return Memory.columns(
        len(hardware),
        need_group,
        need.measured,
        weights_gib=parts.weights / GIB,
        kv_cache_gib=cache / GIB,
        state_gib=state / GIB,
        activations_gib=beside.activations / GIB,
        draft_gib=parts.draft / GIB,
        cuda_graphs_gib=beside.graphs / GIB,
        overhead_gib=beside.libraries / GIB,
        peak_gib=(parts.weights + parts.draft + cache + state + beside.activations) / GIB,
        needed_gib=parts.needed / GIB,
        reserved_gib=reserved / GIB,
        leftover_gib=leftover / GIB,
        low_gib=parts.needed * (need.low_factor / GIB),
        high_gib=parts.needed * (need.high_factor / GIB),
        reserved_low_gib=reserved * (process.low_factor / GIB),
        reserved_high_gib=reserved * (process.high_factor / GIB),
        allocatable_gib=hardware.memory_bytes_allocatable / GIB,
        budget_gib=budget.total / GIB,
        host_gib=parts.host / GIB,
        kv_cache_tokens=tokens,
        max_concurrency=most,
    )
