"""The harness of accuracy: its answers, its classes, and the published tables."""

import json
from collections import Counter
from pathlib import Path

import pytest

from advisor import Facts
from benchmarks.accuracy import DOCUMENT, document, main, read_sections, report, write_section
from benchmarks.cases import CASES, answer, answers, read_records
from benchmarks.classes import CLASSES

KINDS = ("memory", "throughput")

CASE = {
    "id": "one",
    "workload": {"task": "serve", "model": "llama-3.1-8b", "weights": "bf16", "context_tokens": 8192},
    "deployment": {"gpu": "h100-sxm-80gb", "engine": "vllm", "engine_version": "0.19.0"},
    "measured": {"metric": "weights_gib", "value": 14.99, "kind": "budget"},
    "quality": "A",
    "source": "a log",
    "note": "",
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_published_tables_are_what_the_command_prints(facts: Facts, kind: str) -> None:
    printed = report(kind, read_records(CASES / f"{kind}.jsonl"), facts)
    assert read_sections(DOCUMENT)[kind] == printed


@pytest.mark.parametrize("kind", KINDS)
def test_every_case_has_a_class_a_source_and_an_answer(facts: Facts, kind: str) -> None:
    records = read_records(CASES / f"{kind}.jsonl")
    classes, class_of = CLASSES[kind]
    names = {group.name for group in classes}
    assert all(class_of(record) in names for record in records)
    assert all(record["source"] for record in records)
    assert max(Counter(record["id"] for record in records).values()) == 1
    assert [one.id for one in answers(records, facts) if one.error] == []


def test_bounds_of_serving_memory_hold(facts: Facts) -> None:
    printed = report("memory", read_records(CASES / "memory.jsonl"), facts).split("### Quality B")[0]
    rows = [line.split(" | ") for line in printed.splitlines() if line.startswith("| serving")]
    bounded = [row for row in rows if row[-1].strip(" |")]
    assert len(bounded) == 4
    for row in bounded:
        median, ninetieth = (float(cell.strip("%")) for cell in row[2:4])
        most_median, most_ninetieth = (float(cell.strip(" %|")) for cell in row[-1].split("/"))
        assert median <= most_median
        assert ninetieth <= most_ninetieth


def test_every_run_that_ran_out_of_memory_with_all_inputs_stated_is_called_right(facts: Facts) -> None:
    records = [
        record
        for record in read_records(CASES / "memory.jsonl")
        if record["quality"] == "A"
        and record["measured"]["metric"] == "fits"
        and not record["measured"]["value"]
    ]
    assert len(records) >= 15
    for one in answers(records, facts):
        assert one.predicted == 0, one.id
        assert one.verdict != "fits", one.id


def test_an_answer_with_its_miss(facts: Facts) -> None:
    one = answer(CASE, facts)
    assert one.miss == pytest.approx(0, abs=0.001)
    assert one.is_held is None
    held = answer(CASE | {"measured": {"metric": "reserved_gib", "value": 72.0, "kind": "process"}}, facts)
    assert held.is_held is True
    assert 0 < held.half_width < 0.2


def test_a_question_that_meets_an_error_is_named(facts: Facts) -> None:
    unknown = CASE | {"workload": {"task": "serve", "model": "no such model"}}
    assert answer(unknown, facts).error == "unknown-name"
    assert "* one (no such model, h100-sxm-80gb, vllm 0.19.0): unknown-name" in report(
        "memory", [unknown], facts
    )


def test_other_cases_are_printed_and_not_published(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], facts: Facts
) -> None:
    before = DOCUMENT.read_text("utf-8")
    path = tmp_path / "cases.jsonl"
    path.write_text(json.dumps(CASE) + "\n", "utf-8")
    assert main(["memory", "--cases", str(path)]) == 0
    assert "| serving: weights | 1 | 0.0" in capsys.readouterr().out
    assert DOCUMENT.read_text("utf-8") == before


def test_one_section_is_replaced_and_the_other_kept(tmp_path: Path) -> None:
    path = tmp_path / "accuracy.md"
    write_section("memory", "## Memory\n\n### A part\n\nfirst\n", path)
    write_section("throughput", "## Speed\n\nsecond\n", path)
    write_section("memory", "## Memory\n\n### A part\n\nthird\n", path)
    assert read_sections(path) == {
        "memory": "## Memory\n\n### A part\n\nthird\n",
        "throughput": "## Speed\n\nsecond\n",
    }
    assert path.read_text("utf-8") == document(read_sections(path))
