"""Fitting a coefficient table: rows follow their cases, priors stay, what has no cases follows its engine."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from advisor import Facts
from advisor.facts.coefficients import CoefficientTable, load_coefficients
from advisor.units import FloatArray
from benchmarks.coefficient_fit import (
    FitCase,
    TableFit,
    held_out,
    predictions,
    refit_by_engine,
    write_table,
)

KEYS = ("engine",)
HEAD = "quantity,engine,since,gpu,value,start,basis,cases,source\n"
ROWS = """share,*,,*,0.5,0.5,prior,0,a
share,fast,,*,0.5,0.5,fitted,0,a
share,fast,,hopper,0.5,0.5,fitted,0,a
share,fast,,ampere-hbm,0.5,0.5,fitted,0,a
"""


@pytest.fixture
def table(facts: Facts, tmp_path: Path) -> CoefficientTable:
    (tmp_path / "shares.csv").write_text(HEAD + ROWS, encoding="utf-8")
    loaded, refused = load_coefficients(tmp_path, "shares", ("share",), KEYS, facts.gpus, facts.families)
    assert not refused
    return loaded


def case(facts: Facts, gpu: str, measured: float, number: int = 0, engine: str = "fast") -> FitCase:
    index = facts.gpus.index_of[gpu]
    cell = (f"source {number}", gpu, "model")
    return FitCase(f"{gpu}-{number}", cell, "A", "g", "k", "m", measured, (engine,), "", index)


def as_they_are(cases: Sequence[FitCase]) -> Callable[[FloatArray], FloatArray]:
    return lambda values: values[0]


HOW = TableFit(as_they_are, {}, {"share": (0.01, 1.0)})


def test_a_row_moves_to_its_cases_and_a_prior_stays(facts: Facts, table: CoefficientTable) -> None:
    cases = [case(facts, "h100-sxm-80gb", 0.8, number) for number in range(5)]
    cases += [case(facts, "h100-sxm-80gb", 0.8, 9, "other")]
    rows = refit_by_engine(cases, table, HOW).rows
    assert rows[0].value == 0.5
    assert rows[2].value == pytest.approx(0.8, rel=0.02)
    assert rows[2].cases == 5


def test_a_family_without_cases_follows_its_engine(facts: Facts, table: CoefficientTable) -> None:
    cases = [case(facts, "h100-sxm-80gb", 0.8, number) for number in range(5)]
    rows = refit_by_engine(cases, table, HOW).rows
    assert rows[1].value == rows[3].value
    assert 0.55 < rows[3].value < 0.75


def test_bounds_hold(facts: Facts, table: CoefficientTable) -> None:
    rows = refit_by_engine([case(facts, "h100-sxm-80gb", 5.0, n) for n in range(5)], table, HOW).rows
    assert rows[2].value == 1.0


def test_what_is_held_out_is_predicted_from_the_rest(facts: Facts, table: CoefficientTable) -> None:
    cases = [case(facts, "h100-sxm-80gb", 0.8, n) for n in range(5)]
    cases += [case(facts, "a100-sxm-80gb", 0.4, n) for n in range(5)]
    fitted = refit_by_engine(cases, table, HOW)
    seen = [outcome.predicted / outcome.measured for outcome in predictions(cases, fitted, HOW)]
    unseen = [o.predicted / o.measured for o in held_out(cases, table, HOW, lambda one: one.cell[1])]
    assert np.max(np.abs(np.log(seen))) < 0.02
    assert np.min(np.abs(np.log(unseen))) > 0.2


def test_the_same_cases_give_the_same_table(facts: Facts, table: CoefficientTable, tmp_path: Path) -> None:
    cases = [case(facts, "h100-sxm-80gb", 0.7 + 0.01 * n, n) for n in range(6)]
    once = refit_by_engine(cases, table, HOW)
    again = refit_by_engine(cases, once, HOW)
    write_table(tmp_path / "once.csv", once, KEYS)
    write_table(tmp_path / "again.csv", again, KEYS)
    assert (tmp_path / "once.csv").read_bytes() == (tmp_path / "again.csv").read_bytes()
    loaded, _ = load_coefficients(tmp_path, "once", ("share",), KEYS, facts.gpus, facts.families)
    assert [row.value for row in loaded.rows] == [row.value for row in once.rows]
