"""The price that competes, and how old it is."""

import datetime
from dataclasses import dataclass

import numpy as np

from advisor.facts import Facts
from advisor.facts.offers import UNDATED, Offer
from advisor.facts.providers import provider_of
from advisor.units import BoolArray, FloatArray, IntArray
from advisor.workload import Needs

STALE_AFTER_DAYS = 120
"""Older prices are marked «check before you rent»."""

EXPIRED_AFTER_DAYS = 180
"""Older and undated prices rank behind every fresher offer that also fits."""

COMPETING_BY_DEFAULT = ("on-demand", "secure", "community", "marketplace")
FLOOR_PROVIDERS = ("mithril", "akash", "vast", "lium", "salad")
"""Auctions and marketplaces whose listed price is the least one seen, not one that is always to be had."""


@dataclass(frozen=True, slots=True, eq=False)
class Prices:
    """Price and age of every offer. usd_per_hour: NaN where the offer has no price of the asked kind [USD/h].

    age_days: -1 where undated [days]; tier: 0 fresh enough to win, 1 expired or undated; is_floor: least price seen.
    """

    usd_per_hour: FloatArray
    age_days: IntArray
    stale: BoolArray
    tier: IntArray
    is_floor: BoolArray


def prices_of(needs: Needs, facts: Facts, today: datetime.date) -> Prices:
    """Return the competing price of every offer under the asked pricing."""
    offers = facts.offers
    dated = offers.as_of_ordinal != UNDATED
    age = np.where(dated, np.maximum(0, today.toordinal() - offers.as_of_ordinal), -1)
    expired = ~dated | (age > EXPIRED_AFTER_DAYS)
    return Prices(
        usd_per_hour=_usd_per_hour(needs, facts),
        age_days=age,
        stale=~dated | (age > STALE_AFTER_DAYS),
        tier=expired.astype(np.int64),
        is_floor=np.array([_is_floor(row) for row in offers.rows], dtype=np.bool_),
    )


def _is_floor(offer: Offer) -> bool:
    return offer.commitment == "marketplace" or offer.provider in FLOOR_PROVIDERS


def newest_price_date(facts: Facts) -> datetime.date:
    """Return the date of the newest price, the clock of a caller that passes none."""
    return datetime.date.fromordinal(max(1, int(facts.offers.as_of_ordinal.max())))


def _usd_per_hour(needs: Needs, facts: Facts) -> FloatArray:
    offers = facts.offers
    pricing = needs.pricing or "on-demand"
    if pricing == "spot":
        return offers.spot_usd_per_hour
    if pricing == "cheapest":
        return np.fmin(offers.on_demand_usd_per_hour, offers.spot_usd_per_hour)
    if pricing == "reserved":
        return offers.on_demand_usd_per_hour * (1 - _reserved_discounts(facts, needs.term_months or 12))
    return offers.on_demand_usd_per_hour


def _reserved_discounts(facts: Facts, term_months: float) -> FloatArray:
    """Return the discount of each offer's provider for the term; NaN where none is known."""

    def discount(provider: str, commitment: str) -> float:
        terms = provider_of(facts.providers, provider, commitment)
        return terms.reserved_3y_discount if term_months >= 36 else terms.reserved_1y_discount

    by_terms: dict[tuple[str, str], float] = {}
    for row in facts.offers.rows:
        key = (row.provider, row.commitment)
        if key not in by_terms:
            by_terms[key] = discount(*key)
    return np.array([by_terms[row.provider, row.commitment] for row in facts.offers.rows])
