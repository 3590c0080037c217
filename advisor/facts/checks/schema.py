"""What a table of `data/` is made of: its key, its columns and what each may hold."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from advisor.facts.checks.cells import Rule


@dataclass(frozen=True, slots=True)
class Schema:
    """The columns of one table.

    key: columns that name a row, unique together where `unique`; required: may not be empty;
    optional: empty means unknown; described: may hold words where a figure would be better, which counts as
    unknown and is doubtful; wanted: optional columns whose emptiness is doubtful;
    complete_without: a folder of tables is complete without this one; folder: of the table under `data/`.
    """

    key: tuple[str, ...]
    required: Mapping[str, Rule]
    optional: Mapping[str, Rule] = field(default_factory=dict)
    described: Mapping[str, Rule] = field(default_factory=dict)
    wanted: tuple[str, ...] = ()
    unique: bool = True
    complete_without: bool = False
    folder: str = ""

    @property
    def columns(self) -> frozenset[str]:
        """Return the names of all columns."""
        return frozenset(self.required) | frozenset(self.optional) | frozenset(self.described)
