"""A bill by parts, in whole micro-dollars: one code path for one bill and for the whole catalogue."""

from dataclasses import dataclass

import numpy as np

from advisor.economics.billing import billed_seconds, compute_charge
from advisor.economics.bursty import (
    ALWAYS_ON,
    SCALE_TO_ZERO,
    STOPPED_BETWEEN,
    BurstyLoad,
    scale_to_zero_usd,
    stopped_between_usd,
)
from advisor.economics.money import micro_usd, usd_of
from advisor.economics.spot import SpotTerms, expected_spot_cost
from advisor.economics.storage import storage_charge
from advisor.economics.terms import OfferTerms
from advisor.units import HOURS_PER_MONTH, SECONDS_PER_HOUR, BoolArray, FloatArray, IntArray

PARTS = ("compute", "idle", "interruptions", "storage", "egress")


@dataclass(frozen=True, slots=True, eq=False)
class Bill:
    """What a month or a run costs, by parts [micro-dollars, N].

    compute: while the work runs; idle: paid and not used (waiting, rounding, starting, stopped); interruptions: work
    done again on spot; storage, egress: 0 where the provider's rate is not known, which `storage_known` and
    `egress_known` say; pattern: row of `PATTERNS`, how the machine is used.
    """

    compute: IntArray
    idle: IntArray
    interruptions: IntArray
    storage: IntArray
    egress: IntArray
    storage_known: BoolArray
    egress_known: BoolArray
    pattern: IntArray

    @property
    def total(self) -> IntArray:
        """Return the sum of the parts, exact [micro-dollars]."""
        return self.compute + self.idle + self.interruptions + self.storage + self.egress

    def part_usd(self, part: str, row: int) -> float:
        """Return one part of one bill [USD]."""
        return usd_of(int(getattr(self, part)[row]))


PATTERNS = (ALWAYS_ON, STOPPED_BETWEEN, SCALE_TO_ZERO)


@dataclass(frozen=True, slots=True, eq=False)
class Extras:
    """What is kept and moved beside the machine [GB, GB/month], and the time to boot and load the weights [s]."""

    stored_gb: float
    egress_gb_per_month: float
    setup_seconds: float


def monthly_bill(
    usd_per_hour: FloatArray,
    hours_per_month: float,
    busy_share: float,
    bursts_per_month: float | None,
    idle_timeout_seconds: float,
    extras: Extras,
    terms: OfferTerms,
    is_serverless: BoolArray,
) -> Bill:
    """Return the bill of an endpoint that is in use for a share of its hours, on its cheapest pattern [N].

    Machines stay on unless bursts are stated; serverless rows pay for busy time, cold starts and idle timeouts only.
    """
    busy_hours = hours_per_month * busy_share
    compute = compute_charge(usd_per_hour, np.full_like(usd_per_hour, busy_hours * SECONDS_PER_HOUR))
    whole, pattern = _cheapest_pattern(
        usd_per_hour,
        hours_per_month,
        BurstyLoad(
            busy_hours * SECONDS_PER_HOUR, bursts_per_month or 0.0, extras.setup_seconds, idle_timeout_seconds
        ),
        terms,
        is_serverless,
    )
    return _with_extras(
        compute, whole - compute, np.zeros_like(compute), pattern, HOURS_PER_MONTH, extras, terms
    )


def _cheapest_pattern(
    usd_per_hour: FloatArray,
    hours: float,
    load: BurstyLoad,
    terms: OfferTerms,
    is_serverless: BoolArray,
) -> tuple[IntArray, IntArray]:
    """Return the machine's charge on its cheapest pattern [micro-dollars] and the pattern, each [N]."""
    always_on = usd_per_hour * hours
    pattern = np.full(len(usd_per_hour), PATTERNS.index(ALWAYS_ON), dtype=np.int64)
    charge = always_on.copy()
    if load.bursts:
        stopped = stopped_between_usd(
            usd_per_hour, load, terms.stopped_share, terms.step_seconds, terms.minimum_seconds, hours
        )
        cheaper = stopped < charge
        charge = np.where(cheaper, stopped, charge)
        pattern[cheaper] = PATTERNS.index(STOPPED_BETWEEN)
    to_zero = scale_to_zero_usd(usd_per_hour / SECONDS_PER_HOUR, load)
    charge = np.where(is_serverless, np.minimum(to_zero, always_on), charge)
    pattern[is_serverless] = PATTERNS.index(SCALE_TO_ZERO)
    busy = usd_per_hour * load.busy_seconds / SECONDS_PER_HOUR
    return micro_usd(np.maximum(charge, busy)), pattern


def run_bill(
    usd_per_hour: FloatArray,
    hours: FloatArray,
    spot: SpotTerms | None,
    mean_hours: float,
    extras: Extras,
    terms: OfferTerms,
) -> Bill:
    """Return the bill of a job of some useful hours [N].

    The time is billed in the provider's steps with boot and loading before it; on spot (`spot` given, its work of one
    hour) each useful hour costs what interruptions make of it. Storage is billed for the time of the run.
    """
    known = np.where(np.isfinite(hours), hours, 0.0)
    factor = 1.0
    if spot is not None:
        factor = float(expected_spot_cost(spot, np.array([mean_hours])).active_hours[0]) / spot.work_hours
    compute = compute_charge(usd_per_hour, known * SECONDS_PER_HOUR)
    running = known * factor * SECONDS_PER_HOUR
    interruptions = compute_charge(usd_per_hour, running) - compute
    billed = billed_seconds(running + extras.setup_seconds, terms.step_seconds, terms.minimum_seconds)
    idle = compute_charge(usd_per_hour, billed) - compute - interruptions
    pattern = np.full(len(known), PATTERNS.index(ALWAYS_ON), dtype=np.int64)
    return _with_extras(compute, idle, interruptions, pattern, known * factor, extras, terms)


def _with_extras(
    compute: IntArray,
    idle: IntArray,
    interruptions: IntArray,
    pattern: IntArray,
    hours: FloatArray | float,
    extras: Extras,
    terms: OfferTerms,
) -> Bill:
    rate = terms.storage_usd_per_gb_month
    kept = np.full(len(compute), extras.stored_gb)
    storage = storage_charge(
        kept, np.nan_to_num(rate), np.broadcast_to(np.asarray(hours, dtype=np.float64), kept.shape)
    )
    return Bill(
        compute=compute,
        idle=idle,
        interruptions=interruptions,
        storage=storage,
        egress=terms.egress_charges(extras.egress_gb_per_month),
        storage_known=~np.isnan(rate),
        egress_known=terms.egress_known,
        pattern=pattern,
    )
