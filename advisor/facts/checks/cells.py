"""What may stand in one cell: a rule takes its text and answers what is wrong with it, or nothing."""

import datetime
import math
import re
from collections.abc import Callable

Rule = Callable[[str], str]
"""Returns the problem as the end of a sentence, or an empty string."""

_SLUG = re.compile(r"[a-z0-9]+(?:[._-][a-z0-9]+)*")
_DATE = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_STANDS_FOR_UNKNOWN = frozenset({"nan", "NaN", "null", "NULL", "None", "n/a", "N/A", "?"})


def any_text(cell: str) -> str:
    """Accept any text."""
    return ""


def slug(cell: str) -> str:
    """Accept an id that is fit for an address."""
    return "" if _SLUG.fullmatch(cell) else "is not a lower-case id of letters, digits, «.», «_» and «-»"


def https(cell: str) -> str:
    """Accept a link."""
    return (
        ""
        if re.fullmatch(r"https://[^\s/]+\.[^\s/]+\S*", cell)
        else "is not a link that starts with https://"
    )


def one_of(*accepted: str) -> Rule:
    """Accept one of a few words."""

    def rule(cell: str) -> str:
        return "" if cell in accepted else f"is none of {', '.join(accepted)}"

    return rule


def pattern(expression: str, meaning: str) -> Rule:
    """Accept text of one form; `meaning` says which."""
    compiled = re.compile(expression)

    def rule(cell: str) -> str:
        return "" if compiled.fullmatch(cell) else f"is not {meaning}"

    return rule


def number(low: float, high: float) -> Rule:
    """Accept a finite number between two limits, both included."""

    def rule(cell: str) -> str:
        try:
            value = float(cell)
        except ValueError:
            return "is not a number"
        if not math.isfinite(value):
            return "is not a finite number"
        return "" if low <= value <= high else f"is not between {low:g} and {high:g}"

    return rule


def above_zero(high: float) -> Rule:
    """Accept a finite number above zero up to a limit."""
    within = number(0, high)

    def rule(cell: str) -> str:
        return within(cell) or ("" if float(cell) > 0 else "is not above zero")

    return rule


def whole(low: int, high: int) -> Rule:
    """Accept a whole number between two limits, both included."""

    def rule(cell: str) -> str:
        try:
            value = int(cell)
        except ValueError:
            return "is not a whole number"
        return "" if low <= value <= high else f"is not between {low} and {high}"

    return rule


def each(rule: Rule) -> Rule:
    """Accept a list separated by `;` whose parts all fit and come once."""

    def listed(cell: str) -> str:
        parts = [part.strip() for part in cell.split(";")]
        if len(set(parts)) < len(parts):
            return "names a part twice"
        problems = (f"has a part «{part}» that {problem}" for part in parts if (problem := rule(part)))
        return next(problems, "")

    return listed


def date(today: datetime.date) -> Rule:
    """Accept a day, year-month-day, that is not after today."""

    def rule(cell: str) -> str:
        try:
            day = datetime.date.fromisoformat(cell)
        except ValueError:
            return "is not a date, year-month-day"
        if day.isoformat() != cell:
            return "is not a date, year-month-day"
        return "" if day <= today else f"lies after today, {today.isoformat()}"

    return rule


def partial_date(today: datetime.date) -> Rule:
    """Accept a year, a month or a day that is not after today."""
    full = date(today)

    def rule(cell: str) -> str:
        if not _DATE.fullmatch(cell):
            return "is not a year, a month or a day"
        first_day = (cell + "-01-01")[:10]
        return full(first_day)

    return rule


def well_formed(cell: str) -> str:
    """Accept what any cell of any table may hold: trimmed text, no stand-in for «unknown», no open link."""
    if cell != cell.strip() or _CONTROL.search(cell):
        return "has spaces around it or a control character in it"
    if cell in _STANDS_FOR_UNKNOWN:
        return "stands for «unknown»: leave the cell empty instead"
    return "holds a link without https" if "http://" in cell else ""
