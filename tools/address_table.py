"""Write the table of the page's address from the table of questions.

python -m tools.address_table docs/address.md
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

from advisor.ui.answers import MODEL_CODE, TASK_CODE
from advisor.ui.questions import BY_MODEL, QUESTIONS, Question, Value
from advisor.workload import TASKS

INTRODUCTION = """# The page's address

A link holds what somebody set, and nothing that a default says anyway. Codes and values are those of the contract, in
no language; `lang` and `cur` say how the page is shown. A value that cannot be is dropped with a notice, and the rest
of the link holds. This table is written by `python -m tools.address_table docs/address.md` from the questions.

| code | field | asked for | values | default |
|---|---|---|---|---|
"""
FIXED = (
    (TASK_CODE, "task", "all", ", ".join(TASKS), "serve"),
    (MODEL_CODE, "model", "all", "an id, a name or an alias; `hf:org/name`", "the usual one of the work"),
    ("lang", "language", "all", "en, pt-BR, it", "the browser's"),
    ("cur", "currency", "all", "USD, EUR, BRL, GBP", "USD"),
)
NAMES = {
    "format": "a weight format",
    "engine": "an engine",
    "gpu": "a GPU",
    "where": "a country code, EU, EEA, LATAM or any",
    "size": "width x height, such as 1024x768",
    "flag": "1, 0",
}


def address_table() -> str:
    """Return the page as Markdown."""
    rows = [*FIXED, *(_row(question) for question in QUESTIONS)]
    return INTRODUCTION + "".join(f"| `{row[0]}` | {' | '.join(row[1:])} |\n" for row in rows)


def _row(question: Question) -> tuple[str, ...]:
    tasks = "all" if question.tasks == TASKS else ", ".join(question.tasks)
    return (
        question.code,
        question.key,
        tasks,
        _values(question),
        "; ".join(dict.fromkeys(_defaults(question))),
    )


def _values(question: Question) -> str:
    if question.kind in NAMES:
        return NAMES[question.kind]
    if question.accepted:
        several = ", several with commas" if question.kind == "choices" else ""
        return ", ".join(question.accepted) + several
    if question.kind == "tokens":
        return "a whole number, up to the model's longest context"
    return f"{question.low * question.scale:g} to {question.high * question.scale:g}"


def _defaults(question: Question) -> Iterator[str]:
    for task in question.tasks:
        yield _written(question.default_for(task))


def _written(default: Value) -> str:
    if default is None:
        return "open"
    if default == BY_MODEL:
        return "by model or work"
    if isinstance(default, bool):
        return "1" if default else "0"
    return ", ".join(default) if isinstance(default, tuple) else str(default)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.address_table")
    parser.add_argument("file", type=Path)
    parser.parse_args(arguments).file.write_text(address_table(), encoding="utf-8")


if __name__ == "__main__":
    main()
