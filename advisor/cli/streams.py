"""Questions in, answers out: JSON lines that are read as they come, each answered whatever the others are."""

import argparse
import json
import math
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from advisor.cli.sentences import error_sentence
from advisor.errors import AdvisorError
from advisor.workload import Deployment

Result = TypeVar("Result")
Question = Mapping[str, Any]

REFERENCE_CASE_FIELDS = ("measured", "quality", "source", "note")
"""What lines of measured cases carry besides the question; it is let through and not looked at."""

DIGITS = 9
"""Significant digits of a written figure: more than any of them means, fewer than processors differ in."""


@dataclass(frozen=True, slots=True)
class Answer(Generic[Result]):
    """The answer to one question: a result or an error. question: as it was read, empty where that failed."""

    id: object
    question: Question
    result: Result | None
    error: AdvisorError | None

    def to_dict(self, result_to_dict: Callable[[Result], Mapping[str, object]]) -> dict[str, object]:
        """Return the output line of the contract."""
        if self.error is not None:
            return {"id": self.id, "error": error_to_dict(self.error)}
        assert self.result is not None
        return {"id": self.id, **result_to_dict(self.result)}


def error_to_dict(error: AdvisorError) -> dict[str, object]:
    """Return the contract's error object, with its English sentence."""
    return {
        "code": error.code,
        "field": error.field,
        "accepted": list(error.accepted),
        "message": error_sentence(error),
    }


def wants_table(options: argparse.Namespace) -> bool:
    """Return whether a person reads the output."""
    return options.table or (sys.stdout.isatty() and not options.json)


def read_lines(options: argparse.Namespace) -> Iterator[str]:
    """Yield the lines of the files or of standard input, as they come."""
    if options.files:
        for path in options.files:
            with path.open(encoding="utf-8-sig", errors="replace") as file:
                yield from file
        return
    if sys.stdin.isatty():
        sys.stderr.write("Waiting for questions, one JSON object a line; --help has examples.\n")
    yield from sys.stdin


def whole_documents(lines: Iterable[str]) -> Iterator[str]:
    """Yield one document where the input is one, however many lines it has; else the lines."""
    text = "".join(lines)
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        yield from text.splitlines()
    else:
        yield text


def answers(
    lines: Iterable[str], fields: Iterable[str], answer: Callable[[Question], Result]
) -> Iterator[Answer[Result]]:
    """Yield the answer to each line that is not blank.

    fields: keys that a question may have, besides `id` and what reference cases carry; answer: may raise AdvisorError.
    """
    known = {"id", *fields, *REFERENCE_CASE_FIELDS}
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield _answer_to(line, f"line {number}", known, answer)


def _answer_to(line: str, name: str, known: set[str], answer: Callable[[Question], Result]) -> Answer[Result]:
    question: Question = {}
    try:
        question = _question(line, name)
        _refuse_unknown(question, known)
        return Answer(question.get("id"), question, answer(question), None)
    except AdvisorError as error:
        return Answer(question.get("id"), question, None, error)
    except Exception:  # a fault of ours must not take the other answers with it
        traceback.print_exc()
        return Answer(question.get("id"), question, None, AdvisorError("internal-fault", name))


def _question(line: str, name: str) -> Question:
    try:
        question = json.loads(line)
    except (ValueError, RecursionError):
        raise AdvisorError("not-json", name) from None
    if not isinstance(question, dict):
        raise AdvisorError("not-an-object", name)
    return question


def _refuse_unknown(question: Question, known: set[str]) -> None:
    for key in question:
        if key not in known:
            raise AdvisorError("unknown-field", key, sorted(known - set(REFERENCE_CASE_FIELDS)))


def required(question: Question, key: str) -> object:
    """Return a part of a question; raises AdvisorError missing-field."""
    if key not in question:
        raise AdvisorError("missing-field", key)
    return question[key]


def part(question: Question, key: str) -> object:
    """Return a part of a question that need not be there; empty without it."""
    given = question.get(key)
    return {} if given is None else given


def deployment_of(question: Question) -> Deployment:
    """Return the deployment of a question, which need not state one; raises AdvisorError."""
    return Deployment.from_dict(part(question, "deployment"), "deployment")


def write_json(record: Mapping[str, object]) -> None:
    """Write one line at once, so that whoever waits for it has it."""
    sys.stdout.write(json.dumps(plain(record), ensure_ascii=False, allow_nan=False) + "\n")
    sys.stdout.flush()


def plain(value: object) -> object:
    """Return a value as it is written: figures with nine digits, the same on every processor; no figure is null."""
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value
