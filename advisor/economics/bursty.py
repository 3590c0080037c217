"""An endpoint that is busy only part of the time: always on, stopped between bursts, or scaled to zero."""

from dataclasses import dataclass

import numpy as np

from advisor.units import HOURS_PER_MONTH, SECONDS_PER_HOUR, FloatArray

ALWAYS_ON, STOPPED_BETWEEN, SCALE_TO_ZERO = "always-on", "stopped-between", "scale-to-zero"
USAGE_PATTERNS = (ALWAYS_ON, STOPPED_BETWEEN, SCALE_TO_ZERO)

BOOT_SECONDS = 60.0
"""Time from the request for a machine to its first instruction, the middle of what providers state [s]."""

DISK_BYTES_PER_SECOND = 1e9
"""Rate at which weights reach the GPU from a local or network volume [bytes/s]."""


@dataclass(frozen=True, slots=True, eq=False)
class BurstyLoad:
    """How an endpoint is used over a month.

    busy_seconds [s]; bursts: separate stretches of use; cold_start_seconds: from nothing to the first answer [s];
    idle_timeout_seconds: time a serverless worker stays up, and is billed, after its last answer [s].
    """

    busy_seconds: float
    bursts: float
    cold_start_seconds: float
    idle_timeout_seconds: float

    @property
    def billed_seconds(self) -> float:
        """Return what a scaled-to-zero endpoint is billed: busy time, and a start and a timeout each burst [s]."""
        return self.busy_seconds + self.bursts * (self.cold_start_seconds + self.idle_timeout_seconds)


def cold_start_seconds(weights_bytes: float, disk_bytes_per_second: float = DISK_BYTES_PER_SECOND) -> float:
    """Return boot time plus the time to read the weights [s]."""
    return BOOT_SECONDS + weights_bytes / disk_bytes_per_second


def always_on_usd(usd_per_hour: FloatArray, hours: float = HOURS_PER_MONTH) -> FloatArray:
    """Return the cost of a machine that never stops [USD]."""
    return usd_per_hour * hours


def scale_to_zero_usd(usd_per_second: FloatArray, load: BurstyLoad) -> FloatArray:
    """Return the cost of paying only for busy time, cold starts and idle timeouts [USD]."""
    return usd_per_second * load.billed_seconds


def stopped_between_usd(
    usd_per_hour: FloatArray,
    load: BurstyLoad,
    stopped_share: FloatArray,
    step_seconds: FloatArray,
    minimum_seconds: FloatArray,
    hours: float = HOURS_PER_MONTH,
) -> FloatArray:
    """Return the cost of starting a machine for each burst and stopping it after; NaN where it cannot be stopped [USD].

    Each burst is billed in whole steps, at least the minimum; the stopped hours cost their share of the price.
    """
    burst = load.billed_seconds / max(load.bursts, 1.0)
    steps = np.ceil(burst / step_seconds - 1e-9) * step_seconds
    running = max(load.bursts, 1.0) * np.maximum(steps, minimum_seconds)
    stopped = np.maximum(0.0, hours * SECONDS_PER_HOUR - running)
    return usd_per_hour * (running + stopped * stopped_share) / SECONDS_PER_HOUR


def break_even_utilization(always_on_usd_per_hour: float, serverless_usd_per_hour: float) -> float:
    """Return the busy share from which always on is cheaper, before cold starts: price / price [0 to 1]."""
    return always_on_usd_per_hour / serverless_usd_per_hour


def break_even_bursts(always_on_usd_per_day: float, usd_per_second: float, load: BurstyLoad) -> float:
    """Return the bursts a day at which scale-to-zero costs as much as always on [1/day]."""
    each = (load.cold_start_seconds + load.idle_timeout_seconds) * usd_per_second
    return (always_on_usd_per_day - load.busy_seconds * usd_per_second) / each
