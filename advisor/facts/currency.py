"""Reference exchange rates, with their date. Prices are and stay in US dollars; rates only change what is shown."""

import datetime
from dataclasses import dataclass
from pathlib import Path

from advisor.errors import AdvisorError
from advisor.facts.table import Row, parse_rows, read_rows


@dataclass(frozen=True, slots=True, eq=False)
class Currency:
    """One currency. units_per_usd: of it for one US dollar; as_of: day of the rate."""

    code: str
    units_per_usd: float
    as_of: datetime.date
    source: str


def load_currencies(folder: Path) -> tuple[dict[str, Currency], list[AdvisorError]]:
    """Read `currency.csv`; returns the currencies by code and the refused rows."""
    rows, refused = parse_rows(read_rows(folder, "currency", "code"), _parse_currency)
    return {row.code: row for row in rows}, refused


def _parse_currency(row: Row) -> Currency:
    units = row.number("units_per_usd")
    if not units > 0:
        raise row.refuse("units_per_usd", "a number above 0")
    try:
        as_of = datetime.date.fromisoformat(row.text("as_of"))
    except ValueError:
        raise row.refuse("as_of", "a date, year-month-day") from None
    return Currency(row.text("code"), units, as_of, row.text("source"))
