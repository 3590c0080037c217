"""Refit the coefficients of image and video speed by engine, and predict every case without its GPU and model."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from advisor.errors import AdvisorError
from advisor.estimate.layouts import choose_layout
from advisor.estimate.speed.media import speed_group
from advisor.estimate.speed.media_load import (
    LOAD_FIELDS,
    MACHINE_FIELDS,
    MediaLoad,
    MediaMachine,
    media_load,
    media_machine,
)
from advisor.estimate.speed.media_time import backbone_kind, media_mode, media_time
from advisor.facts import Facts, load_facts
from advisor.facts.media_constants import MEDIA_KEYS, MediaCoefficients
from advisor.resolve import resolve
from advisor.resolve.works import MediaWork
from advisor.units import FloatArray
from advisor.workload import Deployment, Workload
from benchmarks.coefficient_fit import FitCase, TableFit, held_out, refit_by_engine, write_table
from benchmarks.outcomes import Outcome, Record

TIMES = ("seconds_per_image", "seconds_per_video")
METRICS = ("steps_per_second", "images_per_second", *TIMES)

SPREAD = {"matrix_share": 0.4, "attention_share": 0.4, "fp8_gain": 0.2, "int8_gain": 0.15, "step_ms": 0.7}
BOUNDS = {
    "fp8_gain": (1.0, 2.0),
    "int8_gain": (0.7, 2.0),
    "matrix_share": (0.02, 1.5),
    "attention_share": (0.02, 1.5),
}


class Prepared:
    """The cases of one calibration with what their estimates need, by case id."""

    def __init__(self, records: Sequence[Record], facts: Facts) -> None:
        self.facts = facts
        self.cases: list[FitCase] = []
        self.load: dict[str, MediaLoad] = {}
        self.machine: dict[str, MediaMachine] = {}
        self.steps: dict[str, int] = {}
        self.batches: dict[str, float] = {}
        for record in records:
            self._prepare(record)

    def _prepare(self, record: Record) -> None:
        given, measured = record["workload"], record["measured"]
        if given["task"] not in ("image", "video") or measured["metric"] not in METRICS:
            return
        try:
            resolved = resolve(
                Workload.from_dict(given, "workload"),
                Deployment.from_dict(record["deployment"], "deployment"),
                self.facts,
            )
        except AdvisorError:
            return
        work, placement = resolved.work, resolved.placement
        if not isinstance(work, MediaWork) or placement is None:
            return
        layout = choose_layout(work, placement, self.facts)
        engine = work.settings.engine
        name = self.facts.media_speed.table.named(0, (engine.id, engine.profile))
        metric, value = str(measured["metric"]), float(measured["value"])
        case = FitCase(
            id=str(record["id"]),
            cell=(str(record["source"]).split(":")[0].split("@")[0], placement.gpu.id, work.model.id),
            quality=str(record["quality"]),
            group=speed_group(work),
            kind=f"{work.task}s",
            metric=metric,
            measured=1 / value if metric in TIMES else value,
            given=(name, backbone_kind(work), work.model.id, media_mode(work)),
            version=work.settings.version,
            gpu_index=int(placement.hardware.gpu_index[0]),
        )
        self.cases.append(case)
        self.load[case.id] = media_load(work, self.facts)
        self.machine[case.id] = media_machine(placement.hardware, layout, self.facts)
        self.steps[case.id] = work.steps
        self.batches[case.id] = float(
            layout.replicas[0] * (work.batch if metric == "images_per_second" else 1)
        )

    def predictor(self, cases: Sequence[FitCase]) -> Callable[[FloatArray], FloatArray]:
        """Return the function that gives the rates of some cases [case] from coefficients [quantity, case]."""
        load = MediaLoad(
            *(np.array([getattr(self.load[case.id], name) for case in cases]) for name in LOAD_FIELDS)
        )
        machine = MediaMachine(
            *(
                np.concatenate([getattr(self.machine[case.id], name) for case in cases])
                for name in MACHINE_FIELDS
            )
        )
        steps = np.array([float(self.steps[case.id]) for case in cases])
        batches = np.array([self.batches[case.id] for case in cases])
        of_a_step = np.array([case.metric == "steps_per_second" for case in cases])
        whole = np.array([case.metric == "images_per_second" for case in cases])

        def predict(values: FloatArray) -> FloatArray:
            time = media_time(load, machine, MediaCoefficients(*values))
            seconds = np.where(of_a_step, time.step, time.total(steps))
            return np.asarray(np.where(of_a_step | whole, batches, 1.0) / seconds)

        return predict


def calibrate(records: Sequence[Record], folder: Path) -> list[Outcome]:
    """Rewrite `speed_media.csv` in a folder; returns the held-out predictions of every image and video case."""
    prepared = Prepared(records, load_facts(folder))
    how = TableFit(prepared.predictor, SPREAD, BOUNDS)
    table = prepared.facts.media_speed.table
    write_table(folder / "speed_media.csv", refit_by_engine(prepared.cases, table, how), MEDIA_KEYS)
    return held_out(prepared.cases, table, how, lambda case: "/".join(case.cell[1:]))
