"""Refit the constants of image and video memory, engine by engine, and predict every case without its model."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from advisor.errors import AdvisorError
from advisor.estimate.layouts import choose_layout
from advisor.estimate.memory.media import media_parts, memory_at_peak, memory_group, memory_setting
from advisor.facts import Facts, load_facts
from advisor.facts.media_constants import MEDIA_MEMORY_KEYS, MediaMemoryConstants
from advisor.resolve import resolve
from advisor.resolve.no_gpu import hardware_without_gpu
from advisor.resolve.placement import Placement
from advisor.resolve.works import MediaWork
from advisor.units import GIB, FloatArray
from advisor.workload import Deployment, Workload
from benchmarks.coefficient_fit import FitCase, TableFit, held_out, refit_by_engine, write_table
from benchmarks.outcomes import Outcome, Record

PEAK, RESERVED = "peak_gib", "reserved_gib"


class Prepared:
    """The cases of one calibration with the work and the GPUs that share it, by case id."""

    def __init__(self, records: Sequence[Record], facts: Facts) -> None:
        self.facts = facts
        self.cases: list[FitCase] = []
        self.work: dict[str, MediaWork] = {}
        self.ranks: dict[str, float] = {}
        for record in records:
            self._prepare(record)

    def _prepare(self, record: Record) -> None:
        given, measured = record["workload"], record["measured"]
        if given["task"] not in ("image", "video") or measured["metric"] not in (PEAK, RESERVED):
            return
        deployment = Deployment.from_dict(record["deployment"], "deployment")
        try:
            resolved = resolve(Workload.from_dict(given, "workload"), deployment, self.facts)
        except AdvisorError:
            return
        work = resolved.work
        if not isinstance(work, MediaWork):
            return
        engine = work.settings.engine
        name = self.facts.media_memory.table.named(0, (engine.id, engine.profile))
        case = FitCase(
            id=str(record["id"]),
            cell=(str(record["source"]).split(":")[0].split("@")[0], str(deployment.gpu), work.model.id),
            quality=str(record["quality"]),
            group=memory_group(work),
            kind=f"{work.task} memory",
            metric=str(measured["metric"]),
            measured=float(measured["value"]),
            given=(name, work.model.id, memory_setting(work)),
            version="",
            gpu_index=0,
        )
        self.cases.append(case)
        self.work[case.id] = work
        self.ranks[case.id] = _ranks(work, resolved.placement, deployment, self.facts)

    def predictor(self, cases: Sequence[FitCase]) -> Callable[[FloatArray], FloatArray]:
        """Return the function that gives the memory of some cases [case, GiB] from constants [quantity, case]."""

        def predict(values: FloatArray) -> FloatArray:
            return np.array(
                [self._memory(case, column) for case, column in zip(cases, values.T, strict=True)]
            )

        return predict

    def _memory(self, case: FitCase, column: FloatArray) -> float:
        work, constants = self.work[case.id], MediaMemoryConstants(*(float(value) for value in column))
        weights, activations = memory_at_peak(
            work, media_parts(work, constants), constants, np.array([self.ranks[case.id]])
        )
        peak = float(weights[0] + activations[0]) / GIB
        return peak if case.metric == PEAK else peak * (1 + constants.slack_share) + constants.context_gib


def _ranks(work: MediaWork, placement: Placement | None, deployment: Deployment, facts: Facts) -> float:
    if placement is None:
        return float(deployment.gpu_count or len(hardware_without_gpu()))
    return float(choose_layout(work, placement, facts).context_parallel[0])


def calibrate(records: Sequence[Record], folder: Path) -> list[Outcome]:
    """Rewrite `media_memory.csv` in a folder; returns the held-out predictions of every image and video case."""
    prepared = Prepared(records, load_facts(folder))
    how = TableFit(prepared.predictor, {}, {})
    table = prepared.facts.media_memory.table
    write_table(folder / "media_memory.csv", refit_by_engine(prepared.cases, table, how), MEDIA_MEMORY_KEYS)
    return held_out(prepared.cases, table, how, lambda case: case.cell[2])
