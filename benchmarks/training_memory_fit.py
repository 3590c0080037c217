"""Fitting the constants of training memory: one after the other, each to the cases of the engines that use it.

Deterministic: the same cases and starts give the same constants. A constant moves in tenths of its start and pays for
the distance, so that a handful of cases cannot carry it away.
"""

import csv
import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from advisor.estimate.layouts import choose_layout, stated_layout
from advisor.estimate.memory.training import interval_group, training_memory
from advisor.facts import Facts
from advisor.facts.training_memory import SHARED, training_profiles
from advisor.resolve import resolve
from advisor.resolve.hardware import Hardware, Layout
from advisor.resolve.no_gpu import hardware_without_gpu
from advisor.resolve.placement import implied_gpu_count
from advisor.resolve.works import TrainingWork
from advisor.workload import Deployment, Workload

SHARES_OF_START = (0.8, 0.9, 1.0, 1.1, 1.2)
COST_OF_DISTANCE = 0.02
"""What a constant pays for moving from its start, times the squared logarithm of the share."""

LARGEST_MISS = 0.3
"""A larger miss counts as this one: such a run hides a setting that nobody wrote down."""

WEIGHT_OF_QUALITY = {"A": 1.0, "B": 0.15}
WEIGHT_OF_METRIC = {"peak_gib": 3.0}
"""What a framework allocates repeats to a per mille, what it reserves to 2 to 4 % (notes on memory, section 12)."""

COLUMNS = ("profile", "constant", "value", "start", "basis", "source")


@dataclass(frozen=True, slots=True)
class TrainingCase:
    """One measured run, resolved once. measured [GiB]; model: what folds are made of."""

    id: str
    quality: str
    note: str
    metric: str
    measured: float
    model: str
    engine: str
    group: str
    work: TrainingWork
    hardware: Hardware
    layout: Layout

    def predict(self, facts: Facts) -> float:
        """Return the figure that was measured, as the facts have it [GiB]."""
        return self._figure(self.metric, facts)

    def predict_needed(self, facts: Facts) -> float:
        """Return what a card must offer [GiB]."""
        return self._figure("needed_gib", facts)

    def _figure(self, name: str, facts: Facts) -> float:
        memory = training_memory(self.work, self.hardware, self.layout, facts)
        return float(getattr(memory, name)[0])


@dataclass(frozen=True, slots=True)
class ConstantRow:
    """One row of the table."""

    profile: str
    constant: str
    value: float
    start: float
    basis: str
    source: str


def prepare_cases(records: Sequence[dict[str, object]], facts: Facts) -> list[TrainingCase]:
    """Return the measured figures of training among the records."""
    cases = [_prepare(record, facts) for record in records if _is_training(record)]
    return [case for case in cases if case is not None]


def _is_training(record: dict[str, object]) -> bool:
    workload = record["workload"]
    return isinstance(workload, dict) and workload.get("task") in ("finetune", "pretrain")


def _prepare(record: dict[str, object], facts: Facts) -> TrainingCase | None:
    workload = Workload.from_dict(record["workload"], "workload")
    deployment = Deployment.from_dict(record["deployment"], "deployment")
    resolved = resolve(workload, deployment, facts)
    measured = record["measured"]
    assert isinstance(measured, dict)
    if not isinstance(resolved.work, TrainingWork):
        return None
    if resolved.placement is None:
        gpu_count = deployment.gpu_count or implied_gpu_count(deployment)
        hardware = hardware_without_gpu(gpu_count, deployment.nodes or 1)
        layout = stated_layout(resolved.work, deployment, gpu_count)
    else:
        hardware = resolved.placement.hardware
        layout = choose_layout(resolved.work, resolved.placement, facts)
    return TrainingCase(
        id=str(record["id"]),
        quality=str(record["quality"]),
        note=str(record.get("note", "")),
        metric=str(measured["metric"]),
        measured=float(measured["value"]),
        model=resolved.work.model.name,
        engine=resolved.work.settings.engine.profile,
        group=interval_group(resolved.work),
        work=resolved.work,
        hardware=hardware,
        layout=layout,
    )


def read_constants(path: Path) -> list[ConstantRow]:
    """Read the table of constants."""
    with path.open(encoding="utf-8", newline="") as file:
        return [
            ConstantRow(
                row["profile"],
                row["constant"],
                float(row["value"]),
                float(row["start"]),
                row["basis"],
                row["source"],
            )
            for row in csv.DictReader(file)
        ]


def write_constants(path: Path, rows: Sequence[ConstantRow]) -> None:
    """Write the table of constants."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for row in rows:
            writer.writerow(
                [row.profile, row.constant, f"{row.value:g}", f"{row.start:g}", row.basis, row.source]
            )


def with_constants(facts: Facts, rows: Sequence[ConstantRow]) -> Facts:
    """Return the facts with other constants of training memory."""
    stated = [(row.profile, row.constant, row.value) for row in rows]
    return dataclasses.replace(facts, training_profiles=training_profiles(stated))


def refit(rows: Sequence[ConstantRow], cases: Sequence[TrainingCase], facts: Facts) -> list[ConstantRow]:
    """Return the table with every fitted constant moved to where its cases miss least."""
    current = [replace(row, value=row.start) if row.basis == "fitted" else row for row in rows]
    for index, row in enumerate(current):
        if row.basis == "fitted":
            current[index] = _refit_one(current, index, cases, facts)
    return current


def _refit_one(
    rows: Sequence[ConstantRow], index: int, cases: Sequence[TrainingCase], facts: Facts
) -> ConstantRow:
    row = rows[index]
    users = _users(rows, row, cases)
    best, least = row, math.inf
    for share in SHARES_OF_START:
        trial = replace(row, value=row.start * share)
        tried = with_constants(facts, [*rows[:index], trial, *rows[index + 1 :]])
        cost = mean_miss(users, tried) + COST_OF_DISTANCE * math.log(share) ** 2
        if cost < least - 1e-9:
            best, least = trial, cost
    return best


def _users(
    rows: Sequence[ConstantRow], row: ConstantRow, cases: Sequence[TrainingCase]
) -> list[TrainingCase]:
    """Return the cases whose engine has this constant from this row."""
    if row.profile != SHARED:
        return [case for case in cases if case.engine == row.profile]
    own = {other.profile for other in rows if other.constant == row.constant and other.profile != SHARED}
    return [case for case in cases if case.engine not in own]


def mean_miss(cases: Sequence[TrainingCase], facts: Facts) -> float:
    """Return the weighted mean of |log(predicted / measured)|, a large miss counting as `LARGEST_MISS`."""
    total = weight = 0.0
    for case in cases:
        if case.metric == "fits":
            continue
        own = WEIGHT_OF_QUALITY[case.quality] * WEIGHT_OF_METRIC.get(case.metric, 1.0)
        total += own * min(LARGEST_MISS, abs(math.log(case.predict(facts) / case.measured)))
        weight += own
    return total / weight if weight else 0.0
