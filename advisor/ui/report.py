"""The report of this page as text in the reader's language: the same views, without widgets and charts."""

from advisor.export.markdown import Report, Section
from advisor.ui import links
from advisor.ui.answer_views import answer_figures, answer_headline, answer_reason, answer_small_print
from advisor.ui.assumption_views import assumption_rows
from advisor.ui.card_views import card_headline, card_reason, several_sentence
from advisor.ui.context import Page
from advisor.ui.cost_views import cost_sentence
from advisor.ui.formatting import date
from advisor.ui.language import _
from advisor.ui.memory_views import memory_headline, memory_reason, need_of
from advisor.ui.method_views import memory_steps
from advisor.ui.model_views import model_line
from advisor.ui.offer_views import alternatives, offer_rows, total_label, unit_label
from advisor.ui.price_views import price_summary
from advisor.ui.slow_views import answerable, slow_headline, slow_reason
from advisor.ui.spot_views import spot_answer, spot_headline, spot_reason

ROWS = 20


def report_of(page: Page) -> Report:
    """Return the report; the page has a recommended offer."""
    best, ranking = page.best, page.ranking
    assert best is not None
    assert ranking is not None
    need = need_of(page)
    spot = spot_answer(page)
    diagnosis, _error = answerable(page)
    figures = "; ".join(f"{figure.label}: {figure.value}" for figure in answer_figures(page, best, ranking))
    card_text = " ".join((card_reason(page), several_sentence(page))).strip()
    return Report(
        title=_("Which GPU to rent"),
        subtitle=f"{model_line(page.answers.task, page.answers.model_id, page.facts).text} · {date(page.today)}",
        sections=(
            Section(
                answer_headline(page),
                (figures, answer_reason(page, need), answer_small_print(ranking, best)),
            ),
            Section(memory_headline(page, need), (memory_reason(page, need), *memory_steps(page, need))),
            Section(card_headline(page), (card_text,)),
            Section(spot_headline(page, spot), (spot_reason(page, spot),)),
            Section(slow_headline(page, diagnosis), (slow_reason(page, diagnosis),)),
            Section(_("Where the money goes"), (cost_sentence(page),)),
            Section(
                _("Why not a cheaper one?"),
                tuple(f"**{found.headline}**: {found.reason}" for found in alternatives(ranking)),
            ),
        ),
        table_title=_("Offers"),
        table_columns=(
            "GPU",
            total_label(ranking),
            unit_label(ranking.unit),
            _("Provider"),
            _("Per hour"),
            _("Where"),
            _("Price of"),
        ),
        table_rows=tuple(
            (row.gpu, row.total, row.per_unit, row.provider, row.per_hour, row.place, row.price_date)
            for row in offer_rows(ranking, 0, ROWS)
        ),
        notes_title=_("What we assumed"),
        notes=tuple(f"{row.what}: {row.value} ({row.why})" for row in assumption_rows(page)),
        closing=price_summary(page),
        link=links.page_link(page),
    )
