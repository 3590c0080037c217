"""The command line: every example answers, a bad line spoils only itself, people get a table and an explanation."""

import io
import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import advisor
from advisor.cli import build_parser, main
from advisor.cli.sentences import money, number, sentence
from advisor.cli.streams import plain
from advisor.paths import data_folder

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "docs" / "examples"
ESTIMATED = ("serve", "finetune", "pretrain", "image", "video", "audio")
COMMANDS = ("estimate", "rank", "diagnose", "models", "gpus", "check-data")
THOUSAND_LINES_SECONDS = 5

SERVE = {"workload": {"task": "serve", "model": "llama-3.1-8b"}, "deployment": {"gpu": "h100"}}


def run_program(arguments: Sequence[str], given: str = "") -> "subprocess.CompletedProcess[str]":
    """Run the command line in a process of its own."""
    command = [sys.executable, "-m", "advisor", *arguments]
    return subprocess.run(command, cwd=ROOT, input=given, capture_output=True, text=True, check=False)


def lines_of(questions: Sequence[Mapping[str, Any] | str]) -> str:
    texts = [question if isinstance(question, str) else json.dumps(question) for question in questions]
    return "\n".join(texts) + "\n"


class Shell:
    """The command line within this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch, self.capsys = monkeypatch, capsys
        self.status = 0

    def text(self, arguments: str, given: str = "") -> str:
        """Run a command and return what it writes."""
        self.monkeypatch.setattr(sys, "stdin", io.StringIO(given))
        self.status = main(arguments.split())
        return self.capsys.readouterr().out

    def answers(
        self, arguments: str, questions: Sequence[Mapping[str, Any] | str] = ()
    ) -> list[dict[str, Any]]:
        """Run a command on questions and return its lines."""
        written = self.text(f"{arguments} --json", lines_of(questions)).splitlines()
        return [json.loads(line) for line in written]

    def error(self, question: Mapping[str, Any] | str, command: str = "estimate") -> dict[str, Any]:
        """Run a command on one question that it must refuse and return the error."""
        (answer,) = self.answers(command, [question])
        assert self.status == 1
        error: dict[str, Any] = answer["error"]
        assert set(error) == {"code", "field", "accepted", "message"}
        return error


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(monkeypatch, capsys)


@pytest.mark.parametrize("task", ESTIMATED)
def test_example_of_each_task_is_estimated(task: str, shell: Shell) -> None:
    (answer,) = shell.answers(f"estimate {EXAMPLES / task}.jsonl")
    assert shell.status == 0
    assert answer["id"] == task
    assert answer["memory"]["needed_gib"] > 1
    assert answer["memory"]["fits"] is True
    assert answer["throughput"][answer["throughput"]["headline"]] > 0
    assert {"field", "value", "reason"} == set(answer["assumed"][0])


def test_example_of_the_ranking(shell: Shell) -> None:
    (answer,) = shell.answers(f"rank --today 2026-12-01 {EXAMPLES / 'rank.jsonl'}")
    assert shell.status == 0
    assert len(answer["offers"]) == 5
    assert answer["offers"][0]["usd_per_month"] <= 1500
    assert answer["ranked"] + sum(refusal["count"] for refusal in answer["rejected"]) == 2698


def test_example_of_the_diagnosis(shell: Shell) -> None:
    (answer,) = shell.answers(f"diagnose {EXAMPLES / 'diagnose.jsonl'}")
    assert shell.status == 0
    ceiling = answer["ceiling"]["decode_tokens_per_second_per_request"]
    assert answer["share_reached"] == pytest.approx(30 / ceiling, rel=1e-6)
    assert answer["causes"][0]["code"] == "eager-launches"
    assert answer["remedies"]


def test_every_example_file_is_one_line_and_has_its_test() -> None:
    files = sorted(EXAMPLES.glob("*.jsonl"))
    assert [file.stem for file in files] == sorted([*ESTIMATED, "rank", "diagnose"])
    for file in files:
        assert len(file.read_text("utf-8").splitlines()) == 1


def test_bad_lines_answer_in_their_places_and_the_others_go_on() -> None:
    questions: list[Mapping[str, Any] | str] = [
        {"id": "good", **SERVE},
        "{not json",
        {"id": "unknown", "workload": {"task": "serve", "model": "lama-3.1-8b"}},
        {"id": "also good", **SERVE},
    ]
    done = run_program(["estimate"], lines_of(questions))
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 1
    assert done.stderr == ""
    assert [answer["id"] for answer in answers] == ["good", None, "unknown", "also good"]
    assert answers[0]["memory"] == answers[3]["memory"]
    assert answers[1] == {
        "id": None,
        "error": {
            "code": "not-json",
            "field": "line 2",
            "accepted": [],
            "message": "line 2 is not valid JSON.",
        },
    }
    assert answers[2]["error"]["code"] == "unknown-name"
    assert "llama-3.1-8b" in answers[2]["error"]["accepted"]


def test_thousand_lines_take_less_than_five_seconds(tmp_path: Path) -> None:
    """The six kinds of work in turn, with one bad line, the start of the program included."""
    lines = [(EXAMPLES / f"{task}.jsonl").read_text("utf-8") for task in ESTIMATED]
    questions = tmp_path / "questions.jsonl"
    questions.write_text("".join(lines[number % 6] for number in range(999)) + "bad\n", "utf-8")
    start = time.perf_counter()
    done = run_program(["estimate", str(questions)])
    spent = time.perf_counter() - start
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == 1000
    assert ["error" in answer for answer in answers] == [False] * 999 + [True]
    assert spent < THOUSAND_LINES_SECONDS


def test_a_line_is_answered_before_the_next_one_is_asked() -> None:
    command = [sys.executable, "-m", "advisor", "estimate"]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdin
        assert program.stdout
        for name in ("first", "second"):
            program.stdin.write(json.dumps({"id": name, **SERVE}) + "\n")
            program.stdin.flush()
            assert json.loads(program.stdout.readline())["id"] == name
        program.stdin.close()
        assert program.wait(timeout=10) == 0


@pytest.mark.parametrize(
    ("question", "code", "field"),
    [
        ("[1, 2]", "not-an-object", "line 1"),
        ("nan", "not-json", "line 1"),
        ("[" * 100_000, "not-json", "line 1"),
        ({}, "missing-field", "workload"),
        ({"workload": []}, "not-an-object", "workload"),
        ({"workload": {"task": "serve"}}, "missing-field", "workload.model"),
        ({**SERVE, "colour": 1}, "unknown-field", "colour"),
        ({**SERVE, "deployment": 7}, "not-an-object", "deployment"),
        ({"workload": {**SERVE["workload"], "contxt_tokens": 8}}, "unknown-field", "workload.contxt_tokens"),
        ({"workload": {**SERVE["workload"], "concurrency": 0}}, "out-of-range", "concurrency"),
        ({"workload": {**SERVE["workload"], "concurrency": "8"}}, "wrong-type", "concurrency"),
        (
            '{"workload": {"task": "serve", "model": "llama-3.1-8b", "concurrency": NaN}}',
            "wrong-type",
            "concurrency",
        ),
        ({**SERVE, "deployment": {"gpu": "banana"}}, "unknown-name", "deployment.gpu"),
    ],
)
def test_bad_question_gets_a_coded_error(
    question: Mapping[str, Any] | str, code: str, field: str, shell: Shell
) -> None:
    error = shell.error(question)
    assert (error["code"], error["field"]) == (code, field)
    assert error["message"].endswith(".")
    assert "{" not in error["message"]


def test_a_fault_of_the_program_does_not_take_the_other_answers_with_it(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = advisor.estimate

    def faulty(
        workload: advisor.Workload, deployment: advisor.Deployment, facts: advisor.Facts
    ) -> advisor.Estimate:
        if workload.concurrency == 13:
            raise ZeroDivisionError
        return whole(workload, deployment, facts)

    monkeypatch.setattr(advisor, "estimate", faulty)
    broken = {"id": "broken", "workload": {**SERVE["workload"], "concurrency": 13}}
    first, second = shell.answers("estimate", [broken, {"id": "whole", **SERVE}])
    assert shell.status == 1
    assert (first["id"], first["error"]["code"]) == ("broken", "internal-fault")
    assert second["memory"]["needed_gib"] > 1


def test_blank_lines_are_passed_over_and_no_question_is_no_error(shell: Shell) -> None:
    assert len(shell.answers("estimate", ["", json.dumps(SERVE), "  "])) == 1
    assert shell.text("estimate", "") == ""
    assert shell.status == 0


def test_fields_of_measured_cases_are_let_through(shell: Shell) -> None:
    case = {
        **SERVE,
        "measured": {"metric": "needed_gib", "value": 1},
        "quality": "A",
        "source": "",
        "note": "",
    }
    bare, measured = shell.answers("estimate", [SERVE, case])
    assert bare == measured


def test_without_a_gpu_the_need_is_answered_and_the_speed_is_open(shell: Shell) -> None:
    (answer,) = shell.answers("estimate", [{"workload": {**SERVE["workload"], "concurrency": 8}}])
    assert answer["memory"]["needed_gib"] > 20
    assert answer["memory"]["fits"] is None
    assert answer["throughput"] is None


def test_a_document_over_several_lines_is_one_question(shell: Shell) -> None:
    question = json.dumps({"id": "long", "workload": SERVE["workload"], "limit": 1}, indent=2)
    answer = json.loads(shell.text("rank --json --today 2026-12-01", question))
    assert answer["id"] == "long"
    assert len(answer["offers"]) == 1


def test_limit_of_the_question_goes_before_that_of_the_command(shell: Shell) -> None:
    work = {"workload": SERVE["workload"]}
    silent, stated = shell.answers("rank --limit 3 --today 2026-12-01", [work, {**work, "limit": 2}])
    assert [len(answer["offers"]) for answer in (silent, stated)] == [3, 2]
    assert shell.error({**work, "limit": "many"}, "rank")["code"] == "wrong-type"
    assert shell.error({**work, "limit": -1}, "rank")["code"] == "out-of-range"


def test_prices_age_from_the_day_that_is_passed_in(shell: Shell) -> None:
    question = {"workload": SERVE["workload"], "limit": 1}
    (early,) = shell.answers("rank --today 2026-09-01", [question])
    (late,) = shell.answers("rank --today 2026-09-11", [question])
    assert late["offers"][0]["age_days"] - early["offers"][0]["age_days"] == 10


def test_estimates_as_a_table(shell: Shell) -> None:
    files = " ".join(f"{EXAMPLES / task}.jsonl" for task in ESTIMATED)
    text = shell.text(f"estimate --table {files}")
    head, _, *rows = text.split("\n\n")[0].splitlines()
    assert head.split("  ")[0] == "id"
    assert [row.split()[0] for row in rows] == list(ESTIMATED)
    assert "64 × h100-sxm-80gb" in text
    assert "serve assumes: " in text


def test_error_in_a_table_is_a_sentence(shell: Shell) -> None:
    text = shell.text("estimate --table", lines_of([{"id": "x", "workload": {"task": "serve"}}, SERVE]))
    assert shell.status == 1
    assert "x: " in text
    assert "\n–   h100 " in text


def test_ranking_as_a_table_names_the_three_cards_and_the_refusals(shell: Shell) -> None:
    text = shell.text(f"rank --table --limit 700 --today 2026-12-01 {EXAMPLES / 'rank.jsonl'}")
    for wish in ("value", "cheapest", "fastest"):
        assert len(re.findall(rf"^{wish}\b", text, re.MULTILINE)) <= 1
    assert "cheapest" in text
    assert "Not in the countries you chose." in text
    assert "of 2,698 offers do this work" in text


def test_ranking_without_an_offer_says_what_came_nearest(shell: Shell) -> None:
    question = {"workload": {**SERVE["workload"], "concurrency": 8}, "needs": {"max_usd_per_month": 10}}
    text = shell.text("rank --table --today 2026-12-01", json.dumps(question))
    assert text.startswith("0 of 2,698 offers do this work")
    assert re.search(r"over your limit of \$10\.0 a month\. Nearest: \S+ at \S+\.", text)


def test_diagnosis_as_sentences(shell: Shell) -> None:
    text = shell.text(f"diagnose --table {EXAMPLES / 'diagnose.jsonl'}")
    assert re.match(r"diagnose: this set-up should give [\d.]+ tokens/s each; you reach \d+%\.", text)
    assert "  high    Launching kernels one by one" in text


def test_models_are_searched_by_every_word(shell: Shell) -> None:
    found = [model["id"] for model in shell.answers("models LLAMA 3.1-8B")]
    assert "llama-3.1-8b" in found
    assert all("llama" in name and "8b" in name for name in found)
    assert len(found) < 20


def test_models_are_filtered(shell: Shell) -> None:
    everything = shell.answers("models")
    videos = shell.answers("models --task video")
    small = shell.answers("models --task serve --parameters-at-most 2 --context-at-least 100000")
    assert len(everything) > 291
    assert 10 < len(videos) < len(everything)
    assert all("video" in model["tasks"] for model in videos)
    assert all(model["parameters"] <= 2e9 and model["max_context"] >= 100_000 for model in small)
    assert small


def test_gpus_are_filtered(shell: Shell) -> None:
    large = shell.answers("gpus --memory-at-least 80 --memory-type hbm --offered")
    assert {"h100-sxm-80gb", "b200-sxm-180gb"} <= {gpu["id"] for gpu in large}
    assert all(gpu["memory_gb"] >= 80 and gpu["offers"] > 0 for gpu in large)
    consumer = shell.answers("gpus --class consumer --computes fp8 --vendor nvidia")
    assert {gpu["class"] for gpu in consumer} == {"consumer"}
    assert "rtx-4090" in {gpu["id"] for gpu in consumer}
    assert "rtx-3090" not in {gpu["id"] for gpu in consumer}


def test_offers_of_all_gpus_are_all_offers(shell: Shell) -> None:
    assert sum(gpu["offers"] for gpu in shell.answers("gpus")) == 2698


def test_lists_as_tables_say_how_many_there_are(shell: Shell) -> None:
    assert shell.text("gpus --table mi300x").splitlines()[-1] == "1 GPU."
    assert shell.text("models --table there-is-no-such-model") == "0 models.\n"


def test_the_product_tables_are_sound(shell: Shell) -> None:
    text = shell.text("check-data --table --today 2026-12-01")
    assert shell.status == 0
    assert re.fullmatch(r"\d+ tables checked: 0 refused, \d+ doubtful\.", text.splitlines()[-1])


def test_a_damaged_table_is_named_and_makes_the_status_one(tmp_path: Path, shell: Shell) -> None:
    folder = tmp_path / "data"
    shutil.copytree(data_folder(), folder)
    gpus = folder / "gpus.csv"
    gpus.write_text(gpus.read_text("utf-8").replace("\nh100-sxm-80gb,", "\nh100-sxm-80gb,,,", 1), "utf-8")
    text = shell.text(f"check-data --table --today 2026-12-01 {folder}")
    assert shell.status == 1
    assert "gpus.csv" in text
    findings = shell.answers(f"check-data --today 2026-12-01 {folder}")
    assert any(finding["refused"] and finding["key"] == "h100-sxm-80gb" for finding in findings)


def test_a_missing_file_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["estimate", "no-such-file.jsonl"]) == 2
    assert capsys.readouterr().err == "no-such-file.jsonl: No such file or directory.\n"


def test_a_reader_that_stops_reading_is_no_fault(tmp_path: Path) -> None:
    questions = tmp_path / "questions.jsonl"
    questions.write_text(lines_of([SERVE] * 500), "utf-8")
    command = f"{sys.executable} -m advisor estimate {questions} | head -n 1"
    done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True, check=True)
    assert len(done.stdout.splitlines()) == 1
    assert done.stderr == ""


def test_help_mentions_every_command() -> None:
    text = run_program(["--help"]).stdout
    for command in COMMANDS:
        assert re.search(rf"^    {command}\s", text, re.MULTILINE), command


def examples_of(command: str) -> list[str]:
    """The example commands in the help of a command, each with its input."""
    text = run_program([command, "--help"] if command else ["--help"]).stdout
    examples = text.split("examples:\n")[1].split("\n\n`python")[0]
    commands, lines = [], []
    for line in examples.splitlines():
        lines.append(line.strip())
        whole = "\n".join(lines)
        if "python -m advisor" not in line or line.endswith("\\"):
            continue
        start = max(whole.rfind("\necho "), whole.rfind("\npython "))
        commands.append(whole[start + 1 :] if start >= 0 else whole)
        lines = []
    return commands


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_examples_of_the_help_work(command: str) -> None:
    """Whoever copies an example gets an answer. Those that need a tool or a file of their own are left out."""
    examples = [
        example
        for example in examples_of(command)
        if "jq" not in example and "path/to" not in example and "cases.jsonl" not in example
    ]
    assert examples
    for example in examples:
        shell_command = example.replace("python -m advisor", f"{sys.executable} -m advisor")
        done = subprocess.run(
            ["bash", "-c", shell_command], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, example + done.stdout + done.stderr
        assert done.stdout


def test_every_option_is_explained() -> None:
    subparsers = next(action for action in build_parser()._actions if action.choices)
    assert set(subparsers.choices or ()) == set(COMMANDS)
    for parser in dict(subparsers.choices or {}).values():
        assert all(action.help for action in parser._actions)


def test_figures_are_finite_and_have_nine_digits() -> None:
    figures = {
        "a": 0.1 + 0.2,
        "b": [float("nan"), (float("inf"), 131_072.0)],
        "c": {"d": 1_234_567_890.1},
        "e": True,
    }
    assert plain(figures) == {
        "a": 0.3,
        "b": [None, [None, 131_072.0]],
        "c": {"d": 1_234_567_890.0},
        "e": True,
    }


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (8192, "8,192"), (24.957, "25.0"), (123.4, "123"), (0.0123, "0.012"), (1.0, "1.0")],
)
def test_numbers_are_written_short(value: float, text: str) -> None:
    assert number(value) == text


@pytest.mark.parametrize(
    ("usd", "text"), [(0.00512, "$0.0051"), (0.25, "$0.25"), (182.5, "$182.50"), (1520.4, "$1,520")]
)
def test_money_is_written_as_precisely_as_it_matters(usd: float, text: str) -> None:
    assert money(usd) == text


def test_values_of_a_sentence_get_the_unit_of_their_name() -> None:
    text = sentence("too-slow", {"value_tokens_per_second": 8.26, "limit_tokens_per_second": 10.0})
    assert text == "It gives each reader 8.3 tokens/s, less than 10.0 tokens/s."


def test_an_offload_of_inference_is_refused_for_training(shell: Shell) -> None:
    question = {"workload": {"model": "llama-3.1-8b", "task": "finetune", "offload": "weights"}}
    error = shell.error(question, "rank")
    assert (error["code"], error["field"]) == ("unknown-value", "workload.offload")
    assert "optimizer" in error["accepted"]


def test_a_split_that_no_machine_offers_ranks_nothing(shell: Shell) -> None:
    question = {"workload": {"model": "deepseek-v3"}, "deployment": {"tensor_parallel": 3}}
    (answer,) = shell.answers("rank", [question])
    assert answer["ranked"] == 0
    assert sum(refusal["count"] for refusal in answer["rejected"]) == 2698


def test_an_absurd_job_never_pays_its_owner(shell: Shell) -> None:
    workload = {"task": "image", "model": "sana-sprint-1.6b"}
    (answer,) = shell.answers("rank", [{"workload": workload, "needs": {"job_units": 1e18}}])
    assert min(offer["total_usd"] for offer in answer["offers"]) > 0


@pytest.mark.parametrize("degree", ["expert_parallel", "attention_data_parallel"])
def test_experts_are_not_spread_over_gpus_that_nobody_rents(shell: Shell, degree: str) -> None:
    deployment = {"gpu": "h100-sxm-80gb", "gpu_count": 1, degree: 256}
    error = shell.error({"workload": {"model": "deepseek-v3"}, "deployment": deployment})
    assert (error["code"], error["field"]) == ("layout-impossible", f"deployment.{degree}")
