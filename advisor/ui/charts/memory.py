"""The need as a staircase of its parts against the card classes: question 1."""

from itertools import accumulate

import altair as alt

from advisor.ui.chart_views import MemoryView
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

NARROW = 380
"""Plots below this width show the short names of the classes [px]."""


def memory_chart(view: MemoryView) -> Figure:
    """Return one row for each part, each starting where the one above ends, and the total with its 80 % whisker."""
    rows = [part.label for part in view.parts]
    y = row_names([*rows, view.total_label], blank=BLANK_ROW)
    x = alt.X(field="start", type="quantitative", title=None, axis=None, scale=_scale(view))
    return figure(
        view,
        [
            *_parts(view, x, y),
            *_classes(view, x),
            *_sizes(view, x, y),
            _whisker(view, x, y),
        ],
        ROW_HEIGHT * (len(rows) + 2),
    )


def _scale(view: MemoryView) -> dict[str, object]:
    """Return the scale of sizes: up to the last class shown, or past the whisker where no class is larger."""
    largest = max((line.gib for line in view.classes), default=0.0)
    room = text_room([view.total_text], 15)
    if view.high_gib >= largest:
        return {"domain": [0, view.high_gib], "range": [0, {"expr": f"width - {room}"}], "nice": False}
    return {"domain": [0, 1.08 * largest], "nice": False}


def _parts(view: MemoryView, x: alt.X, y: alt.Y) -> list[Layer]:
    """Return the staircase, and the same parts together in the last row, which a screen reader need not hear again."""
    ends = list(accumulate(part.gib for part in view.parts))
    stairs = [
        with_details(
            {"row": part.label, "start": end - part.gib, "end": end, "role": part.role}, part.details
        )
        for part, end in zip(view.parts, ends, strict=True)
    ]
    together = [{**row, "row": view.total_label} for row in stairs]
    channels = {"x": x, "x2": alt.X2(field="end"), "y": y} | detail_channels(view.parts[0].details)
    return [
        layer(stairs, channels, "bar", size=BAR_THICKNESS),
        layer(together, channels, "bar", size=BAR_THICKNESS, aria=False),
    ]


def _classes(view: MemoryView, x: alt.X) -> list[Layer]:
    """Return the dashed rules and, above them in the blank row, the names of the classes."""
    rules = [{"start": line.gib, "role": "line"} for line in view.classes]
    names = [label({"start": line.gib, "short": line.short}, line.label, bold=True) for line in view.classes]
    verdicts = [label({"start": line.gib}, line.verdict, "mute", size=11) for line in view.classes]
    narrow = f"width < {NARROW}"
    return [
        decoration(rules, {"x": x}, "rule", strokeDash=DASH, y=ROW_HEIGHT, y2="height"),
        *labels(names, {"x": x}, f"{narrow} ? datum.short : datum.label", y=8),
        *labels(verdicts, {"x": x}, f"{narrow} ? '' : datum.label", y=23),
    ]


def _sizes(view: MemoryView, x: alt.X, y: alt.Y) -> list[Layer]:
    ends = accumulate(part.gib for part in view.parts)
    rows = [
        label({"start": end, "row": part.label}, part.text, align="left", dx=6)
        for part, end in zip(view.parts, ends, strict=True)
    ]
    total = {"start": view.high_gib, "row": view.total_label}
    rows.append(label(total, view.total_text, align="left", dx=6, size=15, bold=True))
    return labels(rows, {"x": x, "y": y})


def _whisker(view: MemoryView, x: alt.X, y: alt.Y) -> Layer:
    rows = [{"start": view.low_gib, "end": view.high_gib, "row": view.total_label, "role": "ink"}]
    return decoration(rows, {"x": x, "x2": alt.X2(field="end"), "y": y}, "rule", strokeWidth=2)
