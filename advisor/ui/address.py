"""The address and the widgets kept in step without losing input.

Writing the address pushes a history entry, and Back runs the page again with the old one. Two naive faults are avoided:
session state that wins over the address (Back does nothing), and an old address that wins over fast typing. The rule:
read the address only if it differs from what was last written AND nothing was answered since the last run; write it
only if it does not already say the same. An address that spells a default, or a value that was refused, is left as it
is, so that Back is never trapped.
"""

from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass, replace
from typing import Any

from advisor.facts import Facts
from advisor.ui.answers import (
    MODEL_CODE,
    TASK_CODE,
    Answers,
    Notice,
    answers_from,
    decode,
    encode,
    find_model,
    form_for,
    moved_to,
    value_of,
)
from advisor.ui.form import models_for
from advisor.ui.formatting import DOLLARS
from advisor.ui.language import Language, negotiate
from advisor.ui.questions import DEFAULT_MODELS, Question, Value

LANGUAGE_CODE, CURRENCY_CODE = "lang", "cur"
WIDGET = "q_"
EMBED_PARAMETERS = ("embed", "embed_options")

State = MutableMapping[Any, Any]


def widget_key(key: str) -> str:
    """Return the session-state key of a question's widget."""
    return WIDGET + key


TASK_WIDGET, MODEL_WIDGET = widget_key(TASK_CODE), widget_key(MODEL_CODE)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a run starts from: the answers, the language, what has to be said about a link or a change of model."""

    answers: Answers
    language: Language
    currency: str
    notices: tuple[Notice, ...]
    from_link: bool
    unknown_model: str = ""
    nearest_models: tuple[str, ...] = ()


def shown(question: Question, value: Value) -> Value:
    """Return a contract value in the unit of its widget."""
    if isinstance(value, tuple):
        return list(value)  # type: ignore[return-value]
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    scaled = value / question.scale
    return round(scaled) if question.kind in ("whole", "slide", "tokens") else round(float(scaled), 6)


def contract_value(question: Question, value: Any) -> Value:
    """Return what a widget holds in contract units."""
    if isinstance(value, list):
        # Nothing chosen means nothing excluded.
        return tuple(option for option in question.accepted if option in value) or question.accepted
    if question.scale == 1 or isinstance(value, bool) or not isinstance(value, int | float):
        return value  # type: ignore[no-any-return]
    return round(value * question.scale, 9)


def read_widgets(state: State, last: Answers, facts: Facts) -> Answers:
    """Return the answers that the widgets hold for the form of the last run."""
    form = form_for(last, facts)
    values: dict[str, Value] = dict(last.stated)
    for key, asked in form.asked.items():
        if widget_key(key) in state:
            values[key] = contract_value(asked.question, state[widget_key(key)])
    return answers_from(last.task, last.model_id, values, facts)


def write_widgets(state: State, answers: Answers, facts: Facts) -> None:
    """Put answers into the widgets that hold something else."""
    state[TASK_WIDGET], state[MODEL_WIDGET] = answers.task, answers.model_id
    form = form_for(answers, facts)
    for key, asked in form.asked.items():
        value = shown(asked.question, value_of(answers, form, key))
        if state.get(widget_key(key), ...) != value:
            state[widget_key(key)] = value


def begin(state: State, address: Mapping[str, str], wishes: list[str | None], facts: Facts) -> Reading:
    """Return what this run starts from, and bring the widgets in step with it.

    address: the query as the browser sent it; wishes: the reader's languages, best first.
    """
    applied = state.pop("applied", None)
    last, known = state.get("answers", Answers()), "answers" in state
    language, currency = _language(state, address, wishes), _currency(state, address, facts)
    current = read_widgets(state, last, facts) if known else last
    untouched = applied is None and not _moved(state, last) and current == last
    untouched = untouched and language.tag == state.get("language", language.tag)
    untouched = untouched and currency == state.get("currency", currency)
    if state.get("written") != _kept(address) and (not known or untouched):
        current, notices = decode(address, facts)
        language = negotiate([address.get(LANGUAGE_CODE), state.get("arrival_language"), *wishes])
        currency = _known_currency(address.get(CURRENCY_CODE), facts)
        reading = Reading(current, language, currency, notices, True)
        write_widgets(state, current, facts)
    elif applied is not None:
        reading = Reading(applied, language, currency, (), False)
        write_widgets(state, applied, facts)
    else:
        reading = _after_widgets(state, last, Reading(current, language, currency, (), False), facts)
    _show_language(state, reading.language)
    state["currency"] = state["chosen_currency"] = reading.currency
    return reading


def _kept(address: Mapping[str, str]) -> dict[str, str]:
    return {key: value for key, value in address.items() if key not in EMBED_PARAMETERS}


def _language(state: State, address: Mapping[str, str], wishes: list[str | None]) -> Language:
    """Return the language: chosen on the page, else in the address on arrival, else the browser's wishes."""
    chosen = state.get("chosen_language")
    if chosen is None and "language" not in state:
        chosen = address.get(LANGUAGE_CODE)
    return negotiate([chosen, state.get("language"), *wishes])


def _currency(state: State, address: Mapping[str, str], facts: Facts) -> str:
    """Return the currency: chosen on the page, else in the address on arrival."""
    return _known_currency(state.get("chosen_currency") or address.get(CURRENCY_CODE), facts)


def _known_currency(code: str | None, facts: Facts) -> str:
    return code if code in facts.currencies else DOLLARS


def _moved(state: State, last: Answers) -> bool:
    """Whether task or model were changed on the page."""
    return (state.get(TASK_WIDGET, last.task), state.get(MODEL_WIDGET, last.model_id)) != (
        last.task,
        last.model_id,
    )


def _after_widgets(state: State, last: Answers, reading: Reading, facts: Facts) -> Reading:
    """Return the reading of a run that somebody's change on the page began."""
    current = reading.answers
    if not _moved(state, last):
        if form_for(current, facts) != form_for(last, facts):
            write_widgets(state, current, facts)
        return reading
    task = state.get(TASK_WIDGET) or last.task
    given = state.get(MODEL_WIDGET) or last.model_id
    able = models_for(task, facts)
    model_id, nearest = (given, ()) if given in able else find_model(str(given), task, facts)
    unknown = ""
    if not model_id:
        # A changed task keeps the model if it can do it; a typed name that is not known keeps the last good model.
        unknown = "" if task != last.task else str(given)
        model_id = last.model_id if last.model_id in able else DEFAULT_MODELS[task]
    moved, notices = moved_to(current, task, model_id, facts)
    write_widgets(state, moved, facts)
    return replace(reading, answers=moved, notices=notices, unknown_model=unknown, nearest_models=nearest)


def _show_language(state: State, language: Language) -> None:
    """On a change of language, store every answer again, so that choices are kept under their new labels.

    Only then: on every run it would push values back to the browser and lose fast typing.
    """
    before = state.get("language")
    if before is not None and before != language.tag:
        for key in [key for key in state if isinstance(key, str) and key.startswith(WIDGET)]:
            state[key] = state[key]
    state["language"] = state["chosen_language"] = language.tag
    state.setdefault("arrival_language", language.tag)


def finish(state: State, reading: Reading, address: Mapping[str, str], facts: Facts) -> dict[str, str] | None:
    """Remember this run; return the address to write, None when the present one already says the same."""
    wanted = full_address(reading)
    says = (
        decode(_kept(address), facts)[0] == reading.answers
        and _known_currency(address.get(CURRENCY_CODE), facts) == reading.currency
        and _says_language(address, reading.language, state)
    )
    state["answers"] = reading.answers
    state["written"] = _kept(address) if says else wanted
    return None if says else wanted


def _says_language(address: Mapping[str, str], language: Language, state: State) -> bool:
    """Whether the address leaves the reader in this language: it names it, or names none and none was chosen."""
    named = address.get(LANGUAGE_CODE)
    if named is None:
        return bool(state["arrival_language"] == language.tag)
    return negotiate([named, state["arrival_language"]]).tag == language.tag


def full_address(reading: Reading) -> dict[str, str]:
    """Return the query of a link that restores answers, currency and language."""
    currency = {} if reading.currency == DOLLARS else {CURRENCY_CODE: reading.currency}
    return encode(reading.answers) | currency | {LANGUAGE_CODE: reading.language.tag}


def apply(state: State, answers: Answers) -> None:
    """Set all answers at once from a button; the next run begins with them."""
    state["applied"] = answers
