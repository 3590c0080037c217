"""Section 2: consumer, workstation or data-center card."""

from advisor.ui.blocks import badge, chart, folded, inputs_and_evidence, opening, prose
from advisor.ui.card_views import (
    bandwidth_pair,
    card_headline,
    card_reason,
    pair_sentence,
    pair_view,
    price_speed_view,
    several_sentence,
)
from advisor.ui.charts import comparison_chart, price_speed_chart
from advisor.ui.context import Page
from advisor.ui.language import _
from advisor.ui.markdown import numbered
from advisor.ui.sections.answer import ANCHORS
from advisor.ui.widgets import ask_section


def card(page: Page) -> None:
    """Draw the question, its answer, the inputs and price against speed."""
    question = numbered(2, _("Do I need an 80 GB data-center GPU, or is a consumer card enough?"))
    reason = " ".join((card_reason(page), several_sentence(page))).strip()
    opening(question, card_headline(page), reason, ANCHORS[2])
    with inputs_and_evidence() as (left, right):
        with left:
            badge(page, 2)
            ask_section(page, 2)
        with right:
            view = price_speed_view(page)
            if view is not None:
                chart(price_speed_chart(view))
                _pair(page)


def _pair(page: Page) -> None:
    pair = bandwidth_pair(page)
    if pair is None:
        return
    with folded(_("The same VRAM, two kinds of memory"), "pair") as is_open:
        if is_open:
            prose(pair_sentence(page, pair))
            view = pair_view(page, pair)
            chart(comparison_chart(view))
