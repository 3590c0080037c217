"""A Chromium that visits the running page, for tests and screenshots."""

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Playwright

BROWSER_TESTS = "tests/browser/"
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome")
NO_CHROMIUM = "no Chromium found on PATH; install one or name it in CHROMIUM"
CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

DESKTOP_WIDTH = 1280
PHONE_WIDTH = 390
VIEWPORT_HEIGHT = {DESKTOP_WIDTH: 800, PHONE_WIDTH: 844}
IDLE_MILLISECONDS = 30_000
QUIET_MILLISECONDS = 400
"""How long the page must stand still to count as drawn: a chart is laid out after the script has ended."""


def find_chromium() -> str | None:
    """Return the path of a Chromium: the one named in $CHROMIUM, else the first known name on PATH."""
    named = os.environ.get("CHROMIUM")
    found = (shutil.which(name) for name in ([named] if named else CHROMIUM_NAMES))
    return next((path for path in found if path), None)


def launch_chromium(playwright: Playwright) -> Browser:
    """Start the Chromium of this machine; raises RuntimeError when there is none."""
    path = find_chromium()
    if path is None:
        raise RuntimeError(NO_CHROMIUM)
    return playwright.chromium.launch(executable_path=path, args=list(CHROMIUM_FLAGS))


@dataclass
class Visit:
    """One open page and what its console complained about."""

    page: Page
    console_errors: list[str] = field(default_factory=list)

    def note(self, message: ConsoleMessage) -> None:
        """Keep a console error; a request to another host that fails without a network is one too."""
        if message.type == "error":
            self.console_errors.append(f"{message.text} ({message.location.get('url', '')})")


def new_context(browser: Browser, locale: str, width: int, theme: str) -> BrowserContext:
    """Return a visitor: browser language such as pt-BR, width [px], theme light or dark."""
    return browser.new_context(
        locale=locale,
        color_scheme="dark" if theme == "dark" else "light",
        viewport={"width": width, "height": VIEWPORT_HEIGHT.get(width, 800)},
        reduced_motion="reduce",
        timezone_id="UTC",
    )


def visit(context: BrowserContext, address: str, answers: Mapping[str, str] | None = None) -> Visit:
    """Open the page with answers in its address and wait until it is drawn."""
    page = context.new_page()
    opened = Visit(page)
    page.on("console", opened.note)
    page.on("pageerror", lambda error: opened.console_errors.append(str(error)))
    page.goto(f"{address}/?{urlencode(answers or {})}")
    wait_until_idle(page)
    return opened


def wait_until_idle(page: Page) -> None:
    """Wait until the script has run and nothing on the page moves any more."""
    page.wait_for_selector("[data-testid=stApp] h1", timeout=IDLE_MILLISECONDS)
    page.wait_for_function(
        """quiet => {
            const app = document.querySelector('[data-testid=stApp]');
            const main = document.querySelector('[data-testid=stMain]');
            if (!app || !main) return false;
            const busy = app.getAttribute('data-test-script-state') !== 'notRunning'
                || document.querySelector('[data-testid=stSkeleton], [data-stale=true]') !== null;
            const now = `${main.scrollHeight}:${main.querySelectorAll('*').length}:${busy}`;
            if (busy || window.__drawn !== now) {
                window.__drawn = now;
                window.__since = performance.now();
                return false;
            }
            return performance.now() - window.__since >= quiet;
        }""",
        arg=QUIET_MILLISECONDS,
        timeout=IDLE_MILLISECONDS,
    )


def scroll_to(page: Page, pixels: int) -> None:
    """Scroll the page, which lives in its main element and not in the window."""
    page.eval_on_selector("[data-testid=stMain]", "(main, y) => main.scrollTo(0, y)", pixels)


def sideways_overflow(page: Page) -> int:
    """Return by how many pixels the content is wider than the page; 0 when nothing scrolls sideways."""
    return int(page.eval_on_selector("[data-testid=stMain]", "main => main.scrollWidth - main.clientWidth"))


def photograph(page: Page, path: Path) -> None:
    """Save a picture of the whole page, which means of a window as tall as its content."""
    width = page.viewport_size["width"] if page.viewport_size else DESKTOP_WIDTH
    for _ in range(3):
        height = int(page.eval_on_selector("[data-testid=stMain]", "main => main.scrollHeight"))
        page.set_viewport_size({"width": width, "height": height})
        wait_until_idle(page)
    page.screenshot(path=path, animations="disabled")
