"""The small print at the end: how sure, what is not known, what is kept about the reader."""

import streamlit as st

from advisor.ui.blocks import folded, prose, small
from advisor.ui.context import Page
from advisor.ui.language import _
from advisor.ui.sources import source_line, sources


def footer(page: Page) -> None:
    """Draw the closing lines."""
    st.space("medium")
    with folded(_("Sources and licences"), "sources") as is_open:
        if is_open:
            prose(_("The catalogue was made from these public collections; each keeps its licence."))
            st.markdown("\n".join(f"- {source_line(source)}" for source in sources()), anchors=False)
    with folded(_("Privacy"), "privacy") as is_open:
        if is_open:
            prose(
                _(
                    "The page keeps no account, no cookie of its own and no record of your answers: they live in the "
                    "address and in the memory of this session. The host may keep its usual access log."
                )
            )
    small(
        _(
            "Estimates come with the interval that holds in eight of ten measured cases. Prices are list prices in US "
            "dollars; taxes such as VAT, IVA, ISS or IOF come on top. Stock is not known."
        )
    )
