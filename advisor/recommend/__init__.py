"""The ranking: every offer of the catalogue against the person's work, ranked or refused under a code."""

import dataclasses
import datetime

import numpy as np

from advisor.facts import Facts
from advisor.recommend.costs import Rates, costs_of
from advisor.recommend.filters import filtered_offers
from advisor.recommend.matching import Machines, Question, for_ranking, match_machines
from advisor.recommend.ordering import choose_cards, order_entries
from advisor.recommend.prices import newest_price_date, prices_of
from advisor.recommend.ranking import Cards, RankedOffer, Ranking, Rejection
from advisor.recommend.refusals import CODES, refuse_offers
from advisor.recommend.targets import targets_of, unit_of, units_in_one
from advisor.resolve import resolve_work
from advisor.resolve.filling import Filling
from advisor.workload import Deployment, Needs, Workload

__all__ = ["Cards", "RankedOffer", "Ranking", "Rejection", "rank"]

DEFAULT_CONCURRENCY = 8


def rank(
    workload: Workload,
    needs: Needs,
    facts: Facts,
    today: datetime.date | None = None,
    deployment: Deployment | None = None,
) -> Ranking:
    """Rank the catalogue for one question.

    today: the clock for the age of prices, by default the newest price's date; deployment: engine and its settings
    where the person chose them. Raises AdvisorError.
    """
    filling = Filling()
    deployment = deployment or Deployment()
    if workload.task == "serve" and workload.concurrency is None:
        workload = dataclasses.replace(workload, concurrency=DEFAULT_CONCURRENCY)
        filling.assume("concurrency", DEFAULT_CONCURRENCY, "default")
    work = resolve_work(workload, for_ranking(deployment), facts, filling)
    targets = targets_of(work, needs)
    prices = prices_of(needs, facts, today or newest_price_date(facts))
    filtered = filtered_offers(needs, facts)
    competing = np.unique(facts.offers.shape_index[(filtered == 0) & (prices.usd_per_hour > 0)])
    machines = match_machines(Question(workload, needs, deployment, targets, competing, facts))
    unit = unit_of(work, targets)
    rates = _rates(machines, facts)
    costs = costs_of(prices.usd_per_hour, rates, work, needs, targets, units_in_one(unit, targets), facts)
    refusals = refuse_offers(filtered, needs, machines, costs, prices, facts)
    passing = np.flatnonzero(refusals.number == 0)
    speed = machines.speed[facts.offers.shape_index]
    entries = order_entries(needs.sort or "cost", passing, costs, speed, prices, facts)
    regions = np.bincount(facts.offers.entry_index[passing], minlength=len(facts.offers))
    return Ranking(
        workload=workload,
        needs=needs,
        work=work,
        targets=targets,
        unit=unit,
        facts=facts,
        machines=machines,
        rows=entries,
        regions=regions[facts.offers.entry_index[entries]],
        cards=choose_cards(entries, costs, speed, prices, facts),
        costs=costs,
        prices=prices,
        codes=CODES,
        refusal=refusals.number,
        value=refusals.value,
        limit=refusals.limit,
        assumed=tuple(filling.assumed),
        warnings=tuple(filling.warnings),
    )


def _rates(machines: Machines, facts: Facts) -> Rates:
    """Return how fast every offer does the work, on the best way its machine can."""
    shape = facts.offers.shape_index
    splits = machines.splits
    return Rates(
        cluster=machines.cluster[shape] * splits,
        rate=machines.rate[shape] * splits,
        full_rate=machines.full_rate[shape] * splits,
    )
