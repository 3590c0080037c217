"""Question 2, which class of card: price against speed of every GPU that fits, and what the class decides."""

from dataclasses import dataclass

import numpy as np

from advisor.facts.gpus import Gpu
from advisor.recommend import RankedOffer, Ranking
from advisor.resolve.works import ServeWork
from advisor.ui.chart_texts import alt_text, numbers
from advisor.ui.chart_views import Bar, BarsView, KeyEntry, PricePoint, PriceSpeedView, Tick
from advisor.ui.context import Page
from advisor.ui.formatting import (
    currency_symbol,
    decimal,
    factor,
    gb,
    money,
    percent,
    short,
    shown_amount,
    with_unit,
)
from advisor.ui.growth_views import bound_label
from advisor.ui.labels import CLASS_NOUNS, format_name
from advisor.ui.language import _
from advisor.ui.memory_views import gpus_per_copy
from advisor.ui.offer_views import (
    SPEED_UNITS,
    gpu_name,
    gpu_title,
    reader_speed_text,
    speed_factor,
    speed_text,
)
from advisor.units import GB, FloatArray, IntArray
from advisor.wording import N_

STACKED, FLAT = "HBM", "GDDR"
MOST_NAMED = 5

CLASS_HEADLINES = {
    "consumer": N_("A consumer card is enough: {gpu}, {speed}"),
    "workstation": N_("A workstation card is enough: {gpu}, {speed}"),
    "datacenter": N_("A data-center GPU pays off: {gpu}, {speed}"),
}
CLASS_ANSWERS = {
    "consumer": N_("Consumer is enough"),
    "workstation": N_("Workstation"),
    "datacenter": N_("Data center"),
}
LIMITS = {
    "bandwidth": N_("Every generated token reads the weights again, so speed follows memory bandwidth."),
    "compute": N_("Here computing is the limit, so speed follows the chip's matrix rate."),
    "communication": N_("Here the link between the GPUs is the limit."),
    "launch": N_("Here starting the kernels is the limit: the model is small for this GPU."),
    "capacity": N_("Here the space for the cache is the limit."),
    "offload": N_("Here reading from host memory is the limit."),
}


@dataclass(frozen=True, slots=True)
class GpuPoint:
    """One GPU model at its lowest reliable price. entry: of the ranking."""

    gpu: Gpu
    entry: int
    usd_per_hour: float
    speed: float


def gpu_points(ranking: Ranking) -> tuple[GpuPoint, ...]:
    """Return every GPU model that does the work, at its lowest price among the freshest prices."""
    rows = ranking.rows
    if not len(rows):
        return ()
    tier = ranking.prices.tier[rows]
    freshest = np.flatnonzero(tier == tier.min())
    prices: FloatArray = ranking.costs.usd_per_hour[rows]
    by_price = freshest[np.argsort(prices[freshest], kind="stable")]
    gpus: IntArray = ranking.facts.offers.gpu_index[rows]
    _unique, first = np.unique(gpus[by_price], return_index=True)
    entries = by_price[np.sort(first)]
    speeds = ranking.machines.speed[ranking.facts.offers.shape_index[rows[entries]]]
    columns = zip(entries.tolist(), prices[entries].tolist(), speeds.tolist(), strict=True)
    return tuple(
        GpuPoint(ranking.facts.gpus.rows[gpus[entry]], entry, price, speed) for entry, price, speed in columns
    )


def step_up(page: Page) -> RankedOffer | None:
    """Return the cheapest data-center offer to compare with, where the recommended card is none."""
    ranking, best = page.ranking, page.best
    if ranking is None or best is None or best.gpu.segment == "datacenter":
        return None
    above = [
        point
        for point in gpu_points(ranking)
        if point.gpu.segment == "datacenter" and point.gpu.memory_gb >= 80 and point.speed > best.speed
    ]
    return ranking.offer(min(above, key=lambda point: point.usd_per_hour).entry) if above else None


# --- sentences ---


def card_headline(page: Page) -> str:
    """Return the answer of section 2."""
    ranking, best = page.ranking, page.best
    if ranking is None or best is None:
        return _("No card does this work within your limits")
    copy = gpus_per_copy(page, best)
    if copy > 1:
        several = best.gpu_count * best.instances > copy
        pattern = (
            _("Each copy takes {gpus} working together: {speed}")
            if several
            else _("It takes {gpus} working together: {speed}")
        )
        gpus = f"{decimal(copy)} × {gpu_name(best.gpu)}"
        return pattern.format(gpus=gpus, speed=reader_speed_text(ranking, best.speed))
    return _(CLASS_HEADLINES[best.gpu.segment]).format(
        gpu=gpu_title(best), speed=reader_speed_text(ranking, best.speed)
    )


def card_reason(page: Page) -> str:
    """Return what limits the speed, and how the next class up compares."""
    ranking, best = page.ranking, page.best
    if ranking is None or best is None:
        return _("The needs above rule out every offer; the card on top says which one is nearest.")
    sentences = [_limit_sentence(best)]
    above = step_up(page)
    if above is not None:
        sentences.append(
            _("The {gpu} would be {speed} times as fast at {price} times the price.").format(
                gpu=gpu_title(above),
                speed=factor(above.speed / best.speed),
                price=factor(above.usd_per_hour / best.usd_per_hour),
            )
        )
    elif best.gpu.segment == "datacenter":
        sentences.append(_why_data_center(page, best))
    return " ".join(sentences)


def _limit_sentence(best: RankedOffer) -> str:
    if best.throughput.bound == "bandwidth" and best.throughput.headline.startswith("decode"):
        return _(LIMITS["bandwidth"])
    bound = best.throughput.bound
    if bound == "bandwidth":
        return _("Here reading memory is the limit, so speed follows memory bandwidth.")
    return _(LIMITS[bound]) if bound in LIMITS else ""


def _why_data_center(page: Page, best: RankedOffer) -> str:
    ranking = page.ranking
    assert ranking is not None
    segments = {point.gpu.segment for point in gpu_points(ranking)}
    if "consumer" not in segments and "workstation" not in segments:
        return _("No consumer or workstation card of the catalogue does this work within your limits.")
    return _("Cheaper cards would do too; this one gives more for the money.")


def short_card_answer(page: Page) -> str:
    """Return the answer for the table of contents."""
    best = page.best
    if best is None:
        return _("None within limits")
    copy = gpus_per_copy(page, best)
    return _("{count} GPUs").format(count=decimal(copy)) if copy > 1 else _(CLASS_ANSWERS[best.gpu.segment])


def class_noun(gpu: Gpu) -> str:
    """Return the class of a GPU as a noun, «consumer card»."""
    return _(CLASS_NOUNS[gpu.segment])


# --- charts ---


def price_speed_view(page: Page) -> PriceSpeedView | None:
    """Return one point a GPU model that fits; None where nothing does."""
    ranking, best = page.ranking, page.best
    if ranking is None or best is None:
        return None
    points = gpu_points(ranking)
    named = _named_entries(page, points)
    unit = _(SPEED_UNITS[ranking.unit])
    minimum = page.number("tokens_per_second_per_request") or page.number("images_per_minute") or 0.0
    return PriceSpeedView(
        alt=alt_text(card_headline(page), card_reason(page)),
        numbers=numbers(),
        points=tuple(_point(ranking, point, best, named) for point in points),
        key=(KeyEntry(STACKED, "blue"), KeyEntry(FLAT, "orange")),
        minimum=_minimum(page, minimum),
        x_title=_("{currency} per hour, lowest reliable price").format(currency=currency_symbol()),
        y_title=_("{unit} per reader").format(unit=unit) if isinstance(ranking.work, ServeWork) else unit,
    )


def _minimum(page: Page, least: float) -> Tick | None:
    if not least:
        return None
    is_set = page.is_set("tokens_per_second_per_request") or page.is_set("images_per_minute")
    label = _("your minimum: {speed}") if is_set else _("minimum: {speed}")
    return Tick(least, label.format(speed=short(least)))


def _named_entries(page: Page, points: tuple[GpuPoint, ...]) -> set[str]:
    """Return the GPUs whose label is drawn: the three cards and the comparison of the headline."""
    ranking = page.ranking
    assert ranking is not None
    cards = ranking.cards
    named = [
        ranking.offer(entry).gpu.id for entry in (cards.value, cards.cheapest, cards.fastest) if entry >= 0
    ]
    above = step_up(page)
    if above is not None:
        named.append(above.gpu.id)
    return set(named[:MOST_NAMED])


def _point(ranking: Ranking, point: GpuPoint, best: RankedOffer, named: set[str]) -> PricePoint:
    offer = ranking.facts.offers.rows[int(ranking.rows[point.entry])]
    count = int(ranking.costs.instances[int(ranking.rows[point.entry])]) * offer.gpu_count
    name = gpu_name(point.gpu) if count == 1 else f"{count} × {gpu_name(point.gpu)}"
    return PricePoint(
        label=name,
        usd_per_hour=shown_amount(point.usd_per_hour),
        speed=point.speed * speed_factor(ranking.unit),
        memory_kind=STACKED if point.gpu.is_hbm else FLAT,
        named=point.gpu.id in named,
        chosen=point.gpu.id == best.gpu.id,
        details=(
            ("GPU", name),
            (_("Price"), _("{amount} an hour").format(amount=money(point.usd_per_hour, 2))),
            (_("Speed"), speed_text(ranking, point.speed)),
            (_("Memory"), f"{gb(point.gpu.memory_gb)} {point.gpu.memory_type}"),
            (_("Provider"), ranking.facts.providers[offer.provider].name),
        ),
    )


def bandwidth_pair(page: Page) -> tuple[GpuPoint, GpuPoint] | None:
    """Return two GPUs of nearly the same VRAM that both do the work, HBM first; None where there is no such pair."""
    ranking = page.ranking
    if ranking is None or not len(ranking):
        return None
    singles = [point for point in gpu_points(ranking) if _is_single(ranking, point)]
    pairs = [
        (one, other)
        for one in singles
        for other in singles
        if one.gpu.is_hbm and not other.gpu.is_hbm and 0.8 <= one.gpu.memory_gb / other.gpu.memory_gb <= 1.25
    ]
    best = page.best

    def preference(pair: tuple[GpuPoint, GpuPoint]) -> tuple[bool, float, float]:
        """The recommended card first, then cards near its size, then the faster pair."""
        here = best is not None and best.gpu.id in (pair[0].gpu.id, pair[1].gpu.id)
        size = best.gpu.memory_gb if best is not None else pair[0].gpu.memory_gb
        return here, -abs(pair[0].gpu.memory_gb - size), pair[0].speed

    return max(pairs, key=preference, default=None)


def _is_single(ranking: Ranking, point: GpuPoint) -> bool:
    row = int(ranking.rows[point.entry])
    return ranking.facts.offers.rows[row].gpu_count * int(ranking.costs.instances[row]) == 1


def pair_view(page: Page, pair: tuple[GpuPoint, GpuPoint]) -> BarsView:
    """Return the bars of the pair, with their bandwidth in the labels."""
    ranking = page.ranking
    assert ranking is not None
    bars = tuple(
        Bar(
            label=gpu_name(point.gpu),
            value=point.speed * speed_factor(ranking.unit),
            text=f"{speed_text(ranking, point.speed)} · {_bandwidth(point.gpu)}",
            role="blue" if point.gpu.is_hbm else "orange",
            details=(
                ("GPU", gpu_name(point.gpu)),
                (_("Memory"), f"{gb(point.gpu.memory_gb)} {point.gpu.memory_type}"),
                (_("Bandwidth"), _bandwidth(point.gpu)),
                (_("Speed"), speed_text(ranking, point.speed)),
            ),
        )
        for point in pair
    )
    return BarsView(alt=alt_text(pair_sentence(page, pair)), numbers=numbers(), bars=bars)


def _bandwidth(gpu: Gpu) -> str:
    return with_unit(gpu.memory_bandwidth / GB, "GB/s", 0)


def pair_sentence(page: Page, pair: tuple[GpuPoint, GpuPoint]) -> str:
    """Return what the two memories make of the same VRAM."""
    stacked, flat = pair
    return _(
        "{fast} ({fast_memory}) reads {bandwidth} times as fast as {slow} ({slow_memory}) and works {speed} times "
        "as fast, at {price} times the price."
    ).format(
        fast=gpu_name(stacked.gpu),
        fast_memory=f"{gb(stacked.gpu.memory_gb)} {stacked.gpu.memory_type}",
        slow=gpu_name(flat.gpu),
        slow_memory=f"{gb(flat.gpu.memory_gb)} {flat.gpu.memory_type}",
        bandwidth=factor(stacked.gpu.memory_bandwidth / flat.gpu.memory_bandwidth),
        speed=factor(stacked.speed / flat.speed),
        price=factor(stacked.usd_per_hour / flat.usd_per_hour),
    )


def several_sentence(page: Page) -> str:
    """Return what working on several GPUs costs; empty where one copy stands on one GPU."""
    best = page.best
    if best is None or gpus_per_copy(page, best) < 2:
        return ""
    speed = best.throughput
    if not speed.communication_seconds or not speed.step_seconds:
        return ""
    share = speed.communication_seconds / speed.step_seconds
    return _("Talking over {link} takes {share} of each step; what binds is {bound}.").format(
        link=_link_name(best), share=percent(share), bound=bound_label(speed.bound)
    )


def _link_name(offer: RankedOffer) -> str:
    return format_name(offer.link) if offer.link else "PCIe"
