"""Coded messages as sentences in the reader's language: every value formatted by the ending of its name."""

import math
from collections.abc import Callable

from advisor.codes import Message
from advisor.errors import AdvisorError
from advisor.ui.formatting import (
    age,
    compact,
    decimal,
    duration,
    factor,
    gib,
    money,
    percent,
    short,
    with_unit,
)
from advisor.ui.labels import format_name
from advisor.ui.language import _
from advisor.wording import SENTENCES

Formatter = Callable[[float], str]


def _tokens_per_second(value: float) -> str:
    return with_unit(value, "tokens/s")


def _per_hour(value: float) -> str:
    return _("{amount} an hour").format(amount=money(value))


def _per_month(value: float) -> str:
    return _("{amount} a month").format(amount=money(value))


def _old(days: float) -> str:
    return _("no date") if days < 0 else age(round(days))


def _bandwidth(value: float) -> str:
    return with_unit(value, "GB/s", 0)


def _milliseconds(value: float) -> str:
    return with_unit(value / 1_000, "s", 1)


def _percent(value: float) -> str:
    return percent(value / 100)


def _whole(value: float) -> str:
    return decimal(round(value)) if abs(value) < 1e6 else compact(value)


BY_ENDING: dict[str, Formatter] = {
    "_tokens_per_second": _tokens_per_second,
    "_gb_per_second": _bandwidth,
    "_usd_per_hour": _per_hour,
    "_usd_per_month": _per_month,
    "_usd": money,
    "_gib": gib,
    "_ms": _milliseconds,
    "_hours": duration,
    "_percent": _percent,
    "_factor": factor,
    "factor": factor,
    "age_days": _old,
    "_tokens": _whole,
    "_count": _whole,
    "concurrency": _whole,
    "tensor_parallel": _whole,
}
"""How a value is written, by the ending of its name; the first ending that fits."""

NAMES = ("weights", "kv_cache", "method", "other_method", "optimizer", "offload")
"""Values that are codes of formats and methods."""


def sentence(message: Message) -> str:
    """Return a message as a sentence in the reader's language."""
    values = {name: formatted(name, value) for name, value in message.values.items()}
    return _(SENTENCES[message.code]).format(**values)


def error_sentence(error: AdvisorError) -> str:
    """Return an error as a sentence in the reader's language."""
    values = {name: formatted(name, value) for name, value in error.values.items()}
    return _(SENTENCES[error.code]).format(**values)


def formatted(name: str, value: object) -> str:
    """Return one value of a message as the reader writes it."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return format_name(str(value)) if name in NAMES else str(value)
    if not math.isfinite(value):
        return "–"
    for ending, write in BY_ENDING.items():
        if name.endswith(ending):
            return write(float(value))
    return short(float(value))
