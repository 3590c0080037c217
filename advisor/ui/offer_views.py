"""Offers as a page shows them: cards, rows of the table, «why not the cheaper one?». Text only, no widget."""

import re
from dataclasses import dataclass

from advisor.facts.gpus import Gpu
from advisor.facts.offers import Offer
from advisor.recommend.explain import WhyNot, cheaper_alternatives, why_not_entry
from advisor.recommend.ranking import RankedOffer, Ranking
from advisor.resolve.works import ServeWork
from advisor.ui.formatting import age, country, date, decimal, duration, gb, money, short, with_unit
from advisor.ui.labels import option_label
from advisor.ui.language import _
from advisor.ui.sentences import sentence
from advisor.wording import N_

WISHES = {
    "value": N_("Best value"),
    "cheapest": N_("Cheapest"),
    "fastest": N_("Fastest"),
}
NEXT_CHEAPEST = N_("Next cheapest")

UNIT_LABELS = {
    "million-output-tokens": N_("per million tokens"),
    "million-tokens": N_("per million tokens"),
    "image": N_("per image"),
    "second-of-video": N_("per second of video"),
    "minute-of-audio": N_("per minute of audio"),
    "run": N_("for the whole run"),
}

SPEED_UNITS = {
    "million-output-tokens": "tokens/s",
    "million-tokens": "tokens/s",
    "run": "tokens/s",
    "image": N_("images/min"),
    "second-of-video": N_("s of video/h"),
    "minute-of-audio": N_("× real time"),
}

_ASIDE = re.compile(r"\s*\([^)]*\)|\s\d+GB\b")
_MAKERS = ("NVIDIA ", "GeForce ", "AMD ", "Instinct ", "Intel ", "AWS ", "Google ")
_SPEED_FACTORS = {"image": 60.0, "second-of-video": 3_600.0}


@dataclass(frozen=True, slots=True)
class OfferCard:
    """One card. wishes: what it is best at; every text is in the reader's language, not escaped."""

    wishes: tuple[str, ...]
    gpu: str
    subtitle: str
    price: str
    price_label: str
    per_hour: str
    speed: str
    price_date: str
    is_stale: bool
    notes: tuple[str, ...]
    provider: str
    url: str


@dataclass(frozen=True, slots=True)
class OfferRow:
    """One row of the table: numbers for sorting and alignment beside their text."""

    gpu: str
    total_usd: float
    total: str
    speed: float
    speed_text: str
    per_unit: str
    provider: str
    per_hour: str
    memory_gb: float
    memory_type: str
    place: str
    pricing: str
    price_date: str


@dataclass(frozen=True, slots=True)
class Alternative:
    """One cheaper offer: its headline and what keeps it from being recommended."""

    headline: str
    reason: str


def speed_factor(unit: str) -> float:
    """Return how many units of the speed shown there are in one work unit a second."""
    return _SPEED_FACTORS.get(unit, 1.0)


def unit_label(unit: str) -> str:
    """Return what a cost is divided by, «per million tokens»."""
    return _(UNIT_LABELS[unit])


def total_label(ranking: Ranking) -> str:
    """Return what the ranked total is for: the month or the whole run."""
    return _("for the whole run") if ranking.targets.has_job else _("per month")


def gpu_name(gpu: Gpu) -> str:
    """Return the name as people say it, without maker and memory size: «RTX 5090», «H100 SXM5»."""
    name = _ASIDE.sub("", gpu.name)
    for maker in _MAKERS:
        name = name.removeprefix(maker)
    return name


def gpu_title(offer: RankedOffer) -> str:
    """Return the GPUs that are rented, «2 × H100 SXM»."""
    count = offer.gpu_count * offer.instances
    return gpu_name(offer.gpu) if count == 1 else f"{decimal(count)} × {gpu_name(offer.gpu)}"


def place_of(offer: RankedOffer | Offer) -> str:
    """Return the country, else the region, else that neither is known."""
    if offer.country:
        return country(offer.country)
    return offer.region or _("place not stated")


def speed_text(ranking: Ranking, speed: float) -> str:
    """Return a speed with the unit of the work."""
    value = speed * speed_factor(ranking.unit)
    return with_unit(value, _(SPEED_UNITS[ranking.unit]))


def reader_speed_text(ranking: Ranking, speed: float) -> str:
    """Return a speed as the cards say it: of each reader where somebody reads."""
    text = speed_text(ranking, speed)
    return _("{speed} per reader").format(speed=text) if isinstance(ranking.work, ServeWork) else text


def price_date_text(offer: RankedOffer) -> str:
    """Return date and age of a price."""
    if offer.price_as_of is None or offer.age_days is None:
        return _("price without a date: check before you rent")
    text = _("price of {date}, {age}").format(date=date(offer.price_as_of), age=age(offer.age_days))
    return _("{text}: check before you rent").format(text=text) if offer.stale else text


def offer_cards(ranking: Ranking) -> tuple[OfferCard, ...]:
    """Return the cards of the answer: best value, cheapest, fastest."""
    entries: dict[int, list[str]] = {}
    for wish, label in WISHES.items():
        entry = getattr(ranking.cards, wish)
        if entry < 0:
            continue
        if wish == "cheapest" and _costs_no_less(ranking, entry):
            entries[ranking.cards.value].append(_(label))
            entries.setdefault(entry, []).append(_(NEXT_CHEAPEST))
        else:
            entries.setdefault(entry, []).append(_(label))
    return tuple(_card(ranking, ranking.offer(entry), tuple(wishes)) for entry, wishes in entries.items())


def _costs_no_less(ranking: Ranking, entry: int) -> bool:
    """Whether the best-value offer is the cheapest as well, so that the second card is the next one."""
    return ranking.offer(entry).total_usd >= ranking.offer(ranking.cards.value).total_usd


def _card(ranking: Ranking, offer: RankedOffer, wishes: tuple[str, ...]) -> OfferCard:
    memory = f"{gb(offer.gpu.memory_gb)} {offer.gpu.memory_type}"
    return OfferCard(
        wishes=wishes,
        gpu=gpu_title(offer),
        subtitle=" · ".join((memory, offer.provider_name, place_of(offer))),
        price=money(offer.total_usd),
        price_label=total_label(ranking),
        per_hour=_("{amount} an hour").format(amount=money(offer.usd_per_hour, 2)),
        speed=reader_speed_text(ranking, offer.speed),
        price_date=price_date_text(offer),
        is_stale=offer.stale,
        notes=tuple(_notes(offer)),
        provider=offer.provider_name,
        url=offer.provider_url,
    )


def _notes(offer: RankedOffer) -> list[str]:
    """Return what a person must know before trusting the offer."""
    notes = []
    if offer.hours is not None:
        notes.append(_("Takes {duration}.").format(duration=duration(offer.hours)))
    if offer.instances > 1:
        notes.append(_("{count} machines together.").format(count=decimal(offer.instances)))
    if offer.price_is_floor:
        notes.append(_("Least price seen in this marketplace."))
    if not offer.form_factor_stated:
        notes.append(_("The source does not state the variant of the GPU; this is the most cautious one."))
    if not offer.link and offer.gpu_count > 1:
        notes.append(_("The source does not state the link between the GPUs; counted as PCIe."))
    return notes


def offer_rows(ranking: Ranking, start: int, count: int) -> tuple[OfferRow, ...]:
    """Return rows of the table from an entry on."""
    return tuple(
        _row(ranking, ranking.offer(entry)) for entry in range(start, min(start + count, len(ranking)))
    )


def _row(ranking: Ranking, offer: RankedOffer) -> OfferRow:
    when = "–" if offer.price_as_of is None else date(offer.price_as_of)
    place = place_of(offer) if offer.country or offer.region else "–"
    if offer.other_regions:
        place = _("{place} and {count} more").format(place=place, count=decimal(offer.other_regions))
    return OfferRow(
        gpu=gpu_title(offer),
        total_usd=offer.total_usd,
        total=money(offer.total_usd),
        speed=offer.speed,
        speed_text=short(offer.speed * speed_factor(ranking.unit)),
        per_unit=money(offer.usd_per_unit),
        provider=offer.provider_name,
        per_hour=money(offer.usd_per_hour, 2),
        memory_gb=offer.gpu.memory_gb * offer.gpu_count * offer.instances,
        memory_type=offer.gpu.memory_type,
        place=place,
        pricing=option_label("pricing", offer.pricing),
        price_date=_("{date}, outdated").format(date=when) if offer.stale else when,
    )


def alternatives(ranking: Ranking) -> tuple[Alternative, ...]:
    """Return up to four cheaper offers, each with another reason why it is not recommended."""
    return tuple(_alternative(ranking, found) for found in cheaper_alternatives(ranking))


def _alternative(ranking: Ranking, found: WhyNot) -> Alternative:
    gpu = ranking.facts.gpus[found.offer.gpu_id]
    count = found.offer.gpu_count
    name = gpu_name(gpu) if count == 1 else f"{decimal(count)} × {gpu_name(gpu)}"
    provider = ranking.facts.providers[found.offer.provider].name
    price = _("{amount} an hour").format(amount=money(found.usd_per_hour, 2))
    return Alternative(" · ".join((name, provider, price)), sentence(found.reason))


def why_not_text(ranking: Ranking, entry: int) -> Alternative:
    """Return why one entry of the table is not the recommended one."""
    offer = ranking.offer(entry)
    headline = " · ".join((gpu_title(offer), offer.provider_name, money(offer.total_usd)))
    return Alternative(headline, sentence(why_not_entry(ranking, entry)))
