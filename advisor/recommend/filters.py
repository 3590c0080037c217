"""Which offers a person lets compete. Each refusal has a code; what is unknown never passes a filter."""

from collections.abc import Callable

import numpy as np

from advisor.facts import Facts
from advisor.facts.offers import Offer
from advisor.facts.providers import UNKNOWN_KIND, provider_of
from advisor.recommend.countries import countries_in
from advisor.recommend.prices import COMPETING_BY_DEFAULT
from advisor.units import IntArray
from advisor.workload import Needs

PASSES = 0
FILTER_CODES = (
    "filter-commitment",
    "filter-provider",
    "filter-provider-kind",
    "filter-provider-kind-unknown",
    "filter-region",
    "filter-region-unknown",
    "filter-country",
    "filter-country-unknown",
    "filter-class",
    "filter-gpu-count",
    "filter-link",
    "filter-link-unknown",
)

Check = Callable[[Offer], str]


def filtered_offers(needs: Needs, facts: Facts) -> IntArray:
    """Return, for every offer, 0 where it passes or 1 + the row of `FILTER_CODES` that refuses it [offers]."""
    checks = [check for check in _checks(needs, facts) if check is not None]
    numbers = {code: number for number, code in enumerate(FILTER_CODES, 1)} | {"": PASSES}
    return np.array([numbers[_first_refusal(row, checks)] for row in facts.offers.rows], dtype=np.int64)


def _first_refusal(offer: Offer, checks: list[Check]) -> str:
    for check in checks:
        code = check(offer)
        if code:
            return code
    return ""


def _checks(needs: Needs, facts: Facts) -> list[Check | None]:
    """Return the checks that this question asks for."""
    return [
        _commitment(needs),
        _provider(needs) if needs.providers else None,
        _kind(needs, facts) if needs.provider_kinds else None,
        _region(needs) if needs.regions else None,
        _country(needs) if needs.countries else None,
        _gpu_class(needs, facts) if needs.gpu_classes else None,
        _gpu_count(needs) if needs.max_gpu_count else None,
        _link(needs) if needs.link else None,
    ]


def _commitment(needs: Needs) -> Check:
    allowed = set(needs.commitments or COMPETING_BY_DEFAULT)
    if needs.pricing == "serverless" and not needs.commitments:
        allowed = {"serverless"}
    if needs.pricing in ("reserved", "cheapest") and not needs.commitments:
        allowed |= {"capacity-block"}
    return lambda offer: "" if offer.commitment in allowed else "filter-commitment"


def _provider(needs: Needs) -> Check:
    allowed = {name.lower() for name in needs.providers}
    return lambda offer: "" if offer.provider in allowed else "filter-provider"


def _kind(needs: Needs, facts: Facts) -> Check:
    allowed = set(needs.provider_kinds)

    def check(offer: Offer) -> str:
        kind = provider_of(facts.providers, offer.provider, offer.commitment).kind
        if kind in allowed:
            return ""
        return "filter-provider-kind-unknown" if kind == UNKNOWN_KIND else "filter-provider-kind"

    return check


def _region(needs: Needs) -> Check:
    allowed = {region.lower() for region in needs.regions}

    def check(offer: Offer) -> str:
        if not offer.region:
            return "filter-region-unknown"
        return "" if offer.region.lower() in allowed else "filter-region"

    return check


def _country(needs: Needs) -> Check:
    allowed = countries_in(needs.countries)

    def check(offer: Offer) -> str:
        if not offer.country:
            return "filter-country-unknown"
        return "" if offer.country in allowed else "filter-country"

    return check


def _gpu_class(needs: Needs, facts: Facts) -> Check:
    allowed = set(needs.gpu_classes)
    return lambda offer: "" if facts.gpus[offer.gpu_id].segment in allowed else "filter-class"


def _gpu_count(needs: Needs) -> Check:
    most = needs.max_gpu_count or 0
    return lambda offer: "" if offer.gpu_count <= most else "filter-gpu-count"


def _link(needs: Needs) -> Check:
    def check(offer: Offer) -> str:
        if not offer.link:
            return "filter-link-unknown"
        return "" if offer.link == needs.link else "filter-link"

    return check
