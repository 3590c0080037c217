"""The calibrated 80 % intervals by group of cases."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from advisor.errors import AdvisorError
from advisor.facts.table import Row, parse_rows, read_rows
from advisor.units import BoolArray, FloatArray

FEWEST_CASES = 8
"""A group with fewer cases takes its family's interval, doubled, and counts as not measured."""


@dataclass(frozen=True, slots=True, eq=False)
class Interval:
    """Factors on an estimate between which eight of ten measurements lie; `cases`: measurements behind them."""

    group: str
    low_factor: float
    high_factor: float
    cases: int

    @property
    def measured(self) -> bool:
        """Whether the group has enough cases of its own."""
        return self.cases >= FEWEST_CASES

    def around(self, headline: FloatArray, fitted: BoolArray) -> tuple[FloatArray, FloatArray]:
        """Return low and high of a headline figure [D]; doubled where nothing was fitted to cases on such a GPU."""
        wide = self.doubled()
        return (
            np.asarray(headline * np.where(fitted, self.low_factor, wide.low_factor)),
            np.asarray(headline * np.where(fitted, self.high_factor, wide.high_factor)),
        )

    def doubled(self) -> "Interval":
        """Return an interval of twice the width in ratio, for a group without enough cases."""
        return Interval(self.group, self.low_factor**2, self.high_factor**2, 0)


@dataclass(frozen=True, slots=True, eq=False)
class Intervals:
    """Intervals by group. A group is named from the general to the special: `serve/vllm/moe`."""

    rows: dict[str, Interval]

    def find(self, group: str) -> Interval:
        """Return the interval of a group, or its nearest family's, doubled. The root `*` always exists."""
        own = self.rows.get(group)
        if own is not None and own.measured:
            return own
        family = group
        while "/" in family:
            family = family.rsplit("/", 1)[0]
            if family in self.rows and self.rows[family].measured:
                return self.rows[family].doubled()
        return self.rows["*"].doubled()


def load_intervals(folder: Path, table: str) -> tuple[Intervals, list[AdvisorError]]:
    """Read `<table>.csv`, written by `python -m benchmarks.calibrate`."""
    rows, refused = parse_rows(read_rows(folder, table, "group"), _parse_interval)
    return Intervals({row.group: row for row in rows}), refused


def _parse_interval(row: Row) -> Interval:
    return Interval(
        row.text("group"), row.number("low_factor"), row.number("high_factor"), row.whole("cases")
    )
