"""A real Chromium in front of the real page, started once for all browser tests of a worker."""

import os
from collections.abc import Callable, Generator, Iterator, Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.support.browser import (
    DESKTOP_WIDTH,
    NO_CHROMIUM,
    Visit,
    find_chromium,
    launch_chromium,
    new_context,
    visit,
)
from tests.support.server import running_app

HERE = Path(__file__).parent
OpenPage = Callable[..., Visit]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of this folder, and skip them where there is no browser."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)
            if find_chromium() is None:
                item.add_marker(pytest.mark.skip(reason=NO_CHROMIUM))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Count a skip as a failure under REQUIRE_BROWSER=1."""
    report = yield
    if report.skipped and os.environ.get("REQUIRE_BROWSER") == "1" and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"REQUIRE_BROWSER=1, but {item.name} was skipped: {report.longrepr}"
    return report


@pytest.fixture(scope="session")
def app_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the running page."""
    with running_app(tmp_path_factory.mktemp("app") / "server.log") as address:
        yield address


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The browser."""
    with sync_playwright() as playwright:
        browser = launch_chromium(playwright)
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium: Browser, app_address: str) -> Iterator[OpenPage]:
    """A function that opens the page for one visitor; console errors fail the test that met them."""
    visits: list[Visit] = []

    def open_for(
        answers: Mapping[str, str] | None = None,
        locale: str = "en-US",
        width: int = DESKTOP_WIDTH,
        theme: str = "light",
    ) -> Visit:
        visits.append(visit(new_context(chromium, locale, width, theme), app_address, answers))
        return visits[-1]

    yield open_for
    errors = [error for opened in visits for error in opened.console_errors]
    for opened in visits:
        opened.page.context.close()
    assert errors == []
