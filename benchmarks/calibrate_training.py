"""Refit the coefficients of training speed, engine by engine, and predict every case without its set-up.

A set-up is a GPU, a model and a version of the engine.
"""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from advisor.errors import AdvisorError
from advisor.estimate.layouts import choose_layout
from advisor.estimate.speed.training import (
    model_kind,
    peak_flops,
    real_share,
    speed_group,
    training_precision,
    training_work_mode,
)
from advisor.estimate.speed.training_load import (
    LOAD_FIELDS,
    TrainingLoad,
    model_flops_per_token,
    training_load,
)
from advisor.estimate.speed.training_time import MACHINE_FIELDS, TrainingMachine, token_time, training_machine
from advisor.facts import Facts, load_facts
from advisor.facts.training_speed import TRAINING_KEYS, TrainingCoefficients
from advisor.resolve import resolve
from advisor.resolve.works import TrainingWork
from advisor.units import TERA, FloatArray
from advisor.workload import Deployment, Workload
from benchmarks.coefficient_fit import FitCase, TableFit, held_out, refit_by_engine, write_table
from benchmarks.outcomes import Outcome, Record

METRICS = ("training_tokens_per_second", "mfu", "training_tflops_per_gpu")

SPREAD = {
    "matrix_share": 0.4,
    "attention_share": 0.4,
    "recompute_share": 0.4,
    "traffic_copies": 0.7,
    "fabric_share": 0.7,
    "bubble_share": 0.7,
    "pcie_share": 0.4,
}
BOUNDS = {"recompute_share": (0.05, 1.0), "bubble_share": (0.02, 1.0), "attention_share": (0.02, 1.0)}


class Prepared:
    """The cases of one calibration with what their estimates need, by case id."""

    def __init__(self, records: Sequence[Record], facts: Facts) -> None:
        self.facts = facts
        self.cases: list[FitCase] = []
        self.load: dict[str, TrainingLoad] = {}
        self.machine: dict[str, TrainingMachine] = {}
        self.work: dict[str, TrainingWork] = {}
        self.peak: dict[str, float] = {}
        self.run: dict[str, str] = {}
        for record in records:
            self._prepare(record)

    def _prepare(self, record: Record) -> None:
        """Add a training case with its run, by which figures of one measurement are known as twins."""
        given, measured = record["workload"], record["measured"]
        if given["task"] not in ("pretrain", "finetune") or measured["metric"] not in METRICS:
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
        if not isinstance(work, TrainingWork) or placement is None:
            return
        layout = choose_layout(work, placement, self.facts)
        engine = work.settings.engine
        name = self.facts.training_speed.table.named(0, (engine.id, engine.profile))
        precision = training_precision(work)
        source = str(record["source"]).split(":")[0].split("@")[0]
        model = work.model.id or f"{work.model.layers}x{work.model.hidden_size}"
        case = FitCase(
            id=str(record["id"]),
            cell=(source, placement.gpu.id, model),
            quality=str(record["quality"]),
            group=speed_group(work),
            kind="training tokens/s" if measured["metric"] == METRICS[0] else "MFU",
            metric=str(measured["metric"]),
            measured=float(measured["value"]),
            given=(name, work.method, model_kind(work), precision, training_work_mode(work)),
            version=work.settings.version,
            gpu_index=int(placement.hardware.gpu_index[0]),
        )
        self.cases.append(case)
        self.work[case.id] = work
        self.run[case.id] = json.dumps([given, record["deployment"]], sort_keys=True)
        self.load[case.id] = training_load(work, self.facts.training_profiles.find(engine.profile))
        self.machine[case.id] = training_machine(placement.hardware, layout, precision, self.facts)
        self.peak[case.id] = float(peak_flops(work, placement.hardware, self.facts)[0])

    def fitting_cases(self) -> list[FitCase]:
        """Return the cases to fit: tokens/s, and other figures of runs that give no tokens/s."""
        with_tokens = {self.run[case.id] for case in self.cases if case.metric == METRICS[0]}
        return [
            case for case in self.cases if case.metric == METRICS[0] or self.run[case.id] not in with_tokens
        ]

    def predictor(self, cases: Sequence[FitCase]) -> Callable[[FloatArray], FloatArray]:
        """Return the function that gives the figures of some cases [case] from coefficients [quantity, case]."""
        load = TrainingLoad(
            *(np.array([getattr(self.load[case.id], name) for case in cases]) for name in LOAD_FIELDS)
        )
        machine = TrainingMachine(
            *(
                np.concatenate([getattr(self.machine[case.id], name) for case in cases])
                for name in MACHINE_FIELDS
            )
        )
        peak = np.array([self.peak[case.id] for case in cases])
        metric = np.array([METRICS.index(case.metric) for case in cases])
        works = [self.work[case.id] for case in cases]

        def predict(values: FloatArray) -> FloatArray:
            reached = TrainingCoefficients(*values)
            per_gpu = 1.0 / token_time(load, machine, reached).total
            flops = per_gpu * model_flops_per_token(load, reached.counts_attention)
            real = np.array([real_share(work, reached)[row] for row, work in enumerate(works)])
            figures = np.stack([per_gpu * machine.gpus * real, flops / peak, flops / TERA])
            return np.asarray(figures[metric, np.arange(len(metric))])

        return predict


def calibrate(records: Sequence[Record], folder: Path) -> list[Outcome]:
    """Rewrite `speed_training.csv` in a folder; returns the held-out predictions of every training case."""
    prepared = Prepared(records, load_facts(folder))
    how = TableFit(prepared.predictor, SPREAD, BOUNDS)
    table = prepared.facts.training_speed.table
    cases = prepared.fitting_cases()
    write_table(folder / "speed_training.csv", refit_by_engine(cases, table, how), TRAINING_KEYS)
    return held_out(cases, table, how, lambda case: "/".join((*case.cell[1:], case.version)))
