"""What all charts share: colours by role, axes, labels with a halo, places of labels, and the finished figure.

Every layer names its colours by role, with one scale domain of the eight roles, so the browser's theme decides the
shades and the server need not know it. Channels are typed objects and the finished figure is not merged or checked
here: Altair's merging and checking of seven layers cost 40 ms, building and writing them 4. Tests check every
figure against the schema.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal, get_args

import altair as alt

from advisor.ui.chart_views import ChartView, ClassLine, Details, KeyEntry, Role, Tick

ROLES: tuple[Role, ...] = get_args(Role)
ROW_HEIGHT = 32
BAR_THICKNESS = 22
PLOT_HEIGHT = 260
CHARACTER_WIDTH = 6.6
"""Mean width of a letter at the size of labels, on the generous side [px]."""

DASH = [4, 3]
HALO_WIDTH = 5

Rows = Sequence[Mapping[str, object]]
Encoding = Mapping[str, alt.SchemaBase | Sequence[alt.SchemaBase]]


class PlainRows(alt.InlineData):
    """Rows that hold nothing but JSON values and are written as they stand, without a walk over every value."""

    _class_is_valid_at_instantiation: ClassVar[bool] = False

    def to_dict(
        self,
        validate: bool = False,
        *,
        ignore: list[str] | None = None,
        context: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Return the rows under the name that Vega-Lite has for them."""
        return {"values": self["values"]}


class Layer(alt.UnitSpec):
    """One layer of a figure, which is checked as a whole and not layer by layer."""

    _class_is_valid_at_instantiation: ClassVar[bool] = False


class Figure(alt.LayerChart):
    """A layered chart whose layers share their channel objects and so need no merging."""

    def __init__(self, layer: Sequence[Layer] = (), **properties: Any) -> None:
        super(alt.LayerChart, self).__init__(layer=list(layer), **properties)

    def to_dict(
        self,
        validate: bool = False,
        *,
        format: Literal["vega-lite", "vega"] = "vega-lite",
        ignore: list[str] | None = None,
        context: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Return the Vega-Lite specification, by default without the check, which tests make once for all."""
        return super().to_dict(validate, format=format, ignore=ignore, context=context)


def figure(view: ChartView, layers: Sequence[Layer], height: int) -> Figure:
    """Return the finished chart; height: of the plot without axis and key [px]."""
    numbers = view.numbers
    return Figure(
        layers,
        height=height,
        description=view.alt,
        autosize={"type": "fit-x", "contains": "padding"},
        config={
            "locale": {
                "number": {
                    "decimal": numbers.decimal,
                    "thousands": numbers.thousands,
                    "grouping": list(numbers.grouping),
                    "currency": list(numbers.currency),
                }
            },
            "view": {"stroke": None},
        },
    )


def color(key: Sequence[KeyEntry] = ()) -> alt.Color:
    """Return the colour channel of all layers of a figure; key: entries to explain above the plot, none as a rule."""
    return alt.Color(field="role", type="nominal", scale={"domain": list(ROLES)}, legend=_legend(key))


def _legend(key: Sequence[KeyEntry]) -> dict[str, object] | None:
    if not key:
        return None
    names = {entry.role: entry.label for entry in key}
    return {
        **key_look(len(key)),
        "values": list(names),
        "labelExpr": lookup("datum.value", names),
        "symbolType": "square",
    }


def key_look(entries: int) -> dict[str, object]:
    """Return how a key above the plot looks; on a phone it takes two columns."""
    return {
        "orient": "top",
        "title": None,
        "aria": False,
        "columns": {"expr": f"width < 420 ? 2 : {entries}"},
        "labelColor": ink("ink"),
        "labelFontSize": 12,
        "labelLimit": 220,
        "symbolStrokeWidth": 0,
        "padding": 0,
        "offset": 8,
    }


def ink(role: Role) -> dict[str, str]:
    """Return the colour of a role where a channel cannot carry it: axes, keys, halos."""
    return {"expr": f"scale('color', '{role}')"}


def layer(rows: Rows, encoding: Encoding, mark: str, **look: object) -> Layer:
    """Return one layer; look: the properties of its mark."""
    channels = {"color": color(), **encoding}
    return Layer(data=PlainRows(values=list(rows)), mark={"type": mark, **look}, encoding=channels)


def decoration(rows: Rows, encoding: Encoding, mark: str, **look: object) -> Layer:
    """Return a layer that a screen reader passes over and that has no tooltip: rules, rings and labels."""
    return layer(rows, encoding, mark, aria=False, tooltip=None, **look)


def label(
    place: Mapping[str, object],
    text: str,
    role: Role = "ink",
    align: str = "center",
    dx: float = 0,
    dy: float = 0,
    size: int = 12,
    bold: bool = False,
) -> dict[str, object]:
    """Return the row of one piece of text at a place of the plot; dx, dy: away from it [px]."""
    look = {"align": align, "dx": dx, "dy": dy, "size": size, "weight": 600 if bold else 400}
    return {**place, "label": text, "role": role, **look}


_TEXT = {
    "text": {"expr": "datum.label"},
    "align": {"expr": "datum.align"},
    "baseline": "middle",
    "dx": {"expr": "datum.dx"},
    "dy": {"expr": "datum.dy"},
    "fontSize": {"expr": "datum.size"},
    "fontWeight": {"expr": "datum.weight"},
}


def labels(rows: Rows, encoding: Encoding, text: str = "datum.label", **look: object) -> list[Layer]:
    """Return text that stays readable across rules and lines: a halo in the colour of the ground, then the words.

    rows: from `label`; text: expression of what is written, for what depends on the width of the plot;
    look: properties of the mark, such as a fixed y [px].
    """
    look = {**_TEXT, "text": {"expr": text}, **look}
    halo = {"stroke": ink("ground"), "strokeWidth": HALO_WIDTH, "strokeJoin": "round"}
    return [decoration(rows, encoding, "text", **look, **halo), decoration(rows, encoding, "text", **look)]


def with_details(row: Mapping[str, object], details: Details) -> dict[str, object]:
    """Return a row with the lines of its tooltip, and the same as one sentence for a screen reader."""
    lines = {f"detail_{number}": text for number, (_, text) in enumerate(details)}
    return {**row, **lines, "sentence": "; ".join(f"{title}: {text}" for title, text in details)}


def detail_channels(details: Details) -> dict[str, alt.SchemaBase | Sequence[alt.SchemaBase]]:
    """Return the channels that show the details of rows with these titles."""
    return {
        "tooltip": [
            alt.Tooltip(field=f"detail_{number}", type="nominal", title=title)
            for number, (title, _) in enumerate(details)
        ],
        "description": alt.Description(field="sentence", type="nominal", title=details[0][0]),
    }


NO_LINES = {"grid": False, "domain": False, "ticks": False, "aria": False}
"""Vega describes axes and keys in English only; the alternative text of the figure says what they would."""


def axis(title: str, ticks: Sequence[Tick] = (), **look: object) -> dict[str, object]:
    """Return an axis without lines; ticks: ready labels, by default round numbers as the locale writes them."""
    named: dict[str, object] = {}
    if ticks:
        values = {repr(tick.value).removesuffix(".0"): tick.label for tick in ticks}
        # Every second label goes where there is no room for all, so that the steps stay even.
        named = {
            "values": [tick.value for tick in ticks],
            "labelExpr": lookup("datum.value", values),
            "labelOverlap": "parity",
        }
    return {
        **NO_LINES,
        "title": title,
        "labelColor": ink("ink"),
        "titleColor": ink("mute"),
        "titleFontWeight": "normal",
        "labelOverlap": "greedy",
        "labelFlush": False,
        **named,
        **look,
    }


def log_ticks(low: float, high: float) -> dict[str, object]:
    """Return the look of a logarithmic axis with labels at 1, 2 and 5 of each power of ten that it reaches."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    places = [step * 10.0**power for power in powers for step in (1, 2, 5)]
    return {"values": [place for place in places if low <= place <= high], "format": ",~r"}


def row_names(names: Sequence[str], blank: str = "") -> alt.Y:
    """Return the rows of a bar chart from top to bottom; blank: a first row without a bar, for labels of rules."""
    domain = [*([blank] if blank else []), *names]
    look = {
        **NO_LINES,
        "title": None,
        "labelColor": ink("ink"),
        "labelFontSize": 13,
        "labelLimit": 170,
        "labelPadding": 8,
    }
    shown = {**look, "values": list(names)}
    return alt.Y(field="row", type="nominal", title=None, sort=domain, scale={"domain": domain}, axis=shown)


BLANK_ROW = "\u00a0"
"""The name of the row above all bars: a space, so that nothing is written beside it."""


def quoted(text: str) -> str:
    """Return text as a literal of the expression language."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", " ")
    return f"'{escaped}'"


def lookup(expression: str, names: Mapping[str, str] | Mapping[Role, str]) -> str:
    """Return the expression that gives each value its name."""
    pairs = ", ".join(f"{quoted(value)}: {quoted(name)}" for value, name in names.items())
    return f"{{{pairs}}}[{expression}]"


def text_room(texts: Sequence[str], size: int = 12) -> int:
    """Return the space that the longest text takes beside a mark [px]."""
    return round(max(map(len, texts), default=0) * CHARACTER_WIDTH * size / 12) + 12


def spread(values: Sequence[float], least_gap: float) -> list[float]:
    """Return the values, in their order, moved up from one another until neighbours are a gap apart."""
    placed = dict[int, float]()
    floor = float("-inf")
    for index in sorted(range(len(values)), key=values.__getitem__):
        placed[index] = max(values[index], floor)
        floor = placed[index] + least_gap
    return [placed[index] for index in range(len(values))]


def apart(classes: Sequence[ClassLine], least_gap: float, top: float) -> list[ClassLine]:
    """Return the class lines below the top that leave room for one another's labels, from small to large."""
    kept: list[ClassLine] = []
    for line in classes:
        if line.gib <= top and (not kept or line.gib - kept[-1].gib >= least_gap):
            kept.append(line)
    return kept
