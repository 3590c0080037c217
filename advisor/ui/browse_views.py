"""The catalogue as a table, for people who want to look without answering anything. Text and numbers, no widget."""

import datetime
from dataclasses import dataclass

import numpy as np

from advisor.facts import Facts
from advisor.facts.offers import Offer
from advisor.facts.providers import provider_of
from advisor.recommend.countries import countries_in
from advisor.units import GB, IntArray


@dataclass(frozen=True, slots=True)
class BrowseFilter:
    """What to look at. minimum_memory_gb, of one GPU [GB]; countries, providers: ids; empty = all."""

    minimum_memory_gb: float = 0.0
    countries: tuple[str, ...] = ()
    providers: tuple[str, ...] = ()
    most_usd_per_hour: float | None = None


@dataclass(frozen=True, slots=True)
class BrowseRow:
    """One offer of the catalogue; NaN and empty where the source says nothing.

    bandwidth_gb_per_second: of one GPU; bandwidth_per_usd: of all its GPUs over the price [GB/s per USD/h].
    """

    gpu: str
    gpu_count: int
    memory_gb: float
    memory_type: str
    bandwidth_gb_per_second: float
    bandwidth_per_usd: float
    fp8: bool
    link: str
    provider: str
    billing: str
    region: str
    country: str
    usd_per_hour: float
    spot_usd_per_hour: float
    price_as_of: datetime.date | None


def browse_order(chosen: BrowseFilter, facts: Facts) -> IntArray:
    """Return the offer rows that pass, cheapest for each GPU first."""
    offers = facts.offers
    price = np.fmin(offers.on_demand_usd_per_hour, offers.spot_usd_per_hour)
    memory = np.array([gpu.memory_gb for gpu in facts.gpus.rows])[offers.gpu_index]
    passes = memory >= chosen.minimum_memory_gb
    if chosen.most_usd_per_hour is not None:
        passes &= price <= chosen.most_usd_per_hour
    if chosen.countries:
        allowed = countries_in(chosen.countries)
        passes &= np.array([row.country in allowed for row in offers.rows])
    if chosen.providers:
        passes &= np.array([row.provider in chosen.providers for row in offers.rows])
    rows = np.flatnonzero(passes)
    return rows[np.argsort(price[rows] / offers.gpu_count[rows], kind="stable")]


def browse_row(row: int, facts: Facts) -> BrowseRow:
    """Return one offer as a row."""
    offer: Offer = facts.offers.rows[row]
    gpu = facts.gpus[offer.gpu_id]
    provider = provider_of(facts.providers, offer.provider, offer.commitment)
    price = float(np.fmin(offer.on_demand_usd_per_hour, offer.spot_usd_per_hour))
    return BrowseRow(
        gpu=gpu.name,
        gpu_count=offer.gpu_count,
        memory_gb=gpu.memory_gb,
        memory_type=gpu.memory_type,
        bandwidth_gb_per_second=gpu.memory_bandwidth / GB,
        bandwidth_per_usd=gpu.memory_bandwidth * offer.gpu_count / GB / price,
        fp8=gpu.supports_fp8,
        link=offer.link,
        provider=provider.name,
        billing=provider.billing_granularity,
        region=offer.region,
        country=offer.country,
        usd_per_hour=offer.on_demand_usd_per_hour,
        spot_usd_per_hour=offer.spot_usd_per_hour,
        price_as_of=offer.price_as_of,
    )
