"""Every chart drawn by a real browser: marks are there, words are whole, colours follow the theme."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator

from tests.support.browser import Visit, new_context, sideways_overflow, visit
from tests.support.chart_samples import VIEWS
from tests.support.server import ROOT, running_app

LEAST_HEIGHT = 50
LOOKS = [(width, theme) for width in (320, 390, 1080) for theme in ("light", "dark")]

# The box of a text is taller than its letters, hence the three pixels.
OUTSIDE = """chart => {
    const frame = chart.getBoundingClientRect();
    return [...chart.querySelectorAll('text')]
        .filter(text => text.textContent.trim())
        .map(text => [text.textContent, text.getBoundingClientRect()])
        .filter(([, box]) => box.left < frame.left - 3 || box.right > frame.right + 3
            || box.top < frame.top - 3 || box.bottom > frame.bottom + 3)
        .map(([words]) => words);
}"""
MARKS = (
    "[role=graphics-object] path, [role=graphics-symbol], .mark-rect path, .mark-line path, .mark-symbol path"
)


@pytest.fixture(scope="module")
def chart_page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a page that shows all charts."""
    log: Path = tmp_path_factory.mktemp("charts") / "server.log"
    with running_app(log, script="tests/support/chart_page.py") as address:
        yield address


@pytest.fixture(params=LOOKS, ids=lambda look: f"{look[0]}-{look[1]}")
def drawn(request: pytest.FixtureRequest, chromium: Browser, chart_page: str) -> Iterator[tuple[Visit, str]]:
    """The charts in Portuguese at one width in one theme."""
    width, theme = request.param
    opened = visit(new_context(chromium, "pt-BR", width, theme), chart_page, {"lang": "pt_BR"})
    opened.page.wait_for_function(f"document.querySelectorAll('svg.marks').length === {len(VIEWS)}")
    yield opened, theme
    opened.page.context.close()
    assert opened.console_errors == []


def chart_of(opened: Visit, name: str) -> Locator:
    return opened.page.locator(f".st-key-{name} svg.marks")


def theme_colours(theme: str) -> list[str]:
    with (ROOT / ".streamlit" / "config.toml").open("rb") as file:
        config: dict[str, Any] = tomllib.load(file)
    return [colour.lower() for colour in config["theme"][theme]["chartCategoricalColors"]]


def test_charts_are_drawn_whole(drawn: tuple[Visit, str]) -> None:
    opened, theme = drawn
    assert sideways_overflow(opened.page) == 0
    for name in VIEWS:
        chart = chart_of(opened, name)
        box = chart.bounding_box()
        assert box is not None, name
        assert box["height"] > LEAST_HEIGHT, name
        assert chart.locator(MARKS).count() >= 2, name
        assert chart.evaluate(OUTSIDE) == [], name
        fills = {(fill or "").lower() for fill in chart.locator("path").evaluate_all(PAINT)}
        assert set(theme_colours(theme)[:2]) & fills, name


PAINT = "paths => paths.flatMap(path => [path.getAttribute('fill'), path.getAttribute('stroke')])"


def test_numbers_and_words_are_portuguese(chromium: Browser, chart_page: str) -> None:
    opened = visit(new_context(chromium, "en-US", 1080, "light"), chart_page, {"lang": "pt_BR"})
    opened.page.wait_for_function(f"document.querySelectorAll('svg.marks').length === {len(VIEWS)}")
    assert "1.000" in (chart_of(opened, "concurrency_chart").text_content() or "")
    assert "2,5" in (chart_of(opened, "price_speed_chart").text_content() or "")
    named = opened.page.locator(".st-key-memory_chart [role=graphics-document]").get_attribute("aria-label")
    assert named == "25,8 GiB: não cabe em 24 GB, cabe em 32"
    described = opened.page.locator(".st-key-memory_chart [role=graphics-symbol]").evaluate_all(
        "symbols => symbols.map(symbol => symbol.getAttribute('aria-label'))"
    )
    assert described[0] == "Parte: Pesos; Tamanho: 15,0\u00a0GiB"
    assert len(described) == 4
    opened.page.context.close()
