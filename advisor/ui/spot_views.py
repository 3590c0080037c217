"""Question 3, spot or on demand: the verdict, both costs, and the rate of interruptions at which spot stops paying."""

import dataclasses
import math
from dataclasses import dataclass

import numpy as np

from advisor.economics.spot import (
    DEPENDS_ON_RATE,
    NORMAL_HOURS,
    ONLY_WITH_FALLBACK,
    UNSUITABLE,
    SpotCost,
    SpotTerms,
    break_even_interruptions_per_day,
    expected_spot_cost,
    verdict_over_range,
)
from advisor.facts.offers import Offer
from advisor.recommend import RankedOffer, Ranking
from advisor.ui.chart_texts import alt_text, numbers
from advisor.ui.chart_views import Curve, Mark, SpotView
from advisor.ui.context import Page
from advisor.ui.formatting import (
    currency_symbol,
    decimal,
    duration,
    money,
    percent,
    short,
    shown_amount,
)
from advisor.ui.language import _
from advisor.ui.offer_views import gpu_title
from advisor.ui.questions import TRAINING
from advisor.ui.rankings import ranking_of
from advisor.units import HOURS_PER_DAY, HOURS_PER_MONTH, SECONDS_PER_HOUR, SECONDS_PER_MINUTE

POINTS = 60
LEAST_RANGE_PER_DAY = 6.0
SHORT_UNIT_HOURS = 1 / SECONDS_PER_MINUTE


@dataclass(frozen=True, slots=True)
class SpotAnswer:
    """Everything question 3 says. provider, gpu: where the spot price is; cost: at today's rate [1 point].

    same_machine: whether the recommended machine itself is rented on spot; else it is the cheapest one that is;
    on_demand_hours: of the recommended machine [h].
    """

    terms: SpotTerms
    provider: str
    gpu: str
    same_machine: bool
    verdict: str
    on_demand_hours: float
    waiting: bool
    deadline_hours: float
    mean_hours: float
    rate_is_stated: bool
    cost: SpotCost
    break_even_per_day: float

    @property
    def interruptions_per_day(self) -> float:
        """Return today's rate of interruptions [1/day]."""
        return HOURS_PER_DAY / self.mean_hours

    @property
    def spot_usd(self) -> float:
        """Return the expected cost on spot [USD]."""
        return float(self.cost.usd[0])

    @property
    def on_demand_usd(self) -> float:
        """Return the cost on demand [USD]."""
        return self.cost.on_demand_usd

    @property
    def is_spot(self) -> bool:
        """Whether spot is the answer."""
        return self.verdict not in (ONLY_WITH_FALLBACK, UNSUITABLE, DEPENDS_ON_RATE)


def spot_answer(page: Page) -> SpotAnswer | None:
    """Return the comparison with the recommended machine on spot, else with the cheapest machine on spot.

    None where nothing that does the work is rented on spot.
    """
    ranking, best = page.ranking, page.best
    if ranking is None or best is None:
        return None
    same = _same_machine(ranking, best)
    if same is not None:
        spot_usd_per_hour, hours = same.spot_usd_per_hour * best.instances, _hours(page, best)
        provider, gpu = same.provider, gpu_title(best)
    else:
        other = _cheapest_on_spot(page)
        if other is None:
            return None
        spot_usd_per_hour, hours = other.usd_per_hour, _hours(page, other)
        provider, gpu = other.provider, gpu_title(other)
    terms = _terms(page, best, spot_usd_per_hour, hours)
    stated = page.number("mean_hours_between_interruptions")
    waiting, deadline = bool(page.value("somebody_waiting")), page.number("deadline_hours") or math.inf
    mean_hours = stated or NORMAL_HOURS
    return SpotAnswer(
        terms=terms,
        provider=provider,
        gpu=gpu,
        same_machine=same is not None,
        verdict=verdict_over_range(terms, waiting, deadline, stated),
        on_demand_hours=_hours(page, best),
        waiting=waiting,
        deadline_hours=deadline,
        mean_hours=mean_hours,
        rate_is_stated=stated is not None,
        cost=expected_spot_cost(terms, np.array([mean_hours])),
        break_even_per_day=break_even_interruptions_per_day(terms),
    )


def _hours(page: Page, offer: RankedOffer) -> float:
    return offer.hours or page.number("hours_per_month") or float(HOURS_PER_MONTH)


def _same_machine(ranking: Ranking, best: RankedOffer) -> Offer | None:
    """Return the cheapest spot offer of the recommended machine among those that pass every filter."""
    offers = ranking.facts.offers
    gpu = ranking.facts.gpus.index_of[best.gpu.id]
    same = (ranking.refusal == 0) & (offers.gpu_index == gpu) & (offers.gpu_count == best.gpu_count)
    rows = np.flatnonzero(same & (offers.spot_usd_per_hour > 0))
    return offers.rows[rows[np.argmin(offers.spot_usd_per_hour[rows])]] if len(rows) else None


def _cheapest_on_spot(page: Page) -> RankedOffer | None:
    """Return the cheapest offer when only spot prices compete."""
    needs = dataclasses.replace(page.request.needs, pricing="spot", sort="cost")
    ranking = ranking_of(dataclasses.replace(page.request, needs=needs), page.facts, page.today)
    return ranking.offer(0) if len(ranking) else None


def _terms(page: Page, best: RankedOffer, spot_usd_per_hour: float, hours: float) -> SpotTerms:
    """Return what decides the cost; the cost on demand is that of the recommended machine over its own hours."""
    resumes = bool(page.value("interruptible"))
    training = page.answers.task in TRAINING
    usual = SpotTerms(1.0, 1.0, 1.0)
    interval, restart = page.number("checkpoint_interval_minutes"), page.number("restart_minutes")
    on_demand = (best.on_demand_usd_per_hour or best.usd_per_hour / best.instances) * best.instances
    return SpotTerms(
        work_hours=hours,
        on_demand_usd_per_hour=on_demand * _hours(page, best) / hours,
        spot_usd_per_hour=spot_usd_per_hour,
        checkpoint_hours=usual.checkpoint_hours if training and resumes else math.nan,
        unit_hours=_unit_hours(best, hours, resumes, training),
        restart_hours=usual.restart_hours if restart is None else restart / SECONDS_PER_MINUTE,
        interval_hours=math.nan if interval is None else interval / SECONDS_PER_MINUTE,
    )


def _unit_hours(best: RankedOffer, hours: float, resumes: bool, training: bool) -> float:
    """Return the length of a piece that is done again after an interruption [h]; the whole run if it cannot resume."""
    if not resumes:
        return hours if training or best.hours else SHORT_UNIT_HOURS
    seconds = best.throughput.seconds_per_video or best.throughput.seconds_per_image
    return seconds / SECONDS_PER_HOUR if seconds else SHORT_UNIT_HOURS


# --- sentences ---


def spot_headline(page: Page, answer: SpotAnswer | None) -> str:
    """Return the answer of section 3."""
    if answer is None:
        return _("On demand: no spot price is known for this work")
    if answer.is_spot:
        saving = answer.on_demand_usd - answer.spot_usd
        pattern = (
            _("Spot: {saving} less for the run") if _has_job(page) else _("Spot: {saving} less per month")
        )
        return pattern.format(saving=money(saving))
    if answer.verdict == DEPENDS_ON_RATE:
        return _("It depends on how often spot is interrupted")
    if answer.waiting:
        return _("On demand, because somebody waits for the answer")
    if answer.verdict == ONLY_WITH_FALLBACK:
        return _("On demand: spot alone may miss the deadline")
    if answer.terms.spot_usd_per_hour >= answer.terms.on_demand_usd_per_hour:
        return _("On demand: spot is not cheaper for this work")
    if answer.spot_usd >= answer.on_demand_usd:
        return _("On demand: interruptions eat up the discount")
    return _("On demand: a long run that cannot resume is lost too often")


def _has_job(page: Page) -> bool:
    return page.best is not None and page.best.hours is not None


def spot_reason(page: Page, answer: SpotAnswer | None) -> str:
    """Return both costs, how often spot drops out, what one interruption costs, and the finish time."""
    if answer is None:
        return _("No machine that does it is rented on spot within your limits.")
    sentences = [
        _cost_sentence(page, answer),
        _rate_sentence(answer),
    ]
    if answer.waiting:
        sentences.append(
            _("Each time readers wait until a machine is back, about {time}.").format(
                time=duration(answer.terms.wait_hours + answer.terms.restart_hours)
            )
        )
    elif _has_job(page):
        sentences.append(
            _("The run would end after about {wall} instead of {hours}.").format(
                wall=duration(float(answer.cost.wall_hours[0])), hours=duration(answer.on_demand_hours)
            )
        )
    if not answer.waiting:
        sentences.append(_break_even_sentence(answer))
    return " ".join(sentences)


def _cost_sentence(page: Page, answer: SpotAnswer) -> str:
    pattern = (
        _("The machine would cost {spot} on spot instead of {on_demand}, at {provider}.")
        if answer.same_machine
        else _("The cheapest machine on spot, {gpu} at {provider}, would cost {spot} instead of {on_demand}.")
    )
    return pattern.format(
        gpu=answer.gpu,
        spot=money(answer.spot_usd),
        on_demand=money(answer.on_demand_usd),
        provider=page.facts.providers[answer.provider].name,
    )


def _rate_sentence(answer: SpotAnswer) -> str:
    rate = short(answer.interruptions_per_day)
    if answer.rate_is_stated:
        return _("With your figure it drops out {rate} times a day.").format(rate=rate)
    return _("We count with {rate} interruptions a day; published figures run from 1 to 12.").format(
        rate=rate
    )


def _break_even_sentence(answer: SpotAnswer) -> str:
    if math.isinf(answer.break_even_per_day):
        return _("It pays at any rate that was observed.")
    return _("It stops paying at {rate} interruptions a day.").format(rate=short(answer.break_even_per_day))


def short_spot_answer(answer: SpotAnswer | None) -> str:
    """Return the answer for the table of contents."""
    if answer is None:
        return _("On demand")
    if answer.is_spot:
        saving = 1 - answer.spot_usd / answer.on_demand_usd
        return _("Spot, {saving} less").format(saving=percent(saving))
    return _("Depends on the rate") if answer.verdict == DEPENDS_ON_RATE else _("On demand")


# --- chart ---


def spot_view(page: Page, answer: SpotAnswer) -> SpotView:
    """Return both costs over interruptions a day."""
    crossing = answer.break_even_per_day
    most = max(LEAST_RANGE_PER_DAY, 4 * answer.interruptions_per_day)
    if not math.isinf(crossing):
        most = min(max(most, 1.3 * crossing), 48.0)
    rates = np.linspace(0.05, most, POINTS)
    cost = expected_spot_cost(answer.terms, HOURS_PER_DAY / rates)
    flat = answer.on_demand_usd
    label_spot = _("spot, {amount}").format(amount=money(answer.spot_usd))
    label_flat = _("on demand, {amount}").format(amount=money(flat))
    return SpotView(
        alt=alt_text(spot_headline(page, answer), spot_reason(page, answer)),
        numbers=numbers(),
        rates=tuple(rates.tolist()),
        spot=Curve(label_spot, "orange", tuple(shown_amount(usd) for usd in cost.usd.tolist())),
        on_demand=Curve(label_flat, "blue", tuple(shown_amount(flat) for _rate in rates)),
        here=Mark(answer.interruptions_per_day, shown_amount(answer.spot_usd), label_spot),
        crossing=_crossing(crossing, most, flat),
        x_title=_("Interruptions per day"),
        y_title=_cost_title(page),
    )


def _crossing(per_day: float, most: float, flat: float) -> Mark | None:
    if per_day > most:
        return None
    label = _("break even at {rate} a day").format(rate=decimal(per_day, 1 if per_day < 10 else 0))
    return Mark(per_day, shown_amount(flat), label)


def _cost_title(page: Page) -> str:
    pattern = _("{currency} per run") if _has_job(page) else _("{currency} per month")
    return pattern.format(currency=currency_symbol())
