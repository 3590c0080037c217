"""How an answer moves with one of its inputs: context, requests in flight, format. What the page's charts draw."""

from dataclasses import dataclass, replace

import numpy as np

from advisor.errors import AdvisorError
from advisor.estimate.layouts import uniform_layout
from advisor.estimate.memory import memory_of
from advisor.estimate.speed import throughput_of
from advisor.facts import Facts
from advisor.recommend.ranking import RankedOffer
from advisor.resolve import resolve_work
from advisor.resolve.filling import Filling
from advisor.resolve.hardware import FABRICS, LINKS, Hardware
from advisor.resolve.works import ServeWork, Work
from advisor.units import GB, GIB, FloatArray, IntArray
from advisor.workload import Deployment, Workload

MOST_IN_FLIGHT = 1_024


@dataclass(frozen=True, slots=True, eq=False)
class ConcurrencySweep:
    """Speed of one machine over requests in flight; arrays [N].

    bound: what limits each point; knee: requests after which doubling them gains less than 20 % in total;
    capacity: requests that the cache holds.
    """

    concurrency: FloatArray
    tokens_per_second: FloatArray
    tokens_per_second_per_request: FloatArray
    bound: tuple[str, ...]
    knee: float
    capacity: float


def hardware_of(offer: RankedOffer, facts: Facts, rows: int = 1) -> Hardware:
    """Return the hardware of one offered machine, repeated [rows]."""

    def column(value: float) -> IntArray:
        return np.full(rows, value, dtype=np.int64)

    return Hardware(
        facts.gpus,
        column(facts.gpus.index_of[offer.gpu.id]),
        column(offer.gpu_count),
        column(1),
        column(LINKS.index(offer.link or "pcie")),
        column(FABRICS.index("unknown")),
        np.full(rows, 12.5 * GB / offer.gpu_count),
    )


def speed_over_concurrency(work: ServeWork, offer: RankedOffer, facts: Facts) -> ConcurrencySweep:
    """Return the speed of an offered machine with 1, 2, 4, ... requests in flight, up to what the cache holds."""
    capacity = (offer.memory.max_concurrency or 1) * offer.replicas
    most = max(2.0, min(MOST_IN_FLIGHT, capacity))
    in_flight = np.unique(np.floor(np.geomspace(1, most, 24)))
    hardware = hardware_of(offer, facts, len(in_flight))
    layout = uniform_layout(
        len(in_flight), offer.tensor_parallel, offer.pipeline_parallel, offer.replicas, concurrency=in_flight
    )
    memory = memory_of(work, hardware, layout, facts)
    speed = throughput_of(work, hardware, layout, memory, facts)
    return ConcurrencySweep(
        in_flight,
        speed.decode_tokens_per_second,
        # What each reader gets of the total, so that both curves start at one point.
        speed.decode_tokens_per_second / in_flight,
        tuple(str(bound) for bound in speed.bound),
        knee_of(in_flight, speed.decode_tokens_per_second),
        capacity,
    )


def knee_of(in_flight: FloatArray, total: FloatArray) -> float:
    """Return the first point after which twice the requests bring less than a fifth more in total."""
    doubled = np.interp(in_flight * 2, in_flight, total)
    reachable = in_flight * 2 <= in_flight[-1]
    flat = reachable & (doubled < 1.2 * total)
    return float(in_flight[int(np.argmax(flat))] if flat.any() else in_flight[-1])


@dataclass(frozen=True, slots=True, eq=False)
class ContextSweep:
    """Memory of one GPU over context length at the stated concurrency; arrays [N], sizes in GiB.

    crossing_tokens: where cache and state reach the weights, NaN outside the range.
    """

    context_tokens: FloatArray
    cache_gib: FloatArray
    weights_gib: FloatArray
    needed_gib: FloatArray
    crossing_tokens: float


def memory_over_context(
    work: ServeWork, offer: RankedOffer, facts: Facts, shortest: int = 1_024, points: int = 16
) -> ContextSweep:
    """Return the need on one GPU of an offered machine over contexts, up to the model's longest."""
    longest = max(work.model.max_context or 0, work.context_tokens, 4 * shortest)
    contexts = np.unique(np.r_[np.geomspace(shortest, longest, points).astype(int), work.context_tokens])
    rows = [_memory_at_context(work, int(tokens), offer, facts) for tokens in contexts]
    cache, weights, needed = (np.array(column) for column in zip(*rows, strict=True))
    reached = np.flatnonzero(cache >= weights)
    crossing = np.nan
    if len(reached) and reached[0] > 0:
        above = int(reached[0])
        pair = slice(above - 1, above + 1)
        crossing = float(np.interp(0.0, (cache - weights)[pair], contexts[pair]))
    return ContextSweep(contexts.astype(np.float64), cache, weights, needed, crossing)


def _memory_at_context(
    work: ServeWork, context_tokens: int, offer: RankedOffer, facts: Facts
) -> tuple[float, float, float]:
    """Return cache and state, weights and need on one GPU [GiB]."""
    changed = replace(work, context_tokens=context_tokens, prompt_tokens=max(1, context_tokens * 7 // 8))
    layout = uniform_layout(
        1,
        offer.tensor_parallel,
        offer.pipeline_parallel,
        offer.replicas,
        concurrency=float(work.concurrency or 1),
    )
    memory = memory_of(changed, hardware_of(offer, facts), layout, facts).at(0)
    cache = (memory.kv_cache_gib or 0.0) + (memory.state_gib or 0.0)
    return cache, memory.weights_gib or 0.0, memory.needed_gib or 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Shrink:
    """One change that lowers the need: code of the change, the changed fields, and the need before and after [GiB]."""

    code: str
    change: dict[str, object]
    saving_gib: float
    needed_gib: float
    fits: bool


SERVING_CHANGES: tuple[tuple[str, dict[str, object]], ...] = (
    ("shrink-weights", {"weights": "fp8"}),
    ("shrink-weights", {"weights": "int4-awq"}),
    ("shrink-cache-format", {"kv_cache": "fp8"}),
)
TRAINING_CHANGES: tuple[tuple[str, dict[str, object]], ...] = (
    ("shrink-method", {"method": "lora", "weights": "bf16"}),
    ("shrink-method", {"method": "qlora", "weights": "nf4"}),
    ("shrink-optimizer", {"optimizer": "adamw-8bit"}),
    ("shrink-loss", {"fused_cross_entropy": True}),
    ("shrink-checkpointing", {"gradient_checkpointing": "full"}),
)
MEDIA_CHANGES: tuple[tuple[str, dict[str, object]], ...] = (
    ("shrink-weights", {"weights": "fp8"}),
    ("shrink-offload", {"offload": "model"}),
    ("shrink-offload", {"offload": "sequential"}),
    ("shrink-tiling", {"vae_tiling": True}),
)


def shrink_options(workload: Workload, offer: RankedOffer, facts: Facts) -> tuple[Shrink, ...]:
    """Return the changes that lower the need on one GPU of an offer, the largest saving first.

    workload: that of the ranking the offer comes from, so that both count the same requests in flight.
    """
    before = offer.memory.needed_gib or 0.0
    options = []
    for code, change in (*_changes_of(workload.task), *_halved(workload)):
        if any(getattr(workload, name) == value for name, value in change.items() if name != "weights"):
            continue
        try:
            changed = Workload.from_dict(workload.to_dict() | change, "workload")
            work = resolve_work(changed, _deployment(offer), facts, Filling())
        except AdvisorError:
            # This model or engine does not take the change; it is simply not proposed.
            continue
        memory = _memory_on(work, offer, facts)
        saving = before - (memory[0] or before)
        if saving > 0.05:
            options.append(Shrink(code, change, saving, memory[0], memory[0] <= memory[1]))
    return tuple(sorted(options, key=lambda option: -option.saving_gib))


def _changes_of(task: str) -> tuple[tuple[str, dict[str, object]], ...]:
    if task == "serve":
        return SERVING_CHANGES
    if task in ("finetune", "pretrain"):
        return TRAINING_CHANGES if task == "finetune" else TRAINING_CHANGES[2:]
    return MEDIA_CHANGES if task in ("image", "video") else ()


def _halved(workload: Workload) -> tuple[tuple[str, dict[str, object]], ...]:
    """Return the changes that halve what the person set."""
    changes: list[tuple[str, dict[str, object]]] = []
    if workload.task == "serve":
        context = workload.context_tokens or (workload.prompt_tokens or 7_168) + (
            workload.output_tokens or 1_024
        )
        half: dict[str, object] = {"context_tokens": context // 2, "prompt_tokens": context * 7 // 16}
        changes.append(("shrink-context", half | {"output_tokens": context // 16}))
        if workload.concurrency and workload.concurrency > 1:
            changes.append(("shrink-concurrency", {"concurrency": workload.concurrency // 2}))
    elif workload.sequence_tokens and workload.task in ("finetune", "pretrain"):
        changes.append(("shrink-sequence", {"sequence_tokens": max(1, workload.sequence_tokens // 2)}))
    return tuple(changes)


def _deployment(offer: RankedOffer) -> Deployment:
    return Deployment(gpu=offer.gpu.id, gpu_count=offer.gpu_count, engine=offer.engine)


def _memory_on(work: Work, offer: RankedOffer, facts: Facts) -> tuple[float, float]:
    """Return need and budget of a work on the offer's own layout [GiB]."""
    concurrency = np.nan
    if isinstance(work, ServeWork) and work.concurrency:
        concurrency = float(work.concurrency)
    layout = uniform_layout(
        1, offer.tensor_parallel, offer.pipeline_parallel, offer.replicas, concurrency=concurrency
    )
    memory = memory_of(work, hardware_of(offer, facts), layout, facts).at(0)
    return memory.needed_gib or np.nan, memory.budget_gib or np.nan


@dataclass(frozen=True, slots=True, eq=False)
class CardClass:
    """A size of card that the catalogue offers: its name [GB] and what a process gets on the roomiest one [GiB]."""

    memory_gb: float
    allocatable_gib: float


def card_classes(facts: Facts) -> tuple[CardClass, ...]:
    """Return the memory sizes of the offered cards, smallest first."""
    largest: dict[float, float] = {}
    for index in np.unique(facts.offers.gpu_index):
        gpu = facts.gpus.rows[int(index)]
        allocatable = gpu.memory_bytes_allocatable / GIB
        if not np.isnan(allocatable):
            largest[gpu.memory_gb] = max(allocatable, largest.get(gpu.memory_gb, 0.0))
    return tuple(CardClass(size, largest[size]) for size in sorted(largest))
