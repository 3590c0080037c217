"""Fitting the constants of serving memory: one after the other, each to the cases of the engines that use it.

Deterministic: the same cases and starts give the same constants. A constant moves in tenths of its start and pays for
the distance, so that a handful of cases cannot carry it away.
"""

import csv
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from advisor.estimate.layouts import choose_layout, stated_layout
from advisor.estimate.memory.serving import serving_memory
from advisor.estimate.results import Memory, Number
from advisor.facts import Facts
from advisor.facts.engine_memory import SHARED, EngineConstant, EngineMemories
from advisor.resolve import resolve
from advisor.resolve.hardware import Hardware, Layout
from advisor.resolve.no_gpu import hardware_without_gpu
from advisor.resolve.placement import implied_gpu_count
from advisor.resolve.works import ServeWork
from advisor.workload import Deployment, Workload

COLUMNS = ("profile", "since", "constant", "value", "start", "basis", "source")
FITTED = "fitted"
SHARES_OF_START = (0.8, 0.9, 1.0, 1.1, 1.2)
COST_OF_DISTANCE = 0.02
"""What a constant pays for moving from its start, times the squared logarithm of the share."""

LARGEST_MISS = 0.3
"""A larger miss counts as this one: such a run hides a setting that nobody wrote down."""

WEIGHT_OF_QUALITY = {"A": 1.0, "B": 0.15}


@dataclass(frozen=True, slots=True)
class ConstantRow:
    """One row of the table; start: what a fit begins at and is drawn to."""

    profile: str
    since: str
    constant: str
    value: float
    start: float
    basis: str
    source: str


@dataclass(frozen=True, slots=True)
class ServingCase:
    """One measured figure of serving memory, resolved once; measured: GiB, or tokens of a pool."""

    id: str
    quality: str
    metric: str
    kind: str
    measured: float
    work: ServeWork
    hardware: Hardware
    layout: Layout

    @property
    def engine(self) -> str:
        """Return the engine whose constants decide the case."""
        return self.work.settings.engine.profile

    def memory(self, facts: Facts) -> Memory[Number]:
        """Return the estimate of the case."""
        return serving_memory(self.work, self.hardware, self.layout, facts).at(0)


def prepare_cases(records: Sequence[Mapping[str, Any]], facts: Facts) -> list[ServingCase]:
    """Return the measured figures of serving among the records; verdicts are not figures."""
    return [
        _prepare(record, facts)
        for record in records
        if record["workload"]["task"] == "serve" and record["measured"]["metric"] != "fits"
    ]


def _prepare(record: Mapping[str, Any], facts: Facts) -> ServingCase:
    deployment = Deployment.from_dict(record["deployment"], "deployment")
    resolved = resolve(Workload.from_dict(record["workload"], "workload"), deployment, facts)
    assert isinstance(resolved.work, ServeWork)
    if resolved.placement is None:
        gpu_count = deployment.gpu_count or implied_gpu_count(deployment)
        hardware = hardware_without_gpu(gpu_count, deployment.nodes or 1)
        layout = stated_layout(resolved.work, deployment, gpu_count)
    else:
        hardware = resolved.placement.hardware
        layout = choose_layout(resolved.work, resolved.placement, facts)
    measured = record["measured"]
    return ServingCase(
        str(record["id"]),
        str(record["quality"]),
        str(measured["metric"]),
        str(measured["kind"]),
        float(measured["value"]),
        resolved.work,
        hardware,
        layout,
    )


def read_constants(path: Path) -> list[ConstantRow]:
    """Read the table of constants."""
    with path.open(encoding="utf-8", newline="") as file:
        return [
            ConstantRow(
                **{name: float(row[name]) if name in ("value", "start") else row[name] for name in COLUMNS}  # type: ignore[arg-type]
            )
            for row in csv.DictReader(file)
        ]


def write_constants(path: Path, rows: Sequence[ConstantRow]) -> None:
    """Write the table of constants."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for row in rows:
            figures = (f"{row.value:g}", f"{row.start:g}")
            writer.writerow([row.profile, row.since, row.constant, *figures, row.basis, row.source])


def with_constants(facts: Facts, rows: Sequence[ConstantRow]) -> Facts:
    """Return the facts with other constants of serving memory."""
    constants = tuple(EngineConstant(row.profile, row.since, row.constant, row.value) for row in rows)
    return replace(facts, engine_memories=EngineMemories(constants))


def refit(rows: Sequence[ConstantRow], cases: Sequence[ServingCase], facts: Facts) -> list[ConstantRow]:
    """Return the table with every fitted constant moved to where the cases of its engine miss least."""
    refitted = [replace(row, value=row.start) if row.basis == FITTED else row for row in rows]
    for index, row in enumerate(refitted):
        own = [case for case in cases if row.profile in (SHARED, case.engine)]
        if row.basis == FITTED and own:
            refitted[index] = replace(row, value=_best(index, refitted, own, facts))
    return refitted


def _best(index: int, rows: Sequence[ConstantRow], cases: Sequence[ServingCase], facts: Facts) -> float:
    start = rows[index].start
    costs = {}
    for share in SHARES_OF_START:
        trial = [*rows[:index], replace(rows[index], value=start * share), *rows[index + 1 :]]
        trial_facts = with_constants(facts, trial)
        distance = COST_OF_DISTANCE * math.log(share) ** 2
        costs[share] = sum(_cost(case, trial_facts) for case in cases) / len(cases) + distance
    best = min(costs, key=lambda share: (round(costs[share], 9), abs(share - 1)))
    return float(f"{start * best:.4g}")


def _cost(case: ServingCase, facts: Facts) -> float:
    predicted = getattr(case.memory(facts), case.metric)
    if not predicted:
        return LARGEST_MISS if predicted == 0 else 0.0
    miss = abs(math.log(predicted / case.measured))
    return WEIGHT_OF_QUALITY[case.quality] * min(miss, LARGEST_MISS)
