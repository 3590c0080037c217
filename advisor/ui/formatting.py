"""Numbers, money, dates, countries and sizes as the reader writes them: Babel, memoised, one place.

A unit stands after a no-break space, so that a line never ends between a number and its unit. Babel knows no gibibyte:
GiB is written by hand, the same in every language.
"""

import datetime
import functools
import math
from contextvars import ContextVar

from babel import Locale
from babel.dates import format_date
from babel.lists import format_list
from babel.numbers import (
    NumberPattern,
    format_compact_decimal,
    format_decimal,
    format_percent,
    get_currency_symbol,
)
from babel.numbers import format_currency as babel_currency

from advisor.facts.currency import Currency
from advisor.ui.language import _, current_locale, ngettext, pgettext

NBSP = "\u00a0"
DOLLARS = "USD"
_shown_currency: ContextVar[Currency | None] = ContextVar("currency")
_MEMORY = 16_384
_DECIMALS = {digits: "#,##0" + ("." + "0" * digits if digits else "") for digits in range(7)}


@functools.lru_cache(maxsize=_MEMORY)
def _decimal(value: float, digits: int, locale: Locale) -> str:
    return format_decimal(value, _DECIMALS[digits], locale=locale)


@functools.lru_cache(maxsize=_MEMORY)
def _currency(value: float, code: str, digits: int, locale: Locale) -> str:
    pattern = locale.currency_formats["standard"]
    with_digits = NumberPattern(
        pattern.pattern,
        pattern.prefix,
        pattern.suffix,
        pattern.grouping,
        pattern.int_prec,
        (digits, digits),
        pattern.exp_prec,
        pattern.exp_plus,
        pattern.number_pattern,
    )
    return babel_currency(value, code, with_digits, locale=locale, currency_digits=False)


def decimal(value: float, digits: int = 0) -> str:
    """Return a number with a fixed count of decimals."""
    return _decimal(value, digits, current_locale())


def short(value: float) -> str:
    """Return a number with about two significant digits: whole from ten on, one decimal from one on, else more."""
    size = abs(value)
    if size >= 10 or value == 0:
        return decimal(value)
    if size >= 1:
        return decimal(value, 1).removesuffix(decimal(0, 1)[1:])
    return decimal(value, min(6, 1 - math.floor(math.log10(size))))


def plain_number(value: float) -> str:
    """Return a number as short as it can be written without loss, up to three decimals."""
    return decimal(value, next((digits for digits in range(3) if round(value, digits) == value), 3))


def use_currency(currency: Currency | None) -> None:
    """Show amounts of this page run in a currency, None for US dollars; prices stay in US dollars everywhere else."""
    _shown_currency.set(currency)


def shown_currency() -> Currency | None:
    """Return the currency of this page run; None for US dollars."""
    return _shown_currency.get(None)


def shown_amount(usd: float) -> float:
    """Return an amount in the currency shown."""
    currency = shown_currency()
    return usd if currency is None else usd * currency.units_per_usd


def money(usd: float, digits: int | None = None) -> str:
    """Return an amount: whole from a hundred on, cents below, four decimals below ten cents, then six."""
    amount = shown_amount(usd)
    code = _currency_code()
    return _currency(amount, code, _money_digits(amount) if digits is None else digits, current_locale())


def _currency_code() -> str:
    currency = shown_currency()
    return DOLLARS if currency is None else currency.code


def _money_digits(usd: float) -> int:
    size = abs(usd)
    if size >= 100 or size == 0:
        return 0
    if size >= 0.1:
        return 2
    return 4 if size >= 0.001 else 6


def currency_symbol() -> str:
    """Return the sign of the currency in the reader's language."""
    return get_currency_symbol(_currency_code(), locale=current_locale())


@functools.lru_cache(maxsize=1_024)
def _percent(share: float, locale: Locale) -> str:
    return format_percent(share, locale=locale)


def percent(share: float) -> str:
    """Return a share of one as whole per cent."""
    return _percent(round(share, 2), current_locale())


def gib(size: float, digits: int = 1) -> str:
    """Return a size in GiB, whole from a hundred on."""
    return f"{decimal(size, 0 if size >= 100 else digits)}{NBSP}GiB"


def gib_number(size: float) -> str:
    """Return the number of a size in GiB, as `gib` writes it."""
    return decimal(size, 0 if size >= 100 else 1)


def gb(size: float) -> str:
    """Return the GB printed on a card: a name, not a size."""
    return f"{plain_number(size)}{NBSP}GB"


def with_unit(value: float, unit: str, digits: int | None = None) -> str:
    """Return a number and a unit that is the same in every language."""
    return f"{short(value) if digits is None else decimal(value, digits)}{NBSP}{unit}"


def factor(value: float) -> str:
    """Return how many times, such as 1.8 or 12."""
    return decimal(value, 1 if value < 10 else 0)


def tokens(count: float) -> str:
    """Return a token count in short: 8k for 8,192, 131k for 131,072."""
    if count < 1_000:
        return decimal(count)
    if count < 1_000_000:
        thousands = count / 1_000
        near = round(thousands) if abs(thousands - round(thousands)) < 0.05 * thousands else thousands
        return pgettext("thousands of tokens", "{number}k").format(number=short(near))
    return compact(count)


@functools.lru_cache(maxsize=1_024)
def _compact(value: float, digits: int, locale: Locale) -> str:
    return format_compact_decimal(value, locale=locale, fraction_digits=digits)


def compact(value: float, digits: int = 1) -> str:
    """Return a large number in short, with the reader's word for thousand, million, billion."""
    return _compact(value, digits, current_locale())


@functools.lru_cache(maxsize=1_024)
def _date(day: datetime.date, style: str, locale: Locale) -> str:
    return format_date(day, format=style, locale=locale)


def date(day: datetime.date) -> str:
    """Return a date with the month in short."""
    return _date(day, "medium", current_locale())


def month_of(day: datetime.date) -> str:
    """Return the month and the year of a date."""
    return _date(day, "MMMM y", current_locale())


def age(days: int) -> str:
    """Return how old a price is, in whole days or months."""
    if days < 1:
        return _("today")
    if days < 90:
        return ngettext("{days} day old", "{days} days old", days).format(days=decimal(days))
    months = round(days / 30.4)
    return ngettext("{months} month old", "{months} months old", months).format(months=decimal(months))


def country(code: str) -> str:
    """Return the reader's name of a country code; the code itself where there is none."""
    return str(current_locale().territories.get(code, code))


def duration(hours: float) -> str:
    """Return a length of time in the unit that people would use for it."""
    if hours < 1 / 60:
        seconds = max(1, round(hours * 3_600))
        return ngettext("{count} second", "{count} seconds", seconds).format(count=decimal(seconds))
    if hours < 1.5:
        minutes = max(1, round(hours * 60))
        return ngettext("{count} minute", "{count} minutes", minutes).format(count=decimal(minutes))
    if hours < 48:
        return ngettext("{count} hour", "{count} hours", hours).format(count=short(hours))
    days = hours / 24
    return ngettext("{count} day", "{count} days", days).format(count=short(days))


def listed(items: list[str]) -> str:
    """Return a list with the reader's commas and «and»."""
    return format_list(items, locale=current_locale()) if items else ""
