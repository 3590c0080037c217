"""Refit the coefficients and the 80 % intervals in `data/` from the measured cases.

    python -m benchmarks.calibrate throughput
    python -m benchmarks.calibrate memory

The same cases give the same tables. Each part of the work has a module with `calibrate(records, folder) -> outcomes`:
it refits its own table in `folder` and returns, for every case, a prediction made without that case's GPU or model,
from which the intervals follow. Groups of which only verdicts are known may add `verdict_intervals(records, folder)`.
"""

import argparse
import csv
import importlib
import importlib.util
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from advisor.facts.intervals import Interval
from advisor.paths import data_folder
from benchmarks.outcomes import Outcome, Record, intervals_of, misses

CASES = Path(__file__).parent / "data"

PARTS = {
    "throughput": ("calibrate_serving", "calibrate_training", "calibrate_media", "calibrate_audio"),
    "memory": ("calibrate_memory", "calibrate_training_memory", "calibrate_media_memory"),
}
"""Modules of this package that take part; one that is not there yet is skipped."""

INTERVALS = {"throughput": "speed_intervals", "memory": "memory_intervals"}


def read_cases(path: Path) -> list[Record]:
    """Return the measured cases of a file, one JSON object a line."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line]


def run(kind: str, cases: Path, folder: Path) -> list[Outcome]:
    """Refit every part of a kind and its intervals; returns the held-out predictions."""
    records = read_cases(cases)
    outcomes: list[Outcome] = []
    bounded: list[Interval] = []
    for name in PARTS[kind]:
        if importlib.util.find_spec(f"benchmarks.{name}") is not None:
            part = importlib.import_module(f"benchmarks.{name}")
            outcomes += part.calibrate(records, folder)
            bounded += part.verdict_intervals(records, folder) if hasattr(part, "verdict_intervals") else []
    write_intervals(
        folder / f"{INTERVALS[kind]}.csv",
        [*intervals_of([one for one in outcomes if one.makes_interval]), *bounded],
    )
    return outcomes


def write_intervals(path: Path, intervals: Iterable[Interval]) -> None:
    """Write the intervals by group."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["group", "low_factor", "high_factor", "cases"])
        for interval in intervals:
            factors = [f"{interval.low_factor:.4f}", f"{interval.high_factor:.4f}"]
            writer.writerow([interval.group, *factors, interval.cases])


def report(outcomes: Sequence[Outcome]) -> str:
    """Return the held-out misses of quality A by kind, as text."""
    lines = [f"{'held out by GPU, quality A':32s} cases  median     p90   bias"]
    reported = [outcome for outcome in outcomes if outcome.is_reported and outcome.quality == "A"]
    for kind in sorted({outcome.kind for outcome in reported}):
        found = misses([outcome for outcome in reported if outcome.kind == kind])
        figures = f"{found.cases:5d}  {found.median:6.1%}  {found.ninetieth:6.1%}   {found.bias:4.2f}"
        lines.append(f"{kind:32s} {figures}")
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.calibrate", description=__doc__)
    parser.add_argument("kind", choices=sorted(PARTS))
    parser.add_argument("--cases", type=Path, help="measured cases, by default those of the project")
    parser.add_argument("--into", type=Path, default=data_folder(), help="folder of the tables to rewrite")
    given = parser.parse_args(arguments)
    print(report(run(given.kind, given.cases or CASES / f"{given.kind}.jsonl", given.into)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
