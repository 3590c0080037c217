"""How close the estimates come to real measurements, class by class.

    python -m benchmarks.accuracy memory
    python -m benchmarks.accuracy throughput --cases FILE

Prints misses, bias, intervals, verdicts and the worst cases, and writes them to `docs/accuracy.md`; with other cases
than the project's own it only prints.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from advisor.errors import AdvisorError
from advisor.estimate.results import DOES_NOT_FIT, TIGHT
from advisor.facts import Facts, load_facts
from benchmarks.cases import CASES, FITS, Answer, answers, read_records
from benchmarks.classes import CLASSES, Class

DOCUMENT = Path(__file__).parents[1] / "docs" / "accuracy.md"
TITLES = {"memory": "Memory", "throughput": "Speed"}
WORST = 8

INTRODUCTION = """# Accuracy

What people measured, beside what the product answers to the same question. `python -m benchmarks.accuracy memory` and
`python -m benchmarks.accuracy throughput` print and write these tables from `benchmarks/data`, where every case names
its source. A miss is |estimate / measurement - 1|; the bias is the median of estimate / measurement; *held* is the
share of measurements within the 80 % interval, *half-width* the median half-width of that interval. Quality A: every
input that decides the figure is stated; B: one is missing or rounded.
"""

COLUMNS = "| class | cases | median | 90th percentile | bias | held | half-width | bound |"
RULE = "|---|---:|---:|---:|---:|---:|---:|---|"


def report(kind: str, records: Sequence[Mapping[str, Any]], facts: Facts) -> str:
    """Return the tables of a kind (memory or throughput) as Markdown."""
    classes, class_of = CLASSES[kind]
    given = answers([_marked(record, facts) for record in records], facts)
    lines = [f"## {TITLES[kind]}", ""]
    for quality, meaning in (("A", "every input stated"), ("B", "an input missing or rounded")):
        members = [one for one in given if one.quality == quality]
        lines += [f"### Quality {quality}: {meaning}", "", COLUMNS, RULE]
        for group in classes:
            own = [one for one in members if one.metric != FITS and class_of(one.record) == group.name]
            lines += [_row(group, own, quality)] if own else []
        lines.append("")
    lines += _verdicts(given)
    lines += _failures(given)
    lines += _worst(given, class_of)
    return "\n".join(lines) + "\n"


def _marked(record: Mapping[str, Any], facts: Facts) -> dict[str, Any]:
    """Return a case with the mark of a mixture of experts, which classes of speed ask for."""
    name = record["workload"].get("model")
    try:
        model_id = facts.language_models.names.find(name, "model")[0] if isinstance(name, str) else ""
    except AdvisorError:
        model_id = ""
    shape = facts.language_models.by_id.get(model_id)
    return {**record, "is_mixture": shape is not None and shape.is_mixture}


def _row(group: Class, members: Sequence[Answer], quality: str) -> str:
    answered = [one for one in members if one.predicted is not None]
    if not answered:
        return f"| {group.name} | {len(members)} | no answer | | | | | |"
    misses = np.array([one.miss for one in answered])
    absolute = np.abs(misses)
    held = [one.is_held for one in answered if one.is_held is not None]
    widths = [one.half_width for one in answered if one.is_held is not None]
    figures = [
        str(len(answered)),
        _percent(float(np.median(absolute))),
        _percent(float(np.percentile(absolute, 90))),
        f"{1 + float(np.median(misses)):.3f}",
        f"{np.mean(held):.0%}" if held else "",
        _percent(float(np.median(widths))) if widths else "",
        f"{group.median:.1%} / {group.ninetieth:.0%}" if group.median and quality == "A" else "",
    ]
    return f"| {group.name} | {' | '.join(figures)} |"


def _percent(share: float) -> str:
    return f"{share:.2%}" if share < 0.1 else f"{share:.0%}"


def _verdicts(given: Sequence[Answer]) -> list[str]:
    """Return the table of verdicts: runs that fitted and runs that ran out of memory."""
    judged = [one for one in given if one.metric == FITS and one.predicted is not None]
    if not judged:
        return []
    lines = [
        "### Does it fit?",
        "",
        "| the run | quality | cases | called right | tight |",
        "|---|---|---:|---:|---:|",
    ]
    for fitted, name in ((True, "fitted"), (False, "ran out of memory")):
        for quality in ("A", "B"):
            own = [one for one in judged if bool(one.measured) is fitted and one.quality == quality]
            if own:
                right = sum(bool(one.predicted) is fitted for one in own)
                tight = sum(one.verdict == TIGHT for one in own)
                lines.append(f"| {name} | {quality} | {len(own)} | {right} | {tight} |")
    wrong = [one for one in judged if bool(one.predicted) is not bool(one.measured)]
    lines += [
        "",
        *(f"* called wrong: {_named(one)}, verdict {one.verdict or DOES_NOT_FIT}" for one in wrong),
        "",
    ]
    return lines


def _failures(given: Sequence[Answer]) -> list[str]:
    failed = [one for one in given if one.error]
    if not failed:
        return []
    return ["### Not answered", "", *(f"* {_named(one)}: {one.error}" for one in failed), ""]


def _worst(given: Sequence[Answer], class_of: Any) -> list[str]:
    """Return the largest misses of quality A, one of each class and model."""
    answered = [
        one for one in given if one.metric != FITS and one.predicted is not None and one.quality == "A"
    ]
    ranked = sorted(answered, key=lambda one: (-abs(np.log(max(1e-9, 1 + one.miss))), one.id))
    lines = [
        "### Largest misses of quality A",
        "",
        "| case | class | measured | estimate | note |",
        "|---|---|---:|---:|---|",
    ]
    first = {
        (class_of(one.record), str(one.record["workload"].get("model"))): one for one in reversed(ranked)
    }
    for one in [one for one in ranked if one in first.values()][:WORST]:
        note = str(one.record.get("note", "")).replace("|", "/")[:80]
        figures = f"{one.measured:.4g} | {one.predicted:.4g}"
        lines.append(f"| {_named(one)} | {class_of(one.record)}, {one.metric} | {figures} | {note} |")
    return lines


def _named(one: Answer) -> str:
    """Return a case by its id, model, format, GPU and engine."""
    workload, deployment = one.record["workload"], one.record["deployment"]
    model = workload.get("model")
    parts = (
        model if isinstance(model, str) else "a configuration",
        workload.get("weights", ""),
        deployment.get("gpu", ""),
        f"{deployment.get('engine', '')} {deployment.get('engine_version', '')}",
    )
    return f"{one.id} ({', '.join(part.strip() for part in parts if part.strip())})"


def document(sections: Mapping[str, str]) -> str:
    """Return `docs/accuracy.md` from the sections by kind."""
    return "\n".join([INTRODUCTION, *(sections[kind] for kind in TITLES if kind in sections)])


def write_section(kind: str, text: str, path: Path = DOCUMENT) -> None:
    """Replace one section of the document, leaving the other as it is."""
    path.write_text(document(read_sections(path) | {kind: text}), "utf-8")


def read_sections(path: Path) -> dict[str, str]:
    """Return the sections of the document by kind; nothing where there is no document."""
    if not path.is_file():
        return {}
    sections = {}
    for kind, title in TITLES.items():
        parts = path.read_text("utf-8").split(f"## {title}\n", 1)
        if len(parts) == 2 and not parts[0].endswith("#"):
            body = parts[1].split("\n## ", 1)[0].rstrip("\n")
            sections[kind] = f"## {title}\n{body}\n"
    return sections


def main(arguments: Sequence[str]) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.accuracy", description=__doc__)
    parser.add_argument("kind", choices=sorted(CLASSES))
    parser.add_argument("--cases", type=Path, help="measured cases, by default those of the project")
    given = parser.parse_args(arguments)
    text = report(given.kind, read_records(given.cases or CASES / f"{given.kind}.jsonl"), load_facts())
    print(text, end="")
    if given.cases is None:
        write_section(given.kind, text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
