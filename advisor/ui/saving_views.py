"""Which single change would save most, as rows of text."""

import datetime
from dataclasses import dataclass
from functools import lru_cache

from advisor.facts import Facts
from advisor.savings import Saving, savings
from advisor.ui.context import Page
from advisor.ui.formatting import money
from advisor.ui.offer_views import gpu_title
from advisor.ui.rankings import ranking_of
from advisor.ui.requests import Request
from advisor.ui.sentences import sentence


@dataclass(frozen=True, slots=True)
class SavingRow:
    """One change: what, what it saves, and what would then be recommended."""

    change: str
    saving: str
    total: str
    offer: str


@lru_cache(maxsize=64)
def _savings(request: Request, facts: Facts, today: datetime.date) -> tuple[Saving, ...]:
    return savings(ranking_of(request, facts, today), today, request.deployment)


def saving_rows(page: Page) -> tuple[SavingRow, ...]:
    """Return the changes, the largest saving first; each costs one more ranking."""
    return tuple(_row(found) for found in _savings(page.request, page.facts, page.today))


def _row(found: Saving) -> SavingRow:
    change = sentence(found.message)
    return SavingRow(
        change=change[:1].upper() + change[1:],
        saving=money(found.saving_usd),
        total=money(found.offer.total_usd),
        offer=f"{gpu_title(found.offer)} · {found.offer.provider_name}",
    )
