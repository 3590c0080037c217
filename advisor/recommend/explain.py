"""«Why not the cheaper one?»: what keeps an offer from being the recommended one, with its number."""

from dataclasses import dataclass

import numpy as np

from advisor.codes import REJECTIONS, Message, message
from advisor.facts.offers import Offer
from advisor.recommend.ranking import RankedOffer, Ranking

MOST_EXPLAINED = 4
UNEXPLAINED = ("no-price", "over-budget-hour", "over-budget-month", "needs-too-many-machines")
"""Refusals that say nothing about why a cheaper machine does not do."""


@dataclass(frozen=True, slots=True, eq=False)
class WhyNot:
    """One offer that is cheaper than the recommended one, and what keeps it from being recommended.

    usd_per_hour: its price [USD/h]; ranked: whether it does the work at all.
    """

    offer: Offer
    usd_per_hour: float
    ranked: bool
    reason: Message


def cheaper_alternatives(ranking: Ranking, limit: int = MOST_EXPLAINED) -> tuple[WhyNot, ...]:
    """Return cheaper offers than the recommended one, each with another reason: those that run first, then refused."""
    if ranking.cards.value < 0:
        return ()
    best = ranking.offer(ranking.cards.value)
    found: dict[str, WhyNot] = {}
    for alternative in (*_cheaper_ranked(ranking, best), *_cheaper_refused(ranking, best)):
        found.setdefault(alternative.reason.code, alternative)
    return tuple(found.values())[:limit]


def _cheaper_ranked(ranking: Ranking, best: RankedOffer) -> tuple[WhyNot, ...]:
    """Return the entries that cost less than the recommended one, cheapest first."""
    by_cost = ranking.rows[np.argsort(ranking.costs.total_usd[ranking.rows], kind="stable")]
    cheaper = [row for row in by_cost.tolist() if ranking.costs.total_usd[row] < best.total_usd * 0.99]
    return tuple(_why_not_ranked(ranking, row, best) for row in cheaper[:12])


def _why_not_ranked(ranking: Ranking, row: int, best: RankedOffer) -> WhyNot:
    offer = ranking.record_of(row)
    return WhyNot(ranking.facts.offers.rows[row], offer.usd_per_hour, True, why_not_recommended(offer, best))


def why_not_recommended(offer: RankedOffer, best: RankedOffer) -> Message:
    """Return the first reason why an offer that does the work is not the recommended one."""
    if offer.expired and not best.expired:
        return message("price-too-old")
    if offer.price_is_floor and not best.price_is_floor:
        return message("price-is-floor")
    if offer.total_usd > best.total_usd * 1.01:
        more = offer.total_usd - best.total_usd
        if offer.speed < best.speed * 0.99:
            return message("costs-more-and-slower", more_usd=more, slower_factor=best.speed / offer.speed)
        return message("costs-more", more_usd=more, speed_factor=offer.speed / best.speed)
    if offer.speed < best.speed * 0.99:
        return message("slower", speed_factor=best.speed / offer.speed)
    full, best_full = offer.usd_per_unit_full_load or np.inf, best.usd_per_unit_full_load or np.inf
    if full > best_full * 1.05:
        return message("less-for-the-money", value_factor=full / best_full)
    return message("as-good")


def _cheaper_refused(ranking: Ranking, best: RankedOffer) -> tuple[WhyNot, ...]:
    """Return, for each telling refusal, the refused offer below the price that came nearest to doing the work."""
    price = ranking.prices.usd_per_hour
    alternatives = []
    for number, code in enumerate(ranking.codes, 1):
        if code.startswith("filter-") or code in UNEXPLAINED:
            continue
        rows = np.flatnonzero((ranking.refusal == number) & (price < best.usd_per_hour))
        if len(rows):
            alternatives.append(_why_not_refused(ranking, _nearest(ranking, rows), code))
    return tuple(alternatives)


def _nearest(ranking: Ranking, rows: "np.ndarray[tuple[int], np.dtype[np.int64]]") -> int:
    """Return the row whose figure misses its limit by least; the dearest where no figure tells them apart."""
    value, limit = ranking.value[rows], ranking.limit[rows]
    with np.errstate(divide="ignore", invalid="ignore"):
        shortfall = np.abs(np.log(value / limit))
    if not np.isfinite(shortfall).any():
        return int(rows[np.argmax(ranking.prices.usd_per_hour[rows])])
    return int(rows[np.nanargmin(np.where(np.isfinite(shortfall), shortfall, np.nan))])


def _why_not_refused(ranking: Ranking, row: int, code: str) -> WhyNot:
    return WhyNot(
        ranking.facts.offers.rows[row],
        float(ranking.prices.usd_per_hour[row]),
        False,
        refusal_message(code, float(ranking.value[row]), float(ranking.limit[row])),
    )


def refusal_message(code: str, value: float, limit: float) -> Message:
    """Return a refusal with its figures under the names of its code."""
    figures = dict(zip(REJECTIONS[code], (value, limit), strict=False))
    return message(code, **figures)


def why_not_entry(ranking: Ranking, entry: int) -> Message:
    """Return why one entry of the table is not the recommended one."""
    if entry == ranking.cards.value:
        return message("recommended")
    return why_not_recommended(ranking.offer(entry), ranking.offer(ranking.cards.value))
