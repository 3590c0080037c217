"""What a check finds, and the rows it looks at; a finding names the cell, so that one can go there."""

import csv
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

Cells = Mapping[str, str]

LONGEST_SHOWN_VALUE = 60
"""Characters of a cell that a sentence quotes."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing wrong or doubtful with one cell.

    table, key, column, value: which cell, and what stands in it; key and column are empty for a whole table;
    problem: what is wrong, as the end of a sentence; line: of the file, 0 for a whole table;
    refused: the row cannot be used; otherwise it is kept, and only doubtful.
    """

    table: str
    key: str
    column: str
    value: str
    problem: str
    line: int = 0
    refused: bool = True

    def sentence(self) -> str:
        """Return the finding as one English sentence for a person who edits the table."""
        value = (
            self.value if len(self.value) <= LONGEST_SHOWN_VALUE else self.value[:LONGEST_SHOWN_VALUE] + "…"
        )
        verdict = "refused" if self.refused else "kept, doubtful"
        place = f"{self.table}.csv" + (f" line {self.line}" if self.line else "")
        cell = f" «{self.key}», {self.column} = «{value}»" if self.column else f" {self.key}".rstrip()
        return f"{place}:{cell} {self.problem} ({verdict})."


@dataclass(frozen=True, slots=True)
class CheckedRow:
    """One row of a table under check."""

    table: str
    key: str
    line: int
    cells: Cells

    def text(self, column: str) -> str:
        """Return the cell; empty when unknown or when the column is missing."""
        return self.cells.get(column) or ""

    def words(self, column: str) -> tuple[str, ...]:
        """Return the parts of a cell that `;` separates."""
        return tuple(part.strip() for part in self.text(column).split(";") if part.strip())

    def number(self, column: str) -> float | None:
        """Return the cell as a number; None when unknown or no finite number (the cell check names that)."""
        try:
            value = float(self.text(column))
        except ValueError:
            return None
        return value if math.isfinite(value) else None

    def numbers(self, columns: Sequence[str]) -> tuple[float, ...] | None:
        """Return several cells as numbers, or None when one of them is unknown."""
        values = [self.number(column) for column in columns]
        known = tuple(value for value in values if value is not None)
        return known if len(known) == len(values) else None

    def total(self, columns: Iterable[str]) -> float:
        """Return the sum of several cells, an unknown one counting as nothing."""
        return sum(self.number(column) or 0 for column in columns)

    def refuse(self, column: str, problem: str) -> Finding:
        """Return the finding that this row cannot be used."""
        return Finding(self.table, self.key, column, self.text(column), problem, self.line)

    def doubt(self, column: str, problem: str) -> Finding:
        """Return the finding that this row is kept but doubtful."""
        return Finding(self.table, self.key, column, self.text(column), problem, self.line, refused=False)


class CheckedTables:
    """All tables under check: rows by table name, and the ids other tables may point at."""

    def __init__(self, tables: Mapping[str, Sequence[CheckedRow]]) -> None:
        self._tables = tables

    def __contains__(self, table: object) -> bool:
        """Whether the table is there at all."""
        return table in self._tables

    def rows(self, table: str) -> Sequence[CheckedRow]:
        """Return the rows of a table; none when it is missing."""
        return self._tables.get(table, ())

    def ids(self, table: str, column: str) -> frozenset[str]:
        """Return the values of a column that other tables point at."""
        return frozenset(row.text(column) for row in self.rows(table))


def checked_rows(
    table: str, key: Sequence[str], rows: Iterable[Cells], first_line: int = 2
) -> Iterator[CheckedRow]:
    """Yield the rows of a table with their keys and line numbers."""
    for line, cells in enumerate(rows, first_line):
        yield CheckedRow(
            table, "/".join(cells.get(column) or "" for column in key) or f"line {line}", line, cells
        )


def read_cells(path: Path) -> tuple[tuple[str, ...], list[dict[str, str]]]:
    """Read a table: the names of its columns, and its rows as text."""
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        return tuple(reader.fieldnames or ()), list(reader)
