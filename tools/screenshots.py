"""Photograph the page in each language, width and theme.

    python -m tools.screenshots screenshots
    python -m tools.screenshots docs/screenshots --language en --width 1280 --theme light --first-screen

Each picture is one fresh visitor; its name says language, width and theme.
"""

import argparse
import itertools
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.support.browser import (
    DESKTOP_WIDTH,
    NO_CHROMIUM,
    PHONE_WIDTH,
    find_chromium,
    launch_chromium,
    new_context,
    photograph,
    visit,
)
from tests.support.server import running_app

LANGUAGES = ("pt-BR", "it", "en")
WIDTHS = (DESKTOP_WIDTH, PHONE_WIDTH)
THEMES = ("light", "dark")


def take(
    browser: Browser, address: str, view: tuple[str, int, str], path: Path, *, first_screen: bool
) -> None:
    """Save one picture; view: language, width [px], theme."""
    language, width, theme = view
    context = new_context(browser, language, width, theme)
    opened = visit(context, address, {"lang": language})
    if first_screen:
        opened.page.screenshot(path=path, animations="disabled")
    else:
        photograph(opened.page, path)
    context.close()
    for error in opened.console_errors:
        print(f"{path.name}: {error}", file=sys.stderr)


def take_all(folder: Path, views: Iterable[tuple[str, int, str]], *, first_screen: bool) -> None:
    """Start page and browser once and save every view into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as logs,
        running_app(Path(logs) / "server.log") as address,
        sync_playwright() as playwright,
    ):
        browser = launch_chromium(playwright)
        for view in views:
            path = folder / ("-".join(map(str, view)) + ".png")
            take(browser, address, view, path, first_screen=first_screen)
            print(path)
        browser.close()


def main(arguments: list[str] | None = None) -> int:
    """Read the command line and take the pictures; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.screenshots", description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, help="where the pictures go")
    parser.add_argument("--language", action="append", choices=LANGUAGES)
    parser.add_argument("--width", action="append", type=int, help="in pixels")
    parser.add_argument("--theme", action="append", choices=THEMES)
    parser.add_argument("--first-screen", action="store_true", help="only what shows before scrolling")
    chosen = parser.parse_args(arguments)
    if find_chromium() is None:
        parser.error(NO_CHROMIUM)
    views = itertools.product(chosen.language or LANGUAGES, chosen.width or WIDTHS, chosen.theme or THEMES)
    take_all(chosen.folder, views, first_screen=chosen.first_screen)
    return 0


if __name__ == "__main__":
    sys.exit(main())
