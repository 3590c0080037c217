"""The check of one table by itself: its head, each of its cells, and the uniqueness of its key."""

from collections.abc import Iterator, Sequence

from advisor.facts.checks.cells import well_formed
from advisor.facts.checks.findings import CheckedRow, Finding
from advisor.facts.checks.schema import Schema


def check_head(table: str, columns: Sequence[str], schema: Schema) -> Iterator[Finding]:
    """Yield what is wrong with the head line: a column that is missing, or one that no rule knows."""
    for column in sorted(schema.columns - set(columns)):
        yield Finding(table, "", "", "", f"has no column «{column}»")
    for column in columns:
        if column not in schema.columns:
            yield Finding(table, "", "", "", f"has a column «{column}» that nobody checks", refused=False)


def check_rows(rows: Sequence[CheckedRow], schema: Schema) -> Iterator[Finding]:
    """Yield what is wrong with the cells of a table, and rows whose key an earlier row has."""
    seen: set[tuple[str, ...]] = set()
    for row in rows:
        yield from _check_cells(row, schema)
        key = tuple(row.text(column) for column in schema.key)
        if schema.unique and key in seen:
            yield row.refuse(schema.key[0], "belongs to a row whose key an earlier row has")
        seen.add(key)


def _check_cells(row: CheckedRow, schema: Schema) -> Iterator[Finding]:
    if None in row.cells or None in row.cells.values():
        yield row.refuse("", "has more or fewer cells than the head line")
        return
    for column, cell in row.cells.items():
        if problem := well_formed(cell):
            yield row.refuse(column, problem)
        elif column in schema.columns:
            yield from _check_cell(row, column, schema)


def _check_cell(row: CheckedRow, column: str, schema: Schema) -> Iterator[Finding]:
    cell = row.text(column)
    if not cell:
        if column in schema.required:
            yield row.refuse(column, "is empty")
        elif column in schema.wanted:
            yield row.doubt(column, "is unknown")
    elif column in schema.described:
        if problem := schema.described[column](cell):
            yield row.doubt(column, f"{problem}: it counts as unknown")
    elif problem := (schema.required.get(column) or schema.optional[column])(cell):
        yield row.refuse(column, problem)
