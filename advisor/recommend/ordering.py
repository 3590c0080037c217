"""The order of the ranking: cost, speed, value or bandwidth for the money; ties go to the better memory."""

import numpy as np

from advisor.facts import Facts
from advisor.recommend.costs import Costs
from advisor.recommend.prices import Prices
from advisor.recommend.ranking import Cards
from advisor.units import FloatArray, IntArray

TIE_SHARE = 0.01
"""Figures within 1 % count as equal: prices and speeds are not known better than that."""

VALUE_COST_FACTOR = 2.0
"""The best-value card costs at most this many times the cheapest: more would buy capacity that the work leaves idle."""

FASTEST_COST_FACTOR = 12.0
"""The fastest card costs at most this many times the cheapest: a whole node for a few readers is no answer."""


def order_entries(
    sort: str, passing: IntArray, costs: Costs, speed: FloatArray, prices: Prices, facts: Facts
) -> IntArray:
    """Return one offer row for each entry, best first: its cheapest region, in the asked order [entries]."""
    by_cost = ranked_order(sort_key("cost", passing, costs, speed, facts), passing, costs, prices, facts)
    regions = _first_of_each_entry(by_cost, facts)
    return ranked_order(sort_key(sort, regions, costs, speed, facts), regions, costs, prices, facts)


def choose_cards(entries: IntArray, costs: Costs, speed: FloatArray, prices: Prices, facts: Facts) -> Cards:
    """Return three different entries: best value within reach of the cheapest, then cheapest, then fastest.

    A listed least price (auctions, marketplaces) may be the cheapest, but is advised only where nothing else does.
    """
    if not len(entries):
        return Cards(-1, -1, -1)

    def ordered(sort: str) -> IntArray:
        return ranked_order(sort_key(sort, entries, costs, speed, facts), entries, costs, prices, facts)

    by_cost = ordered("cost")
    number = {row: entry for entry, row in enumerate(entries.tolist())}
    usable = entries[prices.tier[entries] == prices.tier[by_cost[0]]]
    firm = usable[~prices.is_floor[usable]]
    usable = firm if len(firm) else usable
    least = costs.total_usd[usable].min()

    def first(rows: IntArray, factor: float, taken: tuple[int, ...]) -> int:
        within = np.isin(rows, usable) & (costs.total_usd[rows] <= factor * least)
        return next((row for row in rows[within].tolist() if row not in taken), -1)

    value = first(ordered("value"), VALUE_COST_FACTOR, ())
    cheapest = next((row for row in by_cost.tolist() if row != value), -1)
    fastest = first(ordered("speed"), FASTEST_COST_FACTOR, (value, cheapest))
    return Cards(number.get(value, -1), number.get(cheapest, -1), number.get(fastest, -1))


def sort_key(sort: str, rows: IntArray, costs: Costs, speed: FloatArray, facts: Facts) -> FloatArray:
    """Return a column of some offer rows in which less is better [rows]."""
    if sort == "cost":
        return costs.total_usd[rows]
    if sort == "speed":
        return -speed[rows]
    if sort == "value":
        return costs.usd_per_unit_full_load[rows]
    bandwidth = facts.gpus.memory_bandwidth[facts.offers.gpu_index[rows]] * facts.offers.gpu_count[rows]
    return (costs.usd_per_hour[rows] / costs.instances[rows]) / bandwidth


def ranked_order(key: FloatArray, rows: IntArray, costs: Costs, prices: Prices, facts: Facts) -> IntArray:
    """Return the rows best first: tier, then the smallest key; within 1 % bandwidth, memory, fewer machines."""
    gpu = facts.offers.gpu_index[rows]
    bandwidth, memory = facts.gpus.memory_bandwidth[gpu], facts.gpus.memory_bytes_allocatable[gpu]
    tier = prices.tier[rows]
    order = np.lexsort((key, tier))
    tie = tie_numbers(key[order], tier[order])
    machines = costs.instances[rows]
    return rows[order[np.lexsort((key[order], machines[order], -memory[order], -bandwidth[order], tie))]]


def tie_numbers(key: FloatArray, tier: IntArray) -> IntArray:
    """Number the runs of rows that count as equal; `key` and `tier` are sorted [rows]."""
    numbers = np.empty(len(key), dtype=np.int64)
    number, best, best_tier = -1, np.nan, -1
    for row, (figure, row_tier) in enumerate(zip(key.tolist(), tier.tolist(), strict=True)):
        if row_tier != best_tier or not figure <= best + abs(best) * TIE_SHARE:
            number, best, best_tier = number + 1, figure, row_tier
        numbers[row] = number
    return numbers


def _first_of_each_entry(rows: IntArray, facts: Facts) -> IntArray:
    """Return, of rows in order, the first of each entry, still in order."""
    _, first = np.unique(facts.offers.entry_index[rows], return_index=True)
    return rows[np.sort(first)]
