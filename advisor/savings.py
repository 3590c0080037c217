"""Which single change would save most: the ranking asked again with one thing different."""

import dataclasses
import datetime
from collections.abc import Iterator
from dataclasses import dataclass

from advisor.codes import Message, message
from advisor.errors import AdvisorError
from advisor.facts import Facts
from advisor.recommend import RankedOffer, Ranking, rank
from advisor.units import HOURS_PER_MONTH
from advisor.workload import Deployment, Needs, Workload

LOWER_FORMATS = ("fp8", "int4-awq")
WORTH_NAMING = 0.02
"""Smaller savings than this share are within what prices are known to."""


@dataclass(frozen=True, slots=True, eq=False)
class Saving:
    """One change. message: its code and values; saving_usd: of the recommended total [USD]; offer: then recommended."""

    message: Message
    saving_usd: float
    offer: RankedOffer


def savings(
    ranking: Ranking, today: datetime.date | None = None, deployment: Deployment | None = None
) -> tuple[Saving, ...]:
    """Return the single changes that lower the cost of the work, the largest saving first.

    Costs compare the recommended offers before and after; each change is one more ranking of the catalogue.
    """
    if ranking.cards.value < 0:
        return ()
    before = ranking.offer(ranking.cards.value).total_usd
    found = []
    for changed, workload, needs in _changes(ranking.workload, ranking.needs):
        offer = _recommended(workload, needs, ranking.facts, today, deployment)
        if offer is not None and before - offer.total_usd > WORTH_NAMING * before:
            found.append(Saving(changed, before - offer.total_usd, offer))
    return tuple(sorted(found, key=lambda saving: -saving.saving_usd))


def _recommended(
    workload: Workload,
    needs: Needs,
    facts: Facts,
    today: datetime.date | None,
    deployment: Deployment | None,
) -> RankedOffer | None:
    try:
        ranking = rank(workload, needs, facts, today, deployment)
    except AdvisorError:
        # The model or the engine does not take this change; it is simply not proposed.
        return None
    return ranking.offer(ranking.cards.value) if ranking.cards.value >= 0 else None


def _changes(workload: Workload, needs: Needs) -> Iterator[tuple[Message, Workload, Needs]]:
    """Yield each single change as its message and the question that it makes."""
    for weights in LOWER_FORMATS if workload.task == "serve" else ():
        if workload.weights not in (weights, "int4-awq"):
            changed = dataclasses.replace(workload, weights=weights)
            yield message("save-format", weights=weights), changed, needs
    if needs.countries or needs.regions:
        yield message("save-anywhere"), workload, dataclasses.replace(needs, countries=(), regions=())
    if needs.pricing in (None, "on-demand"):
        spot = dataclasses.replace(needs, pricing="spot", somebody_waiting=needs.somebody_waiting)
        yield message("save-spot"), workload, spot
        term = dataclasses.replace(needs, pricing="reserved", term_months=12)
        yield message("save-reserved", term_months=12), workload, term
    share = needs.busy_share
    if share is not None and share < 1:
        hours = (needs.hours_per_month or HOURS_PER_MONTH) * share
        off = dataclasses.replace(needs, hours_per_month=hours, busy_share=1.0)
        yield message("save-switch-off", idle_percent=100 * (1 - share)), workload, off
    if workload.task == "serve" and workload.context_tokens and workload.context_tokens >= 2_048:
        half = workload.context_tokens // 2
        shorter = dataclasses.replace(workload, context_tokens=half, prompt_tokens=None, output_tokens=None)
        yield message("save-context", context_tokens=half), shorter, needs
