"""Spot against on demand over interruptions a day, and where spot stops paying: question 3."""

import altair as alt

from advisor.ui.chart_views import Mark, SpotView
from advisor.ui.charts.base import PLOT_HEIGHT, Figure, axis, figure, label, labels
from advisor.ui.charts.lines import curves, dots

NEAR = 0.25
"""Two points closer than this share of the axis get their labels on different lines."""


def spot_chart(view: SpotView) -> Figure:
    """Return two lines of cost: on demand flat, spot rising, with today's rate and the crossing marked."""
    x = _axis_x(view)
    y = _axis_y(view)
    layers = [
        curves(view, view.rates, (view.on_demand, view.spot), x, y),
        dots([(view.here, view.spot.role), (view.crossing, "ink")], x, y),
        *labels([*_names(view), *_words(view)], {"x": x, "y": y}),
    ]
    return figure(view, layers, PLOT_HEIGHT - 40)


def _axis_x(view: SpotView) -> alt.X:
    scale = {"domain": [0, view.rates[-1]], "nice": False}
    look = axis(view.x_title, tickCount=6, labelFlush=True)
    return alt.X(field="x", type="quantitative", title=view.x_title, scale=scale, axis=look)


def _axis_y(view: SpotView) -> alt.Y:
    scale = {"domain": [0, 1.15 * max(*view.spot.y, *view.on_demand.y)], "nice": False}
    look = axis(view.y_title, tickCount=4)
    return alt.Y(field="y", type="quantitative", title=view.y_title, scale=scale, axis=look)


def _names(view: SpotView) -> list[dict[str, object]]:
    """Return the names on the lines: on demand above its left end, spot at today's rate, else at its end."""
    flat = {"x": view.rates[0], "y": view.on_demand.y[0]}
    here = view.here or Mark(view.rates[-1], view.spot.y[-1], view.spot.label)
    to_the_right = here.x < 0.6 * view.rates[-1]
    dy = 16 if here.y <= view.on_demand.y[0] else -16
    align, dx = ("left", 8) if to_the_right else ("right", -8)
    return [
        label(flat, view.on_demand.label, align="left", dx=4, dy=-12, bold=True),
        label({"x": here.x, "y": here.y}, here.label, align=align, dx=dx, dy=dy, bold=True),
    ]


def _words(view: SpotView) -> list[dict[str, object]]:
    """Return the words at the crossing: below it and to the right, where no line runs, if there is room."""
    crossing = view.crossing
    if crossing is None:
        return []
    place = {"x": crossing.x, "y": crossing.y}
    if crossing.x < 0.5 * view.rates[-1]:
        return [label(place, crossing.label, align="left", dx=8, dy=16)]
    near = view.here is not None and abs(view.here.x - crossing.x) < NEAR * view.rates[-1]
    align = "right" if crossing.x > 0.8 * view.rates[-1] else "center"
    return [label(place, crossing.label, align=align, dy=46 if near else 30)]
