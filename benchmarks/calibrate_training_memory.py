"""Refit the constants of training memory, and predict every case from a fit that saw no run of its model."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from advisor.facts import Facts, load_facts
from advisor.facts.intervals import FEWEST_CASES, Interval
from benchmarks.outcomes import NARROWEST, Outcome
from benchmarks.training_memory_fit import (
    ConstantRow,
    TrainingCase,
    prepare_cases,
    read_constants,
    refit,
    with_constants,
    write_constants,
)

TABLE = "training_memory.csv"
FOLDS = 5
UNDER_THE_BUDGET = 0.05
"""Nineteen of twenty runs that fitted stay under their card's budget within the interval."""


def calibrate(records: Sequence[dict[str, object]], folder: Path) -> list[Outcome]:
    """Rewrite `training_memory.csv` in a folder; returns the held-out predictions that intervals are made of."""
    facts = load_facts(folder)
    cases = prepare_cases(records, facts)
    rows = read_constants(folder / TABLE)
    write_constants(folder / TABLE, refit(rows, cases, facts))
    return [_outcome(case, predicted) for case, predicted in telling(held_out(cases, rows, facts))]


def held_out(
    cases: Sequence[TrainingCase], rows: Sequence[ConstantRow], facts: Facts
) -> list[tuple[TrainingCase, float]]:
    """Return every measured figure with a prediction from a fit without any run of its model."""
    models = sorted({case.model for case in cases})
    fold_of = {model: index % FOLDS for index, model in enumerate(models)}
    predicted = []
    for fold in range(FOLDS):
        unseen = [case for case in cases if fold_of[case.model] == fold and case.metric != "fits"]
        seen = [case for case in cases if fold_of[case.model] != fold]
        fitted = with_constants(facts, refit(rows, seen, facts))
        predicted += [(case, case.predict(fitted)) for case in unseen]
    return sorted(predicted, key=lambda pair: pair[0].id)


def telling(predictions: Sequence[tuple[TrainingCase, float]]) -> list[tuple[TrainingCase, float]]:
    """Return the predictions that say how sure an estimate is, group by group.

    Runs of quality A where a group has enough of them, the process rather than the allocator where both were read;
    a run that its collector could not explain, or whose real lengths nobody wrote down, tells of itself alone.
    """
    kept = []
    for group in sorted({case.group for case, _ in predictions}):
        members = [pair for pair in predictions if pair[0].group == group and is_explained(pair[0])]
        for narrower in (_of_quality_a, _of_the_process):
            fewer = [pair for pair in members if narrower(pair[0])]
            members = fewer if len(fewer) >= FEWEST_CASES else members
        kept += members
    return kept


def is_explained(case: TrainingCase) -> bool:
    """Return whether every input that decides the figure is known well enough to blame the estimate."""
    lengths_known = case.work.packing or case.work.micro_batch == 1
    return "unexplained" not in case.note and lengths_known


def _of_quality_a(case: TrainingCase) -> bool:
    return case.quality == "A"


def _of_the_process(case: TrainingCase) -> bool:
    return case.metric == "reserved_gib"


def _outcome(case: TrainingCase, predicted: float) -> Outcome:
    return Outcome(
        id=case.id,
        group=case.group,
        kind=f"training {case.work.method} {case.metric}",
        quality=case.quality,
        cell=(case.engine, case.model, case.work.method, case.metric),
        predicted=predicted,
        measured=case.measured,
    )


def verdict_intervals(records: Sequence[dict[str, object]], folder: Path) -> list[Interval]:
    """Return intervals of the groups of which only verdicts are known: runs that fitted bound the need from above.

    Nineteen of twenty of them needed at most `high_factor` times the estimate, since the card held them; below, the
    same factor is taken.
    """
    facts = load_facts(folder)
    cases = prepare_cases(records, facts)
    measured = {case.group for case in cases if case.metric != "fits"}
    intervals = []
    for group in sorted({case.group for case in cases} - measured):
        room = _room([case for case in cases if case.group == group and case.measured == 1.0], facts)
        if len(room) >= FEWEST_CASES:
            high = max(NARROWEST, float(np.percentile(room, 100 * UNDER_THE_BUDGET)))
            names = [group, *([group.split("/")[0]] if group.startswith("pretrain/") else [])]
            intervals += [Interval(name, 1 / high, high, len(room)) for name in names]
    return intervals


def _room(cases: Sequence[TrainingCase], facts: Facts) -> list[float]:
    """Return the card's budget over the estimated need of runs that fitted."""
    room = []
    for case in cases:
        needed = case.predict_needed(facts)
        budget = float(case.hardware.memory_bytes_allocatable[0]) / 2**30
        if np.isfinite(budget):
            room.append(budget / needed)
    return room
