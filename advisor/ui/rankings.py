"""Rankings of this process: bounded, shared by all visitors, the same in every language."""

import datetime
import functools

from advisor.facts import Facts
from advisor.recommend import Ranking, rank
from advisor.ui.requests import Request

MOST_KEPT = 256


@functools.lru_cache(maxsize=MOST_KEPT)
def ranking_of(request: Request, facts: Facts, today: datetime.date) -> Ranking:
    """Return the ranking of a question; facts compare by version, so a refresh asks again. Raises AdvisorError."""
    return rank(request.workload, request.needs, facts, today, request.deployment)
