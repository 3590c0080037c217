"""The guide: twenty questions that renters ask, each with the number of the present work."""

import streamlit as st

from advisor.ui.blocks import headline, kicker, prose
from advisor.ui.context import Page
from advisor.ui.guide import passages
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
    for passage in passages(page.ranking):
        with st.expander(money_safe(passage.question), type="compact", key=f"guide_{passage.id}"):
            prose(passage.answer)
