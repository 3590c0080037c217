"""Why an offer is refused: one number for each code, in the order in which the checks are made."""

from typing import TYPE_CHECKING

import numpy as np

from advisor.facts import Facts
from advisor.recommend.costs import MOST_INSTANCES, Costs
from advisor.recommend.evaluation import CHECKS
from advisor.recommend.filters import FILTER_CODES
from advisor.recommend.prices import Prices
from advisor.units import BoolArray, FloatArray, IntArray
from advisor.workload import Needs

if TYPE_CHECKING:
    from advisor.recommend.matching import Machines

SUPPORT_CODES = ("engine-not-supported", "format-not-supported", "no-price")
LAST_CODES = ("needs-too-many-machines", "over-budget-hour", "over-budget-month")
CODES = FILTER_CODES + SUPPORT_CODES + CHECKS + LAST_CODES
NUMBER = {code: number for number, code in enumerate(CODES, 1)}


class Refusals:
    """Collects the first refusal of every offer, with the figure that failed and its limit; arrays [offers]."""

    def __init__(self, first: IntArray) -> None:
        self.number = first
        self.value = np.full(len(first), np.nan)
        self.limit = np.full(len(first), np.nan)

    def add(
        self, code: str, where: BoolArray, value: FloatArray | None = None, limit: float = np.nan
    ) -> None:
        """Refuse the offers of `where` that nothing refused before."""
        newly = where & (self.number == 0)
        self.number[newly] = NUMBER[code]
        if value is not None:
            self.value[newly], self.limit[newly] = value[newly], limit


def refuse_offers(
    filtered: IntArray, needs: Needs, machines: "Machines", costs: Costs, prices: Prices, facts: Facts
) -> Refusals:
    """Return the refusals of all offers: `filtered` already, then price, machine, load, budget."""
    shape = facts.offers.shape_index
    refusals = Refusals(filtered)
    refusals.add("no-price", ~(prices.usd_per_hour > 0))
    _add_machines(refusals, machines, shape)
    # A training cluster may be larger than a serving fleet: its size was chosen among the proposed ones.
    most = np.maximum(MOST_INSTANCES, machines.cluster[shape])
    refusals.add("needs-too-many-machines", costs.instances > most, costs.instances, MOST_INSTANCES)
    if needs.max_gpu_count:
        gpus = costs.instances * facts.offers.gpu_count
        refusals.add("filter-gpu-count", gpus > needs.max_gpu_count, gpus, needs.max_gpu_count)
    if needs.max_usd_per_hour is not None:
        over = costs.usd_per_hour > needs.max_usd_per_hour
        refusals.add("over-budget-hour", over, costs.usd_per_hour, needs.max_usd_per_hour)
    if needs.max_usd_per_month is not None:
        over = costs.total_usd > needs.max_usd_per_month
        refusals.add("over-budget-month", over, costs.total_usd, needs.max_usd_per_month)
    return refusals


def _add_machines(refusals: Refusals, machines: "Machines", shape: IntArray) -> None:
    """Refuse the offers whose machine cannot do the work, with the figures of that machine."""
    cannot = (refusals.number == 0) & ~machines.runs[shape]
    refusals.number[cannot] = machines.refusal[shape][cannot]
    refusals.value[cannot] = machines.value[shape][cannot]
    refusals.limit[cannot] = machines.limit[shape][cannot]
