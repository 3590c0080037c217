"""The answer card on the first screen, and the four short answers as a table of contents."""

import pandas as pd
import streamlit as st

from advisor.ui import links
from advisor.ui.answer_views import (
    Relaxation,
    answer_figures,
    answer_headline,
    answer_reason,
    answer_small_print,
    bottom_line,
    nothing_fits_reason,
    relaxations,
)
from advisor.ui.blocks import COLUMN_WIDTH, headline, kicker, prose, small
from advisor.ui.context import Page
from advisor.ui.formatting import date, decimal, listed, shown_currency
from advisor.ui.language import _
from advisor.ui.markdown import money_safe, numbered
from advisor.ui.memory_views import Need
from advisor.ui.questions import STEPS

ANCHORS = {1: "p1", 2: "p2", 3: "p3", 4: "p4", 5: "offers"}


def answer(page: Page, need: Need | None, short_answers: tuple[str, str, str, str]) -> None:
    """Draw the card on the left and the table of contents on the right."""
    left, right = st.columns((3, 2), gap="medium")
    with left, st.container(border=True):
        if page.best is None or need is None:
            _nothing_fits(page)
        else:
            _card(page, need)
    with right:
        _contents(page, short_answers)


def _card(page: Page, need: Need) -> None:
    best, ranking = page.best, page.ranking
    assert best is not None
    assert ranking is not None
    with st.container(gap="xxsmall"):
        kicker(_("Best value for this work"))
        headline(answer_headline(page))
    with st.container(horizontal=True, gap="large"):
        for figure in answer_figures(page, best, ranking):
            st.metric(figure.label, money_safe(figure.value), width="content")
    prose(answer_reason(page, need))
    if best.stale or best.expired:
        st.badge(_("Check the price before you rent"), color="orange")
    small(f"{answer_small_print(ranking, best)} {_exchange()}")
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.popover(_("Share"), icon=":material/link:"):
            small(_("The link keeps every answer and opens in any language."))
            st.code(links.page_link(page), language=None, wrap_lines=True)
        offers = _("See the three offers")
        st.markdown(f"[{offers}](#{ANCHORS[5]})", width="content", anchors=False)


def _exchange() -> str:
    """Say where the amounts come from when they are not in dollars, and what is not in them."""
    taxes = _("Taxes such as VAT, IVA, ISS or IOF come on top; stock is not known.")
    currency = shown_currency()
    if currency is None:
        return taxes
    rate = _("Converted from US dollars at {rate} {code}, the reference rate of {date}.").format(
        rate=decimal(currency.units_per_usd, 4), code=currency.code, date=date(currency.as_of)
    )
    return f"{rate} {taxes}"


def _nothing_fits(page: Page) -> None:
    with st.container(gap="xxsmall"):
        kicker(_("The answer"))
        headline(answer_headline(page))
    prose(nothing_fits_reason(page))
    options = relaxations(page)
    if options:
        prose(_("Changing one thing is enough:"))
        with st.container(horizontal=True):
            for place, option in enumerate(options):
                st.button(money_safe(option.label), key=f"relax_{place}", on_click=_relax, args=(option,))


def _relax(option: Relaxation) -> None:
    st.session_state["applied"] = option.answers


def _contents(page: Page, short_answers: tuple[str, str, str, str]) -> None:
    with st.container(gap="xsmall"):
        kicker(_("The four questions that decide the rent"))
        questions = (
            _("How much VRAM?"),
            _("Consumer or 80 GB?"),
            _("Spot or on demand?"),
            _("Is it slow?"),
        )
        rows = [
            (numbered(step, question), f"**[{money_safe(short)}](#{ANCHORS[step]})**")
            for step, question, short in zip(STEPS, questions, short_answers, strict=True)
        ]
        frame = pd.DataFrame(rows, columns=[_("Question"), _("Answer")])
        st.table(frame, border="horizontal", hide_header=True, hide_index=True)
        small(_who_set(page))


def _who_set(page: Page) -> str:
    """Say which of the four sections were adjusted."""
    chosen = [step for step in page.steps_set() if step in STEPS]
    if not chosen:
        return _("All four use suggested values. Change what differs.")
    if len(chosen) == len(STEPS):
        return _("All four were set by you.")
    return _("Set by you: {sections}. The others use suggested values.").format(
        sections=listed([decimal(step) for step in chosen])
    )


def bottom(page: Page) -> None:
    """Draw the line that stays in sight: what a change does to the money."""
    gpu, price = bottom_line(page)
    text = f"**{money_safe(gpu)}** · {money_safe(price)}" if price else f"**{money_safe(gpu)}**"
    with st.bottom:
        column = st.container(horizontal_alignment="center").container(width=COLUMN_WIDTH)
    with column, st.container(horizontal=True, wrap=False, horizontal_alignment="distribute"):
        st.markdown(text, width="content", anchors=False)
        st.markdown(f"[{_('Offers')}](#{ANCHORS[5]})", width="content", anchors=False)
