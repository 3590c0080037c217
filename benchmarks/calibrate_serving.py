"""Refit the coefficients of serving speed, engine by engine, and predict every case without its GPU."""

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from advisor.errors import AdvisorError
from advisor.estimate.layouts import choose_layout
from advisor.estimate.memory import memory_of
from advisor.estimate.speed.load import LOAD_FIELDS, ServingLoad
from advisor.estimate.speed.serving import serving_figures, serving_setting, speed_group
from advisor.facts import Facts, load_facts
from advisor.facts.speed import SERVING_KEYS, ServingCoefficients
from advisor.resolve import resolve
from advisor.resolve.works import ServeWork
from advisor.units import MILLISECOND, FloatArray
from advisor.workload import Deployment, Workload
from benchmarks.coefficient_fit import FitCase, TableFit, held_out, refit_by_engine, write_table
from benchmarks.outcomes import Outcome, Record

RATES = ("decode_tokens_per_second", "decode_tokens_per_second_per_request", "prefill_tokens_per_second")
TIMES = ("time_to_first_token_ms", "time_per_output_token_ms")
METRICS = (*RATES, *TIMES)
OF_A_PROMPT = ("prefill_tokens_per_second", "time_to_first_token_ms")

FOLDS = 5

UNSTATED_TOKENS = 128
"""Prompt and output of a case whose source states no lengths: such figures come from short prompts [tokens]."""

SPREAD = {
    "weights_bandwidth": 0.25,
    "expert_slowdown": 0.4,
    "prefill_expert_slowdown": 0.4,
    "sequence_us": 1.2,
}
BOUNDS = {
    "decode_compute": (0.02, 1.3),
    "all_reduce_share": (0.02, 1.0),
    "expert_slowdown": (1.0, 10.0),
    "prefill_expert_slowdown": (1.0, 10.0),
    "expert_variety": (0.3, 1.0),
    "batch_slowdown": (1.0, 1.9),
}


@dataclass(frozen=True, slots=True)
class _Prepared:
    """What the prediction of one case needs: its load and the sequences asked for [1]."""

    load: ServingLoad
    asked: FloatArray


def calibrate(records: Sequence[Record], folder: Path) -> list[Outcome]:
    """Rewrite `speed_serving.csv` in a folder; returns held-out predictions of every serving case.

    The report shows predictions without the case's GPU; the intervals follow from those without its set-up (source, GPU
    and model), which are as far from the fit as most questions are.
    """
    facts = load_facts(folder)
    cases, how = prepare(records, facts)
    table = facts.serving_speed.table
    write_table(folder / "speed_serving.csv", refit_by_engine(cases, table, how), SERVING_KEYS)
    without_gpu = held_out(cases, table, how, lambda case: case.cell[1])
    without_set_up = held_out(cases, table, how, fold_of)
    return [
        *(replace(outcome, makes_interval=False) for outcome in without_gpu),
        *(replace(outcome, is_reported=False) for outcome in without_set_up),
    ]


def fold_of(case: FitCase) -> str:
    """Return the fifth of the set-ups that a case belongs to: the same on every run."""
    return str(zlib.crc32("|".join(case.cell).encode()) % FOLDS)


def prepare(records: Sequence[Record], facts: Facts) -> tuple[list[FitCase], TableFit]:
    """Return every serving case that has an estimate, and how their coefficients are fitted."""
    cases: list[FitCase] = []
    prepared: dict[str, _Prepared] = {}
    for record in records:
        if record["workload"]["task"] != "serve" or record["measured"]["metric"] not in METRICS:
            continue
        try:
            case, prepared[record["id"]] = _prepare(record, facts)
        except AdvisorError:
            continue
        cases.append(case)
    return cases, TableFit(lambda chosen: _predictor(chosen, prepared), SPREAD, BOUNDS)


def _prepare(record: Record, facts: Facts) -> tuple[FitCase, _Prepared]:
    given, metric = dict(record["workload"]), record["measured"]["metric"]
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
    value = float(record["measured"]["value"])
    source = str(record["source"]).split(":")[0].split("@")[0]
    case = FitCase(
        id=record["id"],
        cell=(source, placement.gpu.id, work.model.id),
        quality=record["quality"],
        group="prompt" if metric in OF_A_PROMPT else speed_group(work),
        kind=_kind(work, metric, int(setting.load.shards[0] * setting.load.stages[0])),
        metric=metric,
        # A time is compared as the rate that it is the inverse of.
        measured=1.0 / value if metric in TIMES else value,
        given=(work.settings.engine.profile, work.weights.width),
        version=work.settings.version,
        gpu_index=int(placement.hardware.gpu_index[0]),
    )
    return case, _Prepared(setting.load, setting.asked)


def _kind(work: ServeWork, metric: str, gpus_of_a_copy: int) -> str:
    """Return the class of accuracy that a case is reported under."""
    if metric in OF_A_PROMPT:
        return "prefill" if metric in RATES else "time to first token"
    if work.concurrency == 1:
        return "decode, one GPU" if gpus_of_a_copy == 1 else "decode, sharded"
    batch = "saturated" if work.concurrency is None else "static batch"
    return f"{batch}, mixture of experts" if work.model.is_mixture else f"{batch}, dense"


def _predictor(
    cases: Sequence[FitCase], prepared: dict[str, _Prepared]
) -> Callable[[FloatArray], FloatArray]:
    """Return the figures [case] of some cases as a function of their coefficients [quantity, case]."""
    own = [prepared[case.id] for case in cases]
    load = ServingLoad(*(np.concatenate([getattr(each.load, name) for each in own]) for name in LOAD_FIELDS))
    asked = np.concatenate([each.asked for each in own])
    metric = np.array([METRICS.index(case.metric) for case in cases])

    def predict(coefficients: FloatArray) -> FloatArray:
        figures = serving_figures(load, ServingCoefficients(*coefficients), asked)
        per_request = 1.0 / figures.rates.seconds_per_token
        by_metric = [
            figures.rates.output_tokens_per_second * load.copies,
            per_request,
            load.prompt_tokens / figures.prompt_seconds * load.copies,
            MILLISECOND / figures.first_token_seconds,
            MILLISECOND * per_request,
        ]
        return np.asarray(np.choose(metric, by_metric))

    return predict
