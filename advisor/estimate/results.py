"""What an estimate holds: memory and speed with every named part, as columns over deployments or as one row.

`Memory[FloatArray]` holds arrays [D]; `.at(i)` gives `Memory[float | None]`, the same names with plain numbers, None
where a figure does not apply. Field names and units are the contract's.
"""

import dataclasses
import math
from dataclasses import dataclass
from typing import Any, Generic, Self, TypeVar

import numpy as np

from advisor.codes import Assumption, Message
from advisor.units import BoolArray, FloatArray

Figure = TypeVar("Figure")
Column = FloatArray
Number = float | None

FITS, TIGHT, DOES_NOT_FIT = "fits", "tight", "does-not-fit"


def not_applicable(count: int) -> FloatArray:
    """Return a column of figures that do not apply: NaN [D]."""
    return np.full(count, np.nan)


@dataclass(frozen=True, slots=True, eq=False)
class Memory(Generic[Figure]):
    """Memory of one GPU, the fullest one [GiB], unless the name says otherwise.

    peak_gib: what the framework allocates at its peak; needed_gib: the least a card must offer; reserved_gib: what the
    process holds as the driver shows it; leftover_gib: taken by the engine and not needed; low_gib, high_gib: 80 %
    interval of needed_gib; budget_gib: what the engine may use; kv_cache_tokens: capacity of the pool of the
    deployment's one replica [tokens]; max_concurrency: requests of context_tokens that this pool holds.
    group: the calibration group that the interval comes from.
    """

    weights_gib: Figure
    kv_cache_gib: Figure
    state_gib: Figure
    activations_gib: Figure
    gradients_gib: Figure
    optimizer_gib: Figure
    adapters_gib: Figure
    draft_gib: Figure
    reference_gib: Figure
    cuda_graphs_gib: Figure
    overhead_gib: Figure
    peak_gib: Figure
    needed_gib: Figure
    reserved_gib: Figure
    leftover_gib: Figure
    low_gib: Figure
    high_gib: Figure
    reserved_low_gib: Figure
    reserved_high_gib: Figure
    allocatable_gib: Figure
    budget_gib: Figure
    host_gib: Figure
    kv_cache_tokens: Figure
    max_concurrency: Figure
    group: str
    measured: bool

    @classmethod
    def columns(cls, count: int, group: str, measured: bool, **figures: Any) -> Self:
        """Build columns [count]; figures that are not given do not apply."""
        names = [spec.name for spec in dataclasses.fields(cls) if spec.name not in ("group", "measured")]
        filled = {name: figures.pop(name, None) for name in names}
        if figures:
            raise TypeError(f"not figures of memory: {sorted(figures)}")
        columns: dict[str, Any] = {name: _column(value, count) for name, value in filled.items()}
        return cls(**columns, group=group, measured=measured)

    def at(self, row: int) -> "Memory[Number]":
        """Return one row as plain numbers."""
        return Memory(**_row(self, row, ("group", "measured")), group=self.group, measured=self.measured)


@dataclass(frozen=True, slots=True, eq=False)
class Throughput(Generic[Figure]):
    """Speed of the whole deployment, unless the name says `_per_request` or `_per_gpu`.

    low, high: 80 % interval of the headline figure; headline: its name; step_seconds and its parts `*_seconds`: one
    decode step, one denoising step or one training step; bound: what limits it (an array of codes, or one code).
    """

    decode_tokens_per_second: Figure
    decode_tokens_per_second_per_request: Figure
    prefill_tokens_per_second: Figure
    time_to_first_token_ms: Figure
    time_per_output_token_ms: Figure
    training_tokens_per_second: Figure
    training_tflops_per_gpu: Figure
    mfu: Figure
    images_per_second: Figure
    seconds_per_image: Figure
    seconds_per_video: Figure
    steps_per_second: Figure
    realtime_factor: Figure
    hours: Figure
    device_hours: Figure
    checkpoint_gib: Figure
    checkpoint_write_gb_per_second: Figure
    dataset_read_gb_per_second: Figure
    low: Figure
    high: Figure
    step_seconds: Figure
    weights_seconds: Figure
    cache_seconds: Figure
    compute_seconds: Figure
    launch_seconds: Figure
    communication_seconds: Figure
    offload_seconds: Figure
    concurrency: Figure
    bound: Any
    headline: str
    group: str
    measured: bool

    @classmethod
    def columns(
        cls, count: int, headline: str, group: str, measured: bool, bound: object, **figures: Any
    ) -> Self:
        """Build columns [count]; figures that are not given do not apply."""
        plain = ("bound", "headline", "group", "measured")
        names = [spec.name for spec in dataclasses.fields(cls) if spec.name not in plain]
        filled = {name: figures.pop(name, None) for name in names}
        if figures:
            raise TypeError(f"not figures of throughput: {sorted(figures)}")
        columns: dict[str, Any] = {name: _column(value, count) for name, value in filled.items()}
        return cls(
            **columns,
            bound=np.asarray(bound),
            headline=headline,
            group=group,
            measured=measured,
        )

    def at(self, row: int) -> "Throughput[Number]":
        """Return one row as plain numbers."""
        return Throughput(
            **_row(self, row, ("bound", "headline", "group", "measured")),
            bound=str(self.bound[row]),
            headline=self.headline,
            group=self.group,
            measured=self.measured,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Estimate:
    """One estimate: memory and speed of one deployment, what was assumed, what to beware of."""

    memory: Memory[Number]
    throughput: Throughput[Number] | None
    assumed: tuple[Assumption, ...]
    warnings: tuple[Message, ...]

    def to_dict(self) -> dict[str, object]:
        """Return the contract's output line."""
        return {
            "memory": memory_to_dict(self.memory),
            "throughput": None if self.throughput is None else throughput_to_dict(self.throughput),
            "assumed": [assumption.to_dict() for assumption in self.assumed],
            "warnings": [warning.to_dict() for warning in self.warnings],
        }


def fits(memory: Memory[FloatArray]) -> BoolArray:
    """Return where the need lies within the budget [D]."""
    return memory.needed_gib <= memory.budget_gib


def verdict(memory: Memory[Number]) -> str | None:
    """Return fits, tight or does-not-fit; None without a card."""
    if memory.budget_gib is None or memory.high_gib is None or memory.low_gib is None:
        return None
    if memory.high_gib <= memory.budget_gib:
        return FITS
    return TIGHT if memory.low_gib <= memory.budget_gib else DOES_NOT_FIT


def memory_to_dict(memory: Memory[Number]) -> dict[str, object]:
    """Return the contract's `memory` object."""
    fits_budget = None
    if memory.needed_gib is not None and memory.budget_gib is not None:
        fits_budget = memory.needed_gib <= memory.budget_gib
    return {**dataclasses.asdict(memory), "fits": fits_budget, "verdict": verdict(memory)}


def throughput_to_dict(throughput: Throughput[Number]) -> dict[str, object]:
    """Return the contract's `throughput` object."""
    return dataclasses.asdict(throughput)


def _column(value: object, count: int) -> FloatArray:
    if value is None:
        return not_applicable(count)
    return np.broadcast_to(np.asarray(value, dtype=np.float64), (count,))


def _row(columns: object, row: int, plain: tuple[str, ...]) -> dict[str, Any]:
    figures = {}
    for spec in dataclasses.fields(columns):  # type: ignore[arg-type]
        if spec.name not in plain:
            value = float(getattr(columns, spec.name)[row])
            figures[spec.name] = None if math.isnan(value) else value
    return figures
