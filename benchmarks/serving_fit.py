"""Refitting the coefficients of serving speed from measured cases."""

import fnmatch
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from advisor.errors import AdvisorError
from advisor.estimate.layouts import choose_layout
from advisor.estimate.memory import memory_of
from advisor.estimate.speed.load import LOAD_FIELDS, ServingLoad
from advisor.estimate.speed.serving import serving_figures, serving_setting, speed_group
from advisor.estimate.speed.speculation import tokens_per_step
from advisor.facts import Facts
from advisor.facts.families import GpuFamilies
from advisor.facts.speed import (
    ANY,
    FITTED,
    NAMED,
    QUANTITIES,
    CoefficientRow,
    ServingCoefficients,
    holds_since,
    special_row,
)
from advisor.resolve import resolve
from advisor.resolve.works import ServeWork
from advisor.units import MILLISECOND, FloatArray, IntArray
from advisor.workload import Deployment, Workload
from benchmarks.fitting import Coefficients, fit
from benchmarks.outcomes import Record

METRICS = (
    "decode_tokens_per_second",
    "decode_tokens_per_second_per_request",
    "prefill_tokens_per_second",
    "time_to_first_token_ms",
    "time_per_output_token_ms",
)

UNSTATED_TOKENS = 128
"""Prompt and output of a case whose source states no lengths: such figures come from short prompts [tokens]."""

QUALITY_WEIGHT = {"A": 1.0, "B": 0.4}
TYPICAL_MISS = 0.06
"""A miss of this size weighs as much as one spread of a prior."""

SPREAD = {
    "weights_bandwidth": 0.25,
    "expert_slowdown": 0.4,
    "prefill_expert_slowdown": 0.4,
    "sequence_us": 1.2,
}
USUAL_SPREAD = 0.8

READING = ("weights_bandwidth", "cache_bandwidth")
HIGHEST = {"decode_compute": 1.3, "all_reduce_share": 1.0, "expert_variety": 1.0, "batch_slowdown": 1.9}

LARGEST_SHIFT = 3.0
"""Of one row, in logarithms: a factor of twenty."""

LOWEST = {"expert_slowdown": 1.0, "prefill_expert_slowdown": 1.0, "batch_slowdown": 1.0}


@dataclass(frozen=True, slots=True)
class FitCase:
    """One measured case, ready to be predicted: its loads [1] and what decides its coefficients."""

    id: str
    cell: tuple[str, str, str]
    quality: str
    group: str
    kind: str
    metric: int
    measured: float
    load: ServingLoad
    asked: FloatArray
    gain: float
    engine: str
    version: str
    family: str
    width: str


def prepare_case(record: Record, facts: Facts) -> FitCase | None:
    """Return a serving case ready for the fit; None for other tasks, metrics and cases without figures."""
    given, measured = dict(record["workload"]), record["measured"]
    if given["task"] != "serve" or measured["metric"] not in METRICS:
        return None
    if "prompt_tokens" not in given and "context_tokens" not in given:
        given["prompt_tokens"] = given["output_tokens"] = UNSTATED_TOKENS
    deployment = Deployment.from_dict(record["deployment"], "deployment")
    resolved = resolve(Workload.from_dict(given, "workload"), deployment, facts)
    work, placement = resolved.work, resolved.placement
    assert isinstance(work, ServeWork)
    assert placement is not None
    layout = choose_layout(work, placement, facts)
    memory = memory_of(work, placement.hardware, layout, facts)
    setting = serving_setting(work, placement.hardware, layout, memory, facts)
    kind = _kind(work, measured["metric"], int(layout.tensor_parallel[0] * layout.pipeline_parallel[0]))
    source = str(record["source"]).split(":")[0].split("@")[0]
    return FitCase(
        id=str(record["id"]),
        cell=(source, placement.gpu.id, work.model.id),
        quality=str(record["quality"]),
        group=speed_group(work),
        kind=kind,
        metric=METRICS.index(measured["metric"]),
        measured=float(measured["value"]),
        load=setting.load,
        asked=setting.asked,
        gain=tokens_per_step(work),
        engine=work.settings.engine.profile,
        version=work.settings.version,
        family=facts.families.family_of(int(placement.hardware.gpu_index[0])),
        width=work.weights.width,
    )


def _kind(work: ServeWork, metric: str, gpus_of_a_copy: int) -> str:
    """Return the class of accuracy that a case is reported under."""
    if metric == "prefill_tokens_per_second":
        return "prefill"
    if metric == "time_to_first_token_ms":
        return "time to first token"
    if work.concurrency == 1:
        return "decode, one GPU" if gpus_of_a_copy == 1 else "decode, sharded"
    batch = "saturated" if work.concurrency is None else "static batch"
    return f"{batch}, mixture of experts" if work.model.is_mixture else f"{batch}, dense"


def prepare_cases(records: Sequence[Record], facts: Facts) -> list[FitCase]:
    """Return every serving case that can be predicted; a case with an error is left out."""
    prepared = []
    for record in records:
        try:
            case = prepare_case(record, facts)
        except AdvisorError:
            case = None
        if case is not None:
            prepared.append(case)
    return prepared


class ServingModel:
    """The estimator as a function of the table's values, over a fixed list of cases."""

    def __init__(
        self, cases: Sequence[FitCase], rows: Sequence[CoefficientRow], families: GpuFamilies
    ) -> None:
        self.cases, self.rows, self.families = list(cases), list(rows), families
        self.load = _stack_loads([case.load for case in cases])
        self.asked = np.concatenate([case.asked for case in cases])
        self.gain = np.array([case.gain for case in cases])
        self.metric = np.array([case.metric for case in cases])
        self.row_of = self._row_indices()

    def _row_indices(self) -> IntArray:
        """Return the row that gives each quantity of each case [quantity, case]."""
        number = {id(row): index for index, row in enumerate(self.rows)}
        known: dict[tuple[str, str, str, str], list[int]] = {}
        for case in self.cases:
            key = (case.engine, case.version, case.family, case.width)
            if key not in known:
                found = [special_row(self.rows, quantity, *key) for quantity in QUANTITIES]
                known[key] = [number[id(row)] for row in found if row is not None]
        columns = [known[case.engine, case.version, case.family, case.width] for case in self.cases]
        return np.array(columns, dtype=np.int64).T

    def predict(self, values: FloatArray) -> FloatArray:
        """Return the predicted figure of each case [case] from the value of each row [row]."""
        reached = ServingCoefficients(*values[self.row_of])
        figures = serving_figures(self.load, reached, self.asked)
        rates = figures.rates
        per_request = self.gain / rates.seconds_per_token
        by_metric = np.stack(
            [
                rates.output_tokens_per_second * self.load.copies * self.gain,
                per_request,
                self.load.prompt_tokens / figures.prompt_seconds * self.load.copies,
                figures.first_token_seconds / MILLISECOND,
                1.0 / per_request / MILLISECOND,
            ]
        )
        return np.asarray(by_metric[self.metric, np.arange(len(self.metric))])

    def weights(self) -> FloatArray:
        """Return the weight of each case [case].

        A (source, GPU, model) cell counts as the square root of its cases: they repeat one machine at other lengths.
        """
        keys = [(*case.cell, case.metric, case.engine) for case in self.cases]
        count = {key: keys.count(key) for key in set(keys)}
        each = [
            QUALITY_WEIGHT.get(case.quality, 0.0) / count[key] ** 0.5
            for case, key in zip(self.cases, keys, strict=True)
        ]
        return np.array(each) * 2 / TYPICAL_MISS


def _stack_loads(loads: Sequence[ServingLoad]) -> ServingLoad:
    return ServingLoad(*(np.concatenate([getattr(load, name) for load in loads]) for name in LOAD_FIELDS))


def refit(model: ServingModel) -> list[CoefficientRow]:
    """Return the table with every fitted row refitted; priors are left alone.

    A special row shares what moves the more general rows above it: log value = log start + own shift + their shifts, so
    that a GPU family or a version without cases of its own follows its engine.
    """
    used, cases_of = np.unique(model.row_of, return_counts=True)
    cases = dict(zip(used.tolist(), cases_of.tolist(), strict=True))
    lineage = [lineage_of(index, model.rows) for index in range(len(model.rows))]
    chosen = sorted({above for index in cases for above in lineage[index]})
    if not chosen:
        return list(model.rows)
    below = [index for index, line in enumerate(lineage) if set(line) & set(chosen)]
    shared = np.array([[float(above in lineage[index]) for above in chosen] for index in below])
    bounds = np.log([_bounds(model.rows[index], model.families) for index in below])
    start = np.log([model.rows[index].start for index in below])
    base = np.array([row.value for row in model.rows])

    def values_of(shifts: FloatArray) -> FloatArray:
        values = base.copy()
        values[below] = np.exp(np.clip(start + shared @ shifts, bounds[:, 0], bounds[:, 1]))
        return values

    def predict(shifts: FloatArray) -> FloatArray:
        return np.asarray(np.log(model.predict(values_of(shifts))))

    measured = np.log([case.measured for case in model.cases])
    shifts = fit(_coefficients([model.rows[index] for index in chosen]), predict, measured, model.weights())
    values = values_of(shifts)
    return [
        replace(row, value=float(f"{values[index]:.4g}"), cases=cases.get(index, row.cases))
        if index in below
        else row
        for index, row in enumerate(model.rows)
    ]


def lineage_of(index: int, rows: Sequence[CoefficientRow]) -> tuple[int, ...]:
    """Return a fitted row and the more general fitted rows above it, nearest first; nothing for a prior."""
    row = rows[index]
    if row.basis != FITTED:
        return ()
    version = row.since.removeprefix(NAMED)
    above = [
        number
        for number, other in enumerate(rows)
        if other.quantity == row.quantity
        and other.engine == row.engine
        and other.basis == FITTED
        and other.rank < row.rank
        and (not other.since or (bool(version) and holds_since(other.since, version)))
        and fnmatch.fnmatchcase(row.family, other.family)
        and other.width in (ANY, row.width)
    ]
    nearest = max(above, key=lambda number: rows[number].rank, default=None)
    return (index,) if nearest is None else (index, *lineage_of(nearest, rows))


def _bounds(row: CoefficientRow, families: GpuFamilies) -> tuple[float, float]:
    """Return the least and greatest value of a row; reading cannot pass the data sheet on any GPU it holds for."""
    highest = HIGHEST.get(row.quantity, row.start * 30)
    if row.quantity in READING:
        holds = [fnmatch.fnmatchcase(name, row.family) for name in families.names]
        highest = 1 / float(
            np.nanmax(families.bandwidth_fraction[np.isin(families.index, np.flatnonzero(holds))])
        )
    return LOWEST.get(row.quantity, row.start / 30), highest


def _coefficients(rows: Sequence[CoefficientRow]) -> Coefficients:
    """Return the shifts of some rows: they start at nothing and are drawn to it."""
    nothing = np.zeros(len(rows))
    spread = np.array([SPREAD.get(row.quantity, USUAL_SPREAD) for row in rows])
    return Coefficients(
        start=nothing, spread=spread, low=nothing - LARGEST_SHIFT, high=nothing + LARGEST_SHIFT
    )
