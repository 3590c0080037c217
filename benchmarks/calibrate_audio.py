"""Refit the constants of audio speed, engine by engine, and predict every case without its GPU."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from advisor.errors import AdvisorError
from advisor.estimate.speed.audio import GROUP, audio_time
from advisor.facts import load_facts
from advisor.facts.audio_constants import AUDIO_KEYS, AudioConstants
from advisor.resolve import resolve
from advisor.resolve.placement import Placement
from advisor.resolve.works import AudioWork
from advisor.units import FloatArray
from advisor.workload import Deployment, Workload
from benchmarks.coefficient_fit import FitCase, TableFit, held_out, refit_by_engine, write_table
from benchmarks.outcomes import Outcome, Record

METRIC = "realtime_factor"


def calibrate(records: Sequence[Record], folder: Path) -> list[Outcome]:
    """Rewrite `audio_constants.csv` in a folder; returns the held-out predictions of every audio case."""
    facts = load_facts(folder)
    table = facts.audio_profiles.table
    cases: list[FitCase] = []
    work_of: dict[str, AudioWork] = {}
    placement_of: dict[str, Placement] = {}
    for record in records:
        given, measured = record["workload"], record["measured"]
        if given["task"] != "audio" or measured["metric"] != METRIC:
            continue
        try:
            resolved = resolve(
                Workload.from_dict(given, "workload"),
                Deployment.from_dict(record["deployment"], "deployment"),
                facts,
            )
        except AdvisorError:
            continue
        work, placement = resolved.work, resolved.placement
        if not isinstance(work, AudioWork) or placement is None:
            continue
        engine = work.settings.engine
        case = FitCase(
            id=str(record["id"]),
            cell=(str(record["source"]).split(":")[0].split("@")[0], placement.gpu.id, work.model.id),
            quality=str(record["quality"]),
            group=GROUP,
            kind="audio",
            metric=METRIC,
            measured=float(measured["value"]),
            given=(table.named(0, (engine.id, engine.profile)),),
            version="",
            gpu_index=int(placement.hardware.gpu_index[0]),
        )
        cases.append(case)
        work_of[case.id], placement_of[case.id] = work, placement

    def predictor(chosen: Sequence[FitCase]) -> Callable[[FloatArray], FloatArray]:
        def predict(values: FloatArray) -> FloatArray:
            rates = []
            for case, column in zip(chosen, values.T, strict=True):
                work, hardware = work_of[case.id], placement_of[case.id].hardware
                time = audio_time(work, AudioConstants(*column), hardware, facts).total[0]
                rates.append(int(hardware.gpu_count[0]) * work.batch / time)
            return np.array(rates)

        return predict

    how = TableFit(predictor, {}, {})
    write_table(folder / "audio_constants.csv", refit_by_engine(cases, table, how), AUDIO_KEYS)
    return held_out(cases, table, how, lambda case: case.cell[1])
