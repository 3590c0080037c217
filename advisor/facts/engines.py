"""The engines: which work, vendors and formats each runs, and which one is usual."""

import fnmatch
from dataclasses import dataclass
from pathlib import Path

from advisor.errors import AdvisorError
from advisor.facts.names import NameIndex, build_index
from advisor.facts.table import Row, parse_rows, read_rows


@dataclass(frozen=True, slots=True, eq=False)
class Engine:
    """One engine. `profile`: the engine whose measured constants it uses, itself where it has its own.

    vendors: GPU vendors it runs on; minimum_compute_capability: of NVIDIA cards; formats: patterns of weight formats;
    unsupported_on: vendors where some of its formats do not run, as `vendor:pattern`.
    """

    id: str
    name: str
    profile: str
    tasks: tuple[str, ...]
    vendors: tuple[str, ...]
    minimum_compute_capability: float
    formats: tuple[str, ...]
    unsupported_on: tuple[str, ...]
    source: str

    def takes_format(self, format_id: str) -> bool:
        """Whether the engine loads this weight format at all."""
        return any(fnmatch.fnmatchcase(format_id, pattern) for pattern in self.formats)


@dataclass(frozen=True, slots=True, eq=False)
class DefaultEngine:
    """The usual engine for a kind of work: task, method and format patterns, vendor."""

    task: str
    method: str
    formats: str
    vendor: str
    engine: str


@dataclass(frozen=True, slots=True, eq=False)
class FormatSupport:
    """Where a weight format runs: vendor, least compute capability, and whether the chip multiplies in it."""

    formats: str
    vendor: str
    minimum_compute_capability: float
    native_from: float


@dataclass(frozen=True, slots=True, eq=False)
class Engines:
    """The engine tables."""

    rows: dict[str, Engine]
    names: NameIndex
    defaults: tuple[DefaultEngine, ...]
    support: tuple[FormatSupport, ...]

    def find(self, name: str, field: str = "deployment.engine") -> Engine:
        """Return the engine of a name; raises AdvisorError unknown-name."""
        return self.rows[self.names.find(name, field)[0]]

    def default_for(self, task: str, method: str, format_id: str, vendor: str) -> Engine:
        """Return the usual engine for this work on this vendor's chips; the first row that matches."""
        for row in self.defaults:
            matches = (
                row.task == task
                and row.method in ("*", method)
                and row.vendor in ("*", vendor)
                and fnmatch.fnmatchcase(format_id, row.formats)
            )
            if matches:
                return self.rows[row.engine]
        raise AdvisorError("format-not-for-task", "workload.weights", (), {"given": format_id, "task": task})


def load_engines(folder: Path) -> tuple[Engines, list[AdvisorError]]:
    """Read `engines.csv`, `engine_defaults.csv` and `format_support.csv`."""
    rows, refused = parse_rows(read_rows(folder, "engines", "id"), _parse_engine)
    defaults, refused_defaults = parse_rows(
        read_rows(folder, "engine_defaults", ("task", "method", "formats", "vendor")), _parse_default
    )
    support, refused_support = parse_rows(
        read_rows(folder, "format_support", ("formats", "vendor")), _parse_support
    )
    names = build_index((row.id, (row.name,)) for row in rows)
    engines = Engines({row.id: row for row in rows}, names, tuple(defaults), tuple(support))
    return engines, refused + refused_defaults + refused_support


def _parse_engine(row: Row) -> Engine:
    return Engine(
        id=row.text("id"),
        name=row.text("name"),
        profile=row.text("profile") or row.text("id"),
        tasks=row.words("tasks"),
        vendors=row.words("vendors"),
        minimum_compute_capability=row.number("minimum_compute_capability", 0.0),
        formats=row.words("formats"),
        unsupported_on=row.words("unsupported_on"),
        source=row.text("source"),
    )


def _parse_default(row: Row) -> DefaultEngine:
    return DefaultEngine(*(row.text(column) for column in ("task", "method", "formats", "vendor", "engine")))


def _parse_support(row: Row) -> FormatSupport:
    return FormatSupport(
        formats=row.text("formats"),
        vendor=row.text("vendor"),
        minimum_compute_capability=row.number("minimum_compute_capability", 0.0),
        native_from=row.number("native_from"),
    )
