"""Where labels of points go, so that they cover neither one another nor another point."""

from collections.abc import Sequence
from dataclasses import dataclass

from advisor.ui.charts.base import CHARACTER_WIDTH

NOMINAL_WIDTH, NOMINAL_HEIGHT = 300, 250
"""The plot for which places are tried: that of a phone, where room is shortest [px]."""

LINE_HEIGHT, POINT_SIZE = 15, 10


@dataclass(frozen=True, slots=True)
class Spot:
    """A labelled point; across, up: its place as shares of the plot, 0 at the origin; clearance: beside it [px]."""

    across: float
    up: float
    text: str
    clearance: float


@dataclass(frozen=True, slots=True)
class Placement:
    """How a label stands to its point: Vega's alignment, and the way from the point [px]."""

    align: str
    dx: float
    dy: float


@dataclass(frozen=True, slots=True)
class _Box:
    left: float
    top: float
    right: float
    bottom: float

    def overlap(self, other: "_Box") -> float:
        """Return the area that two boxes share [px2]."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(0.0, width) * max(0.0, height)

    def outside(self) -> float:
        """Return how far the box reaches over the sides of the plot [px]."""
        return max(0.0, -self.left) + max(0.0, self.right - NOMINAL_WIDTH) + max(0.0, -self.top)


def place_labels(spots: Sequence[Spot], others: Sequence[tuple[float, float]]) -> list[Placement]:
    """Return a placement for each label: right, left, above or below, the first that covers least.

    spots: the most important first; others: points without a label, as shares of the plot.
    """
    taken = [
        _box_of_point(across, up) for across, up in [*others, *((spot.across, spot.up) for spot in spots)]
    ]
    placements = []
    for spot in spots:
        own = _box_of_point(spot.across, spot.up)
        best = min(_placements(spot), key=lambda placement: _cost(_box(spot, placement), own, taken))
        taken.append(_box(spot, best))
        placements.append(best)
    return placements


def anchor(across: float) -> str:
    """Return how text over a place of the plot is aligned so that it stays inside; across: 0 left, 1 right."""
    if across < 0.2:
        return "left"
    return "right" if across > 0.8 else "center"


def _placements(spot: Spot) -> tuple[Placement, ...]:
    gap = spot.clearance
    return (
        Placement("left", gap, 0),
        Placement("right", -gap, 0),
        Placement("center", 0, -gap - LINE_HEIGHT / 2),
        Placement("center", 0, gap + LINE_HEIGHT / 2),
    )


def _cost(box: _Box, own: _Box, taken: Sequence[_Box]) -> float:
    return 20 * box.outside() + sum(box.overlap(other) for other in taken if other != own)


def _box_of_point(across: float, up: float) -> _Box:
    x, y = across * NOMINAL_WIDTH, (1 - up) * NOMINAL_HEIGHT
    half = POINT_SIZE / 2
    return _Box(x - half, y - half, x + half, y + half)


def _box(spot: Spot, placement: Placement) -> _Box:
    width = len(spot.text) * CHARACTER_WIDTH
    start = {"left": 0.0, "right": -width, "center": -width / 2}[placement.align]
    left = spot.across * NOMINAL_WIDTH + placement.dx + start
    middle = (1 - spot.up) * NOMINAL_HEIGHT + placement.dy
    return _Box(left, middle - LINE_HEIGHT / 2, left + width, middle + LINE_HEIGHT / 2)
