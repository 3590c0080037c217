"""Where the money goes: the bill of each card by parts, and the largest one in a sentence."""

from advisor.recommend import RankedOffer, Ranking
from advisor.ui.chart_texts import alt_text, numbers
from advisor.ui.chart_views import CostBar, CostPart, CostView, KeyEntry, Role
from advisor.ui.context import Page
from advisor.ui.formatting import listed, money, percent, shown_amount
from advisor.ui.language import _
from advisor.ui.offer_views import gpu_title
from advisor.wording import N_

PART_LABELS = {
    "compute": N_("In use"),
    "idle": N_("Idle"),
    "interruptions": N_("Interruptions"),
    "storage": N_("Storage"),
    "egress": N_("Traffic out"),
}
PART_PHRASES = {
    "compute": N_("{amount} for hours in use"),
    "idle": N_("{amount} for idle hours"),
    "interruptions": N_("{amount} for interruptions"),
    "storage": N_("{amount} for storage"),
    "egress": N_("{amount} for traffic out"),
}
PART_ROLES: dict[str, Role] = {
    "compute": "blue",
    "idle": "grey",
    "interruptions": "ink",
    "storage": "orange",
    "egress": "green",
}
LEAST_NAMED_USD = 0.005
"""Smaller parts do not show in cents."""


def card_offers(ranking: Ranking) -> tuple[RankedOffer, ...]:
    """Return the offers of the three cards, each once."""
    cards = ranking.cards
    entries = dict.fromkeys(entry for entry in (cards.value, cards.cheapest, cards.fastest) if entry >= 0)
    return tuple(ranking.offer(entry) for entry in entries)


def cost_sentence(page: Page) -> str:
    """Return what the recommended offer's money pays for, and which parts are not known."""
    best = page.best
    if best is None or not best.total_usd:
        return ""
    parts = {part: usd for part, usd in best.cost_parts.items() if usd >= LEAST_NAMED_USD}
    idle = parts.get("idle", 0.0)
    # Cents for every part, so that they visibly add up.
    digits = 2
    texts = [_(PART_PHRASES[part]).format(amount=money(usd, digits)) for part, usd in parts.items()]
    sentences = [_("Of {total}: {parts}.").format(total=money(best.total_usd, digits), parts=listed(texts))]
    if idle > 0.3 * best.total_usd:
        sentences.append(
            _(
                "Switching the machine off while nothing runs would save up to {amount}, {share} of it."
            ).format(share=percent(idle / best.total_usd), amount=money(idle))
        )
    if best.unknown_parts:
        unknown = listed([_(PART_LABELS[part]) for part in best.unknown_parts])
        sentences.append(
            _("Not known at {provider}, and not free: {parts}.").format(
                provider=best.provider_name, parts=unknown
            )
        )
    return " ".join(sentences)


def cost_view(page: Page) -> CostView | None:
    """Return the bills of the cards; None where nothing fits."""
    ranking = page.ranking
    if ranking is None or page.best is None:
        return None
    offers = card_offers(ranking)
    used = [part for part in PART_LABELS if any(offer.cost_parts.get(part, 0.0) > 0 for offer in offers)]
    return CostView(
        alt=alt_text(cost_sentence(page)),
        numbers=numbers(),
        bars=tuple(_bar(offer, label, used) for offer, label in zip(offers, _labels(offers), strict=True)),
        key=tuple(KeyEntry(_(PART_LABELS[part]), PART_ROLES[part]) for part in used),
    )


def _labels(offers: tuple[RankedOffer, ...]) -> list[str]:
    """Return the names of the bars: the GPU, or the provider where two offers have the same GPU."""
    titles = [gpu_title(offer) for offer in offers]
    same = len(set(titles)) < len(titles)
    return [f"{offer.provider_name}" if same else title for offer, title in zip(offers, titles, strict=True)]


def _bar(offer: RankedOffer, label: str, used: list[str]) -> CostBar:
    parts = tuple(
        CostPart(
            PART_ROLES[part],
            shown_amount(offer.cost_parts.get(part, 0.0)),
            (
                ("GPU", gpu_title(offer)),
                (_("Part"), _(PART_LABELS[part])),
                (_("Amount"), money(offer.cost_parts.get(part, 0.0))),
            ),
        )
        for part in used
    )
    return CostBar(label, parts, money(offer.total_usd))
