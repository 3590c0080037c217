"""Bars from top to bottom: the diagnosis of question 4, the same VRAM in two memories, one GPU or several."""

import altair as alt

from advisor.ui.chart_views import BarsView
from advisor.ui.charts.base import (
    BAR_THICKNESS,
    BLANK_ROW,
    DASH,
    ROW_HEIGHT,
    Figure,
    Layer,
    decoration,
    detail_channels,
    figure,
    label,
    labels,
    layer,
    row_names,
    text_room,
    with_details,
)


def diagnosis_chart(view: BarsView) -> Figure:
    """Return today's speed and what each remedy would bring, against the ceiling of the set-up."""
    return comparison_chart(view)


def comparison_chart(view: BarsView) -> Figure:
    """Return a bar for each row with its figure at the end; a rule with its label above where the view has one."""
    largest = max([bar.value for bar in view.bars] + [view.rule.value if view.rule else 0.0])
    room = text_room([bar.text for bar in view.bars])
    scale = {"domain": [0, largest], "range": [0, {"expr": f"width - {room}"}], "nice": False}
    x = alt.X(field="value", type="quantitative", title=None, axis=None, scale=scale)
    y = row_names([bar.label for bar in view.bars], blank=BLANK_ROW if view.rule else "")
    layers = [_bars(view, x, y), *_rule(view, x), *_figures(view, x, y)]
    return figure(view, layers, ROW_HEIGHT * (len(view.bars) + (1 if view.rule else 0)))


def _bars(view: BarsView, x: alt.X, y: alt.Y) -> Layer:
    rows = [
        with_details({"row": bar.label, "value": bar.value, "role": bar.role}, bar.details)
        for bar in view.bars
    ]
    channels = {"x": x, "y": y}
    return layer(rows, channels | detail_channels(view.bars[0].details), "bar", size=BAR_THICKNESS)


def _rule(view: BarsView, x: alt.X) -> list[Layer]:
    if view.rule is None:
        return []
    row = {"value": view.rule.value}
    rule = {"strokeDash": DASH, "y": ROW_HEIGHT - 6, "y2": "height"}
    return [
        decoration([{**row, "role": "line"}], {"x": x}, "rule", **rule),
        *labels([label(row, view.rule.label, "mute")], {"x": x}, y=15),
    ]


def _figures(view: BarsView, x: alt.X, y: alt.Y) -> list[Layer]:
    rows = [label({"row": bar.label, "value": bar.value}, bar.text, align="left", dx=6) for bar in view.bars]
    return labels(rows, {"x": x, "y": y})
