"""Which language a reader gets, and numbers, money and dates in it."""

import datetime
from collections.abc import Iterator

import pytest

from advisor import Facts
from advisor.ui.formatting import (
    age,
    compact,
    country,
    date,
    duration,
    factor,
    gib,
    listed,
    money,
    percent,
    plain_number,
    short,
    tokens,
    use_currency,
)
from advisor.ui.language import _, accepted_tags, negotiate, ngettext, shipped_languages, use


@pytest.fixture(autouse=True)
def english_afterwards() -> Iterator[None]:
    """The language and the currency of a test end with it."""
    yield
    use(negotiate(["en"]))
    use_currency(None)


def say(tag: str) -> None:
    """Speak a language."""
    use(negotiate([tag]))


def test_three_languages_under_their_own_names() -> None:
    names = {language.tag: language.own_name for language in shipped_languages()}
    assert names == {"en": "English", "it": "Italiano", "pt-BR": "Português"}


@pytest.mark.parametrize(
    ("wishes", "tag"),
    [
        (["pt-BR"], "pt-BR"),
        (["pt_PT"], "pt-BR"),
        (["pt"], "pt-BR"),
        (["it-CH", "en"], "it"),
        (["ja", "it"], "it"),
        (["ja"], "en"),
        ([], "en"),
        ([None, "", "C", "en-US-u-nu-latn", "../../etc", "a" * 500], "en"),
    ],
)
def test_negotiation(wishes: list[str | None], tag: str) -> None:
    assert negotiate(wishes).tag == tag


def test_accept_language_is_read_by_weight() -> None:
    assert accepted_tags("en;q=0.5, it-IT, fr;q=0, pt;q=0.9") == ["it-IT", "pt", "en"]
    assert accepted_tags("x;q=many, it") == ["it"]
    assert accepted_tags(None) == []


def test_the_empty_sentence_is_not_the_header() -> None:
    say("it")
    assert _("") == ""


def test_plurals_take_the_form_of_the_number() -> None:
    say("en")
    assert ngettext("{count} day", "{count} days", 1).format(count=1) == "1 day"
    assert ngettext("{count} day", "{count} days", 1.5).format(count=1.5) == "1.5 days"


@pytest.mark.parametrize(
    ("tag", "amounts"),
    [
        ("en", ("$511", "$1.01", "$0.0345", "$2,485")),
        ("pt-BR", ("US$\u00a0511", "US$\u00a01,01", "US$\u00a00,0345", "US$\u00a02.485")),
        ("it", ("511\u00a0USD", "1,01\u00a0USD", "0,0345\u00a0USD", "2.485\u00a0USD")),
    ],
)
def test_money(tag: str, amounts: tuple[str, ...]) -> None:
    say(tag)
    assert tuple(money(usd) for usd in (511, 1.01, 0.0345, 2_485)) == amounts


def test_money_in_another_currency(facts: Facts) -> None:
    say("pt-BR")
    use_currency(facts.currencies["BRL"])
    rate = facts.currencies["BRL"].units_per_usd
    assert money(100) == f"R$\u00a0{round(100 * rate)}"


def test_sizes_counts_and_shares() -> None:
    say("en")
    assert gib(25.83) == "25.8\u00a0GiB"
    assert gib(131.4) == "131\u00a0GiB"
    assert (tokens(8_192), tokens(131_072), tokens(512), tokens(1_500)) == ("8k", "131k", "512", "1.5k")
    assert percent(0.374) == "37%"
    assert (factor(1.84), factor(16.4)) == ("1.8", "16")
    assert (short(0.045), short(7.96), short(81.4)) == ("0.045", "8", "81")
    assert (plain_number(730.0), plain_number(0.5)) == ("730", "0.5")
    say("pt-BR")
    assert gib(25.83) == "25,8\u00a0GiB"
    assert compact(8.03e9) == "8\u00a0bi"


def test_dates_places_and_lists() -> None:
    say("it")
    assert date(datetime.date(2026, 11, 28)) == "28 nov 2026"
    assert country("BR") == "Brasile"
    say("pt-BR")
    assert date(datetime.date(2026, 11, 28)) == "28 de nov. de 2026"
    assert listed(["1", "3"]) == "1 e 3"
    say("en")
    assert country("XX-unknown") == "XX-unknown"
    assert (age(0), age(1), age(45), age(130)) == ("today", "1 day old", "45 days old", "4 months old")
    assert (duration(0.01), duration(0.5), duration(6), duration(240)) == (
        "36 seconds",
        "30 minutes",
        "6 hours",
        "10 days",
    )
