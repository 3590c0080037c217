"""Section 4: it runs and is slow."""

import streamlit as st

from advisor.errors import AdvisorError
from advisor.ui.blocks import badge, chart, folded, inputs_and_evidence, opening, prose, small
from advisor.ui.charts import comparison_chart, concurrency_chart, diagnosis_chart
from advisor.ui.context import Page
from advisor.ui.growth_views import concurrency_view
from advisor.ui.language import _
from advisor.ui.markdown import money_safe, numbered
from advisor.ui.sections.answer import ANCHORS
from advisor.ui.sentences import error_sentence, sentence
from advisor.ui.slow_views import Diagnosis, remedies_view, slow_headline, slow_reason, step_view
from advisor.ui.widgets import ask_section


def slow(page: Page, diagnosis: Diagnosis | None, error: AdvisorError | None) -> None:
    """Draw the question, the diagnosis, the inputs and what each remedy brings."""
    question = numbered(4, _("It already runs, and it is slow. Why?"))
    opening(question, slow_headline(page, diagnosis), slow_reason(page, diagnosis), ANCHORS[4])
    with inputs_and_evidence() as (left, right):
        with left:
            badge(page, 4)
            ask_section(page, 4)
        with right:
            if error is not None:
                st.warning(money_safe(error_sentence(error)))
            elif diagnosis is not None:
                _remedies(page, diagnosis)
            _batching(page)


def _remedies(page: Page, diagnosis: Diagnosis) -> None:
    view = remedies_view(page, diagnosis)
    if view is not None:
        small(_("Tokens/s, all readers together"))
        chart(diagnosis_chart(view))
    else:
        parts = step_view(page, diagnosis)
        if parts is not None:
            small(_("What a step is made of, estimated"))
            chart(comparison_chart(parts))
    advice = diagnosis.advice
    if advice is not None and diagnosis.seen is not None and len(advice.causes) > 1:
        with folded(_("Other likely causes"), "causes") as is_open:
            if is_open:
                for cause in advice.causes[1:]:
                    prose(sentence(cause.message))


def _batching(page: Page) -> None:
    if page.answers.task != "serve" or page.best is None:
        return
    with folded(_("What more conversations at once bring"), "batching") as is_open:
        view = concurrency_view(page) if is_open else None
        if view is not None:
            chart(concurrency_chart(view))
            prose(view.alt)
