"""What a reader takes away: the link, and the ranking as three files."""

from contextvars import copy_context

import streamlit as st

from advisor.export.csv import ranking_csv
from advisor.export.json import ranking_json
from advisor.export.markdown import report_markdown
from advisor.ui import links
from advisor.ui.blocks import block_title, small
from advisor.ui.context import Page
from advisor.ui.language import _
from advisor.ui.report import report_of

MOST_OFFERS = 200
FILE = "gpu-offers"


def files(page: Page) -> None:
    """Draw link and download buttons; a file is made only when its button is pressed."""
    block_title(_("Take it with you"))
    small(_("The link keeps every answer and opens in any language."))
    st.code(links.page_link(page), language=None, wrap_lines=True)
    ranking = page.ranking
    if ranking is None or page.best is None:
        return
    # A file is made later and elsewhere: the language and the currency of this run go with it.
    language = copy_context()
    with st.container(horizontal=True):
        st.download_button(
            _("Table (CSV)"),
            lambda: ranking_csv(ranking, MOST_OFFERS),
            file_name=f"{FILE}.csv",
            mime="text/csv",
            on_click="ignore",
            icon=":material/download:",
        )
        st.download_button(
            _("Data (JSON)"),
            lambda: ranking_json(ranking, MOST_OFFERS),
            file_name=f"{FILE}.json",
            mime="application/json",
            on_click="ignore",
            icon=":material/download:",
        )
        st.download_button(
            _("Report (Markdown)"),
            lambda: language.run(_report, page),
            file_name=f"{FILE}.md",
            mime="text/markdown",
            on_click="ignore",
            icon=":material/download:",
        )


def _report(page: Page) -> str:
    return report_markdown(report_of(page))
