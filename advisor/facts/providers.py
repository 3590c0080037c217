"""The providers: kind, billing, storage, egress, spot terms; blank where nothing was read."""

import math
from dataclasses import dataclass
from pathlib import Path

from advisor.errors import AdvisorError
from advisor.facts.table import Row, parse_rows, read_rows

UNKNOWN_KIND = "unknown"


@dataclass(frozen=True, slots=True, eq=False)
class Provider:
    """One provider. NaN and empty mean unknown, never free.

    minimum_charge_seconds, spot_notice_seconds [s]; egress_usd_per_gb; egress_free_gb [GB/month];
    *_storage_usd_per_gb_month; reserved_*_discount: share of the on-demand price, 0 to 1.
    """

    id: str
    name: str
    homepage: str
    facts_known: bool
    variant_of: str
    kind: str
    billing_granularity: str
    minimum_charge_seconds: float
    can_stop_and_keep_disk: bool | None
    stopped_charge: str
    spot_name: str
    spot_interruptible: bool | None
    spot_notice_seconds: float
    max_spot_duration_hours: float
    egress_usd_per_gb: float
    egress_free_gb: float
    persistent_storage_usd_per_gb_month: float
    object_storage_usd_per_gb_month: float
    reserved_1y_discount: float
    reserved_3y_discount: float
    compliance_notes: str
    docs_url: str
    source: str
    as_of: str
    unverified_fields: str
    notes: str


def load_providers(folder: Path) -> tuple[dict[str, Provider], list[AdvisorError]]:
    """Read `providers.csv`; returns the providers by id and the refused rows."""
    rows, refused = parse_rows(read_rows(folder, "providers", "provider"), _parse_provider)
    return {row.id: row for row in rows}, refused


def provider_of(providers: dict[str, Provider], provider: str, commitment: str) -> Provider:
    """Return the provider whose terms an offer has: a community row follows the community variant."""
    if commitment == "community" and f"{provider}-community" in providers:
        return providers[f"{provider}-community"]
    return providers[provider]


def _figure(row: Row, column: str) -> float:
    """Return a figure; «unlimited» is infinite, and terms that are only described in words are unknown (NaN)."""
    cell = row.text(column)
    if cell.startswith("unlimited"):
        return math.inf
    try:
        return float(cell)
    except ValueError:
        return math.nan


def _tri_state(row: Row, column: str) -> bool | None:
    return row.flag(column) if row.text(column) else None


def _parse_provider(row: Row) -> Provider:
    kind = row.text("kind")
    return Provider(
        id=row.text("provider"),
        name=row.text("display_name"),
        homepage=row.text("homepage"),
        facts_known=row.flag("facts_known"),
        variant_of=row.text("variant_of"),
        kind=kind if kind in ("hyperscaler", "neocloud", "marketplace") else UNKNOWN_KIND,
        billing_granularity=row.text("billing_granularity"),
        minimum_charge_seconds=row.number("minimum_charge_seconds"),
        can_stop_and_keep_disk=_tri_state(row, "can_stop_and_keep_disk"),
        stopped_charge=row.text("stopped_charge"),
        spot_name=row.text("spot_name"),
        spot_interruptible=_tri_state(row, "spot_interruptible"),
        spot_notice_seconds=row.number("spot_notice_seconds"),
        max_spot_duration_hours=row.number("max_spot_duration_h"),
        egress_usd_per_gb=_figure(row, "egress_usd_per_gb"),
        egress_free_gb=_figure(row, "egress_free_gb"),
        persistent_storage_usd_per_gb_month=_figure(row, "persistent_storage_usd_per_gb_month"),
        object_storage_usd_per_gb_month=_figure(row, "object_storage_usd_per_gb_month"),
        reserved_1y_discount=_figure(row, "reserved_1y_discount_pct") / 100,
        reserved_3y_discount=_figure(row, "reserved_3y_discount_pct") / 100,
        compliance_notes=row.text("compliance_notes"),
        docs_url=row.text("docs_url"),
        source=row.text("source"),
        as_of=row.text("as_of"),
        unverified_fields=row.text("unverified_fields"),
        notes=row.text("notes"),
    )
