"""The answer: which offer to take. Cards, why not a cheaper one, the bill, the table, assumptions, files."""

import pandas as pd
import streamlit as st

from advisor.ui.assumption_views import assumption_rows
from advisor.ui.blocks import block_title, chart, folded, headline, kicker, prose, small
from advisor.ui.charts import cost_chart
from advisor.ui.context import Page
from advisor.ui.cost_views import cost_sentence, cost_view
from advisor.ui.formatting import decimal, money
from advisor.ui.language import _, ngettext
from advisor.ui.markdown import money_safe, untrusted
from advisor.ui.offer_views import (
    SPEED_UNITS,
    OfferCard,
    alternatives,
    gpu_title,
    offer_cards,
    offer_rows,
    total_label,
    unit_label,
    why_not_text,
)
from advisor.ui.price_views import price_summary
from advisor.ui.saving_views import saving_rows
from advisor.ui.sections.answer import ANCHORS
from advisor.ui.sections.files import files
from advisor.ui.sentences import sentence
from advisor.ui.widgets import ask

ROWS_A_PAGE = 20
GPU_WIDTH = 120
TABLE, TABLE_PAGE = "offers_table", "offers_page"


def offers(page: Page) -> None:
    """Draw the last section; without any offer only what can be said of the catalogue."""
    st.space("medium")
    with st.container(gap="xxsmall"):
        kicker(_("The answer: which offer should I take?"), ANCHORS[5])
        headline(_offers_headline(page))
        prose(_offers_reason(page))
    if page.best is not None:
        _cards(page)
        _why_not(page)
        _money(page)
    _table(page)
    _assumptions(page)
    small(price_summary(page))
    files(page)


def _offers_headline(page: Page) -> str:
    best = page.best
    if best is None:
        return _("No offer does this work within your limits")
    pattern = (
        _("{gpu} at {provider}, {amount} for the run")
        if best.hours
        else _("{gpu} at {provider}, {amount} a month")
    )
    return pattern.format(
        gpu=gpu_title(best), provider=untrusted(best.provider_name), amount=money(best.total_usd)
    )


def _offers_reason(page: Page) -> str:
    ranking = page.ranking
    if ranking is None or page.best is None:
        return _("The card on top says what stands in the way.")
    every = len(page.facts.offers)
    return ngettext(
        "Of {all} offers, {count} does this work. Up to three cards answer three different wishes.",
        "Of {all} offers, {count} do this work. These cards answer different wishes.",
        ranking.total,
    ).format(all=decimal(every), count=decimal(ranking.total))


def _cards(page: Page) -> None:
    ranking = page.ranking
    assert ranking is not None
    grid = st.grid(3, min_column_width=260)
    for card in offer_cards(ranking):
        with grid, st.container(border=True, height="stretch", gap="xsmall"):
            _card(card)


def _card(card: OfferCard) -> None:
    with st.container(horizontal=True, gap="xsmall"):
        for place, wish in enumerate(card.wishes):
            st.badge(wish, color="green" if place == 0 and card.wishes else "gray")
    block_title(untrusted(card.gpu))
    small(untrusted(card.subtitle))
    st.metric(card.price_label, money_safe(card.price), width="content")
    prose(money_safe(card.per_hour) + "  \n" + card.speed)
    for note in card.notes:
        small(note)
    if card.url:
        st.link_button(
            _("Open {provider}").format(provider=card.provider), card.url, icon=":material/open_in_new:"
        )
    if card.is_stale:
        st.badge(money_safe(card.price_date), color="orange")
    else:
        small(card.price_date)


def _why_not(page: Page) -> None:
    ranking = page.ranking
    assert ranking is not None
    found = alternatives(ranking)
    if not found:
        return
    block_title(_("Why not a cheaper one?"))
    grid = st.grid(2, min_column_width=320)
    for alternative in found:
        with grid, st.container(gap="xxsmall"):
            st.markdown(f"**{money_safe(untrusted(alternative.headline))}**", anchors=False)
            prose(alternative.reason)


def _money(page: Page) -> None:
    view = cost_view(page)
    if view is None:
        return
    block_title(_("Where the money goes"))
    prose(cost_sentence(page))
    chart(cost_chart(view))
    _savings(page)


def _savings(page: Page) -> None:
    with folded(_("What would save most"), "savings") as is_open:
        if not is_open:
            return
        rows = saving_rows(page)
        if not rows:
            prose(_("No single change would save much."))
            return
        cells = [
            (untrusted(row.change), money_safe(row.saving), money_safe(row.total), untrusted(row.offer))
            for row in rows
        ]
        columns = [_("Change"), _("Saves"), _("Then costs"), _("Then recommended")]
        st.table(pd.DataFrame(cells, columns=columns), border="horizontal", hide_index=True)


def _table(page: Page) -> None:
    ranking = page.ranking
    block_title(_("All offers that do this work"))
    left, right = st.columns((3, 2), gap="medium")
    with left:
        ask(page, "sort")
    with right:
        ask(page, "max_usd_per_month" if page.asks("max_usd_per_month") else "max_usd_per_hour")
    if ranking is None or not len(ranking):
        return
    pages = -(-len(ranking) // ROWS_A_PAGE)
    if st.session_state.get(TABLE_PAGE, 1) > pages:
        st.session_state[TABLE_PAGE] = 1
    shown = int(st.session_state.get(TABLE_PAGE, 1))
    start = (shown - 1) * ROWS_A_PAGE
    small(_("Tap a row to see why it is not the recommended one."))
    frame, numeric = _frame(page, start)
    chosen = st.dataframe(
        frame,
        hide_index=True,
        column_config={"GPU": st.column_config.TextColumn(width=GPU_WIDTH)}
        | {name: st.column_config.TextColumn(alignment="right") for name in numeric},
        key=f"{TABLE}_{shown}",
        on_select="rerun",
        selection_mode="single-row",
        height="content",
        alt=_("Ranked offers"),
    )
    if pages > 1:
        st.pagination(pages, key=TABLE_PAGE, max_visible_pages=5)
    selected = list(chosen["selection"]["rows"])
    entry = start + (selected[0] if selected else (1 if len(ranking) > 1 and start == 0 else 0))
    if entry < len(ranking):
        found = why_not_text(ranking, entry)
        prose(f"**{money_safe(untrusted(found.headline))}**", found.reason)


def _frame(page: Page, start: int) -> tuple[pd.DataFrame, list[str]]:
    """Return the rows shown, as text in the reader's language, and the columns that hold numbers."""
    ranking = page.ranking
    assert ranking is not None
    rows = offer_rows(ranking, start, ROWS_A_PAGE)
    numbers = {
        _capital(total_label(ranking)): [row.total for row in rows],
        _(SPEED_UNITS[ranking.unit]): [row.speed_text for row in rows],
        _capital(unit_label(ranking.unit)): [row.per_unit for row in rows],
    }
    later_numbers = {
        _("Per hour"): [row.per_hour for row in rows],
        _("VRAM, GB"): [decimal(row.memory_gb) for row in rows],
    }
    columns = {
        "GPU": [row.gpu for row in rows],
        **numbers,
        _("Provider"): [row.provider for row in rows],
        **later_numbers,
        _("Memory"): [row.memory_type for row in rows],
        _("Where"): [row.place for row in rows],
        _("How"): [row.pricing for row in rows],
        _("Price of"): [row.price_date for row in rows],
    }
    return pd.DataFrame(columns), [*numbers, *later_numbers]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _assumptions(page: Page) -> None:
    with folded(_("What we assumed"), "assumptions") as is_open:
        if not is_open:
            return
        rows = [(money_safe(row.what), money_safe(row.value), row.why) for row in assumption_rows(page)]
        columns = [_("Assumption"), _("Value"), _("Why")]
        st.table(pd.DataFrame(rows, columns=columns), border="horizontal", hide_index=True)
        prose(
            _(
                "An interval holds the true value in eight of ten cases, as far as we could check it on measurements."
            )
        )
        if page.ranking is not None:
            for warning in page.ranking.warnings:
                prose(sentence(warning))
