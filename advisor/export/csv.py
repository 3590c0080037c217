"""The ranking as comma-separated values, safe to open in a spreadsheet."""

import csv
import io

from advisor.recommend import RankedOffer, Ranking

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
"""A cell that begins so would be run as a formula; text of providers is untrusted."""

COLUMNS = (
    "provider",
    "provider_name",
    "instance_type",
    "gpu",
    "gpu_count",
    "instances",
    "memory_gb",
    "memory_type",
    "region",
    "country",
    "other_regions",
    "pricing",
    "usd_per_hour",
    "total_usd",
    "hours",
    "unit",
    "usd_per_unit",
    "usd_per_unit_full_load",
    "cost_low",
    "cost_high",
    "needed_gib",
    "budget_gib",
    "speed",
    "weights",
    "engine",
    "link",
    "price_as_of",
    "stale",
    "price_is_floor",
    "price_source",
    "provider_url",
)


def ranking_csv(ranking: Ranking, limit: int) -> bytes:
    """Return the first `limit` offers, best first, as UTF-8 with a mark that spreadsheets recognise."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for entry in range(min(limit, len(ranking))):
        writer.writerow([safe_cell(value) for value in _cells(ranking.offer(entry))])
    return text.getvalue().encode("utf-8-sig")


def safe_cell(value: object) -> object:
    """Return a cell that no spreadsheet takes for a formula; numbers stay numbers."""
    if value is None:
        return ""
    if isinstance(value, str) and value.startswith(FORMULA_STARTS):
        return "'" + value
    return value


def _cells(offer: RankedOffer) -> list[object]:
    outside = {
        "gpu": offer.gpu.id,
        "memory_gb": offer.gpu.memory_gb,
        "memory_type": offer.gpu.memory_type,
        "needed_gib": offer.memory.needed_gib,
        "budget_gib": offer.memory.budget_gib,
        "price_as_of": offer.price_as_of.isoformat() if offer.price_as_of else None,
    }
    return [outside[name] if name in outside else getattr(offer, name) for name in COLUMNS]
