"""Section 1: how much VRAM."""

import pandas as pd
import streamlit as st

from advisor.ui.blocks import badge, chart, folded, inputs_and_evidence, opening, prose, small
from advisor.ui.charts import cache_growth_chart, memory_chart
from advisor.ui.context import Page
from advisor.ui.growth_views import growth_view
from advisor.ui.language import _
from advisor.ui.markdown import money_safe, numbered
from advisor.ui.memory_views import (
    Need,
    memory_headline,
    memory_reason,
    memory_view,
    memory_warnings,
    shrink_rows,
    sizes_note,
)
from advisor.ui.method_views import memory_steps
from advisor.ui.sections.answer import ANCHORS
from advisor.ui.widgets import ask_section


def memory(page: Page, need: Need) -> None:
    """Draw the question, its answer, the inputs and the staircase of parts."""
    question = numbered(1, _("How much VRAM do I need?"))
    opening(question, memory_headline(page, need), memory_reason(page, need), ANCHORS[1])
    with inputs_and_evidence() as (left, right):
        with left:
            badge(page, 1)
            ask_section(page, 1)
        with right:
            view = memory_view(page, need)
            chart(memory_chart(view))
            for warning in memory_warnings(page, need):
                st.warning(money_safe(warning))
            small(sizes_note())
            _shrinking(page, need)
            _growing(page, need)
            _method(page, need)


def _shrinking(page: Page, need: Need) -> None:
    with folded(_("What would make it smaller"), "shrink") as is_open:
        if not is_open:
            return
        rows = shrink_rows(page, need)
        if not rows:
            prose(_("Nothing that this work allows would save much."))
            return
        columns = [_("Change"), _("Saves"), _("Then needs"), _("Fits a card of")]
        cells = [(money_safe(row.change), row.saving, row.need, row.fits_in) for row in rows]
        st.table(pd.DataFrame(cells, columns=columns), border="horizontal", hide_index=True)


def _growing(page: Page, need: Need) -> None:
    if page.answers.task != "serve" or page.best is None:
        return
    with folded(_("How memory grows with the context"), "growth") as is_open:
        view = growth_view(page, need) if is_open else None
        if view is not None:
            chart(cache_growth_chart(view))
            prose(view.alt)


def _method(page: Page, need: Need) -> None:
    with folded(_("How we count"), "method") as is_open:
        if is_open:
            for step in memory_steps(page, need):
                prose(step)
