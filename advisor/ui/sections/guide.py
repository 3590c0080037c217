"""The guide: twenty questions that renters ask, each with the number of the present work."""

import streamlit as st

from advisor.ui.blocks import folded, headline, kicker, prose
from advisor.ui.context import Page
from advisor.ui.guide import TOPICS, passages
from advisor.ui.language import _
from advisor.ui.markdown import money_safe


def guide(page: Page) -> None:
    """Draw the folded questions with their answers."""
    st.space("medium")
    with st.container(gap="xxsmall"):
        kicker(_("Guide"), "guide")
        headline(_("Twenty questions before you rent"))
    if page.ranking is None:
        return
    for place, (topic, statements) in enumerate(TOPICS.items()):
        with folded(_(topic), f"guide_{place}") as is_open:
            if not is_open:
                continue
            for passage in passages(page.ranking):
                if passage.id in statements:
                    prose(f"**{money_safe(passage.question)}**  \n{passage.answer}")
