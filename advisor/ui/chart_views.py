"""What each chart shows: plain figures, and labels that are already translated and formatted.

A view knows no catalogue and no language: whoever makes it has both. A chart draws it and computes nothing but
places. Labels on bars and axes stay within about 22 characters, so that they fit a phone.
"""

import functools
from dataclasses import dataclass
from typing import Literal

from babel import Locale
from babel.numbers import get_currency_symbol, get_decimal_symbol, get_group_symbol, parse_pattern

Role = Literal["blue", "orange", "green", "grey", "ink", "mute", "line", "ground"]
"""The eight colours of the theme by what they stand for; the browser picks the shade of light or dark."""

Details = tuple[tuple[str, str], ...]
"""Title and text of each line of a tooltip; all items of one view have the same titles."""


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """How a language writes numbers on the axes of a chart.

    grouping: digits of each group from the right; currency: what stands before and after an amount.
    """

    decimal: str
    thousands: str
    grouping: tuple[int, ...]
    currency: tuple[str, str]


@functools.lru_cache(maxsize=64)
def number_format(locale: Locale, currency: str = "USD") -> NumberFormat:
    """Return the number format of a language, as the language's other numbers on the page have it."""
    pattern = parse_pattern(locale.currency_formats["standard"])
    symbol = get_currency_symbol(currency, locale=locale)
    before, after = (part.replace("¤", symbol) for part in (pattern.prefix[0], pattern.suffix[0]))
    thousands = get_group_symbol(locale)
    return NumberFormat(get_decimal_symbol(locale), thousands, (pattern.grouping[0],), (before, after))


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartView:
    """What every chart has: its sentence for whoever does not see it (answer and reason), and the number format."""

    alt: str
    numbers: NumberFormat


@dataclass(frozen=True, slots=True)
class MemoryPart:
    """One part of the need [GiB]; text: its size as written at the end of its bar."""

    label: str
    role: Role
    gib: float
    text: str
    details: Details


@dataclass(frozen=True, slots=True)
class ClassLine:
    """A class of cards at what a process gets of it [GiB].

    label: its name, such as «24 GB»; verdict: «does not fit»; short: both on a phone, such as «24 ✕».
    """

    gib: float
    label: str
    verdict: str
    short: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryView(ChartView):
    """The need as a staircase of its parts in the order of the pipeline; the classes from small to large.

    low_gib, high_gib: 80 % interval of the total [GiB].
    """

    parts: tuple[MemoryPart, ...]
    total_label: str
    total_text: str
    low_gib: float
    high_gib: float
    classes: tuple[ClassLine, ...]


@dataclass(frozen=True, slots=True)
class Tick:
    """A place on an axis and how it is written."""

    value: float
    label: str


@dataclass(frozen=True, slots=True)
class Curve:
    """One line of a chart; y: one figure for each x of the view; label: stands at its end."""

    label: str
    role: Role
    y: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """One marked point of a chart and the words beside it."""

    x: float
    y: float
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GrowthView(ChartView):
    """Memory over context length: curves of cache, weights and total [GiB].

    contexts: [tokens], ascending; here: the person's own context on the total; crossing: where the cache reaches the
    weights, None outside the range; classes: lines of card classes, from small to large.
    """

    contexts: tuple[float, ...]
    curves: tuple[Curve, ...]
    ticks: tuple[Tick, ...]
    here: Mark
    crossing: Mark | None
    classes: tuple[ClassLine, ...]
    x_title: str
    y_title: str


@dataclass(frozen=True, slots=True)
class PricePoint:
    """One GPU model that fits, at its lowest price that is not stale.

    memory_kind: the entry of the key, such as HBM or GDDR; named: its label is drawn; chosen: the recommended one.
    """

    label: str
    usd_per_hour: float
    speed: float
    memory_kind: str
    named: bool
    chosen: bool
    details: Details


@dataclass(frozen=True, slots=True)
class KeyEntry:
    """One entry of a colour key."""

    label: str
    role: Role


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceSpeedView(ChartView):
    """Price against speed. key: the memory kinds in the order of the key; minimum: the lowest speed wanted."""

    points: tuple[PricePoint, ...]
    key: tuple[KeyEntry, ...]
    minimum: Tick | None
    x_title: str
    y_title: str


@dataclass(frozen=True, slots=True)
class BoundRange:
    """A stretch of concurrency in which one thing limits the speed; label: what it is."""

    first: float
    last: float
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConcurrencyView(ChartView):
    """Total and per-reader tokens/s over requests in flight, on logarithmic axes.

    knee: on the total, where more requests stop paying; here: the person's own concurrency, on the per-reader curve;
    bounds: what limits each stretch, from few to many; minimum: the speed each reader needs.
    """

    concurrency: tuple[float, ...]
    total: Curve
    per_reader: Curve
    ticks: tuple[Tick, ...]
    knee: Mark | None
    here: Mark | None
    bounds: tuple[BoundRange, ...]
    minimum: Tick | None
    x_title: str
    y_title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SpotView(ChartView):
    """Cost over interruptions a day: on demand flat, spot rising.

    rates: [1/day], ascending; here: today's rate, on the spot curve; crossing: where spot stops paying, None if never.
    """

    rates: tuple[float, ...]
    spot: Curve
    on_demand: Curve
    here: Mark | None
    crossing: Mark | None
    x_title: str
    y_title: str


@dataclass(frozen=True, slots=True)
class CostPart:
    """One part of a bill [USD]; role: its colour, the same as in the key."""

    role: Role
    usd: float
    details: Details


@dataclass(frozen=True, slots=True)
class CostBar:
    """The bill of one offer. text: its total as written at the end of the bar."""

    label: str
    parts: tuple[CostPart, ...]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CostView(ChartView):
    """Where the money goes: a stacked bar for each of the answer's offers; key: the parts in their order."""

    bars: tuple[CostBar, ...]
    key: tuple[KeyEntry, ...]


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar; text: its figure as written at its end."""

    label: str
    value: float
    text: str
    role: Role
    details: Details


@dataclass(frozen=True, slots=True, kw_only=True)
class BarsView(ChartView):
    """Bars from top to bottom, with a reference rule where there is one (the ceiling of question 4)."""

    bars: tuple[Bar, ...]
    rule: Tick | None = None
