"""Curves over one quantity: what the charts of growth, concurrency and spot share."""

import math
from collections.abc import Sequence

import altair as alt

from advisor.ui.chart_views import ConcurrencyView, Curve, GrowthView, Mark, Role, SpotView, Tick
from advisor.ui.charts.base import Encoding, Layer, axis, decoration, label, layer, spread, text_room

LINE_WIDTH, DOT_SIZE, HOVER_SIZE = 3, 110, 220
LABEL_SHARE = 0.065
"""Height of a line of text as a share of the plot."""

HEADING = "title"
"""The name under which a tooltip shows a line as its heading, without a name before it."""


def doubling_axis(title: str, values: Sequence[float], ticks: Sequence[Tick], names: Sequence[str]) -> alt.X:
    """Return an axis on which each step doubles; beside its end is room for the names of curves."""
    scale = {
        "type": "log",
        "base": 2,
        "domain": [values[0], values[-1]],
        "range": [0, {"expr": f"width - {text_room(names)}"}],
        "nice": False,
    }
    look = axis(title, ticks, labelFlush=True)
    return alt.X(field="x", type="quantitative", title=title, scale=scale, axis=look)


def curves(
    view: GrowthView | ConcurrencyView | SpotView,
    values: Sequence[float],
    drawn: Sequence[Curve],
    x: alt.X,
    y: alt.Y,
) -> Layer:
    """Return the curves with a tooltip at each of their points; numbers as the locale of the figure writes them."""
    rows = [
        {"x": value, "y": height, "role": curve.role, "curve": curve.label}
        for curve in drawn
        for value, height in zip(values, curve.y, strict=True)
    ]
    tooltip = [
        alt.Tooltip(field="curve", type="nominal", title=HEADING),
        alt.Tooltip(field="x", type="quantitative", title=view.x_title, format=",.3~r"),
        alt.Tooltip(field="y", type="quantitative", title=view.y_title, format=",.3~r"),
    ]
    channels: Encoding = {
        "x": x,
        "y": y,
        "detail": alt.Detail(field="curve", type="nominal"),
        "tooltip": tooltip,
    }
    hover = {"size": HOVER_SIZE, "opacity": 0}
    return layer(rows, channels, "line", aria=False, strokeWidth=LINE_WIDTH, point=hover)


def dots(marks: Sequence[tuple[Mark | None, Role]], x: alt.X, y: alt.Y) -> Layer:
    """Return the marked points that there are, each in its colour."""
    rows = [{"x": mark.x, "y": mark.y, "role": role} for mark, role in marks if mark]
    return decoration(rows, {"x": x, "y": y}, "point", filled=True, size=DOT_SIZE, opacity=1)


def end_names(
    last: float, drawn: Sequence[Curve], domain: tuple[float, float], log: bool = False
) -> list[dict[str, object]]:
    """Return the name of each curve beside its end, moved apart where they end close together."""
    to_axis, from_axis = (math.log, math.exp) if log else (float, float)
    gap = LABEL_SHARE * (to_axis(domain[1]) - to_axis(domain[0]))
    heights = spread([to_axis(curve.y[-1]) for curve in drawn], gap)
    return [
        label({"x": last, "y": from_axis(height)}, curve.label, align="left", dx=8, bold=True)
        for curve, height in zip(drawn, heights, strict=True)
    ]


def share_of_log(value: float, values: Sequence[float]) -> float:
    """Return the place of a value on the doubling axis: 0 at its start, 1 at its end."""
    return math.log(value / values[0]) / math.log(values[-1] / values[0])
