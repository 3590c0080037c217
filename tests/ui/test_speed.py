"""The page answers quickly: bounds on the first page and on a rerun, at the quietest of several moments."""

import pytest

from benchmarks.page import FIRST_PAGE_BOUND_SECONDS, RERUN_BOUND_SECONDS, measure


@pytest.mark.bench
def test_a_rerun_and_a_first_page_stay_within_their_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADVISOR_TODAY", "2026-12-01")
    cost = measure()
    assert min(cost.rerun_cpu_seconds) <= RERUN_BOUND_SECONDS
    assert cost.first_page_seconds <= 2 * FIRST_PAGE_BOUND_SECONDS  # wall clock of a shared machine
