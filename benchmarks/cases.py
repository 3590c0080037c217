"""The measured cases, and what the product answers to each."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from advisor.errors import AdvisorError
from advisor.estimate import estimate
from advisor.facts import Facts
from advisor.workload import Deployment, Workload

CASES = Path(__file__).parent / "data"
FITS = "fits"
RESERVED = "reserved_gib"
PEAKS = ("peak_gib", "needed_gib")


@dataclass(frozen=True, slots=True)
class Answer:
    """One case with the product's answer.

    predicted, measured: the figure of `metric`; low, high: its 80 % interval, None where none belongs to it; verdict:
    fits, tight or does-not-fit; error: the code of the error that the question met, empty where it was answered.
    """

    record: Mapping[str, Any]
    predicted: float | None
    measured: float
    low: float | None
    high: float | None
    verdict: str | None
    error: str

    @property
    def id(self) -> str:
        """Return the id of the case."""
        return str(self.record["id"])

    @property
    def metric(self) -> str:
        """Return the name of the measured figure."""
        return str(self.record["measured"]["metric"])

    @property
    def quality(self) -> str:
        """Return A where every input that decides the figure is stated, else B."""
        return str(self.record["quality"])

    @property
    def miss(self) -> float:
        """Return predicted / measured - 1."""
        assert self.predicted is not None
        return self.predicted / self.measured - 1.0

    @property
    def is_held(self) -> bool | None:
        """Return whether the measurement lies in the interval; None where no interval belongs to it."""
        if self.low is None or self.high is None:
            return None
        return self.low <= self.measured <= self.high

    @property
    def half_width(self) -> float:
        """Return half the interval's width as a share of the prediction."""
        assert self.low is not None
        assert self.high is not None
        assert self.predicted
        return (self.high - self.low) / 2 / self.predicted


def read_records(path: Path) -> list[dict[str, Any]]:
    """Return the cases of a file, one JSON object a line."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def answers(records: Iterable[Mapping[str, Any]], facts: Facts) -> list[Answer]:
    """Return the product's answer to every case."""
    return [answer(record, facts) for record in records]


def answer(record: Mapping[str, Any], facts: Facts) -> Answer:
    """Return the product's answer to one case, through the same call as the command line's."""
    measured = float(record["measured"]["value"])
    try:
        workload = Workload.from_dict(record["workload"], "workload")
        deployment = Deployment.from_dict(record["deployment"], "deployment")
        output = estimate(workload, deployment, facts).to_dict()
    except AdvisorError as error:
        return Answer(record, None, measured, None, None, None, error.code)
    memory, throughput = output["memory"], output["throughput"]
    assert isinstance(memory, dict)
    assert isinstance(throughput, dict | None)
    metric = str(record["measured"]["metric"])
    figures = memory if metric in memory else throughput or {}
    predicted = figures.get(metric)
    if predicted is None:
        return Answer(record, None, measured, None, None, memory.get("verdict"), "no-figure")
    low, high = memory_interval(metric, memory) if figures is memory else speed_interval(metric, figures)
    return Answer(record, float(predicted), measured, low, high, memory.get("verdict"), "")


def memory_interval(metric: str, memory: Mapping[str, Any]) -> tuple[float | None, float | None]:
    """Return the interval of a figure of memory: the process's own, and for a peak the need's in proportion."""
    if metric == RESERVED:
        return memory["reserved_low_gib"], memory["reserved_high_gib"]
    if metric not in PEAKS or not memory["needed_gib"]:
        return None, None
    scale = memory[metric] / memory["needed_gib"]
    return memory["low_gib"] * scale, memory["high_gib"] * scale


def speed_interval(metric: str, throughput: Mapping[str, Any]) -> tuple[float | None, float | None]:
    """Return the interval of a figure of speed: only the headline has one."""
    return (throughput["low"], throughput["high"]) if metric == throughput["headline"] else (None, None)
