"""Refit the coefficients of serving speed, engine by engine, and predict every case without its GPU."""

import csv
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from advisor.facts import load_facts
from advisor.facts.families import GpuFamilies
from advisor.facts.speed import CoefficientRow
from benchmarks.outcomes import Outcome, Record
from benchmarks.serving_fit import METRICS, FitCase, ServingModel, prepare_cases, refit

COLUMNS = ("quantity", "engine", "since", "family", "width", "value", "start", "basis", "cases", "source")


def calibrate(records: Sequence[Record], folder: Path) -> list[Outcome]:
    """Rewrite `speed_serving.csv` in a folder; returns the held-out predictions of every serving case."""
    facts = load_facts(folder)
    cases = prepare_cases(records, facts)
    rows, families = list(facts.serving_speed.rows), facts.families
    write_rows(folder / "speed_serving.csv", refit_by_engine(cases, rows, families))
    return held_out(cases, rows, families)


def refit_by_engine(
    cases: Sequence[FitCase], rows: Sequence[CoefficientRow], families: GpuFamilies
) -> list[CoefficientRow]:
    """Return the table with each engine's fitted rows refitted to its own cases."""
    refitted = [replace(row, value=row.start, cases=0) if row.basis == "fitted" else row for row in rows]
    for engine in sorted({case.engine for case in cases}):
        own = [case for case in cases if case.engine == engine]
        refitted = refit(ServingModel(own, refitted, families))
    return refitted


def held_out(
    cases: Sequence[FitCase], rows: Sequence[CoefficientRow], families: GpuFamilies
) -> list[Outcome]:
    """Return a prediction of every case from a fit that saw no case of its engine on its GPU."""
    outcomes = []
    for engine in sorted({case.engine for case in cases}):
        own = [case for case in cases if case.engine == engine]
        for gpu in sorted({case.cell[1] for case in own}):
            seen = [case for case in own if case.cell[1] != gpu]
            unseen = [case for case in own if case.cell[1] == gpu]
            outcomes += predictions(unseen, refit_by_engine(seen, rows, families), families)
    return outcomes


def predictions(
    cases: Sequence[FitCase], rows: Sequence[CoefficientRow], families: GpuFamilies
) -> list[Outcome]:
    """Return the predictions of some cases with a table."""
    predicted = ServingModel(cases, rows, families).predict(np.array([row.value for row in rows]))
    return [_outcome(case, float(value)) for case, value in zip(cases, predicted, strict=True)]


def _outcome(case: FitCase, predicted: float) -> Outcome:
    metric = METRICS[case.metric]
    # An interval belongs to a rate; a time misses by the inverse.
    inverse = metric.startswith("time")
    measured = 1 / case.measured if inverse else case.measured
    return Outcome(
        id=case.id,
        group=case.group if "decode" in metric or metric == "time_per_output_token_ms" else "prompt",
        kind=case.kind,
        quality=case.quality,
        cell=case.cell,
        predicted=1 / predicted if inverse else predicted,
        measured=measured,
    )


def write_rows(path: Path, rows: Sequence[CoefficientRow]) -> None:
    """Write the table of coefficients."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for row in rows:
            key = [row.quantity, row.engine, row.since, row.family, row.width]
            writer.writerow([*key, f"{row.value:g}", f"{row.start:g}", row.basis, row.cases, row.source])
