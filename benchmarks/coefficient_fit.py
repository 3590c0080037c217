"""Refitting the fitted rows of a coefficient table to measured cases, whatever the table is about.

A special row shares what moves the more general rows above it: log value = log start + own shift + their shifts, so
that a GPU family or a version without cases of its own follows its engine. Priors are left alone.
"""

import csv
import fnmatch
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from advisor.facts.coefficients import ANY, FITTED, Coefficient, CoefficientTable
from advisor.facts.versions import holds_since
from advisor.units import FloatArray, IntArray
from benchmarks.fitting import Coefficients, fit
from benchmarks.outcomes import Outcome

QUALITY_WEIGHT = {"A": 1.0, "B": 0.4}
TYPICAL_MISS = 0.06
"""A miss of this size weighs as much as one spread of a prior."""

USUAL_SPREAD = 0.7
LARGEST_SHIFT = 2.5
"""Of one row, in logarithms: a factor of twelve."""


@dataclass(frozen=True, slots=True)
class FitCase:
    """One measured case. cell: source, GPU and model; given, version, gpu_index: what chooses its coefficients.

    measured: the figure as a rate; inverse: whether the source gave a time.
    """

    id: str
    cell: tuple[str, str, str]
    quality: str
    group: str
    kind: str
    metric: str
    measured: float
    given: tuple[str, ...]
    version: str
    gpu_index: int


Predictor = Callable[[Sequence[FitCase]], Callable[[FloatArray], FloatArray]]
"""From cases to a function that gives their figures [case] from coefficients [quantity, case]."""


@dataclass(frozen=True)
class TableFit:
    """How one table is fitted: its predictor, and by quantity the spread of priors and the bounds of values."""

    predictor: Predictor
    spread: Mapping[str, float]
    bounds: Mapping[str, tuple[float, float]]


def rows_of(cases: Sequence[FitCase], table: CoefficientTable) -> IntArray:
    """Return the row that gives each quantity of each case [quantity, case]."""
    columns = [
        [
            table.decisive_index(quantity, case.given, case.version, case.gpu_index)
            for quantity in table.quantities
        ]
        for case in cases
    ]
    return np.array(columns, dtype=np.int64).T


def case_weights(cases: Sequence[FitCase]) -> FloatArray:
    """Return the weight of each case: a cell counts as the square root of its cases, quality B less."""
    keys = [(*case.cell, case.metric, case.given[0]) for case in cases]
    count = {key: keys.count(key) for key in set(keys)}
    each = [
        QUALITY_WEIGHT.get(case.quality, 0.0) / count[key] ** 0.5
        for case, key in zip(cases, keys, strict=True)
    ]
    return np.array(each) * 2 / TYPICAL_MISS


def from_start(table: CoefficientTable) -> CoefficientTable:
    """Return the table before any fit."""
    rows = tuple(replace(row, value=row.start, cases=0) if row.basis == FITTED else row for row in table.rows)
    return replace(table, rows=rows, _columns={}, _fitted={})


def refit(cases: Sequence[FitCase], table: CoefficientTable, how: TableFit) -> CoefficientTable:
    """Return the table with the fitted rows that these cases speak of refitted, and the rows below them moved."""
    row_of = rows_of(cases, table)
    used, counts = np.unique(row_of, return_counts=True)
    cases_of = dict(zip(used.tolist(), counts.tolist(), strict=True))
    lineage = [lineage_of(index, table) for index in range(len(table.rows))]
    chosen = sorted({above for index in cases_of for above in lineage[index]})
    if not chosen:
        return table
    below = [index for index, line in enumerate(lineage) if set(line) & set(chosen)]
    shared = np.array([[float(above in lineage[index]) for above in chosen] for index in below])
    start = np.log([table.rows[index].start for index in below])
    bounds = np.log([_bounds(table.rows[index], how) for index in below])
    base = np.array([row.value for row in table.rows])
    predict_cases = how.predictor(cases)

    def values_of(shifts: FloatArray) -> FloatArray:
        values = base.copy()
        values[below] = np.exp(np.clip(start + shared @ shifts, bounds[:, 0], bounds[:, 1]))
        return values

    def predict(shifts: FloatArray) -> FloatArray:
        return np.asarray(np.log(predict_cases(values_of(shifts)[row_of])))

    measured = np.log([case.measured for case in cases])
    shifts = fit(_shifts(table, chosen, how), predict, measured, case_weights(cases))
    values = values_of(shifts)
    rows = list(table.rows)
    for index in below:
        found = cases_of.get(index, rows[index].cases)
        rows[index] = replace(rows[index], value=float(f"{values[index]:.4g}"), cases=found)
    return replace(table, rows=tuple(rows), _columns={}, _fitted={})


def lineage_of(index: int, table: CoefficientTable) -> tuple[int, ...]:
    """Return a fitted row and the more general fitted rows above it, nearest first; nothing for a prior."""
    row = table.rows[index]
    if row.basis != FITTED:
        return ()
    above = [
        number
        for number, other in enumerate(table.rows)
        if number != index and _is_above(number, index, table)
    ]
    nearest = max(above, key=table.rank, default=None)
    return (index,) if nearest is None else (index, *lineage_of(nearest, table))


def _is_above(number: int, index: int, table: CoefficientTable) -> bool:
    other, row = table.rows[number], table.rows[index]
    same = other.quantity == row.quantity and other.basis == FITTED and other.keys[0] == row.keys[0]
    wider_keys = all(
        fnmatch.fnmatchcase(key, pattern) for key, pattern in zip(row.keys, other.keys, strict=True)
    )
    wider_gpus = bool((~table.gpu_rows[index][0] | table.gpu_rows[number][0]).all())
    earlier = not other.since or (bool(row.since) and holds_since(other.since, row.since))
    return same and wider_keys and wider_gpus and earlier and table.rank(number) < table.rank(index)


def _bounds(row: Coefficient, how: TableFit) -> tuple[float, float]:
    low, high = how.bounds.get(row.quantity, (0.0, np.inf))
    return max(low, row.start / 30), min(high, row.start * 30)


def _shifts(table: CoefficientTable, chosen: Sequence[int], how: TableFit) -> Coefficients:
    nothing = np.zeros(len(chosen))
    spread = np.array([how.spread.get(table.rows[index].quantity, USUAL_SPREAD) for index in chosen])
    return Coefficients(
        start=nothing, spread=spread, low=nothing - LARGEST_SHIFT, high=nothing + LARGEST_SHIFT
    )


def refit_by_engine(cases: Sequence[FitCase], table: CoefficientTable, how: TableFit) -> CoefficientTable:
    """Return the table with each engine's fitted rows refitted to its own cases, after the rows of any engine."""
    refitted = from_start(table)
    for engine in sorted({case.given[0] for case in cases}):
        refitted = refit([case for case in cases if case.given[0] == engine], refitted, how)
    return refitted


def held_out(
    cases: Sequence[FitCase], table: CoefficientTable, how: TableFit, part: Callable[[FitCase], str]
) -> list[Outcome]:
    """Return a prediction of every case from a fit that saw no case of its engine of the same part, as its GPU."""
    outcomes = []
    for engine in sorted({case.given[0] for case in cases}):
        own = [case for case in cases if case.given[0] == engine]
        for left_out in sorted({part(case) for case in own}):
            seen = [case for case in own if part(case) != left_out]
            unseen = [case for case in own if part(case) == left_out]
            fitted = refit(seen, from_start(table), how) if seen else from_start(table)
            outcomes += predictions(unseen, fitted, how)
    return outcomes


def predictions(cases: Sequence[FitCase], table: CoefficientTable, how: TableFit) -> list[Outcome]:
    """Return the predictions of some cases with a table."""
    values = np.array([row.value for row in table.rows])[rows_of(cases, table)]
    predicted = how.predictor(cases)(values)
    return [
        Outcome(case.id, case.group, case.kind, case.quality, case.cell, float(value), case.measured)
        for case, value in zip(cases, predicted, strict=True)
    ]


def write_table(path: Path, table: CoefficientTable, key_columns: Sequence[str]) -> None:
    """Write a table of coefficients."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(
            ["quantity", *key_columns, "since", "gpu", "value", "start", "basis", "cases", "source"]
        )
        for row in table.rows:
            numbers = [f"{row.value:g}", f"{row.start:g}", row.basis, row.cases]
            writer.writerow([row.quantity, *row.keys, row.since, row.gpu or ANY, *numbers, row.source])
