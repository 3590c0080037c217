"""Tables of fitted coefficients: one a row, from the general to the special, gathered as columns over the GPU table.

A cell `*` stands for any. Of the rows that match, the most special one holds: the key columns count from left to right,
then the GPU (an id pattern before a family), then the version. `since` is the first version a row holds for; without a
version the newest holds.
"""

import fnmatch
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from advisor.errors import AdvisorError
from advisor.facts.families import GpuFamilies
from advisor.facts.gpus import Gpus
from advisor.facts.table import Row, parse_rows, read_rows
from advisor.facts.versions import NAMED, VersionNumber, holds_since, version_number
from advisor.units import BoolArray, FloatArray, read_only

ANY = "*"
FITTED, PRIOR = "fitted", "prior"


@dataclass(frozen=True, slots=True, eq=False)
class Coefficient:
    """One coefficient. keys: patterns of the table's key columns; gpu: a family, or a pattern of GPU ids.

    start: where a fit begins and what draws it; basis: fitted, or prior where the cases do not identify it;
    cases: measurements behind it.
    """

    quantity: str
    keys: tuple[str, ...]
    since: str
    gpu: str
    value: float
    start: float
    basis: str
    cases: int
    source: str

    @property
    def rank(self) -> tuple[tuple[bool, ...], bool, bool, VersionNumber]:
        """Return how special the row is: key columns from left to right, the GPU, a named version, the later one."""
        named = self.since.startswith(NAMED)
        return (
            tuple(key != ANY for key in self.keys),
            self.gpu != ANY,
            named,
            version_number(self.since) or (),
        )

    def matches(self, given: tuple[str, ...], version: str) -> bool:
        """Whether the row holds for these values of the key columns and this version."""
        return holds_since(self.since, version) and all(
            fnmatch.fnmatchcase(value, key) for value, key in zip(given, self.keys, strict=True)
        )


@dataclass(frozen=True, eq=False)
class CoefficientTable:
    """The coefficients of one table, with the columns of each key made once.

    gpu_rows: for each coefficient the GPUs it speaks of [GPU], and whether by id and not by family.
    """

    name: str
    quantities: tuple[str, ...]
    rows: tuple[Coefficient, ...]
    gpu_rows: tuple[tuple[BoolArray, bool], ...]
    _columns: dict[tuple[tuple[str, ...], str], FloatArray] = field(default_factory=dict, compare=False)
    _fitted: dict[tuple[tuple[str, ...], str, tuple[str, ...]], BoolArray] = field(
        default_factory=dict, compare=False
    )

    def columns(self, given: tuple[str, ...], version: str) -> FloatArray:
        """Return the coefficients of every accelerator [quantity, GPU], in the order of `quantities`.

        Raises AdvisorError missing-table where no row holds.
        """
        key = (given, numbered(version))
        if key not in self._columns:
            self._columns[key] = self._build(*key)
        return self._columns[key]

    def _build(self, given: tuple[str, ...], version: str) -> FloatArray:
        columns = np.full((len(self.quantities), len(self.gpu_rows[0][0])), np.nan)
        # Later, more special rows overwrite the general ones.
        for index in self._matching(given, version):
            columns[self.quantities.index(self.rows[index].quantity), self.gpu_rows[index][0]] = self.rows[
                index
            ].value
        missing = np.flatnonzero(np.isnan(columns).any(axis=1))
        if len(missing):
            raise AdvisorError("missing-table", f"{self.name}.{self.quantities[missing[0]]}")
        read_only(columns)
        return columns

    def fitted(self, given: tuple[str, ...], version: str, quantities: tuple[str, ...]) -> BoolArray:
        """Return the accelerators for which a row of their own was fitted in any of some quantities [GPU]."""
        key = (given, numbered(version), quantities)
        if key not in self._fitted:
            by_quantity = np.zeros((len(quantities), len(self.gpu_rows[0][0])), dtype=np.bool_)
            for index in self._matching(given, key[1]):
                row = self.rows[index]
                if row.quantity in quantities:
                    seen = row.basis == FITTED and row.cases > 0 and row.gpu != ANY
                    by_quantity[quantities.index(row.quantity), self.gpu_rows[index][0]] = seen
            self._fitted[key] = np.asarray(by_quantity.any(axis=0))
            read_only(self._fitted[key])
        return self._fitted[key]

    def _matching(self, given: tuple[str, ...], version: str) -> list[int]:
        """Return the numbers of the rows that hold, the general ones first."""
        matching = [index for index, row in enumerate(self.rows) if row.matches(given, version)]
        return sorted(matching, key=self.rank)

    def named(self, column: int, names: tuple[str, ...]) -> str:
        """Return the first of some names that a key column speaks of, the last name where it speaks of none."""
        spoken = {row.keys[column] for row in self.rows}
        return next((name for name in names if name in spoken), names[-1])

    def rank(self, index: int) -> tuple[tuple[bool, ...], bool, bool, bool, VersionNumber]:
        """Return how special a row is; an id pattern before a family."""
        keys, on_gpu, named, version = self.rows[index].rank
        return keys, on_gpu, self.gpu_rows[index][1], named, version

    def decisive_index(self, quantity: str, given: tuple[str, ...], version: str, gpu_index: int) -> int:
        """Return the number of the row that holds for one accelerator; raises AdvisorError missing-table."""
        matching = [
            index
            for index, row in enumerate(self.rows)
            if row.quantity == quantity
            and row.matches(given, numbered(version))
            and self.gpu_rows[index][0][gpu_index]
        ]
        if not matching:
            raise AdvisorError("missing-table", f"{self.name}.{quantity}")
        return max(matching, key=self.rank)


def numbered(version: str) -> str:
    """Return the number of a version such as `megatron-bridge 26.04.01`; a version without one as it is."""
    return next((word for word in reversed(version.split()) if word[0].isdigit()), version)


def load_coefficients(
    folder: Path,
    name: str,
    quantities: tuple[str, ...],
    key_columns: tuple[str, ...],
    gpus: Gpus,
    families: GpuFamilies,
) -> tuple[CoefficientTable, list[AdvisorError]]:
    """Read `<name>.csv` with columns quantity, the key columns, since, gpu, value, start, basis, cases, source."""

    def parse(row: Row) -> Coefficient:
        return _parse_coefficient(row, quantities, key_columns)

    keys = ("quantity", *key_columns, "since", "gpu")
    rows, refused = parse_rows(read_rows(folder, name, keys), parse)
    gpu_rows = [_gpus_of(row.gpu, gpus, families) for row in rows]
    # A family that was renamed would else leave its rows without effect, and nobody would see it.
    lost = [row for row, (named, _) in zip(rows, gpu_rows, strict=True) if not named.any()]
    refused += [_of_no_gpu(name, row) for row in lost]
    kept = [(row, known) for row, known in zip(rows, gpu_rows, strict=True) if known[0].any()]
    return CoefficientTable(
        name, quantities, tuple(row for row, _ in kept), tuple(known for _, known in kept)
    ), refused


def _of_no_gpu(name: str, row: Coefficient) -> AdvisorError:
    where = f"{name}.{'/'.join((row.quantity, *row.keys, row.since, row.gpu))}.gpu"
    return AdvisorError("bad-cell", where, ["a family of gpu_families", "a GPU id", ANY], {"given": row.gpu})


def _gpus_of(pattern: str, gpus: Gpus, families: GpuFamilies) -> tuple[BoolArray, bool]:
    """Return the GPUs that a cell speaks of [GPU], and whether it names them by id."""
    by_family = pattern == ANY or pattern in families.names
    named = [
        pattern in (ANY, families.family_of(index)) if by_family else fnmatch.fnmatchcase(gpu.id, pattern)
        for index, gpu in enumerate(gpus.rows)
    ]
    return np.array(named, dtype=np.bool_), not by_family


def _parse_coefficient(row: Row, quantities: tuple[str, ...], key_columns: tuple[str, ...]) -> Coefficient:
    if row.text("quantity") not in quantities:
        raise row.refuse("quantity", ", ".join(quantities))
    if row.text("basis") not in (FITTED, PRIOR):
        raise row.refuse("basis", f"{FITTED}, {PRIOR}")
    value = row.number("value")
    if not value >= 0:
        raise row.refuse("value", "a number of 0 or more")
    return Coefficient(
        quantity=row.text("quantity"),
        keys=tuple(row.text(column) for column in key_columns),
        since=row.text("since"),
        gpu=row.text("gpu"),
        value=value,
        start=row.number("start"),
        basis=row.text("basis"),
        cases=row.whole("cases"),
        source=row.text("source"),
    )
