"""What all tests share: the embedded catalogue, the fixed day, and the word about a missing browser."""

import datetime
import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests.support.browser import BROWSER_TESTS, NO_CHROMIUM, find_chromium

if TYPE_CHECKING:
    from advisor import Facts

TODAY = datetime.date(2026, 12, 1)
"""The day on which every test lives; prices age from it."""

# The same examples on every run: a red build is about the change. HYPOTHESIS_PROFILE=explore looks further.
settings.register_profile(
    "fixed", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("explore", max_examples=1000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))


@pytest.fixture(scope="session")
def facts() -> "Facts":
    """The embedded catalogue."""
    import advisor

    return advisor.load_facts()


@pytest.fixture
def today() -> datetime.date:
    """The fixed day."""
    return TODAY


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say once, in one line, that the browser tests did not run."""
    skipped = terminalreporter.stats.get("skipped", [])
    browser_tests = [report for report in skipped if report.nodeid.startswith(BROWSER_TESTS)]
    if browser_tests and find_chromium() is None:
        terminalreporter.write_line(f"{len(browser_tests)} browser tests skipped: {NO_CHROMIUM}")
