"""The embedded exchange rates: all with one date, the dollar at one."""

import datetime

from advisor import Facts


def test_rates_are_of_one_day_and_say_whose_they_are(facts: Facts) -> None:
    assert facts.currencies["USD"].units_per_usd == 1
    assert {"USD", "EUR", "BRL", "GBP"} <= set(facts.currencies)
    assert {rate.as_of for rate in facts.currencies.values()} == {datetime.date(2026, 10, 30)}
    assert all("European Central Bank" in rate.source for rate in facts.currencies.values())


def test_a_dollar_buys_what_the_bank_says(facts: Facts) -> None:
    assert round(facts.currencies["BRL"].units_per_usd, 4) == 5.4325
