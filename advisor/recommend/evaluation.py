"""Memory and speed of every candidate, the best layout of each machine, and why a machine cannot do the work."""

import math
from dataclasses import dataclass

import numpy as np

from advisor.estimate.memory import memory_of
from advisor.estimate.results import Memory, Throughput
from advisor.estimate.speed import throughput_of
from advisor.facts import Facts
from advisor.recommend.machines import Candidates
from advisor.recommend.targets import Targets
from advisor.resolve.works import AudioWork, MediaWork, ServeWork, TrainingWork, Work
from advisor.units import SECONDS_PER_HOUR, BoolArray, FloatArray, IntArray

CHECKS = ("does-not-fit", "no-figure-for-this-gpu", "too-slow", "first-token-too-late", "misses-deadline")
"""Why a candidate fails, in the order in which the checks are made."""


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """All candidates of one work (one format, one engine), evaluated. Arrays [D].

    rate: work units a second of the candidate (tokens, images, seconds of video or sound) [1/s];
    speed: what the page calls speed: tokens/s per request, else the rate; failed: 0 = does the work, else 1 + row of
    `CHECKS`; value, limit: the figure that failed and what it had to be.
    """

    work: Work
    candidates: Candidates
    memory: Memory[FloatArray]
    throughput: Throughput[FloatArray]
    rate: FloatArray
    speed: FloatArray
    failed: IntArray
    value: FloatArray
    limit: FloatArray


def evaluate(work: Work, candidates: Candidates, targets: Targets, facts: Facts) -> Group:
    """Return the candidates with memory, speed and the first check that each one fails."""
    memory = memory_of(work, candidates.hardware, candidates.layout, facts)
    throughput = throughput_of(work, candidates.hardware, candidates.layout, memory, facts)
    rate = rate_of(work, throughput)
    speed = throughput.decode_tokens_per_second_per_request if isinstance(work, ServeWork) else rate
    # Only training is sped up by a larger cluster; other work meets a deadline with more machines.
    deadline = targets.deadline_hours if isinstance(work, TrainingWork) else math.inf
    failed, value, limit = _first_failure(memory, throughput, rate, targets, deadline)
    return Group(work, candidates, memory, throughput, rate, speed, failed, value, limit)


def rate_of(work: Work, throughput: Throughput[FloatArray]) -> FloatArray:
    """Return work units a second: output or training tokens, images, seconds of video or of sound [D, 1/s]."""
    if isinstance(work, ServeWork):
        return throughput.decode_tokens_per_second
    if isinstance(work, TrainingWork):
        return throughput.training_tokens_per_second
    if isinstance(work, AudioWork):
        return throughput.realtime_factor
    if work.method:
        return throughput.training_tokens_per_second
    if work.task == "image":
        return throughput.images_per_second
    return seconds_of_video(work) / throughput.seconds_per_video


def _first_failure(
    memory: Memory[FloatArray],
    throughput: Throughput[FloatArray],
    rate: FloatArray,
    targets: Targets,
    deadline_hours: float,
) -> tuple[IntArray, FloatArray, FloatArray]:
    """Return the number of the first failed check, the figure and its limit, each [D]."""
    per_request = throughput.decode_tokens_per_second_per_request
    first_token = throughput.time_to_first_token_ms
    hours = targets.job_units / (rate * SECONDS_PER_HOUR)
    checks: list[tuple[BoolArray, FloatArray, FloatArray]] = [
        (~(memory.needed_gib <= memory.budget_gib), memory.needed_gib, memory.budget_gib),
        (~(rate > 0), rate, np.zeros_like(rate)),
        _below(per_request, targets.tokens_per_second_per_request),
        _above(first_token, targets.time_to_first_token_ms),
        _above(hours, deadline_hours),
    ]
    failed = np.zeros(len(rate), dtype=np.int64)
    value, limit = np.full(len(rate), np.nan), np.full(len(rate), np.nan)
    for number, (fails, figure, bound) in enumerate(checks, 1):
        first = fails & (failed == 0)
        failed[first] = number
        value[first], limit[first] = figure[first], bound[first]
    return failed, value, limit


def _below(figure: FloatArray, least: float) -> tuple[BoolArray, FloatArray, FloatArray]:
    return figure < least, figure, np.full(len(figure), least)


def _above(figure: FloatArray, most: float) -> tuple[BoolArray, FloatArray, FloatArray]:
    return figure > most, figure, np.full(len(figure), most)


def preferred_candidates(group: Group, shapes: int, units_per_second: float) -> IntArray:
    """Return, for each shape, its best candidate: [shapes], -1 where the group has none.

    Of those that do the work, the one that carries the load with the fewest machines, then the first (replicas before
    shards, few in flight before many); where none does, the one that gets furthest through the checks.
    """
    progress = np.where(group.failed == 0, len(CHECKS) + 1, group.failed)
    with np.errstate(divide="ignore", invalid="ignore"):
        clusters = np.maximum(1.0, np.ceil(units_per_second / group.rate))
    machines = clusters * group.candidates.instances
    order = np.lexsort((np.arange(len(progress)), machines, -progress, group.candidates.shape))
    shape_in_order = group.candidates.shape[order]
    first = (
        np.r_[True, shape_in_order[1:] != shape_in_order[:-1]] if len(order) else np.zeros(0, dtype=np.bool_)
    )
    best = np.full(shapes, -1, dtype=np.int64)
    best[shape_in_order[first]] = order[first]
    return best


def full_load_rate(group: Group, chosen: IntArray, facts: Facts) -> FloatArray:
    """Return the rate of candidates with as many requests in flight as fit [1/s]; the present rate for other tasks."""
    if not isinstance(group.work, ServeWork) or not len(chosen):
        return group.rate[chosen]
    hardware = group.candidates.hardware.take(chosen)
    layout = group.candidates.layout.take(chosen).with_concurrency(np.full(len(chosen), np.nan))
    memory = memory_of(group.work, hardware, layout, facts)
    full = rate_of(group.work, throughput_of(group.work, hardware, layout, memory, facts))
    # A full machine never does less than the same machine with a stated batch.
    return np.fmax(full, group.rate[chosen])


def seconds_of_video(work: MediaWork) -> float:
    """Return the length of the clips made together [s]."""
    return work.frames / work.fps * work.batch
