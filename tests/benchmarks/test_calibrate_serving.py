"""Calibration of serving speed: what cases of which task count, and coefficients that follow made-up machines."""

from dataclasses import replace
from typing import Any

import pytest

from advisor import Facts
from benchmarks.calibrate_serving import fold_of, prepare
from benchmarks.coefficient_fit import FitCase, from_start, predictions, refit_by_engine
from benchmarks.outcomes import Record

LENGTHS = ((1, 512), (1, 4_096), (1, 8_192))


def record(name: str, metric: str, value: float, gpu: str = "rtx-4090", **work: Any) -> Record:
    given = {"task": "serve", "model": "llama-3-8b", "weights": "gguf-f16", "concurrency": 1, **work}
    return {
        "id": name,
        "workload": given,
        "deployment": {"gpu": gpu, "gpu_count": 1, "engine": "llama.cpp", "engine_version": "2024-05"},
        "measured": {"metric": metric, "value": value, "kind": "measured"},
        "quality": "A",
        "source": "somebody/bench:README.md@0000000",
        "note": "",
    }


def decode(name: str, lengths: tuple[int, int], gpu: str = "rtx-4090", **work: Any) -> Record:
    prompt, output = lengths
    metric = "decode_tokens_per_second_per_request"
    return record(name, metric, 50.0, gpu, prompt_tokens=prompt, output_tokens=output, **work)


def test_other_tasks_and_impossible_questions_are_left_out(facts: Facts) -> None:
    image = {**decode("image", (1, 1)), "workload": {"task": "image", "model": "flux.1-dev"}}
    unknown = decode("unknown", (1, 1), model="no-such-model")
    cases, _ = prepare([image, unknown, decode("good", (1, 512))], facts)
    assert [case.id for case in cases] == ["good"]
    assert cases[0].cell == ("somebody/bench", "rtx-4090", "llama-3-8b")
    assert cases[0].given == ("llama.cpp", "f16")


def test_a_time_is_compared_as_a_rate(facts: Facts) -> None:
    cases, how = prepare(
        [record("ttft", "time_to_first_token_ms", 80.0, prompt_tokens=512, output_tokens=1)], facts
    )
    assert cases[0].measured == 1 / 80
    assert cases[0].group == "prompt"
    outcome = predictions(cases, facts.serving_speed.table, how)[0]
    assert 10 < 1 / outcome.predicted < 200


@pytest.mark.parametrize("slower", [1.0, 1.3])
def test_coefficients_follow_a_machine_that_reads_slower(facts: Facts, slower: float) -> None:
    table = from_start(facts.serving_speed.table)
    records = [
        decode(f"{gpu} {lengths}", lengths, gpu) for gpu in ("rtx-4090", "rtx-4080") for lengths in LENGTHS
    ]
    cases, how = prepare(records, facts)
    as_started = predictions(cases, table, how)
    measured = [
        replace(case, measured=outcome.predicted / slower)
        for case, outcome in zip(cases, as_started, strict=True)
    ]
    refitted = refit_by_engine(measured, table, how)
    misses = [abs(outcome.ratio - 1) for outcome in predictions(measured, refitted, how)]
    assert max(misses) < 0.03
    again = refit_by_engine(measured, table, how)
    assert [row.value for row in refitted.rows] == [row.value for row in again.rows]


def test_priors_are_left_alone_and_no_share_passes_its_bounds(facts: Facts) -> None:
    table = facts.serving_speed.table
    cases, how = prepare([decode("fast", (1, 512), gpu="rtx-4090")], facts)
    much_faster: list[FitCase] = [replace(cases[0], measured=1e4)]
    refitted = refit_by_engine(much_faster, table, how)
    for before, after in zip(table.rows, refitted.rows, strict=True):
        if before.basis == "prior":
            assert after.value == before.value
    assert all(row.value <= 1.3 for row in refitted.rows if row.quantity == "decode_compute")
    # Reading stops at the data sheet: 15 GB at 1,008 GB/s.
    assert predictions(much_faster, refitted, how)[0].predicted < 1_008 / 15


def test_the_fold_of_a_set_up_is_the_same_on_every_run(facts: Facts) -> None:
    cases, _ = prepare([decode("one", (1, 512)), decode("two", (1, 8_192))], facts)
    assert fold_of(cases[0]) == fold_of(cases[1]) == "4"
