"""`python -m advisor diagnose`: why a running deployment is slow, and what would help."""

import argparse
from collections.abc import Callable

import advisor
from advisor.cli.parsers import Commands, add_command, add_files
from advisor.cli.sentences import SPEED_UNITS, error_sentence, message_sentence, number
from advisor.cli.streams import (
    Answer,
    Question,
    answers,
    deployment_of,
    read_lines,
    required,
    wants_table,
    whole_documents,
    write_json,
)
from advisor.cli.tables import write
from advisor.diagnose import Advice
from advisor.facts import Facts, load_facts
from advisor.workload import Observed, Workload

DESCRIPTION = """\
Compare what a running deployment does with what it could do.

A question is {"id": ..., "workload": {...}, "deployment": {...}, "observed": {...}}, one a line or one document over
several lines. `observed` holds at least `tokens_per_second` (of the whole deployment) or
`tokens_per_second_per_request`; `gpu_utilization` (0 to 1), `memory_used_gib` and `sm_clock_mhz` sharpen the answer.
Without a `concurrency` the measurement was made with one request.
"""

EXAMPLES = """\
examples:
  An RTX 5090 shows 30 tokens/s and 45 % utilisation with one conversation. Why?
    echo '{"workload": {"task": "serve", "model": "llama-3.1-8b", "concurrency": 1},
           "deployment": {"gpu": "rtx-5090", "engine": "transformers"},
           "observed": {"tokens_per_second": 30, "gpu_utilization": 0.45}}' | python -m advisor diagnose

  The example of the documentation:
    python -m advisor diagnose --table docs/examples/diagnose.jsonl
"""


def add_parser(commands: Commands) -> None:
    """Add the command."""
    parser = add_command(commands, "diagnose", "why a running deployment is slow", DESCRIPTION, EXAMPLES)
    add_files(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> bool:
    """Answer every question; returns whether one had an error."""
    fields = ("workload", "deployment", "observed")
    failed = False
    for answer in answers(whole_documents(read_lines(options)), fields, adviser(load_facts())):
        if wants_table(options):
            write_advice(answer)
        else:
            write_json(answer.to_dict(Advice.to_dict))
        failed = failed or answer.error is not None
    return failed


def adviser(facts: Facts) -> Callable[[Question], Advice]:
    """Return the function that answers one question on these facts."""

    def answer(question: Question) -> Advice:
        workload = Workload.from_dict(required(question, "workload"), "workload")
        observed = Observed.from_dict(required(question, "observed"), "observed")
        return advisor.diagnose(workload, deployment_of(question), observed, facts)

    return answer


def write_advice(answer: Answer[Advice]) -> None:
    """Write a diagnosis for a person."""
    name = "" if answer.id is None else f"{answer.id}: "
    if answer.error:
        write(f"{name}{error_sentence(answer.error)}")
    if answer.result is None:
        return
    advice = answer.result
    speed = getattr(advice.ceiling, advice.ceiling.headline) or 0.0
    unit = SPEED_UNITS[advice.ceiling.headline]
    write(
        f"{name}this set-up should give {number(speed)} {unit}; you reach {advice.share_reached:.0%}. "
        f"Limited by {advice.bound}."
    )
    for cause in advice.causes:
        write(f"  {cause.likelihood:<7} {message_sentence(cause.message)}")
    for remedy in advice.remedies:
        write(f"  {number(remedy.factor):>5} × {message_sentence(remedy.message)}")
