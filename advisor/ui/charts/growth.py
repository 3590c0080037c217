"""How memory grows with context: the cache against the weights, and the classes it passes: question 1."""

import altair as alt

from advisor.ui.chart_views import GrowthView
from advisor.ui.charts.base import (
    DASH,
    PLOT_HEIGHT,
    Figure,
    Layer,
    apart,
    axis,
    decoration,
    figure,
    label,
    labels,
)
from advisor.ui.charts.lines import LABEL_SHARE, curves, dots, doubling_axis, end_names, share_of_log
from advisor.ui.charts.placing import anchor


def cache_growth_chart(view: GrowthView) -> Figure:
    """Return memory over context on a doubling axis: the person's own point, and where the cache equals the weights."""
    top = 1.06 * max(max(curve.y) for curve in view.curves)
    x = doubling_axis(view.x_title, view.contexts, view.ticks, [curve.label for curve in view.curves])
    scale = {"domain": [0, top], "nice": False}
    look = axis(view.y_title, tickCount=5)
    y = alt.Y(field="y", type="quantitative", title=view.y_title, scale=scale, axis=look)
    names = end_names(view.contexts[-1], view.curves, (0, top))
    layers = [
        *_classes(view, x, y, top),
        curves(view, view.contexts, view.curves, x, y),
        dots([(view.here, "ink"), (view.crossing, "ink")], x, y),
        *labels([*names, *_words(view)], {"x": x, "y": y}),
    ]
    return figure(view, layers, PLOT_HEIGHT)


def _classes(view: GrowthView, x: alt.X, y: alt.Y, top: float) -> list[Layer]:
    lines = apart(view.classes, LABEL_SHARE * top, top)
    first, last = view.contexts[0], view.contexts[-1]
    rows = [{"x": first, "x2": last, "y": line.gib, "role": "line"} for line in lines]
    names = [
        label({"x": first, "y": line.gib}, line.label, "mute", align="left", dx=2, dy=-8) for line in lines
    ]
    return [
        decoration(rows, {"x": x, "x2": alt.X2(field="x2"), "y": y}, "rule", strokeDash=DASH),
        *labels(names, {"x": x, "y": y}),
    ]


def _words(view: GrowthView) -> list[dict[str, object]]:
    here, crossing = view.here, view.crossing
    align = anchor(share_of_log(here.x, view.contexts))
    words = [label({"x": here.x, "y": here.y}, here.label, align=align, dy=-16, bold=True)]
    if crossing:
        # Below its point, where the rising curve leaves room.
        align = anchor(share_of_log(crossing.x, view.contexts))
        words.append(label({"x": crossing.x, "y": crossing.y}, crossing.label, align=align, dy=17))
    return words
