"""What the work costs on a machine: compute hours of a run or of a month, and the cost of one unit."""

from dataclasses import dataclass

import numpy as np

from advisor.recommend.targets import Targets
from advisor.units import SECONDS_PER_HOUR, FloatArray, IntArray

MOST_INSTANCES = 64
"""More machines than this are never proposed for a load."""


@dataclass(frozen=True, slots=True)
class Costs:
    """Costs of offers or candidates, columns [N].

    instances: machines rented; usd_per_hour: of all of them; hours: of a run, NaN without a job; total_usd: of the run
    or of the month, the figure that is ranked; usd_per_unit: total over the units demanded;
    usd_per_unit_full_load: at the rate that fills the machine.
    """

    instances: FloatArray
    usd_per_hour: FloatArray
    usd_per_month: FloatArray
    hours: FloatArray
    total_usd: FloatArray
    usd_per_unit: FloatArray
    usd_per_unit_full_load: FloatArray


def instances_for(rate: FloatArray, cluster: IntArray, targets: Targets) -> FloatArray:
    """Return the machines that carry the load: a candidate's own cluster, times the clusters the rate needs [N]."""
    clusters = np.ones_like(rate)
    if targets.units_per_second > 0:
        clusters = np.ceil(targets.units_per_second / rate - 1e-9)
    return np.maximum(1.0, clusters) * cluster


def costs_of(
    instance_usd_per_hour: FloatArray,
    instances: FloatArray,
    cluster: IntArray,
    rate: FloatArray,
    full_rate: FloatArray,
    units_in_one: float,
    targets: Targets,
) -> Costs:
    """Return the costs of N offers.

    rate, full_rate: work units a second of one candidate at the person's load and at full load [1/s].
    """
    usd_per_hour = instance_usd_per_hour * instances
    usd_per_month = usd_per_hour * targets.hours_per_month
    total_rate = rate * instances / cluster
    hours = targets.job_units / (total_rate * SECONDS_PER_HOUR)
    total = usd_per_hour * hours if targets.has_job else usd_per_month
    demanded = _units_demanded(total_rate, targets)
    return Costs(
        instances=instances,
        usd_per_hour=usd_per_hour,
        usd_per_month=usd_per_month,
        hours=hours,
        total_usd=total,
        usd_per_unit=total * units_in_one / demanded,
        usd_per_unit_full_load=usd_per_hour
        * units_in_one
        / (full_rate * instances / cluster * SECONDS_PER_HOUR),
    )


def _units_demanded(total_rate: FloatArray, targets: Targets) -> FloatArray:
    """Return the units of the run or the month that the total is divided by [N]."""
    if targets.has_job:
        return np.full_like(total_rate, targets.job_units)
    busy_seconds = targets.hours_per_month * targets.busy_share * SECONDS_PER_HOUR
    if targets.units_per_second > 0:
        return np.full_like(total_rate, targets.units_per_second * busy_seconds)
    return total_rate * busy_seconds
