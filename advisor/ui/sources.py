"""Where the prices come from: the collections, each with its licence and link, as the licences ask."""

import functools
import re
from dataclasses import dataclass

from advisor.facts.table import Row, parse_rows, read_rows
from advisor.paths import data_folder
from advisor.ui.markdown import https_link, untrusted

_NAMED_LICENCE = re.compile(r"(CC |MIT|Apache|MPL|BSD)[A-Z0-9. -]*")


@dataclass(frozen=True, slots=True)
class Source:
    """One collection of prices or facts."""

    title: str
    licence: str
    url: str


@functools.lru_cache(maxsize=1)
def sources() -> tuple[Source, ...]:
    """Return the collections that the catalogue was made from."""
    rows, _refused = parse_rows(read_rows(data_folder(), "sources", "id"), _parse)
    return tuple(rows)


def _parse(row: Row) -> Source:
    return Source(row.text("title"), row.text("licence"), row.text("url"))


def source_line(source: Source) -> str:
    """Return a collection as Markdown: its name with the link, and its licence where that has a name."""
    line = https_link(untrusted(source.title), source.url)
    return f"{line} · {untrusted(source.licence)}" if _NAMED_LICENCE.fullmatch(source.licence) else line
