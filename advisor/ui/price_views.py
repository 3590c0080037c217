"""The age of the catalogue in one line: sources, oldest and newest price, what the reader has to check."""

import datetime
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from advisor.facts import Facts
from advisor.facts.offers import UNDATED
from advisor.ui.context import Page
from advisor.ui.formatting import age, date, decimal
from advisor.ui.language import _, ngettext


@dataclass(frozen=True, slots=True)
class PriceDates:
    """Oldest and newest dated price, and how many have no date."""

    oldest: datetime.date
    newest: datetime.date
    undated: int
    providers: int


@lru_cache(maxsize=4)
def price_dates(facts: Facts) -> PriceDates:
    """Return the dates of the catalogue."""
    ordinals = facts.offers.as_of_ordinal
    dated = ordinals[ordinals != UNDATED]
    return PriceDates(
        datetime.date.fromordinal(int(dated.min())),
        datetime.date.fromordinal(int(dated.max())),
        int(np.sum(ordinals == UNDATED)),
        len({offer.provider for offer in facts.offers.rows}),
    )


def price_summary(page: Page) -> str:
    """Return where prices come from and how old they are."""
    dates = price_dates(page.facts)
    days = (page.today - dates.newest).days
    text = ngettext(
        "List prices of {count} provider, {oldest} to {newest} ({age}).",
        "List prices of {count} providers, {oldest} to {newest} ({age}).",
        dates.providers,
    ).format(
        count=decimal(dates.providers),
        oldest=date(dates.oldest),
        newest=date(dates.newest),
        age=age(max(0, days)),
    )
    if dates.undated:
        text += " " + ngettext(
            "{count} has no date and ranks behind the dated ones.",
            "{count} have no date and rank behind the dated ones.",
            dates.undated,
        ).format(count=decimal(dates.undated))
    return f"{text} " + _("The provider's page has the last word.")
