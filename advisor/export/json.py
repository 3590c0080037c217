"""The ranking as JSON in the contract's shape, with the question that it answers."""

import json
import math
from typing import Any

from advisor.recommend import Ranking


def ranking_json(ranking: Ranking, limit: int) -> bytes:
    """Return question and answer, the first `limit` offers, as UTF-8; a figure that is not known is null."""
    content = {
        "question": {"workload": ranking.workload.to_dict(), "needs": ranking.needs.to_dict()},
        **ranking.to_dict(limit),
    }
    return json.dumps(_finite(content), ensure_ascii=False, indent=2, default=str).encode()


def _finite(value: Any) -> Any:
    """Return a value without NaN and infinity, which JSON does not have."""
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
