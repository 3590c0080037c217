"""Predictions beside measurements: misses by group, and the 80 % interval that follows from them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from advisor.facts.intervals import Interval
from advisor.units import FloatArray

LOW_SHARE, HIGH_SHARE = 0.1, 0.9
"""Between these shares of the measurements lies the 80 % interval."""

NARROWEST = 1.03
"""No interval is narrower than 3 % each way: the measurements themselves repeat no better."""

ROOT = "*"

Record = dict[str, Any]
"""One measured case as read from a file: the input line with measured, quality, source and note."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One case: what was predicted without having seen it, and what was measured.

    group: of the interval; kind: the class of accuracy it is reported under; cell: cases that repeat one set-up;
    narrowest: factor within which the measurement itself repeats; miss: of the figure itself where the interval is
    of another one; is_reported, makes_interval: whether it counts in the report and in the intervals, where a case is
    predicted more than once, without its GPU and without its set-up.
    """

    id: str
    group: str
    kind: str
    quality: str
    cell: tuple[str, ...]
    predicted: float
    measured: float
    narrowest: float = NARROWEST
    miss: float | None = None
    is_reported: bool = True
    makes_interval: bool = True

    @property
    def ratio(self) -> float:
        """Return measured over predicted."""
        return self.measured / self.predicted


@dataclass(frozen=True, slots=True)
class Misses:
    """Misses of a group of cases: median and ninetieth percentile of |predicted/measured - 1|, median bias."""

    cases: int
    median: float
    ninetieth: float
    bias: float


def misses(outcomes: Sequence[Outcome]) -> Misses:
    """Return the misses of some cases, each case counted once."""
    ratios = np.array(
        [one.predicted / one.measured if one.miss is None else 1.0 + one.miss for one in outcomes]
    )
    absolute = np.abs(ratios - 1)
    ninetieth = float(np.percentile(absolute, 90))
    return Misses(len(outcomes), float(np.median(absolute)), ninetieth, float(np.median(ratios)))


def families_of(group: str) -> tuple[str, ...]:
    """Return a group and every family above it, up to the root."""
    parts = group.split("/")
    return (*("/".join(parts[:count]) for count in range(len(parts), 0, -1)), ROOT)


def intervals_of(outcomes: Iterable[Outcome]) -> list[Interval]:
    """Return the interval of every group and family, by name."""
    by_group: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        for group in families_of(outcome.group):
            by_group.setdefault(group, []).append(outcome)
    return [_interval(group, members) for group, members in sorted(by_group.items())]


def _interval(group: str, members: Sequence[Outcome]) -> Interval:
    ratios, weights = np.array([outcome.ratio for outcome in members]), cell_weights(members)
    narrowest = max(outcome.narrowest for outcome in members)
    # What repeats exactly misses to one side, by what was not counted; then equal tails would waste half the width.
    bounds_of = shortest_interval if narrowest < NARROWEST else equal_tails
    low, high = bounds_of(ratios, weights)
    return Interval(group, min(low, 1 / narrowest), max(high, narrowest), len(members))


def equal_tails(values: FloatArray, weights: FloatArray) -> tuple[float, float]:
    """Return the bounds that leave a tenth of the weight on either side."""
    low, high = weighted_quantiles(values, weights, (LOW_SHARE, HIGH_SHARE))
    return low, high


def shortest_interval(values: FloatArray, weights: FloatArray) -> tuple[float, float]:
    """Return the shortest bounds that hold eight tenths of the weight."""
    spare = LOW_SHARE + 1.0 - HIGH_SHARE
    starts = np.linspace(0.0, spare, 21)
    lows = weighted_quantiles(values, weights, starts)
    highs = weighted_quantiles(values, weights, starts + 1.0 - spare)
    return min(zip(lows, highs, strict=True), key=lambda bounds: bounds[1] - bounds[0])


def cell_weights(members: Sequence[Outcome]) -> FloatArray:
    """Return the weight of each case: a cell counts as the square root of its cases."""
    count: dict[tuple[str, ...], int] = {}
    for outcome in members:
        count[outcome.cell] = count.get(outcome.cell, 0) + 1
    return np.array([count[outcome.cell] ** -0.5 for outcome in members])


def weighted_quantiles(
    values: FloatArray, weights: FloatArray, shares: Sequence[float] | FloatArray
) -> list[float]:
    """Return the values below which the given shares of the weight lie, interpolated between cases."""
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order]) - weights[order] / 2
    return [float(np.interp(share * weights.sum(), reached, values[order])) for share in shares]
