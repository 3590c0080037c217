"""Fitted coefficients of serving speed, by engine, version, GPU family and weight width.

`speed_serving.csv` has one coefficient a row. `*` stands for any, `ada-*` for every family that starts so, and the most
special row that matches holds: the engine counts more than the version, the version more than the family, the family
more than the width. `since` is the first version a row holds for, or `=` and what the version starts with; without a
version, or for one that is a name, the newest holds.
"""

import fnmatch
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path

import numpy as np

from advisor.errors import AdvisorError
from advisor.facts.families import GpuFamilies
from advisor.facts.table import Row, parse_rows, read_rows
from advisor.units import BoolArray, FloatArray, IntArray, read_only

ANY = "*"
NAMED = "="
_NUMERIC = re.compile(r"[vb]?(\d+(?:[.\-]\d+)*)")

VersionNumber = tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ServingCoefficients:
    """What an engine reaches on D deployments; every array has shape [D].

    Shares are of what single kernels and large matrix products of this GPU reach (`gpu_families.csv`):
    weights_bandwidth, cache_bandwidth: reading weights and cache; decode_compute, prefill_compute: multiplying in a
    decode step and in a prompt; prefill_attention, attention_compute: attention over a prompt and over the cache, of
    the 16-bit rate; all_reduce_share: of the all-reduce bandwidth.

    Times: launch_us, prefill_launch_us: fixed time of a layer in a step and in a chunk of a prompt; eager_launch_us:
    the first of these without CUDA graphs; step_us: of a step; sequence_us: of a step for each sequence in flight;
    all_reduce_us, all_reduce_pcie_us: latency of an all-reduce for each doubling of GPUs; layer_hop_us: handing a token
    from one card's layers to the next card's [us]; first_token_ms: fixed part of the time to first token [ms].

    Experts: expert_slowdown, prefill_expert_slowdown: factor on reading and multiplying routed experts in a step and in
    a prompt; expert_half_tokens, prefill_expert_half_tokens: tokens of an expert at which its products reach half of
    their rate [tokens]; expert_variety: exponent on the tokens of a step that are routed independently, 0 to 1.

    Batches: batch_slowdown: factor on reading weights for more than one sequence, whose kernels differ from those for
    one; prefill_half_tokens: tokens of a chunk at which a GPU of 100 TFLOP/s reaches half of its rate; chunk_tokens:
    tokens of prompts read at once; chunks_in_flight: chunks that follow one another through a pipeline; max_sequences:
    that one replica runs unless stated; context_share: of the output that lies in the cache on average when memory
    limits the batch; prompts_in_rate: 1 where the total rate includes the time of prompts, 0 where generation is
    reported apart.
    """

    weights_bandwidth: FloatArray
    batch_slowdown: FloatArray
    cache_bandwidth: FloatArray
    attention_compute: FloatArray
    decode_compute: FloatArray
    prefill_compute: FloatArray
    prefill_attention: FloatArray
    prefill_half_tokens: FloatArray
    launch_us: FloatArray
    eager_launch_us: FloatArray
    prefill_launch_us: FloatArray
    step_us: FloatArray
    sequence_us: FloatArray
    all_reduce_us: FloatArray
    all_reduce_pcie_us: FloatArray
    all_reduce_share: FloatArray
    layer_hop_us: FloatArray
    first_token_ms: FloatArray
    expert_slowdown: FloatArray
    prefill_expert_slowdown: FloatArray
    expert_half_tokens: FloatArray
    prefill_expert_half_tokens: FloatArray
    expert_variety: FloatArray
    context_share: FloatArray
    prompts_in_rate: FloatArray
    max_sequences: FloatArray
    chunk_tokens: FloatArray
    chunks_in_flight: FloatArray


FITTED = "fitted"
DECISIVE = ("weights_bandwidth", "decode_compute", "launch_us")
"""The coefficients that decide most of a decode step."""

QUANTITIES = tuple(spec.name for spec in fields(ServingCoefficients))


@dataclass(frozen=True, slots=True, eq=False)
class CoefficientRow:
    """One coefficient. basis: fitted, or prior where the cases do not identify it; cases: measurements behind it.

    start: the value that a fit starts from and is drawn to, so that a refit gives the same again.
    """

    quantity: str
    engine: str
    since: str
    family: str
    width: str
    value: float
    start: float
    basis: str
    cases: int
    source: str

    @property
    def rank(self) -> tuple[bool, bool, VersionNumber, int, bool]:
        """Return how special the row is: engine, then named or later version, then family, then width."""
        named, number = self.since.startswith(NAMED), version_number(self.since) or ()
        return self.engine != ANY, named, number, len(self.family), self.width != ANY

    def matches(self, engine: str, version: str, family: str, width: str) -> bool:
        """Whether the row holds for this engine, version, GPU family and weight width."""
        return (
            self.engine in (ANY, engine)
            and fnmatch.fnmatchcase(family, self.family)
            and self.width in (ANY, width)
            and holds_since(self.since, version)
        )


def version_number(version: str) -> VersionNumber | None:
    """Return a version as numbers: `0.6.3.post2`, `2024-05` (a date) or `b6918` (a build); None for a name."""
    found = _NUMERIC.match(version)
    return tuple(int(part) for part in re.split(r"[.\-]", found[1])) if found else None


def holds_since(since: str, version: str) -> bool:
    """Whether a row that holds since a version holds for this one; a version without a number is the newest."""
    if not since:
        return True
    if since.startswith(NAMED):
        return version.startswith(since.removeprefix(NAMED))
    first, given = version_number(since), version_number(version)
    return first is not None and (given is None or given >= first)


@dataclass(frozen=True, eq=False)
class ServingSpeed:
    """The table of coefficients, with the columns [GPU] of each engine made once."""

    rows: tuple[CoefficientRow, ...]
    families: GpuFamilies
    _columns: dict[tuple[str, str, str], FloatArray] = field(default_factory=dict, compare=False)
    _fitted: dict[tuple[str, str, str], BoolArray] = field(default_factory=dict, compare=False)

    def coefficients(self, engine: str, version: str, width: str, gpu_index: IntArray) -> ServingCoefficients:
        """Return the coefficients of an engine on D accelerators, given as rows of the GPU table [D]."""
        key = (engine, version, width)
        if key not in self._columns:
            self._columns[key] = self._build(engine, version, width)
        return ServingCoefficients(*self._columns[key][:, gpu_index])

    def _build(self, engine: str, version: str, width: str) -> FloatArray:
        """Return the coefficients of every accelerator [quantity, GPU]."""
        by_family = [
            [self.value(quantity, engine, version, family, width) for family in self.families.names]
            for quantity in QUANTITIES
        ]
        columns = np.array(by_family, dtype=np.float64)[:, self.families.index]
        read_only(columns)
        return columns

    def value(self, quantity: str, engine: str, version: str, family: str, width: str) -> float:
        """Return one coefficient; raises AdvisorError missing-table when no row holds for any engine."""
        row = special_row(self.rows, quantity, engine, version, family, width)
        if row is None:
            raise AdvisorError("missing-table", f"speed_serving.{quantity}")
        return row.value

    def fitted(self, engine: str, version: str, width: str, gpu_index: IntArray) -> BoolArray:
        """Return where what decides a step was fitted to cases of this engine and GPU family, not a prior [D]."""
        key = (engine, version, width)
        if key not in self._fitted:
            by_family = [self._is_fitted(engine, version, family, width) for family in self.families.names]
            self._fitted[key] = np.array(by_family, dtype=np.bool_)[self.families.index]
        return self._fitted[key][gpu_index]

    def _is_fitted(self, engine: str, version: str, family: str, width: str) -> bool:
        rows = (special_row(self.rows, name, engine, version, family, width) for name in DECISIVE)
        return any(
            row is not None and row.basis == FITTED and row.family != ANY and row.cases > 0 for row in rows
        )


def special_row(
    rows: Sequence[CoefficientRow], quantity: str, engine: str, version: str, family: str, width: str
) -> CoefficientRow | None:
    """Return the most special row of a quantity that matches, None where none does."""
    matching = [
        row for row in rows if row.quantity == quantity and row.matches(engine, version, family, width)
    ]
    return max(matching, key=lambda row: row.rank, default=None)


def load_serving_speed(folder: Path, families: GpuFamilies) -> tuple[ServingSpeed, list[AdvisorError]]:
    """Read `speed_serving.csv`; returns the table and the refused rows."""
    keys = ("quantity", "engine", "since", "family", "width")
    rows, refused = parse_rows(read_rows(folder, "speed_serving", keys), _parse_coefficient)
    return ServingSpeed(tuple(rows), families), refused


def _parse_coefficient(row: Row) -> CoefficientRow:
    if row.text("quantity") not in QUANTITIES:
        raise row.refuse("quantity", ", ".join(QUANTITIES))
    value = row.number("value")
    if not value >= 0:
        raise row.refuse("value", "a number of 0 or more")
    return CoefficientRow(
        quantity=row.text("quantity"),
        engine=row.text("engine"),
        since=row.text("since"),
        family=row.text("family"),
        width=row.text("width"),
        value=value,
        start=row.number("start", value),
        basis=row.text("basis"),
        cases=row.whole("cases"),
        source=row.text("source"),
    )
