"""Price against speed of the GPU models that fit, memory type by colour and shape: question 2."""

import math

import altair as alt

from advisor.ui.chart_views import PricePoint, PriceSpeedView
from advisor.ui.charts.base import (
    DASH,
    Figure,
    Layer,
    axis,
    color,
    decoration,
    detail_channels,
    figure,
    key_look,
    label,
    labels,
    layer,
    log_ticks,
    lookup,
    with_details,
)
from advisor.ui.charts.placing import Spot, place_labels

HEIGHT = 290
SHAPES = {"blue": "circle", "orange": "diamond"}
OTHER_SHAPE = "square"
LOG_FROM_RATIO = 30
"""From this ratio of the dearest to the cheapest on, prices stand on a logarithmic axis."""


def price_speed_chart(view: PriceSpeedView) -> Figure:
    """Return one point a GPU model, with a ring round the chosen one and a rule at the lowest speed wanted."""
    x, y = _price(view), _speed(view)
    colors = color()
    return figure(
        view,
        [
            *_minimum(view, y),
            _points(view, x, y, colors),
            _ring(view, x, y),
            *labels(_names(view), {"x": x, "y": y, "color": colors}),
        ],
        HEIGHT,
    )


def _is_log(view: PriceSpeedView) -> bool:
    prices = [point.usd_per_hour for point in view.points]
    return max(prices) > LOG_FROM_RATIO * min(prices)


def _price_domain(view: PriceSpeedView) -> tuple[float, float]:
    prices = [point.usd_per_hour for point in view.points]
    return (min(prices) / 1.2, max(prices) * 1.2) if _is_log(view) else (0.0, max(prices) * 1.08)


def _speed_top(view: PriceSpeedView) -> float:
    least = view.minimum.value if view.minimum else 0.0
    return 1.1 * max(*(point.speed for point in view.points), least)


def _price(view: PriceSpeedView) -> alt.X:
    kind = "log" if _is_log(view) else "linear"
    scale = {"type": kind, "domain": list(_price_domain(view)), "nice": False}
    low, high = _price_domain(view)
    ticks = log_ticks(low, high) if _is_log(view) else {"tickCount": 6}
    look = axis(view.x_title, (), labelFlush=True, **ticks)
    return alt.X(field="x", type="quantitative", title=view.x_title, scale=scale, axis=look)


def _speed(view: PriceSpeedView) -> alt.Y:
    scale = {"domain": [0, _speed_top(view)], "nice": False}
    look = axis(view.y_title, tickCount=5)
    return alt.Y(field="y", type="quantitative", title=view.y_title, scale=scale, axis=look)


def _points(view: PriceSpeedView, x: alt.X, y: alt.Y, colors: alt.Color) -> Layer:
    role_of = {entry.label: entry.role for entry in view.key}
    rows = [
        with_details(
            {**_place(point), "kind": point.memory_kind, "role": role_of[point.memory_kind]}, point.details
        )
        for point in view.points
    ]
    channels = {"x": x, "y": y, "color": colors, "shape": _shape(view)}
    details = detail_channels(view.points[0].details)
    return layer(rows, channels | details, "point", filled=True, size=100, opacity=1)


def _shape(view: PriceSpeedView) -> alt.Shape:
    """Return the shapes with the key of the figure, whose symbols take the colours of the points."""
    kinds = [entry.label for entry in view.key]
    roles = {entry.label: entry.role for entry in view.key}
    fill = {"expr": f"scale('color', {lookup('datum.value', roles)})"}
    look = {**key_look(len(kinds)), "symbolFillColor": fill, "symbolSize": 90}
    shapes = [SHAPES.get(entry.role, OTHER_SHAPE) for entry in view.key]
    return alt.Shape(field="kind", type="nominal", scale={"domain": kinds, "range": shapes}, legend=look)


def _place(point: PricePoint) -> dict[str, object]:
    return {"x": point.usd_per_hour, "y": point.speed}


def _ring(view: PriceSpeedView, x: alt.X, y: alt.Y) -> Layer:
    rows = [{**_place(point), "role": "ink"} for point in view.points if point.chosen]
    look = {"filled": False, "size": 380, "strokeWidth": 2, "opacity": 1, "shape": "circle"}
    return decoration(rows, {"x": x, "y": y}, "point", **look)


def _minimum(view: PriceSpeedView, y: alt.Y) -> list[Layer]:
    if view.minimum is None:
        return []
    place = {"y": view.minimum.value}
    words = [label(place, view.minimum.label, "mute", align="right", dy=11)]
    return [
        decoration([{**place, "role": "line"}], {"y": y}, "rule", strokeDash=DASH, x=0, x2="width"),
        *labels(words, {"y": y}, x="width"),
    ]


def _names(view: PriceSpeedView) -> list[dict[str, object]]:
    named = sorted((point for point in view.points if point.named), key=lambda point: not point.chosen)
    others = [_shares(view, point) for point in view.points if not point.named]
    spots = [Spot(*_shares(view, point), point.label, 15 if point.chosen else 10) for point in named]
    placements = place_labels(spots, others)
    return [
        label(_place(point), point.label, align=place.align, dx=place.dx, dy=place.dy, bold=point.chosen)
        for point, place in zip(named, placements, strict=True)
    ]


def _shares(view: PriceSpeedView, point: PricePoint) -> tuple[float, float]:
    """Return the place of a point as shares of the plot."""
    low, high = _price_domain(view)
    price = point.usd_per_hour
    across = math.log(price / low) / math.log(high / low) if _is_log(view) else (price - low) / (high - low)
    return across, point.speed / _speed_top(view)
