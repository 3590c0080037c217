"""The answers of a page, and their spelling in the address.

Only what differs from the default is kept and written: a link says what somebody set. Codes and numbers are those of
the contract, in no language. A value that cannot be is dropped with a notice, and the rest of the link holds.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from advisor.errors import AdvisorError
from advisor.facts import Facts
from advisor.resolve.models import resolve_model
from advisor.ui.form import Asked, Form, default_waiting, form_of, model_name, models_for
from advisor.ui.questions import BY_KEY, DEFAULT_MODELS, SERVE, Value
from advisor.workload import TASKS, Workload

TASK_CODE, MODEL_CODE = "task", "model"
WAITING = "somebody_waiting"
LONGEST_VALUE = 300
SMALLEST_SIDE, LARGEST_SIDE = 64, 8_192
_SIZE = re.compile(r"([0-9]{2,4})x([0-9]{2,4})")
YES, NO = "1", "0"
_SPELLED_FLAGS = {YES: True, NO: False, "true": True, "false": False, "yes": True, "no": False}


@dataclass(frozen=True, slots=True)
class Answers:
    """What somebody answered. stated: (key, value) pairs in contract units, sorted by key, without defaults."""

    task: str = SERVE
    model_id: str = DEFAULT_MODELS[SERVE]
    stated: tuple[tuple[str, Value], ...] = ()

    def get(self, key: str) -> Value:
        """Return a stated value, None where the default holds."""
        return dict(self.stated).get(key)

    def is_set(self, key: str) -> bool:
        """Whether somebody set this answer."""
        return any(name == key for name, _ in self.stated)

    def with_value(self, key: str, value: Value, facts: Facts) -> "Answers":
        """Return the answers with one value set; a value equal to the default counts as not set."""
        return answers_from(self.task, self.model_id, dict(self.stated) | {key: value}, facts)


@dataclass(frozen=True, slots=True)
class Notice:
    """A value of a link that was not used: key of the question (or task, model), what the link said, what is used.

    limits: lowest and highest in contract units, where the value was a number out of range;
    nearest: ids that would do, for names.
    """

    key: str
    given: str
    used: Value
    limits: tuple[float, float] | None = None
    nearest: tuple[str, ...] = ()


def form_for(answers: Answers, facts: Facts) -> Form:
    """Return the form that these answers fill."""
    waiting = answers.get(WAITING)
    return form_of(
        answers.task,
        answers.model_id,
        default_waiting(answers.task) if waiting is None else bool(waiting),
        facts,
    )


def answers_from(task: str, model_id: str, values: Mapping[str, Value], facts: Facts) -> Answers:
    """Return answers from values of any questions: those not asked here, equal to the default or None are dropped."""
    waiting = values.get(WAITING)
    form = form_of(task, model_id, default_waiting(task) if waiting is None else bool(waiting), facts)
    kept = {
        key: value
        for key, value in values.items()
        if key in form.asked and value is not None and value != form.default(key)
    }
    return Answers(task, model_id, tuple(sorted(kept.items())))


def value_of(answers: Answers, form: Form, key: str) -> Value:
    """Return the value that holds: stated, else the default."""
    stated = answers.get(key)
    return form.default(key) if stated is None else stated


def moved_to(answers: Answers, task: str, model_id: str, facts: Facts) -> tuple[Answers, tuple[Notice, ...]]:
    """Return the answers for another task or model: what is out of its limits is dropped with a notice."""
    moved = answers_from(task, model_id, dict(answers.stated), facts)
    form = form_for(moved, facts)
    notices = []
    for key, value in moved.stated:
        asked = form.asked[key]
        if not _possible(asked, value):
            limits = (asked.low, asked.high) if asked.high else None
            notices.append(Notice(key, spelled(value), asked.default, limits))
            moved = replace(moved, stated=tuple(pair for pair in moved.stated if pair[0] != key))
    return moved, tuple(notices)


def encode(answers: Answers) -> dict[str, str]:
    """Return the address of the answers; nothing that a default says anyway."""
    address = {}
    if answers.task != SERVE:
        address[TASK_CODE] = answers.task
    if answers.model_id != DEFAULT_MODELS[answers.task]:
        address[MODEL_CODE] = answers.model_id
    return address | {BY_KEY[key].code: spelled(value) for key, value in answers.stated}


def spelled(value: Value) -> str:
    """Return a value as the address writes it."""
    if isinstance(value, bool):
        return YES if value else NO
    if isinstance(value, tuple):
        return ",".join(value)
    if isinstance(value, float):
        return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)
    return str(value)


def decode(address: Mapping[str, str], facts: Facts) -> tuple[Answers, tuple[Notice, ...]]:
    """Return the answers of an address and a notice for each value that cannot be used; never raises."""
    notices: list[Notice] = []
    task = _decoded_task(address, notices)
    model_id = _decoded_model(address, task, facts, notices)
    values: dict[str, Value] = {}
    form = form_of(task, model_id, default_waiting(task), facts)
    for key, asked in form.asked.items():
        code = asked.question.code
        if address.get(code):
            values[key] = _decoded_value(asked, address[code], notices)
    return answers_from(task, model_id, values, facts), tuple(notices)


def _decoded_task(address: Mapping[str, str], notices: list[Notice]) -> str:
    given = address.get(TASK_CODE, "")
    if given in TASKS or not given:
        return given or SERVE
    notices.append(Notice(TASK_CODE, given[:LONGEST_VALUE], SERVE))
    return SERVE


def _decoded_model(address: Mapping[str, str], task: str, facts: Facts, notices: list[Notice]) -> str:
    given = address.get(MODEL_CODE, "")[:LONGEST_VALUE]
    usual = DEFAULT_MODELS[task]
    if not given.strip():
        return usual
    model_id, nearest = find_model(given, task, facts)
    if model_id:
        return model_id
    notices.append(Notice(MODEL_CODE, given, usual, nearest=nearest))
    return usual


def find_model(given: str, task: str, facts: Facts) -> tuple[str, tuple[str, ...]]:
    """Return the id of a model by any of its names, or an empty string and up to three ids that come near."""
    able = models_for(task, facts)
    try:
        found = resolve_model(Workload(task=task, model=given), facts)
    except AdvisorError as error:
        return "", tuple(name for name in error.accepted if name in able)[:3]
    found_id = str(getattr(found, "id", ""))
    return (found_id, ()) if found_id in able else ("", ())


def _decoded_value(asked: Asked, given: str, notices: list[Notice]) -> Value:
    value = _parsed(asked, given[:LONGEST_VALUE])
    if value is not None and _possible(asked, value):
        return value
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    limits = (asked.low, asked.high) if is_number and asked.high else None
    notices.append(Notice(asked.key, given[:LONGEST_VALUE], asked.default, limits))
    return None


def _parsed(asked: Asked, given: str) -> Value:
    """Return the value that a spelling stands for, None where it stands for none."""
    kind = asked.question.kind
    if kind == "flag":
        return _SPELLED_FLAGS.get(given.lower())
    if kind in ("whole", "tokens"):
        return _whole_or_share(asked, _number(given))
    if kind in ("number", "slide"):
        return _number(given)
    if kind == "choices":
        chosen = set(given.split(","))
        ordered = tuple(option for option in asked.question.accepted if option in chosen)
        return ordered if chosen == set(ordered) else None
    return given


def _number(given: str) -> float | None:
    try:
        number = float(given)
    except ValueError:
        return None
    return number if math.isfinite(number) and "_" not in given else None


def _whole_or_share(asked: Asked, number: float | None) -> int | float | None:
    """Return a whole number of the unit shown; a share stays a share (85 % is 0.85)."""
    if number is None:
        return None
    shown = round(number / asked.question.scale, 6)
    if shown != int(shown):
        return None
    return int(number) if asked.question.scale == 1 else number


def _possible(asked: Asked, value: Value) -> bool:
    kind = asked.question.kind
    if kind == "size":
        return _is_size(str(value))
    if kind in ("whole", "tokens", "number", "slide"):
        return isinstance(value, int | float) and asked.low <= value <= asked.high
    if kind == "choices":
        return bool(value)
    return value in asked.options


def _is_size(text: str) -> bool:
    sides = _SIZE.fullmatch(text)
    return sides is not None and all(SMALLEST_SIDE <= int(side) <= LARGEST_SIDE for side in sides.groups())


def name_of_model(answers: Answers, facts: Facts) -> str:
    """Return the name of the chosen model."""
    return model_name(answers.model_id, facts)
