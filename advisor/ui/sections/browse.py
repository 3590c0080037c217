"""Browse: the catalogue as a table, for whoever wants to look without answering anything."""

import pandas as pd
import streamlit as st

from advisor.ui.blocks import folded, headline, kicker, small
from advisor.ui.browse_views import BrowseFilter, BrowseRow, browse_order, browse_row
from advisor.ui.context import Page
from advisor.ui.formatting import country, date, decimal, gb, money, short
from advisor.ui.labels import format_name, option_label, yes_no
from advisor.ui.language import _, ngettext
from advisor.ui.widgets import PLAIN, labelled
from advisor.wording import N_

ROWS = 100
BILLED = {
    "per second": N_("per second"),
    "per minute": N_("per minute"),
    "per hour": N_("per hour"),
    "per day": N_("per day"),
}
SIZES = (0, 16, 24, 32, 48, 80, 96, 141, 180)


def browse(page: Page) -> None:
    """Draw the folded catalogue with its four filters."""
    st.space("medium")
    with st.container(gap="xxsmall"):
        kicker(_("Catalogue"), "catalogue")
        headline(_("Look around without answering anything"))
    with folded(_("All offers"), "browse") as is_open:
        if not is_open:
            return
        chosen = _filters(page)
        rows = browse_order(chosen, page.facts)
        small(
            ngettext(
                "{count} offer, cheapest for each GPU first.",
                "{count} offers, cheapest for each GPU first.",
                len(rows),
            ).format(count=decimal(len(rows)))
        )
        shown = [browse_row(int(row), page.facts) for row in rows[:ROWS]]
        st.dataframe(_frame(shown), hide_index=True, height=420, alt=_("Offers of the catalogue"))
        if len(rows) > ROWS:
            small(_("The first {count} are shown; filter to see others.").format(count=decimal(ROWS)))


def _filters(page: Page) -> BrowseFilter:
    grid = st.grid(4, min_column_width=200)
    with grid:
        memory = st.selectbox(
            _("VRAM of one GPU, at least"),
            SIZES,
            format_func=labelled(SIZES, lambda size: gb(size) if size else _("Any")),
            key="browse_memory",
        )
    places = list(page.form.asked["where"].options[1:])
    with grid:
        place = st.selectbox(
            _("Where?"),
            places,
            index=None,
            format_func=labelled(places, lambda code: option_label("where", code)),
            key="browse_place",
            placeholder=_("Anywhere"),
        )
    providers = sorted({offer.provider for offer in page.facts.offers.rows})
    with grid:
        provider = st.selectbox(
            _("Provider"),
            providers,
            index=None,
            format_func=lambda code: page.facts.providers[str(code)].name,
            key="browse_provider",
            placeholder=_("Any"),
        )
    with grid:
        most = st.number_input(
            _("At most, US$ per hour"),
            0.0,
            10_000.0,
            value=None,
            format=PLAIN,
            key="browse_price",
            placeholder=_("No limit"),
        )
    return BrowseFilter(
        float(memory or 0), (str(place),) if place else (), (str(provider),) if provider else (), most or None
    )


def _frame(rows: list[BrowseRow]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "GPU": [row.gpu if row.gpu_count == 1 else f"{row.gpu_count} × {row.gpu}" for row in rows],
            _("Per hour"): [_amount(row.usd_per_hour) for row in rows],
            _("Spot per hour"): [_amount(row.spot_usd_per_hour) for row in rows],
            _("Provider"): [row.provider for row in rows],
            _("VRAM of one, GB"): [decimal(row.memory_gb) for row in rows],
            _("Memory"): [row.memory_type for row in rows],
            _("Bandwidth of one, GB/s"): [decimal(row.bandwidth_gb_per_second) for row in rows],
            _("GB/s per US$"): [short(row.bandwidth_per_usd) for row in rows],
            "FP8": [yes_no(row.fp8) for row in rows],
            _("Link"): [format_name(row.link) if row.link else "–" for row in rows],
            _("Billed"): [_billed(row.billing) for row in rows],
            _("Where"): [country(row.country) if row.country else (row.region or "–") for row in rows],
            _("Price of"): ["–" if row.price_as_of is None else date(row.price_as_of) for row in rows],
        }
    )


def _billed(step: str) -> str:
    """Return the billing step; other wordings of the table are terms to read at the provider's."""
    first_words = " ".join(step.split()[:2])
    return _(BILLED[first_words]) if first_words in BILLED else "–"


def _amount(usd: float) -> str:
    return money(usd, 2) if usd > 0 else "–"
