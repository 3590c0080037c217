"""Facts to tables: switched-off sources left out, wrong rows refused by name, the rest put in order."""

import datetime
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from advisor.facts.check import Finding, check_tables, schemas
from tools.import_facts.sources import Source, sources_of
from tools.import_facts.tables import TABLES, Cells, ImportedTable, Table, in_order, read_table

SOURCE_COLUMNS = ("id", "title", "licence", "url", "attribution")


@dataclass(slots=True)
class Catalogue:
    """The tables as they are written, and what happened on the way.

    taken: rows by (source, path of the table), a row of several sources counting for each;
    left_out: rows by (switched-off source, table); findings: refused and doubtful cells.
    """

    tables: dict[str, Table] = field(default_factory=dict)
    taken: Counter[tuple[str, str]] = field(default_factory=Counter)
    left_out: Counter[tuple[str, str]] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)

    @property
    def refused(self) -> list[Finding]:
        """Return the findings for which a row was not written."""
        return [finding for finding in self.findings if finding.refused]


def build_catalogue(
    facts: Path,
    registry: Sequence[Source],
    without: Collection[str],
    today: datetime.date,
    tables: Sequence[ImportedTable] = TABLES,
) -> Catalogue:
    """Read the facts, leave out the sources named in `without`, check every row and refuse the wrong ones.

    A refusal can orphan other rows, so the check runs until it refuses nothing more.
    Raises ValueError for an unknown source and for a table whose head is wrong.
    """
    unknown = sorted(set(without) - {source.id for source in registry})
    if unknown:
        raise ValueError(f"unknown source: {', '.join(unknown)}")
    catalogue = Catalogue()
    for table in tables:
        catalogue.tables[table.path] = _read(table, facts, registry, without, catalogue.left_out)
    names = {table.path: table.name for table in tables}
    _refuse_wrong_rows(catalogue, names, registry, today)
    _count_taken(catalogue, tables, registry)
    catalogue.tables["sources.csv"] = _source_table(catalogue, registry)
    return catalogue


def _read(
    table: ImportedTable,
    facts: Path,
    registry: Sequence[Source],
    without: Collection[str],
    left_out: Counter[tuple[str, str]],
) -> Table:
    """Return the rows whose sources are all switched on, in order; offers with `source_id`."""
    read = read_table(facts / table.fact_file)
    rows: list[Cells] = []
    for row in read.rows:
        ids = sources_of(table.name, row, registry)
        off = [source_id for source_id in ids if source_id in without]
        left_out.update((source_id, table.name) for source_id in off)
        if not off:
            rows.append({**row, "source_id": ";".join(ids)} if table.name == "offers" else row)
    columns = (*read.columns, "source_id") if table.name == "offers" else read.columns
    return Table(columns, in_order(table, columns, rows))


def _refuse_wrong_rows(
    catalogue: Catalogue, names: Mapping[str, str], registry: Sequence[Source], today: datetime.date
) -> None:
    checked = set(schemas(today))
    everywhere = {source.id: source for source in registry}
    while True:
        content = {
            name: (catalogue.tables[path].columns, catalogue.tables[path].rows)
            for path, name in names.items()
            if name in checked
        }
        content["sources"] = (SOURCE_COLUMNS, [_source_row(source) for source in everywhere.values()])
        found = check_tables(content, today)
        wrong = {(finding.table, finding.line) for finding in found if finding.refused}
        if any(not line for _, line in wrong):
            raise ValueError(
                "; ".join(finding.sentence() for finding in found if finding.refused and not finding.line)
            )
        catalogue.findings += [finding for finding in found if finding.refused or not wrong]
        if not wrong:
            return
        for path, name in names.items():
            table = catalogue.tables[path]
            table.rows = [row for line, row in enumerate(table.rows, 2) if (name, line) not in wrong]


def _count_taken(catalogue: Catalogue, tables: Iterable[ImportedTable], registry: Sequence[Source]) -> None:
    for table in tables:
        for row in catalogue.tables[table.path].rows:
            catalogue.taken.update(
                (source_id, table.path) for source_id in sources_of(table.name, row, registry)
            )


def _source_row(source: Source) -> Cells:
    return {column: getattr(source, column) for column in SOURCE_COLUMNS}


def _source_table(catalogue: Catalogue, registry: Sequence[Source]) -> Table:
    """Return the sources from which at least one row was taken, in the order of the registry."""
    used = {source_id for source_id, _ in catalogue.taken}
    return Table(SOURCE_COLUMNS, [_source_row(source) for source in registry if source.id in used])
