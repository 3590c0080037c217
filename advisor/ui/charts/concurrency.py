"""Speed over requests in flight: all readers together, each reader, where more stops paying, and what limits it."""

import math

import altair as alt

from advisor.ui.chart_views import ConcurrencyView
from advisor.ui.charts.base import (
    CHARACTER_WIDTH,
    DASH,
    PLOT_HEIGHT,
    Figure,
    Layer,
    axis,
    decoration,
    figure,
    label,
    labels,
    log_ticks,
)
from advisor.ui.charts.lines import curves, dots, doubling_axis, end_names, share_of_log
from advisor.ui.charts.placing import anchor

STRIP_HEIGHT = 36
"""Space above the curves for what limits each stretch [px]."""


def concurrency_chart(view: ConcurrencyView) -> Figure:
    """Return total and per-reader speed on logarithmic axes: both start at one point, and the knee is where they part.

    Both curves are tokens/s, so they share one axis; a logarithmic one, because they end a hundredfold apart.
    """
    drawn = (view.total, view.per_reader)
    x = doubling_axis(view.x_title, view.concurrency, view.ticks, [curve.label for curve in drawn])
    y = _speed(view)
    names = end_names(view.concurrency[-1], drawn, _speed_domain(view), log=True)
    layers = [
        *_bounds(view, x),
        *_minimum(view, x, y),
        curves(view, view.concurrency, drawn, x, y),
        dots([(view.knee, "ink"), (view.here, "ink")], x, y),
        *labels([*names, *_words(view)], {"x": x, "y": y}),
    ]
    return figure(view, layers, PLOT_HEIGHT + STRIP_HEIGHT)


def _speed_domain(view: ConcurrencyView) -> tuple[float, float]:
    figures = [*view.total.y, *view.per_reader.y]
    if view.minimum and view.minimum.value > 0:
        figures.append(view.minimum.value)
    return min(figures) / 1.5, max(figures) * 1.3


def _speed(view: ConcurrencyView) -> alt.Y:
    low, high = _speed_domain(view)
    scale = {"type": "log", "domain": [low, high], "range": [{"expr": "height"}, STRIP_HEIGHT], "nice": False}
    look = axis(view.y_title, (), **log_ticks(low, high))
    return alt.Y(field="y", type="quantitative", title=view.y_title, scale=scale, axis=look)


def _bounds(view: ConcurrencyView, x: alt.X) -> list[Layer]:
    """Return a strip above the plot: each stretch with what limits it, named where the name has room."""
    rows, names = [], []
    for number, stretch in enumerate(view.bounds):
        rows.append({"x": stretch.first, "x2": stretch.last, "role": "line" if number % 2 else "grey"})
        share = share_of_log(stretch.last, view.concurrency) - share_of_log(stretch.first, view.concurrency)
        room = {"share": share, "needed": len(stretch.label) * CHARACTER_WIDTH}
        middle = {"x": math.sqrt(stretch.first * stretch.last)}
        names.append(label({**middle, **room}, stretch.label, "mute"))
    fits = "datum.share * range('x')[1] > datum.needed ? datum.label : ''"
    strip = decoration(rows, {"x": x, "x2": alt.X2(field="x2")}, "rule", strokeWidth=4, y=20)
    return [strip, *labels(names, {"x": x}, fits, y=8)]


def _minimum(view: ConcurrencyView, x: alt.X, y: alt.Y) -> list[Layer]:
    if view.minimum is None:
        return []
    place = {"x": view.concurrency[0], "y": view.minimum.value}
    row = {**place, "x2": view.concurrency[-1], "role": "line"}
    words = [label(place, view.minimum.label, "mute", align="left", dx=2, dy=10)]
    return [
        decoration([row], {"x": x, "x2": alt.X2(field="x2"), "y": y}, "rule", strokeDash=DASH),
        *labels(words, {"x": x, "y": y}),
    ]


def _words(view: ConcurrencyView) -> list[dict[str, object]]:
    words = []
    for mark, dy in ((view.knee, -17), (view.here, 17)):
        if mark:
            align = anchor(share_of_log(mark.x, view.concurrency))
            words.append(label({"x": mark.x, "y": mark.y}, mark.label, align=align, dy=dy, bold=True))
    return words
