"""Reading a table of reviewed text: cells by name, wrong cells refused by name, the rest goes on."""

import csv
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np

from advisor.errors import AdvisorError
from advisor.units import FloatArray, IntArray, read_only

Record = TypeVar("Record")

YES_NO = {"yes": True, "no": False, "true": True, "false": False}


class Row:
    """One row of a table, read cell by cell. An empty cell means unknown, never zero."""

    __slots__ = ("cells", "key", "table")

    def __init__(self, table: str, key: str, cells: dict[str, str]) -> None:
        self.table, self.key, self.cells = table, key, cells

    def text(self, column: str) -> str:
        """Return the cell; empty when unknown."""
        try:
            return self.cells[column]
        except KeyError:
            raise AdvisorError("missing-column", f"{self.table}.{column}") from None

    def words(self, column: str) -> tuple[str, ...]:
        """Return the parts of a cell that `;` separates."""
        return tuple(part.strip() for part in self.text(column).split(";") if part.strip())

    def number(self, column: str, unknown: float = float("nan")) -> float:
        """Return the cell as a number, or `unknown` when empty."""
        cell = self.text(column)
        if not cell:
            return unknown
        try:
            return float(cell)
        except ValueError:
            raise self.refuse(column, "a number") from None

    def whole(self, column: str, unknown: int = 0) -> int:
        """Return the cell as a whole number, or `unknown` when empty."""
        cell = self.text(column)
        if not cell:
            return unknown
        try:
            return int(cell)
        except ValueError:
            raise self.refuse(column, "a whole number") from None

    def flag(self, column: str, unknown: bool = False) -> bool:
        """Return the cell as yes or no, or `unknown` when empty."""
        cell = self.text(column)
        if not cell:
            return unknown
        if cell not in YES_NO:
            raise self.refuse(column, "yes, no, true, false")
        return YES_NO[cell]

    def refuse(self, column: str, accepted: str) -> AdvisorError:
        """Return the error that names this cell."""
        return AdvisorError(
            "bad-cell", f"{self.table}.{self.key}.{column}", [accepted], {"given": self.cells.get(column, "")}
        )


def read_rows(folder: Path, table: str, key: str | Sequence[str]) -> Iterator[Row]:
    """Yield the rows of `folder/table.csv`; `key` names the column or columns that identify a row.

    Raises AdvisorError missing-table.
    """
    columns = [key] if isinstance(key, str) else list(key)
    path = folder / f"{table}.csv"
    if not path.is_file():
        raise AdvisorError("missing-table", table)
    with path.open(encoding="utf-8", newline="") as file:
        for cells in csv.DictReader(file):
            yield Row(table, "/".join(cells.get(column) or "" for column in columns), cells)


def parse_rows(
    rows: Iterator[Row], parse: Callable[[Row], Record]
) -> tuple[list[Record], list[AdvisorError]]:
    """Parse every row; a row with a wrong cell is refused by name and the rest go on."""
    records: list[Record] = []
    refused: list[AdvisorError] = []
    for row in rows:
        try:
            records.append(parse(row))
        except AdvisorError as error:
            if error.code != "bad-cell":
                raise
            refused.append(error)
    return records, refused


def float_column(values: Sequence[float]) -> FloatArray:
    """Return a read-only column of numbers; unknown is NaN."""
    column = np.asarray(values, dtype=np.float64)
    read_only(column)
    return column


def int_column(values: Sequence[int]) -> IntArray:
    """Return a read-only column of whole numbers."""
    column = np.asarray(values, dtype=np.int64)
    read_only(column)
    return column
