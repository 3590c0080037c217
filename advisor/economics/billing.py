"""What a provider bills for the time a machine runs: step, minimum charge, stopped time."""

import re
from dataclasses import dataclass

import numpy as np

from advisor.economics.money import micro_usd
from advisor.facts.providers import Provider
from advisor.units import SECONDS_PER_HOUR, SECONDS_PER_MINUTE, FloatArray, IntArray

SECONDS_PER_DAY = 86_400
STEP_SECONDS = {
    "per second": 1.0,
    "per minute": float(SECONDS_PER_MINUTE),
    "per hour": float(SECONDS_PER_HOUR),
    "per day": float(SECONDS_PER_DAY),
}
_STEP = re.compile(r"per (?:second|minute|hour|day)")

FULL_PRICE_WHEN_STOPPED = ("vultr", "digitalocean", "linode", "hyperstack", "magalu")
"""Providers that go on billing a stopped machine at its full price: notes on stopped time, each provider's page."""


@dataclass(frozen=True, slots=True, eq=False)
class BillingTerms:
    """How time is billed. step_seconds, minimum_seconds [s]; known: False where the provider's page was not read.

    stopped_share: part of the price that a stopped machine costs, 0 to 1; NaN where it cannot be stopped or unknown.
    """

    step_seconds: float
    minimum_seconds: float
    stopped_share: float
    known: bool


def billing_terms(provider: Provider) -> BillingTerms:
    """Return the terms of a provider; what its page does not say counts as hourly and is marked unknown."""
    found = _STEP.match(provider.billing_granularity)
    step = STEP_SECONDS[found[0]] if found else STEP_SECONDS["per hour"]
    minimum = 0.0 if np.isnan(provider.minimum_charge_seconds) else provider.minimum_charge_seconds
    return BillingTerms(step, max(minimum, 0.0), _stopped_share(provider), found is not None)


def _stopped_share(provider: Provider) -> float:
    if provider.id in FULL_PRICE_WHEN_STOPPED:
        return 1.0
    return 0.0 if provider.can_stop_and_keep_disk else float("nan")


def billed_seconds(
    seconds: FloatArray, step_seconds: FloatArray | float, minimum_seconds: FloatArray | float
) -> FloatArray:
    """Return the time that is billed: max(minimum, ceil(t / step) step) [s]; no time costs nothing."""
    # The small slack keeps a run of exactly n steps at n steps in floating point.
    steps = np.ceil(seconds / step_seconds - 1e-9) * step_seconds
    return np.where(seconds > 0, np.maximum(minimum_seconds, steps), 0.0)


def compute_charge(usd_per_hour: FloatArray, seconds: FloatArray) -> IntArray:
    """Return the charge of billed time [micro-dollars]."""
    return micro_usd(usd_per_hour * seconds / SECONDS_PER_HOUR)
