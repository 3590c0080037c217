"""The page, top to bottom. Each section draws one subject; this module knows only their order."""

import logging
from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from advisor.errors import AdvisorError
from advisor.facts import Facts
from advisor.ui import address
from advisor.ui.blocks import COLUMN_WIDTH
from advisor.ui.card_views import short_card_answer
from advisor.ui.clock import today
from advisor.ui.context import Page
from advisor.ui.formatting import DOLLARS, use_currency
from advisor.ui.language import Language, _, accepted_tags, use
from advisor.ui.memory_views import Need, need_of, short_memory_answer
from advisor.ui.sections.answer import answer, bottom
from advisor.ui.sections.browse import browse
from advisor.ui.sections.card import card
from advisor.ui.sections.footer import footer
from advisor.ui.sections.guide import guide
from advisor.ui.sections.memory import memory
from advisor.ui.sections.offers import offers
from advisor.ui.sections.slow import slow
from advisor.ui.sections.spot import spot
from advisor.ui.sections.work import top_row, work
from advisor.ui.slow_views import Diagnosis, answerable, short_slow_answer
from advisor.ui.spot_views import short_spot_answer, spot_answer

LOG = logging.getLogger(__name__)
UNKNOWN = "–"
Found = TypeVar("Found")


def draw(facts: Facts) -> None:
    """Draw one run of the page: read the address, draw every section, write the address."""
    query = st.query_params.to_dict()
    reading = address.begin(st.session_state, query, _wishes(), facts)
    use(reading.language)
    st.set_page_config(page_title=_("GPU advisor"))
    use_currency(None if reading.currency == DOLLARS else facts.currencies[reading.currency])
    page = Page(facts, today(), reading)
    column = st.container(horizontal_alignment="center").container(width=COLUMN_WIDTH)
    with column:
        _sections(page)
    bottom(page)
    _set_document_language(reading.language)
    wanted = address.finish(st.session_state, reading, query, facts)
    if wanted is not None:
        st.query_params.from_dict(wanted)


def _wishes() -> list[str | None]:
    """Return the languages that the reader's browser asks for, best first."""
    header = st.context.headers.get("Accept-Language")
    return [*accepted_tags(header), st.context.locale]


def _sections(page: Page) -> None:
    top_row(page)
    work(page)
    need = _computed(lambda: _need(page), None)
    spot_found = _computed(lambda: spot_answer(page), None)
    nothing: tuple[Diagnosis | None, AdvisorError | None] = (None, None)
    diagnosis, error = _computed(lambda: answerable(page), nothing)
    short_answers = (
        short_memory_answer(need) if need is not None else UNKNOWN,
        short_card_answer(page),
        short_spot_answer(spot_found),
        short_slow_answer(page, diagnosis),
    )
    _guarded(lambda: answer(page, need, short_answers))
    if need is not None:
        _guarded(lambda: memory(page, need))
    _guarded(lambda: card(page))
    _guarded(lambda: spot(page, spot_found))
    _guarded(lambda: slow(page, diagnosis, error))
    _guarded(lambda: offers(page))
    _guarded(lambda: guide(page))
    _guarded(lambda: browse(page))
    _guarded(lambda: footer(page))


def _computed(compute: Callable[[], Found], otherwise: Found) -> Found:
    """Return what a section says; a fault leaves its answer open, and the log gets the reason."""
    try:
        return compute()
    except Exception:
        LOG.exception("an answer of the page failed")
        return otherwise


def _need(page: Page) -> Need | None:
    try:
        return need_of(page)
    except AdvisorError:
        return None


def _guarded(section: Callable[[], None]) -> None:
    """Draw a section; a fault of one is said in its place, logged, and leaves the others standing."""
    try:
        section()
    except Exception:  # whatever it is, the reader gets the other sections
        LOG.exception("a section of the page failed")
        st.error(
            _("This part could not be drawn. Change an answer or reload the page; the other parts hold.")
        )


def _set_document_language(language: Language) -> None:
    """Tell browsers and screen readers the language; the value comes from the shipped ones, never from a reader."""
    tag, direction = language.tag, language.locale.text_direction
    script = f"document.documentElement.lang='{tag}';document.documentElement.dir='{direction}'"
    st.html(f"<script>{script}</script>", unsafe_allow_javascript=True)
