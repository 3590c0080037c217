"""Section 3: spot or on demand."""

from advisor.ui.blocks import badge, chart, inputs_and_evidence, opening, prose, small
from advisor.ui.charts import spot_chart
from advisor.ui.context import Page
from advisor.ui.language import _
from advisor.ui.markdown import numbered
from advisor.ui.sections.answer import ANCHORS
from advisor.ui.spot_views import SpotAnswer, spot_headline, spot_reason, spot_view
from advisor.ui.widgets import ask_section
from advisor.wording import SENTENCES


def spot(page: Page, answer: SpotAnswer | None) -> None:
    """Draw the question, the verdict, the inputs and both costs over interruptions."""
    question = numbered(3, _("Spot or on demand?"))
    opening(question, spot_headline(page, answer), spot_reason(page, answer), ANCHORS[3])
    with inputs_and_evidence() as (left, right):
        with left:
            badge(page, 3)
            ask_section(page, 3)
        with right:
            if answer is None:
                prose(_("Choose another place or provider to compare with spot prices."))
                return
            view = spot_view(page, answer)
            chart(spot_chart(view))
            prose(_(SENTENCES[answer.verdict]))
            small(_("The rates come from public observations of older GPUs; your own figure is better."))
