"""Step 0: the brand's row with language and currency, the title, the work and its model."""

import streamlit as st

from advisor.ui.address import MODEL_WIDGET, TASK_WIDGET
from advisor.ui.answers import moved_to
from advisor.ui.blocks import small
from advisor.ui.context import Page
from advisor.ui.examples import EXAMPLES, Example, example_answers
from advisor.ui.form import model_name, models_for
from advisor.ui.labels import option_label
from advisor.ui.language import _, shipped_languages
from advisor.ui.markdown import https_link, money_safe, untrusted
from advisor.ui.model_views import SIZE_PRESETS, model_line
from advisor.ui.notices import notice_sentence
from advisor.ui.questions import AUDIO, FINETUNE, IMAGE, PRETRAIN, SERVE, VIDEO
from advisor.ui.widgets import PERSIST, labelled

TASK_ORDER = (SERVE, IMAGE, VIDEO, AUDIO, FINETUNE, PRETRAIN)
CURRENCIES = ("USD", "EUR", "BRL", "GBP")
MOST_NOTICES = 3
TEXT_TASKS = (SERVE, FINETUNE, PRETRAIN)


def top_row(page: Page) -> None:
    """Draw the brand, and language and currency, which are rarely needed: both are found out or usual."""
    with st.container(
        horizontal=True, wrap=False, vertical_alignment="center", horizontal_alignment="distribute"
    ):
        brand = _("GPU advisor")
        st.markdown(f":material/memory: **{brand}**", width="content", anchors=False)
        with st.container(horizontal=True, wrap=False, width="content", gap="xsmall"):
            _language_menu(page)
            _currency_menu(page)


def _language_menu(page: Page) -> None:
    languages = {language.tag: language.own_name for language in shipped_languages()}
    st.menu_button(
        page.reading.language.own_name,
        list(languages),
        format_func=lambda tag: languages.get(tag, tag),
        key="language_menu",
        on_click=_choose,
        args=("language_menu", "chosen_language"),
        icon=":material/language:",
        type="tertiary",
    )


def _currency_menu(page: Page) -> None:
    known = [code for code in CURRENCIES if code in page.facts.currencies]
    st.menu_button(
        page.reading.currency,
        known,
        key="currency_menu",
        on_click=_choose,
        args=("currency_menu", "chosen_currency"),
        type="tertiary",
    )


def _choose(menu: str, choice: str) -> None:
    if st.session_state.get(menu):
        st.session_state[choice] = st.session_state[menu]


def work(page: Page) -> None:
    """Draw the title, the two questions of step 0, the model in one line, and what has to be said about the link."""
    with st.container(gap=None):
        st.title(_("Which GPU should you rent?"), anchor=False)
        st.markdown(
            _("Say what you run: the answer is already here and follows every change."), anchors=False
        )
    left, right = st.columns((3, 2), gap="medium")
    with left, st.container(gap="xsmall"):
        _task_pills(page)
        # Both fill in answers for whoever does not want to; one row, so that a phone shows the answer sooner.
        with st.container(horizontal=True, gap="small"):
            _examples(page)
            if page.answers.task in TEXT_TASKS:
                _sizes(page)
    with right, st.container(gap="xsmall"):
        _model_select(page)
        _model_caption(page)
        _unknown_model(page)
    _notices(page)


def _task_pills(page: Page) -> None:
    # Pills wrap their options inside a container only.
    with st.container():
        st.pills(
            _("What will you do?"),
            TASK_ORDER,
            format_func=labelled(TASK_ORDER, lambda task: option_label("task", str(task))),
            key=TASK_WIDGET,
            required=True,
            persist_state=PERSIST,
            wrap=True,
        )


def _examples(page: Page) -> None:
    with st.popover(_("Start from an example"), type="tertiary", key="examples"):
        for place, example in enumerate(EXAMPLES):
            st.button(
                _(example.label),
                key=f"example_{place}",
                on_click=_start_from,
                args=(page, example),
                width="stretch",
            )


def _start_from(page: Page, example: Example) -> None:
    st.session_state["applied"] = example_answers(example, page.facts)


def _model_select(page: Page) -> None:
    st.selectbox(
        _("With which model?"),
        models_for(page.answers.task, page.facts),
        format_func=lambda model_id: model_name(str(model_id), page.facts),
        key=MODEL_WIDGET,
        accept_new_options=True,
        help=_("Search by name, or paste the id of a model on Hugging Face."),
        persist_state=PERSIST,
    )


def _model_caption(page: Page) -> None:
    line = model_line(page.answers.task, page.answers.model_id, page.facts)
    licence = untrusted(line.licence) if line.licence else _("not known")
    text = _("{model} · licence {licence}").format(model=line.text, licence=https_link(licence, line.url))
    small(text)


def _unknown_model(page: Page) -> None:
    """Say that a typed model is not known, offer the nearest, and name the one still in use."""
    reading = page.reading
    if not reading.unknown_model:
        return
    nearest = ", ".join(model_name(model_id, page.facts) for model_id in reading.nearest_models)
    text = _("“{given}” is not in the table, so {used} stays in use.").format(
        given=untrusted(reading.unknown_model), used=untrusted(model_name(page.answers.model_id, page.facts))
    )
    if nearest:
        text += " " + _("Nearest: {names}.").format(names=untrusted(nearest))
    st.warning(money_safe(text))


def _sizes(page: Page) -> None:
    with st.popover(_("I only know the size"), type="tertiary", key="sizes"):
        small(_("Each stands for a usual open model of that size."))
        with st.container(horizontal=True, gap="xsmall"):
            for label, model_id in SIZE_PRESETS.items():
                st.button(_(label), key=f"size_{model_id}", on_click=_take_model, args=(page, model_id))


def _take_model(page: Page, model_id: str) -> None:
    moved, _notices_of_move = moved_to(page.answers, page.answers.task, model_id, page.facts)
    st.session_state["applied"] = moved


def _notices(page: Page) -> None:
    """Say which values were not used, at most three, then how many more."""
    notices = page.reading.notices
    if not notices:
        return
    lines = [notice_sentence(notice, page) for notice in notices[:MOST_NOTICES]]
    if len(notices) > MOST_NOTICES:
        lines.append(_("And {count} more.").format(count=len(notices) - MOST_NOTICES))
    if page.reading.from_link:
        lines.append(_("The rest of the link is as it came."))
    st.warning(money_safe(" ".join(lines)), icon=":material/link_off:")
