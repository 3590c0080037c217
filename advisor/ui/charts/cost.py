"""Where the money goes: the parts of the bill of each of the answer's offers."""

from itertools import accumulate

import altair as alt

from advisor.ui.chart_views import CostBar, CostView
from advisor.ui.charts.base import (
    BAR_THICKNESS,
    ROW_HEIGHT,
    Figure,
    color,
    detail_channels,
    figure,
    label,
    labels,
    layer,
    row_names,
    text_room,
    with_details,
)


def cost_chart(view: CostView) -> Figure:
    """Return a stacked bar for each offer, its total at the end and the key of the parts above."""
    totals = [sum(part.usd for part in bar.parts) for bar in view.bars]
    room = text_room([bar.text for bar in view.bars])
    scale = {"domain": [0, max(totals)], "range": [0, {"expr": f"width - {room}"}], "nice": False}
    x = alt.X(field="start", type="quantitative", title=None, axis=None, scale=scale)
    y = row_names([bar.label for bar in view.bars])
    colors = color(view.key)
    channels = {"x": x, "x2": alt.X2(field="end"), "y": y, "color": colors}
    details = view.bars[0].parts[0].details
    parts = [row for bar in view.bars for row in _parts(bar)]
    sums = [
        label({"start": total, "row": bar.label}, bar.text, align="left", dx=6)
        for bar, total in zip(view.bars, totals, strict=True)
    ]
    return figure(
        view,
        [
            layer(parts, channels | detail_channels(details), "bar", size=BAR_THICKNESS),
            *labels(sums, {"x": x, "y": y, "color": colors}),
        ],
        ROW_HEIGHT * len(view.bars),
    )


def _parts(bar: CostBar) -> list[dict[str, object]]:
    ends = accumulate(part.usd for part in bar.parts)
    return [
        with_details({"row": bar.label, "start": end - part.usd, "end": end, "role": part.role}, part.details)
        for part, end in zip(bar.parts, ends, strict=True)
    ]
