"""The page in a real browser: links, Back, fast typing, languages, widths, themes, charts."""

import itertools
import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.browser import PHONE_WIDTH, Visit, sideways_overflow, wait_until_idle

OpenPage = Callable[..., Visit]
SMALLEST_CHART = 50


def query(page: Page) -> dict[str, str]:
    """The answers in the address."""
    return {code: values[-1] for code, values in parse_qs(urlsplit(page.url).query).items()}


def expect_query(page: Page, wanted: dict[str, str]) -> None:
    """Wait until the address says this, then until the page is drawn."""
    for _ in range(100):
        if query(page) == wanted:
            break
        page.wait_for_timeout(100)
    assert query(page) == wanted
    wait_until_idle(page)


def number_field(page: Page, label: str) -> Locator:
    """The field of a number question."""
    return page.get_by_label(label, exact=True).first


def choose_language(page: Page, present: str, wanted: str) -> None:
    """Switch the language by its menu."""
    page.get_by_role("button", name=present).click()
    page.get_by_role("option", name=wanted).or_(page.get_by_role("menuitem", name=wanted)).or_(
        page.get_by_text(wanted, exact=True)
    ).first.click()
    wait_until_idle(page)


def test_the_answer_stands_at_once(open_page: OpenPage) -> None:
    page = open_page().page
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_text(re.compile("^Rent "))).to_be_visible()
    expect_query(page, {})


@pytest.mark.parametrize("locale", ["pt-BR", "it-IT", "en-US"])
def test_the_browser_decides_the_language(open_page: OpenPage, locale: str) -> None:
    page = open_page(locale=locale).page
    language = {"pt-BR": "pt-BR", "it-IT": "it", "en-US": "en"}[locale]
    expect(page.locator("html")).to_have_attribute("lang", language)


def test_a_language_switch_keeps_the_answers(open_page: OpenPage) -> None:
    page = open_page({"conc": "16", "where": "DE", "weights": "fp8"}).page
    choose_language(page, "English", "Português")
    expect(page.locator("html")).to_have_attribute("lang", "pt-BR")
    expect_query(page, {"conc": "16", "where": "DE", "weights": "fp8", "lang": "pt-BR"})
    expect(page.get_by_text("Alemanha").first).to_be_visible()
    # One change later everything still holds: the choices were stored under their new labels.
    page.get_by_role("radio", name="BF16").click()
    expect_query(page, {"conc": "16", "where": "DE", "lang": "pt-BR"})
    expect(page.get_by_text("Alemanha").first).to_be_visible()


def test_a_link_opens_in_another_language_with_the_same_answers(open_page: OpenPage) -> None:
    answers = {"task": "finetune", "method": "qlora", "data": "20000000", "where": "FR"}
    english = open_page({**answers, "lang": "en"}, locale="it-IT").page
    italian = open_page({**answers, "lang": "it"}, locale="en-US").page
    expect(english.locator("html")).to_have_attribute("lang", "en")
    expect(italian.locator("html")).to_have_attribute("lang", "it")
    for page, country in ((english, "France"), (italian, "Francia")):
        expect(page.get_by_text(country).first).to_be_visible()
        checked = page.get_by_role("radio", name="QLoRA", exact=True)
        expect(checked).to_be_checked()


def test_back_undoes_one_answer_after_the_other(open_page: OpenPage) -> None:
    page = open_page().page
    page.get_by_role("radio", name="FP8").click()
    expect_query(page, {"weights": "fp8", "lang": "en"})
    page.get_by_role("radio", name="INT8").click()
    expect_query(page, {"weights": "int8", "lang": "en"})
    page.go_back()
    wait_until_idle(page)
    expect(page.get_by_role("radio", name="FP8")).to_be_checked()
    page.go_back()
    wait_until_idle(page)
    expect(page.get_by_role("radio", name="BF16")).to_be_checked()
    expect_query(page, {})


def test_back_leaves_a_repaired_link(open_page: OpenPage, app_address: str) -> None:
    page = open_page().page
    page.goto(f"{app_address}/_stcore/health")
    page.goto(f"{app_address}/?conc=8&ctx=77777777")
    wait_until_idle(page)
    expect(page.get_by_text("77777777")).to_be_visible()
    page.get_by_role("radio", name="FP8").click()
    expect_query(page, {"weights": "fp8", "lang": "en"})
    page.go_back()
    expect_query(page, {"conc": "8", "ctx": "77777777"})
    page.go_back()
    page.wait_for_url("**/_stcore/health")


@pytest.mark.parametrize("pause", [0, 30, 100])
def test_fast_typing_loses_nothing(open_page: OpenPage, pause: int) -> None:
    page = open_page().page
    field = number_field(page, "Conversations at once")
    field.focus()
    for _ in range(20):
        page.keyboard.press("ArrowUp")
        page.wait_for_timeout(pause)
    wait_until_idle(page)
    expect(field).to_have_value("28")
    page.wait_for_function("new URLSearchParams(location.search).get('conc') === '28'")


def test_a_hostile_link_does_no_harm(open_page: OpenPage) -> None:
    probes = {
        "model": "<img src=x onerror=window.__hit=1>[x](javascript:window.__hit=1)",
        "ctx": "1e400",
        "where": "'\"><script>window.__hit=1</script>",
        "lang": "en';window.__hit=1;'",
        "cur": "<b>",
        "step": "9" * 2_000,
    }
    page = open_page(probes).page
    expect(page.get_by_text(re.compile("^Rent "))).to_be_visible()
    assert page.evaluate("window.__hit") is None
    assert page.locator("img[src=x]").count() == 0


@pytest.mark.parametrize("width", [320, PHONE_WIDTH, 640])
@pytest.mark.parametrize("answers", [{}, {"task": "finetune"}, {"where": "BR", "tps": "500", "budget": "50"}])
def test_a_phone_scrolls_in_one_direction(open_page: OpenPage, width: int, answers: dict[str, str]) -> None:
    assert sideways_overflow(open_page(answers, locale="pt-BR", width=width).page) == 0


def open_details(page: Page) -> None:
    """Open every fold that holds a chart."""
    for key in ("growth", "pair", "batching"):
        page.locator(f".st-key-{key} summary").click()
        expect(page.locator(f".st-key-{key} details")).to_have_attribute("open", "")
        wait_until_idle(page)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_each_chart_is_drawn(open_page: OpenPage, theme: str) -> None:
    page = open_page(theme=theme).page
    open_details(page)
    charts = page.locator("[data-testid=stVegaLiteChart]")
    expect(charts).to_have_count(8)
    for place in range(charts.count()):
        chart = charts.nth(place)
        marks = chart.locator("svg .mark-rect path, svg .mark-line path, svg .mark-symbol path")
        expect(marks.first).to_be_attached()
        box = chart.bounding_box()
        assert box is not None
        assert box["height"] > SMALLEST_CHART


def test_dark_and_light_differ(open_page: OpenPage) -> None:
    def ground(theme: str) -> str:
        page = open_page(theme=theme).page
        return str(
            page.eval_on_selector("[data-testid=stApp]", "app => getComputedStyle(app).backgroundColor")
        )

    assert (ground("light"), ground("dark")) == ("rgb(255, 255, 255)", "rgb(20, 24, 30)")


def test_the_contents_lead_to_their_sections(open_page: OpenPage) -> None:
    page = open_page().page
    for anchor in ("p1", "p2", "p3", "p4", "offers"):
        assert page.locator(f"a[href='#{anchor}']").count() >= 1
        assert page.locator(f"[id='{anchor}']").count() == 1


def test_a_hash_in_the_address_does_not_disturb_the_answers(open_page: OpenPage) -> None:
    page = open_page({"conc": "16"}).page
    page.locator("a[href='#p2']").first.click()
    wait_until_idle(page)
    page.get_by_role("radio", name="FP8").click()
    expect_query(page, {"conc": "16", "weights": "fp8", "lang": "en"})


def test_one_heading_follows_the_other(open_page: OpenPage) -> None:
    page = open_page().page
    levels = [
        int(level)
        for level in page.eval_on_selector_all(
            "h1, h2, h3, h4, h5, h6", "found => found.map(heading => heading.tagName.slice(1))"
        )
    ]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))


def test_a_tapped_row_says_why_it_is_not_the_recommended_one(open_page: OpenPage) -> None:
    page = open_page().page
    table = page.locator("[data-testid=stDataFrame]").first
    table.scroll_into_view_if_needed()
    before = page.locator("[data-testid=stMarkdown]").all_inner_texts()
    # The grid is drawn on a canvas: the box of the fifth row is at the left, below the header.
    table.click(position={"x": 16, "y": 35 * 5 + 17})
    page.wait_for_timeout(500)
    wait_until_idle(page)
    after = page.locator("[data-testid=stMarkdown]").all_inner_texts()
    said = [text for text in after if text not in before]
    assert len(said) == 1
    assert " · " in said[0]
