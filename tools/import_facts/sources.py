"""Where the rows come from: the registry `sources.csv`, and which rows of which source are taken."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tools.import_facts.tables import Cells, read_table

REGISTRY = Path(__file__).with_name("sources.csv")

ROW_BY_ROW = "named-in-row"
"""The source of a row whose own text names no source of the registry."""


@dataclass(frozen=True)
class Source:
    """One origin of facts.

    matches: pattern that finds it in the `source` text of a row; tables: those it gives as a whole;
    must_be_shown: whether the product must show `attribution`; taken: what was taken from it.
    """

    id: str
    title: str
    licence: str
    url: str
    matches: str
    tables: tuple[str, ...]
    must_be_shown: bool
    attribution: str
    taken: str

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(self.matches, re.IGNORECASE)

    def gave(self, table: str, row: Cells) -> bool:
        """Whether a row comes from this source, in whole or in part."""
        named = bool(self.matches) and self._pattern.search(row.get("source", "")) is not None
        return named or table in self.tables


def load_registry(path: Path = REGISTRY) -> tuple[Source, ...]:
    """Read the registry; the order of its rows is the order in which the sources of a row are named."""
    return tuple(
        Source(
            id=row["id"],
            title=row["title"],
            licence=row["licence"],
            url=row["url"],
            matches=row["matches"],
            tables=tuple(filter(None, row["tables"].split(";"))),
            must_be_shown=row["must_be_shown"] == "yes",
            attribution=row["attribution"],
            taken=row["taken"],
        )
        for row in read_table(path).rows
    )


def sources_of(table: str, row: Cells, registry: Iterable[Source]) -> tuple[str, ...]:
    """Return the ids of all sources of a row, the one of the price first."""
    found = tuple(source.id for source in registry if source.gave(table, row))
    return found or (ROW_BY_ROW,)
