"""The answer on top: what to rent, what it costs, why; and, where nothing fits, what would be enough to change."""

from dataclasses import dataclass

from advisor.recommend import RankedOffer, Ranking, Rejection
from advisor.resolve.works import ServeWork
from advisor.ui.answers import Answers
from advisor.ui.card_views import class_noun
from advisor.ui.context import Page
from advisor.ui.formatting import age, date, decimal, duration, factor, gb, gib, money, short, with_unit
from advisor.ui.language import _, ngettext
from advisor.ui.memory_views import Need, verdicts
from advisor.ui.offer_views import gpu_name, gpu_title, reader_speed_text, total_label, unit_label
from advisor.ui.rankings import ranking_of
from advisor.ui.requests import request_of
from advisor.ui.sentences import error_sentence
from advisor.units import GB
from advisor.wording import N_

MOST_RELAXATIONS = 3
FAST_ENOUGH = 1.15
UNTOLD = ("filter-commitment", "no-price", "no-figure-for-this-gpu")
"""Refusals that no answer of the reader would change."""

SHORT_REJECTIONS = {
    "does-not-fit": N_("too little memory."),
    "too-slow": N_("too slow."),
    "first-token-too-late": N_("the first token comes too late."),
    "misses-deadline": N_("past the deadline."),
    "over-budget-hour": N_("over the budget."),
    "over-budget-month": N_("over the budget."),
    "needs-too-many-machines": N_("it would take too many machines."),
    "engine-not-supported": N_("the engine does not run there."),
    "format-not-supported": N_("the weight format does not run there."),
    "no-price": N_("no price of this kind."),
    "no-figure-for-this-gpu": N_("no figures for this GPU."),
    "filter-commitment": N_("another kind of contract."),
    "filter-provider": N_("another provider."),
    "filter-provider-kind": N_("another kind of provider."),
    "filter-provider-kind-unknown": N_("the kind of provider is not known."),
    "filter-region": N_("another region."),
    "filter-region-unknown": N_("the region is not stated."),
    "filter-country": N_("another country."),
    "filter-country-unknown": N_("the country is not stated."),
    "filter-class": N_("another class of GPU."),
    "filter-gpu-count": N_("too many GPUs."),
    "filter-link": N_("another link between the GPUs."),
    "filter-link-unknown": N_("the link between the GPUs is not stated."),
}


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of the card: what it is, and its amount."""

    label: str
    value: str


def answer_headline(page: Page) -> str:
    """Return what to rent."""
    best = page.best
    if best is None:
        return _("No offer does this work within your limits")
    count = best.gpu_count * best.instances
    size = gb(best.gpu.memory_gb)
    if count == 1:
        text = _("Rent one {gpu} with {size}").format(gpu=gpu_name(best.gpu), size=size)
    else:
        text = _("Rent {count} {gpu} with {size} each").format(
            count=decimal(count), gpu=gpu_name(best.gpu), size=size
        )
    if best.hours is not None:
        text = _("{rent} for {duration}").format(rent=text, duration=duration(best.hours))
    return text


def answer_figures(page: Page, best: RankedOffer, ranking: Ranking) -> tuple[Figure, Figure]:
    """Return the two figures of the card: the total, and the cost of one unit (of an hour, for a run)."""
    total = Figure(total_label(ranking), money(best.total_usd))
    if ranking.unit == "run":
        return total, Figure(_("per hour"), money(best.usd_per_hour, 2))
    return total, Figure(unit_label(ranking.unit), money(best.usd_per_unit))


def answer_reason(page: Page, need: Need) -> str:
    """Return at most three sentences: what it takes, why this class, what speed it gives."""
    best, ranking = page.best, page.ranking
    if best is None or ranking is None:
        return ""
    return " ".join((_takes(page, need), _class_sentence(best), _speed_sentence(page, ranking, best)))


def _takes(page: Page, need: Need) -> str:
    if need.gpus > 1:
        return _("The work takes **{need}**, {each} on each of {count} GPUs.").format(
            need=gib(need.total_gib), each=gib(need.per_gpu_gib), count=decimal(need.gpus)
        )
    every = verdicts(page, need)
    small = [verdict for verdict in every if not verdict.fits]
    if not small:
        return _("The work takes **{need}**, which fits any card of the catalogue.").format(
            need=gib(need.per_gpu_gib)
        )
    below = small[-1]
    return _("The work takes **{need}**; of a {size} card {usable} can be used.").format(
        need=gib(need.per_gpu_gib), size=gb(below.memory_gb), usable=gib(below.usable_gib)
    )


def _class_sentence(best: RankedOffer) -> str:
    bandwidth = with_unit(best.gpu.memory_bandwidth / GB, "GB/s", 0)
    pattern = (
        _("A {size} {card} is enough, and its {memory} memory reads {bandwidth}.")
        if best.gpu.segment != "datacenter"
        else _("This {card} has {size} of {memory} memory that reads {bandwidth}.")
    )
    return pattern.format(
        size=gb(best.gpu.memory_gb),
        card=class_noun(best.gpu),
        memory=best.gpu.memory_type,
        bandwidth=bandwidth,
    )


def _speed_sentence(page: Page, ranking: Ranking, best: RankedOffer) -> str:
    if best.hours is not None:
        return _("The run ends after **{duration}**.").format(duration=duration(best.hours))
    speed = reader_speed_text(ranking, best.speed)
    wanted = page.number("tokens_per_second_per_request") or 0.0
    if not isinstance(ranking.work, ServeWork) or not wanted:
        return _("It makes **{speed}**.").format(speed=speed)
    if best.speed < FAST_ENOUGH * wanted:
        return _("It gives **{speed}**, just above the minimum of {wanted}.").format(
            speed=speed, wanted=short(wanted)
        )
    pattern = (
        _("It gives **{speed}**, {times} times the {wanted} you asked for.")
        if page.is_set("tokens_per_second_per_request")
        else _("It gives **{speed}**, {times} times the minimum of {wanted}.")
    )
    return pattern.format(speed=speed, times=factor(best.speed / wanted), wanted=short(wanted))


def answer_small_print(ranking: Ranking, best: RankedOffer) -> str:
    """Return interval of the unit cost, provider, date and age of the price."""
    interval = _("In eight of ten cases {low} to {high} {unit}.").format(
        low=money(best.cost_low), high=money(best.cost_high), unit=unit_label(ranking.unit)
    )
    if not best.throughput.measured:
        interval += " " + _("This speed is a first estimate, not checked against measurements.")
    if best.price_as_of is None or best.age_days is None:
        return f"{interval} " + _("{provider}: price without a date.").format(provider=best.provider_name)
    return f"{interval} " + _("{provider}: price of {date}, {age}.").format(
        provider=best.provider_name, date=date(best.price_as_of), age=age(best.age_days)
    )


def bottom_line(page: Page) -> tuple[str, str]:
    """Return the recommended GPU and its price, for the line that stays in sight."""
    best, ranking = page.best, page.ranking
    if best is None or ranking is None:
        return _("No offer does this work"), ""
    pattern = _("{amount} for the run") if best.hours is not None else _("{amount} per month")
    return gpu_title(best), pattern.format(amount=money(best.total_usd))


# --- nothing fits ---


@dataclass(frozen=True, slots=True)
class Relaxation:
    """One condition to give up, alone enough: the words of its button and the answers it leads to."""

    label: str
    answers: Answers


def relaxations(page: Page) -> tuple[Relaxation, ...]:
    """Return up to three single changes that bring at least one offer; only conditions that hold are given up."""
    found: list[Relaxation] = []
    for key, open_value in _CONDITIONS.items():
        if len(found) == MOST_RELAXATIONS:
            break
        if not page.asks(key) or page.value(key) in (None, open_value):
            continue
        relaxed = _without(page, key, open_value)
        if relaxed is not None:
            found.append(relaxed)
    return tuple(found)


_CONDITIONS: dict[str, object] = {
    "max_usd_per_month": None,
    "max_usd_per_hour": None,
    "tokens_per_second_per_request": 0.0,
    "where": "any",
    "provider_kinds": None,
    "gpu_classes": None,
    "max_gpu_count": None,
    "link": None,
    "deadline_hours": None,
    "images_per_minute": 0.0,
    "video_seconds_per_hour": 0.0,
    "tokens_per_second": 0.0,
    "time_to_first_token_ms": 10_000_000,
    "pricing": "on-demand",
    "engine": None,
    "weights": "int4-awq",
    "concurrency": 1,
}


def _without(page: Page, key: str, open_value: object) -> Relaxation | None:
    """Return the change that gives up one condition, with the least value that is enough; None where it is not."""
    default = page.form.default(key)
    loose = default if open_value is None else open_value
    opened = page.answers.with_value(key, loose, page.facts)  # type: ignore[arg-type]
    ranking = ranking_of(request_of(opened, page.facts), page.facts, page.today)
    if not len(ranking):
        return None
    if key in ("max_usd_per_month", "max_usd_per_hour"):
        least = min(
            offer.total_usd if key.endswith("month") else offer.usd_per_hour for offer in ranking.offers[:50]
        )
        enough = float(-(-least // 1)) if least >= 1 else round(least + 0.005, 2)
        label = _("Spend up to {amount}").format(amount=money(enough))
        return Relaxation(label, page.answers.with_value(key, enough, page.facts))
    if key == "tokens_per_second_per_request":
        fastest = max(
            float(speed) for speed in ranking.machines.speed[ranking.facts.offers.shape_index[ranking.rows]]
        )
        enough = max(0.1, int(fastest) if fastest >= 1 else round(fastest - 0.05, 1))
        label = _("Accept {speed} per reader").format(speed=with_unit(enough, "tokens/s"))
        return Relaxation(label, page.answers.with_value(key, float(enough), page.facts))
    return Relaxation(_relaxed_label(key, ranking), opened)


def _relaxed_label(key: str, ranking: Ranking) -> str:
    labels = {
        "where": _("Search everywhere"),
        "provider_kinds": _("Any provider"),
        "gpu_classes": _("Any class of GPU"),
        "max_gpu_count": _("Any number of GPUs"),
        "link": _("Any link between GPUs"),
        "deadline_hours": _("Without the deadline"),
        "time_to_first_token_ms": _("Wait longer for the first token"),
        "pricing": _("On-demand prices"),
        "engine": _("The usual engine"),
        "weights": _("Weights in 4 bits"),
        "concurrency": _("One conversation at a time"),
    }
    return labels.get(key, _("Any speed"))


def nothing_fits_reason(page: Page) -> str:
    """Return what stands in the way, most frequent first, with counts."""
    if page.error is not None:
        return error_sentence(page.error)
    ranking = page.ranking
    assert ranking is not None
    total = sum(rejection.count for rejection in ranking.rejected)
    compared = ngettext("{count} offer was compared.", "{count} offers were compared.", total).format(
        count=decimal(total)
    )
    telling = [rejection for rejection in ranking.rejected if rejection.code not in UNTOLD]
    reasons = [_rejected_text(rejection) for rejection in telling[:3]]
    return f"{compared} " + " ".join(reasons)


def _rejected_text(rejection: Rejection) -> str:
    return ngettext("{count} is out: {reason}", "{count} are out: {reason}", rejection.count).format(
        count=decimal(rejection.count), reason=_(SHORT_REJECTIONS.get(rejection.code, rejection.code))
    )
