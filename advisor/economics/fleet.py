"""Serving fleets over spot replicas, with on-demand machines to fall back on, and work with a deadline."""

from dataclasses import dataclass
from math import comb, exp, factorial

import numpy as np

from advisor.units import FloatArray


def replicas_up_probabilities(replicas: int, availability: float) -> FloatArray:
    """Return the probability of 0, 1, ... `replicas` being up, were their losses independent [replicas + 1].

    Losses in one zone come together: count a zone as one fate group, and take this as the optimistic end.
    """
    return np.array(
        [
            comb(replicas, up) * availability**up * (1 - availability) ** (replicas - up)
            for up in range(replicas + 1)
        ]
    )


def enough_up_probability(needed: int, extra: int, availability: float) -> float:
    """Return the probability that at least `needed` of `needed + extra` spot replicas are up."""
    return float(replicas_up_probabilities(needed + extra, availability)[needed:].sum())


@dataclass(frozen=True, slots=True, eq=False)
class FleetCost:
    """Expected machines and cost of a mixed fleet [machines, USD/h]; saving: share of the on-demand-only cost."""

    spot_machines: float
    on_demand_machines: float
    usd_per_hour: float
    on_demand_only_usd_per_hour: float

    @property
    def saving(self) -> float:
        """Return the share saved; negative where over-provisioning costs more than it saves."""
        return 1 - self.usd_per_hour / self.on_demand_only_usd_per_hour


def fleet_cost(
    needed: int, extra: int, availability: float, spot_usd_per_hour: float, on_demand_usd_per_hour: float
) -> FleetCost:
    """Return the cost of `needed + extra` spot replicas where on-demand machines replace what is missing."""
    probabilities = replicas_up_probabilities(needed + extra, availability)
    up = np.arange(needed + extra + 1)
    spot = float(probabilities @ up)
    on_demand = float(probabilities @ np.maximum(0, needed - up))
    return FleetCost(
        spot,
        on_demand,
        spot * spot_usd_per_hour + on_demand * on_demand_usd_per_hour,
        needed * on_demand_usd_per_hour,
    )


def losses_within_probability(replicas: int, losses: int, hazard_per_hour: float, hours: float) -> float:
    """Return the probability of at least `losses` interruptions while a replacement boots: Poisson tail of n L T."""
    mean = replicas * hazard_per_hour * hours
    return 1 - sum(exp(-mean) * mean**count / factorial(count) for count in range(losses))


def latest_switch_hours(work_hours: float, deadline_hours: float, changeover_hours: float) -> float:
    """Return the last moment to go on demand when no spot ever came: D - C0 - 2 d [h] (Can't Be Late, NSDI 2024)."""
    return deadline_hours - work_hours - 2 * changeover_hours


@dataclass(frozen=True, slots=True, eq=False)
class DeadlinePlan:
    """Hours on spot and on demand that meet a deadline, and the cost relative to on demand alone."""

    spot_hours: float
    on_demand_hours: float
    relative_cost: float


def deadline_plan(
    work_hours: float, deadline_hours: float, availability: float, spot_over_on_demand: float
) -> DeadlinePlan:
    """Return the fluid bound: spot while it lasts, the rest on demand: min(C0, a D) hours of spot."""
    spot = min(work_hours, availability * deadline_hours)
    on_demand = work_hours - spot
    return DeadlinePlan(spot, on_demand, (spot * spot_over_on_demand + on_demand) / work_hours)
