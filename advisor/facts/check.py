"""The full check of `data/`, for whoever edits the tables and for the import. Loading only parses."""

import datetime
from collections.abc import Iterator, Mapping
from pathlib import Path

from advisor.facts.checks.columns import check_head, check_rows
from advisor.facts.checks.engine_columns import engine_schemas
from advisor.facts.checks.evidence import check_evidence
from advisor.facts.checks.evidence_columns import evidence_schemas
from advisor.facts.checks.findings import CheckedTables, Finding, checked_rows, read_cells
from advisor.facts.checks.formats import check_formats
from advisor.facts.checks.gpus import check_gpus
from advisor.facts.checks.hardware_columns import hardware_schemas
from advisor.facts.checks.model_columns import model_schemas
from advisor.facts.checks.models import check_models
from advisor.facts.checks.offer_columns import offer_schemas
from advisor.facts.checks.offers import check_offers
from advisor.facts.checks.schema import Schema

__all__ = ["Finding", "check_data", "check_tables", "schemas"]

Content = tuple[tuple[str, ...], list[dict[str, str]]]
"""The columns of a table, and its rows as text."""


def schemas(today: datetime.date) -> dict[str, Schema]:
    """Return the schema of every table of `data/` by its name; dates may not lie after today."""
    return (
        hardware_schemas(today)
        | model_schemas(today)
        | offer_schemas(today)
        | engine_schemas()
        | evidence_schemas()
    )


def check_data(folder: Path, today: datetime.date) -> tuple[Finding, ...]:
    """Check all tables of a folder: heads, cells, keys, joins, plausibility.

    An empty answer means that all is well.
    """
    known = schemas(today)
    paths = {table: folder / schema.folder / f"{table}.csv" for table, schema in known.items()}
    present = {table: path for table, path in paths.items() if path.is_file()}
    missing = [
        Finding(table, "", "", "", "is missing")
        for table, schema in known.items()
        if table not in present and not schema.complete_without
    ]
    return (*missing, *check_tables({table: read_cells(path) for table, path in present.items()}, today))


def check_tables(content: Mapping[str, Content], today: datetime.date) -> tuple[Finding, ...]:
    """Check tables that are in memory, in the order of their names and rows."""
    return tuple(_findings(content, today))


def _findings(content: Mapping[str, Content], today: datetime.date) -> Iterator[Finding]:
    known = schemas(today)
    rows = {
        table: list(checked_rows(table, known[table].key, cells)) for table, (_, cells) in content.items()
    }
    for table, (columns, _) in content.items():
        yield from check_head(table, columns, known[table])
        yield from check_rows(rows[table], known[table])
    tables = CheckedTables(rows)
    for check in (check_gpus, check_models, check_offers, check_formats, check_evidence):
        yield from check(tables)
