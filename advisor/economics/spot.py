"""Expected cost and finish time of work on spot capacity, against on demand.

M: mean hours between interruptions of the job; C: hours to write a checkpoint; R: hours to restart; W: mean hours of
waiting for new capacity. Rates may be arrays, so that a chart and a single answer share the code.
"""

from dataclasses import dataclass

import numpy as np

from advisor.units import HOURS_PER_DAY, FloatArray

ROUGH_HOURS, NORMAL_HOURS, CALM_HOURS = 2.0, 8.0, 24.0
"""Mean hours between interruptions at the two ends of what was observed, and between them [h]. Judgement from public
traces (V100, A100; 2020 to 2023) and the providers' own bands, which differ by orders of magnitude: a person's own
figure is better."""

DEFAULT_RESTART_HOURS = 0.1
DEFAULT_CHECKPOINT_HOURS = 1 / 30
DEFAULT_WAIT_HOURS = 1.1
"""Mean time without capacity after an interruption, us-west-2 traces of 2023 [h]."""


@dataclass(frozen=True, slots=True, eq=False)
class SpotTerms:
    """What decides the cost of interruptions.

    work_hours: useful work [h]; on_demand_usd_per_hour, spot_usd_per_hour [USD/h]; checkpoint_hours: C, NaN when the
    work keeps no checkpoint; unit_hours: length of one unit that is simply done again [h]; restart_hours: R;
    wait_hours: W; interval_hours: stated time between checkpoints, NaN = the best one.
    """

    work_hours: float
    on_demand_usd_per_hour: float
    spot_usd_per_hour: float
    checkpoint_hours: float = DEFAULT_CHECKPOINT_HOURS
    unit_hours: float = 0.0
    restart_hours: float = DEFAULT_RESTART_HOURS
    wait_hours: float = DEFAULT_WAIT_HOURS
    interval_hours: float = float("nan")

    @property
    def resumes(self) -> bool:
        """Whether the work keeps checkpoints."""
        return not np.isnan(self.checkpoint_hours)


@dataclass(frozen=True, slots=True, eq=False)
class SpotCost:
    """Expected cost at each interruption rate; arrays [N].

    active_hours: billed hours on spot; interruptions: expected number; wall_hours: with the waiting; usd: spot;
    on_demand_usd: the same work on demand.
    """

    mean_hours: FloatArray
    interval_hours: FloatArray
    active_hours: FloatArray
    interruptions: FloatArray
    wall_hours: FloatArray
    usd: FloatArray
    on_demand_usd: float


def hazard_per_hour(probability: float, period_hours: float) -> float:
    """Return the interruption rate behind the probability of one within a period [1/h]: -ln(1 - p) / period."""
    return float(-np.log1p(-probability) / period_hours)


def young_interval_hours(mean_hours: FloatArray, checkpoint_hours: float) -> FloatArray:
    """Return the checkpoint interval of Young (1974): sqrt(2 C M) [h]."""
    return np.sqrt(2 * checkpoint_hours * mean_hours)


def daly_interval_hours(mean_hours: FloatArray, checkpoint_hours: float) -> FloatArray:
    """Return the checkpoint interval of Daly (2006, doi 10.1016/j.future.2004.11.016) [h].

    sqrt(2CM) (1 + sqrt(C/2M)/3 + (C/2M)/9) - C where C < 2M, else M.
    """
    ratio = checkpoint_hours / (2 * mean_hours)
    young = young_interval_hours(mean_hours, checkpoint_hours)
    return np.where(ratio < 1, young * (1 + np.sqrt(ratio) / 3 + ratio / 9) - checkpoint_hours, mean_hours)


def daly_active_hours(
    work_hours: float,
    mean_hours: FloatArray,
    interval_hours: FloatArray,
    checkpoint_hours: float,
    restart_hours: float,
) -> FloatArray:
    """Return the expected hours of running, Daly (2006): M e^(R/M) (e^((tau + C)/M) - 1) Ts/tau [h]."""
    cycle = np.expm1((interval_hours + checkpoint_hours) / mean_hours)
    return mean_hours * np.exp(restart_hours / mean_hours) * cycle * work_hours / interval_hours


def warned_active_hours(
    work_hours: float, mean_hours: FloatArray, checkpoint_hours: float, restart_hours: float
) -> FloatArray:
    """Return the expected hours when each interruption is announced in time to save: Ts (1 + (C + R)/M) [h]."""
    return work_hours * (1 + (checkpoint_hours + restart_hours) / mean_hours)


def first_order_waste(
    mean_hours: float, interval_hours: float, checkpoint_hours: float, restart_hours: float
) -> float:
    """Return the share of time lost, C/tau + (R + tau/2)/M; wrong where M is near C."""
    return checkpoint_hours / interval_hours + (restart_hours + interval_hours / 2) / mean_hours


def retried_active_hours(
    work_hours: float, mean_hours: FloatArray, unit_hours: float, restart_hours: float
) -> FloatArray:
    """Return the expected hours when an interrupted unit is done again: half a unit and a restart lost each time."""
    return work_hours * (1 + (restart_hours + unit_hours / 2) / mean_hours)


def expected_spot_cost(terms: SpotTerms, mean_hours: FloatArray) -> SpotCost:
    """Return cost and finish time at each mean time between interruptions [N]."""
    if terms.resumes:
        best = daly_interval_hours(mean_hours, terms.checkpoint_hours)
        interval = best if np.isnan(terms.interval_hours) else np.full_like(mean_hours, terms.interval_hours)
        active = daly_active_hours(
            terms.work_hours, mean_hours, interval, terms.checkpoint_hours, terms.restart_hours
        )
    else:
        interval = np.full_like(mean_hours, np.nan)
        active = retried_active_hours(terms.work_hours, mean_hours, terms.unit_hours, terms.restart_hours)
    interruptions = active / mean_hours
    return SpotCost(
        mean_hours=mean_hours,
        interval_hours=interval,
        active_hours=active,
        interruptions=interruptions,
        wall_hours=active + interruptions * terms.wait_hours,
        usd=active * terms.spot_usd_per_hour,
        on_demand_usd=terms.work_hours * terms.on_demand_usd_per_hour,
    )


def break_even_interruptions_per_day(terms: SpotTerms, most_per_day: float = 48.0) -> float:
    """Return the interruption rate at which spot stops paying [1/day]; infinity when it pays up to `most_per_day`."""
    per_day = np.geomspace(0.01, most_per_day, 600)
    cost = expected_spot_cost(terms, HOURS_PER_DAY / per_day)
    dearer = np.flatnonzero(cost.usd >= cost.on_demand_usd)
    return float(per_day[dearer[0]]) if len(dearer) else float("inf")


SUITABLE = "spot-suitable"
WITH_CHECKPOINTS = "spot-with-checkpoints"
ONLY_WITH_FALLBACK = "spot-only-with-fallback"
UNSUITABLE = "spot-unsuitable"
DEPENDS_ON_RATE = "spot-depends-on-rate"

LONG_UNIT_HOURS = 1.0
"""Work that cannot resume and takes longer than this is lost too often on spot [h]."""


def spot_verdict(terms: SpotTerms, somebody_waiting: bool, deadline_hours: float, mean_hours: float) -> str:
    """Return the verdict at one interruption rate.

    A waiting reader rules spot out without a fallback; work that neither resumes nor is short is unsuitable; the rest
    pays or not, and meets the deadline or not.
    """
    if somebody_waiting:
        return ONLY_WITH_FALLBACK
    if not terms.resumes and terms.unit_hours > LONG_UNIT_HOURS:
        return UNSUITABLE
    cost = expected_spot_cost(terms, np.array([mean_hours]))
    if cost.usd[0] >= cost.on_demand_usd:
        return UNSUITABLE
    if cost.wall_hours[0] > deadline_hours:
        return ONLY_WITH_FALLBACK
    return WITH_CHECKPOINTS if terms.resumes else SUITABLE


def verdict_over_range(
    terms: SpotTerms, somebody_waiting: bool, deadline_hours: float, stated_mean_hours: float | None
) -> str:
    """Return the verdict at the stated rate, or over the observed range; where its ends differ, that it depends."""
    if stated_mean_hours is not None:
        return spot_verdict(terms, somebody_waiting, deadline_hours, stated_mean_hours)
    ends = {
        spot_verdict(terms, somebody_waiting, deadline_hours, hours) for hours in (ROUGH_HOURS, CALM_HOURS)
    }
    return ends.pop() if len(ends) == 1 else DEPENDS_ON_RATE
