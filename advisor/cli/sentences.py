"""Codes and figures as English: the sentence of a code with its values, and numbers with their units."""

from collections.abc import Mapping

from advisor.codes import Assumption, Message
from advisor.errors import AdvisorError
from advisor.wording import SENTENCES

_UNITS = (
    ("_tokens_per_second", "{} tokens/s"),
    ("_gb_per_second", "{} GB/s"),
    ("_usd_per_hour", "${}/h"),
    ("_usd_per_month", "${} a month"),
    ("_usd", "${}"),
    ("_gib", "{} GiB"),
    ("_percent", "{}%"),
    ("_hours", "{} h"),
    ("_days", "{} days"),
    ("_ms", "{} ms"),
    ("_factor", "{} times"),
)
"""How a value is written by the end of its name, longer ends first."""

SPEED_UNITS = {
    "decode_tokens_per_second_per_request": "tokens/s each",
    "decode_tokens_per_second": "tokens/s",
    "prefill_tokens_per_second": "prompt tokens/s",
    "training_tokens_per_second": "training tokens/s",
    "images_per_second": "images/s",
    "seconds_per_image": "s an image",
    "seconds_per_video": "s a clip",
    "steps_per_second": "steps/s",
    "realtime_factor": "s of sound a second",
}
"""The unit of each headline figure, as the table writes it."""


def number(value: float) -> str:
    """Return a number with about three significant digits: 12,345 or 25.0 or 0.123."""
    size = abs(value)
    if isinstance(value, int) or size >= 100 or value == 0:
        return f"{value:,.0f}"
    if size >= 1:
        return f"{value:.1f}"
    return f"{value:.2g}"


def money(usd: float) -> str:
    """Return dollars: whole from a thousand on, cents below, more decimals below ten cents."""
    if abs(usd) >= 1_000:
        return f"${usd:,.0f}"
    return f"${usd:.2f}" if abs(usd) >= 0.1 or usd == 0 else f"${usd:.4f}"


def sentence(code: str, values: Mapping[str, object]) -> str:
    """Return the sentence of a code with its values written out."""
    return SENTENCES[code].format(**{name: _written(name, value) for name, value in values.items()})


def message_sentence(message: Message) -> str:
    """Return a coded message as a sentence."""
    return sentence(message.code, message.values)


def error_sentence(error: AdvisorError) -> str:
    """Return an error as a sentence, with what would be accepted."""
    return sentence(error.code, error.values)


def assumption_text(assumption: Assumption) -> str:
    """Return an assumption in one phrase: field, value, and why in brackets."""
    reason = SENTENCES[assumption.reason]
    if assumption.value is None:
        return f"{assumption.field} {reason}"
    return f"{assumption.field} {_written('', assumption.value)} ({reason})"


def _written(name: str, value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, int | float):
        return str(value)
    pattern = next((pattern for ending, pattern in _UNITS if name.endswith(ending)), "{}")
    return pattern.format(number(value))
