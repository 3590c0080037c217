"""What the page costs: the first page of a warm process, and a rerun with the ranking in it."""

import logging
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from streamlit.testing.v1 import AppTest

APP = Path(__file__).resolve().parent.parent / "app.py"
RERUNS = 20
FIRST_CONCURRENCY = 9
RERUN_BOUND_SECONDS = 0.120
FIRST_PAGE_BOUND_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class PageCost:
    """Seconds: wall clock of a new visitor's first page, server CPU of each rerun."""

    first_page_seconds: float
    rerun_cpu_seconds: tuple[float, ...]


def measure(reruns: int = RERUNS) -> PageCost:
    """Measure in this process: one visitor warms it, the next one is timed, and each rerun asks a new ranking."""
    with _quiet():
        AppTest.from_file(str(APP), default_timeout=120).run()
        visitor = AppTest.from_file(str(APP), default_timeout=120)
        start = time.perf_counter()
        visitor.run()
        first_page = time.perf_counter() - start
        return PageCost(first_page, tuple(_rerun_seconds(visitor, reruns)))


def _rerun_seconds(visitor: AppTest, reruns: int) -> Iterator[float]:
    for number in range(reruns):
        visitor.number_input(key="q_concurrency").set_value(FIRST_CONCURRENCY + number)
        start = time.process_time()
        visitor.run()
        yield time.process_time() - start


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep Streamlit's remarks about running without a browser out of the report."""
    logging.disable(logging.WARNING)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)


def main() -> None:
    cost = measure()
    reruns = cost.rerun_cpu_seconds
    print(f"first page of a warm process   {cost.first_page_seconds * 1000:6.0f} ms wall (bound 1000)")
    print(
        f"rerun, median of {len(reruns):2}            {statistics.median(reruns) * 1000:6.0f} ms CPU  (bound 120)"
    )
    print(f"rerun, slowest                 {max(reruns) * 1000:6.0f} ms CPU")
