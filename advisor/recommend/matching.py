"""Matching the work to machines: each (format, engine) evaluated over all shapes, the best way kept for each shape."""

import dataclasses
from dataclasses import dataclass

import numpy as np

from advisor.facts import Facts
from advisor.recommend.evaluation import CHECKS, Group, evaluate, full_load_rate, preferred_candidates
from advisor.recommend.machines import candidates_for
from advisor.recommend.refusals import NUMBER
from advisor.recommend.support import unsupported
from advisor.recommend.targets import Targets
from advisor.resolve import resolve_work
from advisor.resolve.filling import Filling
from advisor.resolve.works import ServeWork, TrainingWork, Work
from advisor.units import BoolArray, FloatArray, IntArray
from advisor.workload import TRAINING_TASKS, Deployment, Needs, Workload

MOST_SPLITS = 16
"""How far a concurrency that no single machine holds is split over machines."""


LOAD_CONCURRENCIES = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0)
"""Requests in flight that are tried on one machine when a total load is to be carried."""


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """One question to the catalogue, with what every step of the ranking reads.

    competing_shapes: rows of `Offers.shapes` of which some offer passes the filters and has a price.
    """

    workload: Workload
    needs: Needs
    deployment: Deployment
    targets: Targets
    competing_shapes: IntArray
    facts: Facts


@dataclass(frozen=True, slots=True, eq=False)
class Machines:
    """The best way to run the work on every shape; arrays [shapes].

    group, candidate: which evaluated candidate, group -1 where nothing can run; refusal: 0, or the number of the code;
    value, limit: the figures of the refusal; rate, full_rate: work units a second at the person's load and at full
    load [1/s]; cluster: machines joined; splits: machines over which the concurrency is split.
    """

    groups: tuple[Group, ...]
    group: IntArray
    candidate: IntArray
    refusal: IntArray
    value: FloatArray
    limit: FloatArray
    rate: FloatArray
    full_rate: FloatArray
    speed: FloatArray
    cluster: IntArray
    splits: int

    @property
    def runs(self) -> BoolArray:
        """Where the work can be done."""
        return np.equal(self.refusal, 0)


def match_machines(question: Question) -> Machines:
    """Evaluate all shapes; a concurrency that no machine holds is split over 2, 4, ... machines until some do."""
    concurrency = question.workload.concurrency or 1
    splits = 1
    while True:
        machines = _best_machines(question, splits)
        if machines.runs[question.competing_shapes].any() or splits >= min(concurrency, MOST_SPLITS):
            return machines
        splits *= 2


def for_ranking(deployment: Deployment, *, several_gpus: bool = True) -> Deployment:
    """Return the deployment as machines of a catalogue are used: training state is sharded over several GPUs."""
    usual = "fsdp" if several_gpus else "none"
    return dataclasses.replace(deployment, gpu=None, gpu_count=None, sharding=deployment.sharding or usual)


def format_id(work: Work) -> str:
    """Return the id of the weight format of any work."""
    return work.weights.id if isinstance(work, ServeWork | TrainingWork) else work.weights_id


def _best_machines(question: Question, splits: int) -> Machines:
    """Return the best candidate of each shape: the first group whose candidate does the work wins."""
    groups, refusal = _evaluated_groups(question, splits)
    count = len(question.facts.offers.shapes)
    group_of, candidate_of = np.full(count, -1, dtype=np.int64), np.zeros(count, dtype=np.int64)
    figures = np.full((5, count), np.nan)
    cluster = np.ones(count, dtype=np.int64)
    for number, group in enumerate(groups):
        best = preferred_candidates(group, count, question.targets.units_per_second)
        better = (best >= 0) & ((group_of < 0) | ((refusal > 0) & (group.failed[best] == 0)))
        chosen = best[better]
        group_of[better], candidate_of[better] = number, chosen
        refusal[better] = np.where(group.failed[chosen] > 0, group.failed[chosen] + NUMBER[CHECKS[0]] - 1, 0)
        rows = [column[chosen] for column in (group.value, group.limit, group.rate, group.speed)]
        figures[:, better] = [*rows, full_load_rate(group, chosen, question.facts)]
        cluster[better] = group.candidates.instances[chosen]
    # A shape that cannot be split as stated has no candidate at all.
    refusal[(group_of < 0) & (refusal == 0)] = NUMBER["does-not-fit"]
    value, limit, rate, speed, full = figures
    return Machines(groups, group_of, candidate_of, refusal, value, limit, rate, full, speed, cluster, splits)


def _evaluated_groups(question: Question, splits: int) -> tuple[tuple[Group, ...], IntArray]:
    """Return one evaluated group for each (format, engine), and the support refusal of each shape [shapes]."""
    facts = question.facts
    refusal = np.zeros(len(facts.offers.shapes), dtype=np.int64)
    groups: list[Group] = []
    concurrencies = _concurrencies(question, splits)
    for weights in question.needs.weights_allowed or (question.workload.weights,):
        for work, rows in _works_by_engine(dataclasses.replace(question.workload, weights=weights), question):
            runs = _supported(work, rows, refusal, facts)
            if len(runs):
                candidates = candidates_for(work, runs, concurrencies, question.deployment, facts)
                if len(candidates.instances):
                    groups.append(evaluate(work, candidates, question.targets, facts))
    return tuple(groups), refusal


def _concurrencies(question: Question, splits: int) -> tuple[float, ...]:
    """Return the requests in flight to try on one machine: the stated number, or more where a load is to be carried."""
    stated = float(np.ceil((question.workload.concurrency or np.nan) / splits))
    if question.workload.task != "serve" or not question.targets.units_per_second:
        return (stated,)
    return tuple(sorted({stated, *LOAD_CONCURRENCIES}))


def _supported(work: Work, rows: list[int], refusal: IntArray, facts: Facts) -> IntArray:
    """Return the shapes on which engine and format run; the others get their refusal."""
    runs = []
    for row in rows:
        gpu = facts.gpus[facts.offers.shapes[row].gpu_id]
        code = unsupported(work.settings.engine, format_id(work), gpu, facts)
        refusal[row] = NUMBER[code] if code else 0
        if not code:
            runs.append(row)
    return np.array(runs, dtype=np.int64)


def _works_by_engine(workload: Workload, question: Question) -> list[tuple[Work, list[int]]]:
    """Return the work resolved for each vendor's usual engine, with the shapes of the vendors that share it.

    Training is one work on machines with one GPU and another, sharded one on machines with several.
    """
    facts = question.facts
    rows_of: dict[tuple[str, bool], list[int]] = {}
    for row in question.competing_shapes.tolist():
        shape = facts.offers.shapes[row]
        several = workload.task not in TRAINING_TASKS or shape.gpu_count > 1
        rows_of.setdefault((facts.gpus[shape.gpu_id].vendor, several), []).append(row)
    by_engine: dict[tuple[str, bool], tuple[Work, list[int]]] = {}
    for (_, several), rows in rows_of.items():
        example = facts.offers.shapes[rows[0]].gpu_id
        placed = dataclasses.replace(for_ranking(question.deployment, several_gpus=several), gpu=example)
        work = resolve_work(workload, placed, facts, Filling())
        by_engine.setdefault((work.settings.engine.id, several), (work, []))[1].extend(rows)
    return list(by_engine.values())
