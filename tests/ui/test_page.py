"""The page through Streamlit's own harness: every work in every language, with all its detail open."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from advisor.ui import language as language_module
from advisor.ui.guide import STATEMENTS, TOPICS
from advisor.ui.language import shipped_languages
from advisor.ui.questions import STEPS
from advisor.workload import TASKS
from tests.support.pseudo_locale import LANGUAGE as PSEUDO
from tests.support.pseudo_locale import write_pseudo_locale
from tests.support.server import FIXED_DAY

APP = Path(__file__).parents[2] / "app.py"
LANGUAGES = ("en", "pt-BR", "it")
FOLDED = (
    *(
        "shrink",
        "growth",
        "method",
        "pair",
        "batching",
        "causes",
        "savings",
        "assumptions",
        "browse",
        "privacy",
    ),
    *(f"expert_{step}" for step in STEPS),
    *(f"guide_{place}" for place in range(len(TOPICS))),
)
NAMES = ("sources",)
"""Folds that hold proper names, which no language translates."""

SECONDS = 60


@pytest.fixture(autouse=True)
def fixed_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page lives on the day of the tests."""
    monkeypatch.setenv("ADVISOR_TODAY", FIXED_DAY)


def page(*, opened: bool = False, **query: str) -> AppTest:
    """The page after its first run, with answers in its address."""
    app = AppTest.from_file(str(APP), default_timeout=SECONDS)
    for code, value in query.items():
        app.query_params[code] = value
    if opened:
        for key in FOLDED:
            app.session_state[key] = True
    return app.run()


def assert_whole(app: AppTest) -> None:
    """Nothing failed, and nothing says that it could not be drawn."""
    assert [error.message for error in app.exception] == []
    assert [error.value for error in app.error] == []


def headlines(app: AppTest) -> list[str]:
    """The answers of the page, top to bottom."""
    return [element.value for element in app.subheader]


def address(app: AppTest) -> dict[str, str]:
    """The address after a run."""
    return {
        code: value[-1] if isinstance(value, list) else str(value) for code, value in app.query_params.items()
    }


def visible_text(app: AppTest) -> list[str]:
    """Everything that a reader sees as text, labels of widgets included."""
    texts = [element.value for element in [*app.markdown, *app.caption, *app.warning, *app.title]]
    texts += headlines(app) + [element.value for element in app.header]
    texts += [widget.label for widget in [*app.button, *app.selectbox, *app.number_input, *app.slider]]
    texts += [widget.label for widget in [*app.select_slider, *app.segmented_control, *app.pills]]
    texts += [fold.label for fold in app.expander]
    texts += [metric.label for metric in app.metric]
    for frame in [*app.dataframe, *app.table]:
        texts += [*frame.value.columns, *frame.value.astype(str).to_numpy().flatten()]
    for chart in app.get("vega_lite_chart"):
        texts += chart_texts(json.loads(chart.proto.spec))
    return [str(text) for text in texts]


def chart_texts(spec: object) -> Iterator[str]:
    """Every title and description of a chart."""
    if isinstance(spec, dict):
        yield from (spec[key] for key in ("title", "description") if isinstance(spec.get(key), str))
    children = spec.values() if isinstance(spec, dict) else spec if isinstance(spec, list) else ()
    for child in children:
        yield from chart_texts(child)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("task", TASKS)
def test_every_work_in_every_language_with_its_detail(language: str, task: str) -> None:
    app = page(opened=True, lang=language, task=task)
    assert_whole(app)
    assert len(headlines(app)) >= len(STEPS) + 2
    assert len(app.get("vega_lite_chart")) >= 2
    assert app.metric[0].value


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "query",
    [
        {"where": "BR", "tps": "500", "budget": "50"},
        {"model": "llama-3.1-405b", "conc": "64"},
        {"seen": "12", "util": "0.3", "gpu": "rtx-4090"},
        {"task": "finetune", "method": "full", "model": "llama-3.1-70b"},
        {"model": "deepseek-v3", "wait": "0", "resume": "1", "cur": "BRL"},
        {"engine": "exllamav2", "weights": "fp8"},
        {"ctx": "9999999", "model": "nothing-like-it", "task": "paint"},
    ],
    ids=lambda query: "-".join(query),
)
def test_every_state_in_every_language(language: str, query: dict[str, str]) -> None:
    assert_whole(page(opened=True, lang=language, **query))


def test_the_answer_stands_at_once_and_follows_a_change() -> None:
    app = page()
    before = app.metric[0].value
    app.number_input(key="q_concurrency").set_value(256).run()
    assert_whole(app)
    assert app.metric[0].value != before
    assert address(app) == {"conc": "256", "lang": "en"}


def test_a_language_switch_keeps_the_answers_and_changes_the_words() -> None:
    app = page(conc="16", weights="fp8", where="DE", kv="fp8")
    english = visible_text(app)
    app.session_state["chosen_language"] = "pt-BR"
    for _ in range(2):
        app.run()
        assert_whole(app)
        assert address(app) == {"conc": "16", "weights": "fp8", "where": "DE", "kv": "fp8", "lang": "pt-BR"}
    assert visible_text(app) != english


def test_nothing_fits_offers_single_changes_that_are_enough() -> None:
    app = page(budget="100", tps="15")
    assert any("within your limits" in text for text in headlines(app))
    relax = [button for button in app.button if (button.key or "").startswith("relax_")]
    assert relax
    relax[0].click().run()
    assert_whole(app)
    assert app.metric[0].value


def test_a_repaired_link_says_what_it_dropped() -> None:
    app = page(ctx="9999999", conc="16")
    assert len(app.warning) == 1
    assert "9999999" in app.warning[0].value
    assert "131k" in app.warning[0].value
    assert app.number_input(key="q_concurrency").value == 16


def test_a_hostile_link_is_shown_as_text() -> None:
    app = page(model="<script>alert(1)</script>[x](javascript:alert(1))")
    assert_whole(app)
    assert r"\<script\>" in app.warning[0].value


def test_a_shorter_table_goes_back_to_its_first_page() -> None:
    app = page()
    app.session_state["offers_page"] = 20
    app.run()
    assert_whole(app)
    first_of_page = app.dataframe[0].value.iloc[0].tolist()
    app.number_input(key="q_max_usd_per_month").set_value(300.0).run()
    assert_whole(app)
    assert app.session_state["offers_page"] == 1
    assert app.dataframe[0].value.iloc[0].tolist() != first_of_page


def test_examples_and_sizes_are_one_click() -> None:
    app = page()
    app.button(key="example_4").click().run()
    assert_whole(app)
    assert address(app) == {"task": "image", "job": "10000", "lang": "en"}
    app = page()
    app.button(key="size_llama-3.3-70b").click().run()
    assert address(app)["model"] == "llama-3.3-70b"


def test_sources_are_named_with_their_licences() -> None:
    app = AppTest.from_file(str(APP), default_timeout=SECONDS)
    for key in NAMES:
        app.session_state[key] = True
    app.run()
    assert any("https://gpurentalprices.com" in text and "CC BY 4" in text for text in visible_text(app))


def test_every_statement_of_the_guide_is_shown_once() -> None:
    assert sorted(name for names in TOPICS.values() for name in names) == sorted(row.id for row in STATEMENTS)
    texts = visible_text(page(opened=True))
    assert sum(any(row.question in text for text in texts) for row in STATEMENTS) == 20


def test_you_asked_is_said_only_of_set_values() -> None:
    assert not any("you asked for" in text for text in visible_text(page()))
    assert any("you asked for" in text for text in visible_text(page(tps="5")))


@pytest.fixture
def pseudo_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A made-up language in which every sentence of the page is accented."""
    write_pseudo_locale(tmp_path)
    monkeypatch.setattr(language_module, "locales_folder", lambda: tmp_path)
    shipped_languages.cache_clear()
    yield PSEUDO
    shipped_languages.cache_clear()


# Small words that hardly a sentence goes without; names of models and providers have none of them.
ENGLISH = re.compile(r"\b(the|of|and|with|for|is|are|per|this|that|from|you|your|it|to|in|at)\b")


@pytest.mark.parametrize("task", TASKS)
def test_no_plain_english_is_left(task: str, pseudo_language: str) -> None:
    app = page(opened=True, lang=pseudo_language, task=task, ctx="9999999", seen="12")
    assert_whole(app)
    texts = visible_text(app)
    assert [text for text in texts if ENGLISH.search(text)] == []
    assert any("Wĥîçĥ" in text or "é" in text for text in texts)


def test_the_search_for_plain_english_finds_it() -> None:
    assert sum(bool(ENGLISH.search(text)) for text in visible_text(page())) > 50
