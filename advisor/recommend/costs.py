"""What the work costs with each offer: the bill of a run or of a month, and the cost of one unit."""

from dataclasses import dataclass

import numpy as np

from advisor.economics.bills import Bill, Extras, monthly_bill, run_bill
from advisor.economics.bursty import cold_start_seconds
from advisor.economics.money import usd_of
from advisor.economics.spot import NORMAL_HOURS, SpotTerms
from advisor.economics.terms import offer_terms
from advisor.facts import Facts
from advisor.facts.formats import weight_bytes
from advisor.recommend.targets import Targets
from advisor.resolve.works import ServeWork, TrainingWork, Work
from advisor.units import GB, SECONDS_PER_HOUR, SECONDS_PER_MINUTE, BoolArray, FloatArray, IntArray
from advisor.workload import Needs

MOST_INSTANCES = 64
"""More machines than this are never proposed for a load."""

IDLE_TIMEOUT_SECONDS = 60.0
"""Time a serverless worker stays up after its last answer, unless stated [s]."""


@dataclass(frozen=True, slots=True, eq=False)
class Rates:
    """How fast each offer does the work, columns [offers].

    cluster: machines that work as one; rate, full_rate: work units a second of one cluster at the person's load and at
    full load [1/s].
    """

    cluster: IntArray
    rate: FloatArray
    full_rate: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Costs:
    """Costs of all offers, columns [offers].

    instances: machines rented; usd_per_hour: of all of them; hours: of a run, NaN without a job; bill: by parts;
    total_usd: of the run or of the month, the figure that is ranked; usd_per_unit: total over the units demanded;
    usd_per_unit_full_load: compute alone, at the rate that fills the machine.
    """

    instances: FloatArray
    usd_per_hour: FloatArray
    hours: FloatArray
    bill: Bill
    total_usd: FloatArray
    usd_per_unit: FloatArray
    usd_per_unit_full_load: FloatArray


def costs_of(
    instance_usd_per_hour: FloatArray,
    rates: Rates,
    work: Work,
    needs: Needs,
    targets: Targets,
    units_in_one: float,
    facts: Facts,
) -> Costs:
    """Return the costs of all offers."""
    instances = instances_for(rates, targets)
    usd_per_hour = instance_usd_per_hour * instances
    total_rate = rates.rate * instances / rates.cluster
    hours = targets.job_units / (total_rate * SECONDS_PER_HOUR)
    bill = _bill(np.nan_to_num(usd_per_hour), hours, work, needs, targets, facts)
    # An offer without a price of the asked kind has no cost either.
    total = np.where(np.isnan(usd_per_hour), np.nan, usd_of(bill.total))
    full_seconds = rates.full_rate * instances / rates.cluster * SECONDS_PER_HOUR
    return Costs(
        instances=instances,
        usd_per_hour=usd_per_hour,
        hours=hours,
        bill=bill,
        total_usd=total,
        usd_per_unit=total * units_in_one / _units_demanded(total_rate, targets),
        usd_per_unit_full_load=usd_per_hour * units_in_one / full_seconds,
    )


def instances_for(rates: Rates, targets: Targets) -> FloatArray:
    """Return the machines that carry the load: a candidate's own cluster, times the clusters needed [offers]."""
    clusters = np.ones_like(rates.rate)
    if targets.units_per_second > 0:
        clusters = np.ceil(targets.units_per_second / rates.rate - 1e-9)
    return np.maximum(1.0, clusters) * rates.cluster


def _bill(
    usd_per_hour: FloatArray, hours: FloatArray, work: Work, needs: Needs, targets: Targets, facts: Facts
) -> Bill:
    terms = offer_terms(facts)
    extras = _extras(work, needs)
    if targets.has_job:
        mean_hours = needs.mean_hours_between_interruptions or NORMAL_HOURS
        return run_bill(usd_per_hour, hours, _spot_terms(needs), mean_hours, extras, terms)
    return monthly_bill(
        usd_per_hour,
        targets.hours_per_month,
        targets.busy_share,
        needs.bursts_per_month,
        IDLE_TIMEOUT_SECONDS if needs.idle_timeout_seconds is None else needs.idle_timeout_seconds,
        extras,
        terms,
        _is_serverless(facts),
    )


def _spot_terms(needs: Needs) -> SpotTerms | None:
    """Return what an interruption does to one useful hour; None on demand."""
    if needs.pricing != "spot":
        return None
    defaults = SpotTerms(1.0, 1.0, 1.0)
    restart, interval = needs.restart_minutes, needs.checkpoint_interval_minutes
    return SpotTerms(
        work_hours=1.0,
        on_demand_usd_per_hour=1.0,
        spot_usd_per_hour=1.0,
        checkpoint_hours=float("nan") if needs.interruptible is False else defaults.checkpoint_hours,
        restart_hours=defaults.restart_hours if restart is None else restart / SECONDS_PER_MINUTE,
        interval_hours=float("nan") if interval is None else interval / SECONDS_PER_MINUTE,
    )


def _extras(work: Work, needs: Needs) -> Extras:
    """Return what is kept and moved: by default the weights are kept and nothing leaves the cloud."""
    size = stored_bytes(work)
    setup = cold_start_seconds(size) if needs.cold_start_seconds is None else needs.cold_start_seconds
    stored = size / GB if needs.storage_gb is None else needs.storage_gb
    return Extras(stored, needs.egress_gb_per_month or 0.0, setup)


def stored_bytes(work: Work) -> float:
    """Return the size of the weights on a disk [bytes]."""
    if isinstance(work, ServeWork | TrainingWork):
        return weight_bytes(work.model.groups, work.weights.bits)
    return work.stored_bytes


def _is_serverless(facts: Facts) -> BoolArray:
    return np.array([row.commitment == "serverless" for row in facts.offers.rows], dtype=np.bool_)


def _units_demanded(total_rate: FloatArray, targets: Targets) -> FloatArray:
    """Return the units of the run or the month that the total is divided by [offers]."""
    if targets.has_job:
        return np.full_like(total_rate, targets.job_units)
    busy_seconds = targets.hours_per_month * targets.busy_share * SECONDS_PER_HOUR
    if targets.units_per_second > 0:
        return np.full_like(total_rate, targets.units_per_second * busy_seconds)
    return total_rate * busy_seconds
