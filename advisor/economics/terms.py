"""The terms of every offer's provider as columns, read once for a catalogue."""

import functools
from dataclasses import dataclass

import numpy as np

from advisor.economics.billing import billing_terms
from advisor.economics.egress import EgressTariff, egress_charge, egress_tariff
from advisor.facts import Facts
from advisor.facts.providers import Provider, provider_of
from advisor.units import BoolArray, FloatArray, IntArray, read_only


@dataclass(frozen=True, eq=False)
class OfferTerms:
    """Terms by offer; arrays [offers] unless they are by provider.

    provider_index: row of `providers`; step_seconds, minimum_seconds [s]; stopped_share: part of the price that a
    stopped machine costs, NaN where it cannot be stopped or is unknown; storage_usd_per_gb_month: NaN where unknown;
    egress_known: whether the provider says what egress costs.
    """

    providers: tuple[Provider, ...]
    tariffs: tuple[EgressTariff, ...]
    provider_index: IntArray
    step_seconds: FloatArray
    minimum_seconds: FloatArray
    stopped_share: FloatArray
    storage_usd_per_gb_month: FloatArray
    egress_known: BoolArray

    def egress_charges(self, traffic_gb: float) -> IntArray:
        """Return the charge of a month's traffic with each offer's provider [offers, micro-dollars]."""
        by_provider = [int(egress_charge(np.array([traffic_gb]), tariff)[0]) for tariff in self.tariffs]
        return np.array(by_provider, dtype=np.int64)[self.provider_index]


@functools.lru_cache(maxsize=4)
def offer_terms(facts: Facts) -> OfferTerms:
    """Return the terms of all offers of a catalogue."""
    number: dict[str, int] = {}
    rows: list[Provider] = []
    index = []
    for offer in facts.offers.rows:
        provider = provider_of(facts.providers, offer.provider, offer.commitment)
        if provider.id not in number:
            number[provider.id] = len(rows)
            rows.append(provider)
        index.append(number[provider.id])
    provider_index = np.array(index, dtype=np.int64)
    billing = [billing_terms(provider) for provider in rows]
    tariffs = tuple(egress_tariff(provider) for provider in rows)

    def column(values: list[float]) -> FloatArray:
        laid_out = np.array(values)[provider_index]
        read_only(laid_out)
        return laid_out

    return OfferTerms(
        providers=tuple(rows),
        tariffs=tariffs,
        provider_index=provider_index,
        step_seconds=column([terms.step_seconds for terms in billing]),
        minimum_seconds=column([terms.minimum_seconds for terms in billing]),
        stopped_share=column([terms.stopped_share for terms in billing]),
        storage_usd_per_gb_month=column([provider.persistent_storage_usd_per_gb_month for provider in rows]),
        egress_known=np.array([tariff.known for tariff in tariffs])[provider_index],
    )
