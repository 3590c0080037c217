"""Resolving a name as people write it: without regard to case, spaces, hyphens, underscores or organisation."""

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from advisor.errors import AdvisorError

_IGNORED = re.compile(r"[\s\-_]+")


def folded(name: str) -> str:
    """Return the form in which names are compared."""
    return _IGNORED.sub("", name).lower()


def without_organisation(name: str) -> str:
    """Return the tail of `organisation/name`."""
    return name.rsplit("/", 1)[-1]


@dataclass(frozen=True, slots=True, eq=False)
class NameIndex:
    """Names of one table: an id for each folded name, the candidates of a name that fits several rows."""

    ids: tuple[str, ...]
    id_of: Mapping[str, str]
    several: Mapping[str, tuple[str, ...]]
    assumed: Mapping[str, str]

    def find(self, name: str, field: str) -> tuple[str, bool]:
        """Return the id of a name and whether a variant was assumed.

        Raises AdvisorError unknown-name with the nearest names, ambiguous-name with the candidates.
        """
        for key in (folded(name), folded(without_organisation(name))):
            if key in self.id_of:
                return self.id_of[key], False
            if key in self.assumed:
                return self.assumed[key], True
            if key in self.several:
                raise AdvisorError("ambiguous-name", field, self.several[key], {"given": name})
        raise AdvisorError("unknown-name", field, self.nearest(name), {"given": name})

    def nearest(self, name: str) -> tuple[str, ...]:
        """Return up to three ids whose names look like this one."""
        close = difflib.get_close_matches(folded(without_organisation(name)), self.id_of, 8, 0.5)
        nearest = tuple(dict.fromkeys(self.id_of[key] for key in close))
        return nearest[:3] or self.ids[:3]


def build_index(
    names_of: Iterable[tuple[str, Iterable[str]]],
    assumed: Mapping[str, tuple[tuple[str, ...], str]] | None = None,
) -> NameIndex:
    """Build the index from (id, names) pairs and, for ambiguous names, (candidates, the id to assume).

    An id wins over another row's alias; a tail that several rows share is ambiguous.
    """
    ids: list[str] = []
    exact: dict[str, str] = {}
    shared: dict[str, dict[str, None]] = {}
    for row_id, names in names_of:
        ids.append(row_id)
        exact[folded(row_id)] = row_id
        for name in names:
            for form in (folded(name), folded(without_organisation(name))):
                shared.setdefault(form, {})[row_id] = None
    id_of = {form: next(iter(rows)) for form, rows in shared.items() if len(rows) == 1} | exact
    variants = {folded(alias): choice for alias, choice in (assumed or {}).items()}
    return NameIndex(
        tuple(ids),
        {form: row_id for form, row_id in id_of.items() if form not in variants or form in exact},
        {form: tuple(rows) for form, rows in shared.items() if form not in id_of},
        {form: chosen for form, (_, chosen) in variants.items()},
    )
