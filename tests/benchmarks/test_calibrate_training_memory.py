"""Calibration of training memory: constants follow their cases, and verdicts alone bound an interval."""

from dataclasses import replace
from pathlib import Path

import pytest

from advisor import Facts
from advisor.paths import data_folder
from benchmarks.calibrate_training_memory import TABLE, telling, verdict_intervals
from benchmarks.training_memory_fit import (
    ConstantRow,
    TrainingCase,
    prepare_cases,
    read_constants,
    refit,
    with_constants,
    write_constants,
)

Record = dict[str, object]


def record(name: str, value: float | bool, metric: str = "peak_gib", **changed: object) -> Record:
    work = {"task": "finetune", "model": "mistral-7b-v0.3", "method": "lora", "sequence_tokens": 4_096}
    return {
        "id": name,
        "workload": {**work, "weights": "bf16", "gradient_accumulation": 4, **changed},
        "deployment": {"gpu": "a100-sxm-80gb", "gpu_count": 1, "engine": "peft"},
        "measured": {"metric": metric, "value": value, "kind": "allocated"},
        "quality": "A",
        "note": "",
    }


@pytest.fixture
def rows() -> list[ConstantRow]:
    table = read_constants(data_folder() / TABLE)
    return [replace(row, basis="fitted" if row.constant == "logits_bytes" else "stated") for row in table]


def cases_with_logits_bytes(facts: Facts, rows: list[ConstantRow], logits_bytes: float) -> list[TrainingCase]:
    """Make up measured runs of a framework whose loss takes so many bytes."""
    moved = [
        replace(row, value=logits_bytes) if (row.profile, row.constant) == ("*", "logits_bytes") else row
        for row in rows
    ]
    cases = prepare_cases([record(f"case {batch}", 1.0, micro_batch=batch) for batch in (1, 2, 4, 8)], facts)
    made_up = with_constants(facts, moved)
    return [replace(case, measured=case.predict(made_up)) for case in cases]


def fitted(rows: list[ConstantRow]) -> float:
    return next(row.value for row in rows if (row.profile, row.constant) == ("*", "logits_bytes"))


@pytest.mark.parametrize(("true_share", "found_share"), [(1.0, 1.0), (1.2, 1.2), (0.8, 0.8)])
def test_a_constant_moves_to_where_its_cases_miss_least(
    facts: Facts, rows: list[ConstantRow], true_share: float, found_share: float
) -> None:
    start = next(row.start for row in rows if (row.profile, row.constant) == ("*", "logits_bytes"))
    cases = cases_with_logits_bytes(facts, rows, start * true_share)
    assert fitted(refit(rows, cases, facts)) == pytest.approx(start * found_share)


def test_stated_constants_stay(facts: Facts, rows: list[ConstantRow]) -> None:
    cases = cases_with_logits_bytes(facts, rows, 18.0)
    before = {(row.profile, row.constant): row.value for row in rows if row.basis == "stated"}
    after = {
        (row.profile, row.constant): row.value for row in refit(rows, cases, facts) if row.basis == "stated"
    }
    assert before == after


def test_the_table_is_written_as_it_was_read(tmp_path: Path) -> None:
    source = data_folder() / TABLE
    write_constants(tmp_path / TABLE, read_constants(source))
    assert (tmp_path / TABLE).read_text("utf-8") == source.read_text("utf-8")


def test_unexplained_runs_and_unknown_lengths_tell_nothing(facts: Facts) -> None:
    told = prepare_cases([record("plain", 20.0)], facts)[0]
    unexplained = replace(told, id="odd", note="far from the usual formula, unexplained")
    unknown = prepare_cases([record("padded", 20.0, packing=False, micro_batch=8)], facts)[0]
    kept = telling([(told, 20.0), (unexplained, 20.0), (unknown, 20.0)])
    assert [case.id for case, _ in kept] == ["plain"]


def test_runs_that_fitted_bound_the_interval_of_their_group(facts: Facts) -> None:
    runs = [
        record(f"run {count}", True, "fits", task="pretrain", method="full", micro_batch=1)
        for count in range(12)
    ]
    for run in runs:
        run["deployment"] = {"gpu": "h200", "gpu_count": 1, "engine": "torchtitan"}
    found = {interval.group: interval for interval in verdict_intervals(runs, data_folder())}
    interval = found["pretrain/torchtitan"]
    needed = prepare_cases(runs[:1], facts)[0].predict_needed(facts)
    budget = float(prepare_cases(runs[:1], facts)[0].hardware.memory_bytes_allocatable[0]) / 2**30
    assert interval.high_factor == pytest.approx(max(1.03, budget / needed))
    assert interval.low_factor == pytest.approx(1 / interval.high_factor)
    assert interval.cases == 12
