"""One widget for each kind of question. State holds the values; the table of questions holds everything else."""

from collections.abc import Callable, Iterable
from typing import Any, Final

import streamlit as st

from advisor.ui.address import shown, widget_key
from advisor.ui.blocks import folded
from advisor.ui.context import Page
from advisor.ui.form import PLAIN_FORMATS, Asked
from advisor.ui.formatting import tokens
from advisor.ui.labels import format_name, option_label, short_format_name, yes_no
from advisor.ui.language import _
from advisor.ui.offer_views import gpu_name
from advisor.ui.questions import BY_KEY

PERSIST: Final = "session"
PLAIN = "%.12g"
EXACT_FORMAT = "exact_format"
MOST_SEGMENTS = 4
LIMITS = (
    "max_usd_per_month",
    "max_usd_per_hour",
    "deadline_hours",
    "images_per_minute",
    "video_seconds_per_hour",
    "max_gpu_count",
)
"""Open fields that limit nothing; any other open field is filled in by the core."""


def ask(page: Page, key: str) -> None:
    """Draw the widget of a question, holding the answer of this page run."""
    asked = page.form.asked[key]
    name = widget_key(key)
    if name not in st.session_state:
        st.session_state[name] = shown(asked.question, page.value(key))
    _DRAW[asked.question.kind](page, asked, _(asked.question.label_for(page.answers.task)), name)


def ask_section(page: Page, step: int) -> None:
    """Draw the open questions of a section, then the folded ones."""
    here = [asked for asked in page.form.asked.values() if asked.question.step == step]
    task = page.answers.task
    for asked in here:
        if not asked.question.is_expert(task):
            ask(page, asked.key)
    experts = [asked for asked in here if asked.question.is_expert(task)]
    if not experts and not _has_weights(here, task):
        return
    # Drawn only while open: hidden widgets would cost a third of every rerun, and their answers are kept anyway.
    with folded(_("Expert settings"), f"expert_{step}") as is_open:
        if is_open and _has_weights(here, task):
            _exact_format(page, page.form.asked["weights"])
        for asked in experts if is_open else ():
            ask(page, asked.key)


def _has_weights(here: list[Asked], task: str) -> bool:
    return any(asked.key == "weights" and not asked.question.is_expert(task) for asked in here)


def labelled(options: Iterable[Any], write: Callable[[Any], str]) -> Callable[[Any], str]:
    """Return a function from option to label with the labels of this run's language fixed in it."""
    labels = {option: write(option) for option in options}
    return lambda option: labels.get(option, str(option))


def help_of(asked: Asked) -> str | None:
    """Return the help of a question in the reader's language."""
    return _(asked.question.help) or None


def _flag(page: Page, asked: Asked, label: str, name: str) -> None:
    _segments(label, [True, False], yes_no, name, help_of(asked))


def _segments(
    label: str, options: list[Any], write: Callable[[Any], str], name: str, help_text: str | None
) -> None:
    st.segmented_control(
        label,
        options,
        format_func=labelled(options, write),
        key=name,
        required=True,
        help=help_text,
        persist_state=PERSIST,
        wrap=True,
    )


def _choice(page: Page, asked: Asked, label: str, name: str) -> None:
    options = list(asked.options)

    def write(code: Any) -> str:
        return option_label(asked.key, str(code))

    if asked.default is not None and len(options) <= MOST_SEGMENTS and not _is_folded(page, asked):
        _segments(label, options, write, name, help_of(asked))
    else:
        _select(asked, label, name, options, write)


def _is_folded(page: Page, asked: Asked) -> bool:
    return asked.question.is_expert(page.answers.task)


def _select(
    asked: Asked, label: str, name: str, options: list[Any], write: Callable[[Any], str], open_text: str = ""
) -> None:
    is_open = asked.default is None
    st.selectbox(
        label,
        options,
        index=None if is_open else 0,
        format_func=labelled(options, write),
        key=name,
        help=help_of(asked),
        placeholder=(open_text or _("Automatic")) if is_open else None,
        persist_state=PERSIST,
    )


def _choices(page: Page, asked: Asked, label: str, name: str) -> None:
    # Pills wrap their options inside a container only.
    with st.container():
        st.pills(
            label,
            list(asked.options),
            selection_mode="multi",
            format_func=labelled(asked.options, lambda code: option_label(asked.key, str(code))),
            key=name,
            help=help_of(asked),
            persist_state=PERSIST,
            wrap=True,
        )


def _whole(page: Page, asked: Asked, label: str, name: str) -> None:
    question = asked.question
    st.number_input(
        label,
        int(question.low),
        int(question.high),
        value="min" if asked.default is not None else None,
        step=int(question.increment),
        key=name,
        help=help_of(asked),
        placeholder=None if asked.default is not None else _open_text(asked),
        persist_state=PERSIST,
    )


def _number(page: Page, asked: Asked, label: str, name: str) -> None:
    question = asked.question
    st.number_input(
        label,
        float(question.low),
        float(question.high),
        value="min" if asked.default is not None else None,
        step=float(question.increment),
        format=PLAIN,
        key=name,
        help=help_of(asked),
        placeholder=None if asked.default is not None else _open_text(asked),
        persist_state=PERSIST,
    )


def _open_text(asked: Asked) -> str:
    """Return what an empty field says."""
    if asked.key == "seen":
        return _("for example, 30")
    if asked.key == "job_units":
        return _("All month")
    return _("No limit") if asked.key in LIMITS else _("Automatic")


def _slide(page: Page, asked: Asked, label: str, name: str) -> None:
    low, high = int(asked.question.low), int(asked.question.high)
    st.slider(label, low, high, key=name, help=help_of(asked), persist_state=PERSIST)


def _token_slider(page: Page, asked: Asked, label: str, name: str) -> None:
    present = page.value(asked.key)
    options = sorted({int(option) for option in (*asked.options, present) if isinstance(option, int | float)})
    st.select_slider(label, options, format_func=tokens, key=name, help=help_of(asked), persist_state=PERSIST)


def _size(page: Page, asked: Asked, label: str, name: str) -> None:
    options = list(dict.fromkeys((*asked.options, asked.default, page.value(asked.key))))
    options.sort(key=lambda size: [int(side) for side in str(size).split("x")])
    _select(asked, label, name, options, lambda size: str(size).replace("x", " × "))


def _format(page: Page, asked: Asked, label: str, name: str) -> None:
    """The usual formats as buttons, with the present one among them; every format in the expert settings."""
    if _is_folded(page, asked):
        _select(asked, label, name, list(asked.options), format_name, _("As the method needs"))
        return
    options = list(dict.fromkeys((asked.default, *PLAIN_FORMATS, page.value(asked.key))))
    options = [option for option in options if option in asked.options]
    _segments(label, options, lambda code: short_format_name(str(code)), name, help_of(asked))


def _exact_format(page: Page, asked: Asked) -> None:
    """All formats; choosing one here sets the buttons above."""
    st.session_state[EXACT_FORMAT] = page.value("weights")
    st.selectbox(
        _("Exact weight format"),
        list(asked.options),
        format_func=labelled(asked.options, format_name),
        key=EXACT_FORMAT,
        on_change=_take_exact_format,
        help=_("AWQ, GPTQ, GGUF and EXL2 files differ in size and in the engines that read them."),
    )


def _take_exact_format() -> None:
    st.session_state[widget_key("weights")] = st.session_state[EXACT_FORMAT]


def _engine(page: Page, asked: Asked, label: str, name: str) -> None:
    _select(asked, label, name, list(asked.options), lambda code: page.facts.engines.rows[code].name)


def _gpu(page: Page, asked: Asked, label: str, name: str) -> None:
    recommended = _("The recommended one")
    if page.best is not None:
        recommended = _("{gpu}, as recommended").format(gpu=gpu_name(page.best.gpu))
    _select(asked, label, name, list(asked.options), lambda code: page.facts.gpus[code].name, recommended)


def _where(page: Page, asked: Asked, label: str, name: str) -> None:
    _select(asked, label, name, list(asked.options), lambda code: option_label("where", code))


_DRAW: dict[str, Callable[[Page, Asked, str, str], None]] = {
    "choice": _choice,
    "choices": _choices,
    "whole": _whole,
    "number": _number,
    "slide": _slide,
    "tokens": _token_slider,
    "flag": _flag,
    "size": _size,
    "format": _format,
    "engine": _engine,
    "gpu": _gpu,
    "where": _where,
}


def label_of(key: str, task: str) -> str:
    """Return the label of a question in the reader's language."""
    return _(BY_KEY[key].label_for(task))
