"""What is said about a value of a link, or of another model, that cannot be used."""

from advisor.ui.answers import MODEL_CODE, TASK_CODE, Notice
from advisor.ui.context import Page
from advisor.ui.form import model_name
from advisor.ui.formatting import plain_number, tokens
from advisor.ui.labels import option_label, yes_no
from advisor.ui.language import _
from advisor.ui.markdown import untrusted
from advisor.ui.questions import BY_KEY, Value
from advisor.ui.widgets import label_of

LONGEST_SHOWN = 40


def notice_sentence(notice: Notice, page: Page) -> str:
    """Return which value was not used, its limits, and what is used instead; values of a link are untrusted."""
    given = untrusted(notice.given[:LONGEST_SHOWN])
    used = used_text(notice, page)
    if notice.key == MODEL_CODE:
        names = ", ".join(model_name(model_id, page.facts) for model_id in notice.nearest)
        sentence = _("The model “{given}” is not in the table; we use {used}.").format(given=given, used=used)
        return f"{sentence} " + _("Nearest: {names}.").format(names=untrusted(names)) if names else sentence
    if notice.key == TASK_CODE:
        return _("The kind of work “{given}” is not known; we use {used}.").format(given=given, used=used)
    label = label_of(notice.key, page.answers.task)
    if notice.limits is None:
        return _("“{label}” cannot be “{given}”; we use {used}.").format(label=label, given=given, used=used)
    low, high = (_written(notice.key, limit, page) for limit in notice.limits)
    return _("“{label}” was {given}, and it goes from {low} to {high} here; we use {used}.").format(
        label=label, given=given, low=low, high=high, used=used
    )


def used_text(notice: Notice, page: Page) -> str:
    """Return the value that is used instead."""
    if notice.key == MODEL_CODE:
        return untrusted(model_name(str(notice.used), page.facts))
    if notice.key == TASK_CODE:
        return option_label("task", str(notice.used))
    return _written(notice.key, notice.used, page)


def _written(key: str, value: Value, page: Page) -> str:
    """Return a contract value as the widget of its question shows it."""
    question = BY_KEY[key]
    if value is None:
        return _("nothing")
    if isinstance(value, bool):
        return yes_no(value)
    if isinstance(value, tuple):
        return ", ".join(option_label(key, code) for code in value)
    if isinstance(value, int | float):
        return tokens(value) if question.kind == "tokens" else plain_number(value / question.scale)
    return untrusted(option_label(key, value))
