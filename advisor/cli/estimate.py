"""`python -m advisor estimate`: memory and speed of stated deployments."""

import argparse
from collections.abc import Callable, Sequence

import advisor
from advisor.cli.parsers import Commands, add_command, add_files
from advisor.cli.sentences import SPEED_UNITS, assumption_text, error_sentence, message_sentence, number
from advisor.cli.streams import (
    Answer,
    Question,
    answers,
    deployment_of,
    read_lines,
    required,
    wants_table,
    write_json,
)
from advisor.cli.tables import DASH, write, write_assumed, write_table
from advisor.estimate.results import Estimate, Memory, Number, Throughput, verdict
from advisor.facts import Facts, load_facts
from advisor.workload import Workload

DESCRIPTION = """\
Estimate memory and speed of stated deployments.

A question is {"id": ..., "workload": {...}, "deployment": {...}}. Only `task` and `model` must be stated; every default
comes back in `assumed`. Without a `gpu` the answer says what the work needs and leaves open what depends on a card.
Sizes are GiB of one GPU, speeds are of the whole deployment unless the name says otherwise, and `low` and `high`
bound what eight cases out of ten measure.
"""

EXAMPLES = """\
examples:
  Eight conversations of 32,768 tokens with an 8B model on one 24 GB card:
    echo '{"workload": {"task": "serve", "model": "llama-3.1-8b", "weights": "fp8", "context_tokens": 32768,
           "concurrency": 8}, "deployment": {"gpu": "rtx-4090"}}' | tr -d '\\n' | python -m advisor estimate

  QLoRA of a 70B model: what does it need, whatever the card?
    echo '{"workload": {"task": "finetune", "model": "llama-3.1-70b", "method": "qlora"}}' \\
      | python -m advisor estimate

  The examples of the documentation, one for each kind of work, as a table:
    python -m advisor estimate --table docs/examples/serve.jsonl docs/examples/image.jsonl

  A file of cases, the need of each:
    python -m advisor estimate cases.jsonl | jq -r '[.id, .memory.needed_gib] | @tsv'
"""

HEADS = (
    "id",
    "GPU",
    "needs GiB",
    "80 % interval",
    "usable GiB",
    "verdict",
    "speed",
    "80 % interval",
    "limited by",
)


def add_parser(commands: Commands) -> None:
    """Add the command."""
    parser = add_command(
        commands, "estimate", "memory and speed of stated deployments", DESCRIPTION, EXAMPLES
    )
    add_files(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> bool:
    """Answer every question; returns whether one had an error."""
    answered = answers(read_lines(options), ("workload", "deployment"), estimator(load_facts()))
    if wants_table(options):
        shown = list(answered)
        write_answers(shown)
        return any(answer.error for answer in shown)
    failed = False
    for answer in answered:
        write_json(answer.to_dict(Estimate.to_dict))
        failed = failed or answer.error is not None
    return failed


def estimator(facts: Facts) -> Callable[[Question], Estimate]:
    """Return the function that answers one question on these facts."""

    def answer(question: Question) -> Estimate:
        workload = Workload.from_dict(required(question, "workload"), "workload")
        return advisor.estimate(workload, deployment_of(question), facts)

    return answer


def write_answers(shown: Sequence[Answer[Estimate]]) -> None:
    """Write the estimates as one table, then what was assumed and what went wrong."""
    rows = [_row(name_of(answer), answer, answer.result) for answer in shown if answer.result]
    if rows:
        write_table(HEADS, rows, right=("needs GiB", "usable GiB"))
    for answer in shown:
        _write_remarks(name_of(answer), answer)


def name_of(answer: Answer[Estimate]) -> str:
    """Return what a table calls a question."""
    return DASH if answer.id is None else str(answer.id)


def _row(name: str, answer: Answer[Estimate], estimate: Estimate) -> tuple[str, ...]:
    deployment = deployment_of(answer.question)
    gpu, count = deployment.gpu or DASH, deployment.gpu_count or 1
    return (
        name,
        f"{count} × {gpu}" if count > 1 else gpu,
        *_memory_cells(estimate.memory),
        *_speed_cells(estimate.throughput),
    )


def _memory_cells(memory: Memory[Number]) -> tuple[str, ...]:
    return (
        figure(memory.needed_gib),
        interval(memory.low_gib, memory.high_gib),
        figure(memory.budget_gib),
        (verdict(memory) or DASH).replace("-", " "),
    )


def _speed_cells(throughput: Throughput[Number] | None) -> tuple[str, ...]:
    if throughput is None:
        return DASH, DASH, DASH
    unit = SPEED_UNITS.get(throughput.headline, throughput.headline)
    speed: Number = getattr(throughput, throughput.headline)
    written = DASH if speed is None else f"{number(speed)} {unit}"
    return written, interval(throughput.low, throughput.high), str(throughput.bound)


def figure(value: Number) -> str:
    """Return a figure, or a dash where there is none."""
    return DASH if value is None else number(value)


def interval(low: Number, high: Number) -> str:
    """Return an interval, or a dash where there is none."""
    return DASH if low is None or high is None else f"{number(low)} to {number(high)}"


def _write_remarks(name: str, answer: Answer[Estimate]) -> None:
    write()
    if answer.error:
        write(f"{name}: {error_sentence(answer.error)}")
    if answer.result:
        write_assumed(f"{name} assumes: ", [assumption_text(assumed) for assumed in answer.result.assumed])
        for warning in answer.result.warnings:
            write(f"{name}: {message_sentence(warning)}")
