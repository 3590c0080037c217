"""The columns of the tables on offers, providers, networks and spot, of the glossary and of the sources."""

import datetime

from advisor.facts.checks.cells import (
    above_zero,
    any_text,
    date,
    each,
    https,
    number,
    one_of,
    partial_date,
    pattern,
    slug,
    whole,
)
from advisor.facts.checks.countries import country
from advisor.facts.checks.hardware_columns import LINKS
from advisor.facts.checks.schema import Schema

_TRUE_FALSE = one_of("true", "false")
_USD_PER_HOUR = above_zero(100_000)
_USD_PER_GB = number(0, 10)
_SECONDS = whole(0, 365 * 86_400)
_SHARE = number(0, 1)
COMMITMENTS = ("on-demand", "capacity-block", "serverless", "marketplace", "community", "secure")


def offer_schemas(today: datetime.date) -> dict[str, Schema]:
    """Return the schemas of these tables by name."""
    return {
        "providers": _providers(today),
        "offers": _offers(today),
        "fabric": _fabric(),
        "spot_observations": _spot_observations(),
        "aws_spot_advisor": _aws_spot_advisor(today),
        "glossary": _glossary(),
        "sources": _sources(),
    }


def _providers(today: datetime.date) -> Schema:
    return Schema(
        key=("provider",),
        required={"provider": slug, "display_name": any_text, "facts_known": _TRUE_FALSE},
        optional={
            **dict.fromkeys(("homepage", "docs_url"), https),
            "variant_of": slug,
            **dict.fromkeys(
                ("stopped_charge", "spot_name", "ingress", "regions", "compliance_notes"), any_text
            ),
            **dict.fromkeys(("can_stop_and_keep_disk", "spot_interruptible"), _TRUE_FALSE),
            "minimum_charge_seconds": _SECONDS,
            "spot_notice_seconds": whole(0, 86_400),
            "max_spot_duration_h": above_zero(10_000),
            **dict.fromkeys(("source", "unverified_fields", "notes"), any_text),
        },
        described={
            "kind": one_of("hyperscaler", "neocloud", "marketplace"),
            "billing_granularity": one_of("per second", "per minute", "per hour", "inherits provider"),
            "egress_usd_per_gb": _USD_PER_GB,
            "egress_free_gb": pattern(r"unlimited|\d+(\.\d+)?", "an amount or «unlimited»"),
            "persistent_storage_usd_per_gb_month": _USD_PER_GB,
            "object_storage_usd_per_gb_month": _USD_PER_GB,
            "reserved_1y_discount_pct": number(0, 95),
            "reserved_3y_discount_pct": number(0, 95),
            "as_of": partial_date(today),
        },
    )


def _offers(today: datetime.date) -> Schema:
    return Schema(
        key=("provider", "instance_type", "region", "gpu_id"),
        required={
            "provider": slug,
            "instance_type": any_text,
            "gpu_id": slug,
            "gpu_as_listed": any_text,
            "form_factor_stated": _TRUE_FALSE,
            "gpu_count": whole(1, 1_000),
            "commitment": one_of(*COMMITMENTS),
            "source": any_text,
        },
        optional={
            "gpu_memory_gb": above_zero(2_000),
            "vcpus": above_zero(10_000),
            "memory_gb": above_zero(100_000),
            "region": any_text,
            "country": country,
            "on_demand_usd_per_hour": _USD_PER_HOUR,
            "spot_usd_per_hour": _USD_PER_HOUR,
            "link": one_of(*LINKS),
            "link_basis": one_of("by accelerator rule", "stated"),
            "as_of": date(today),
            "source_id": each(slug),
        },
    )


def _fabric() -> Schema:
    return Schema(
        key=("provider", "match"),
        required={
            "match": any_text,
            "provider": pattern(r"\*|[a-z0-9.-]+", "a provider or «*»"),
            "fabric": one_of("infiniband", "efa", "roce", "ethernet", "unknown"),
            "gbit_per_s_per_node": number(1, 100_000),
            "source": any_text,
        },
        optional={"gpu_ids": each(slug), "note": any_text},
    )


def _spot_observations() -> Schema:
    hours = number(0, 10**6)
    return Schema(
        key=("kind", "provider", "instance_type", "region_or_zone", "observed", "label"),
        required={
            "kind": one_of(
                "spot_advisor_bucket",
                "vendor_band",
                "research_fact",
                "trace_availability",
                "trace_availability_16node",
                "trace_cluster",
                "trace_preemption",
                "trace_preemption_4node",
            ),
            "provider": pattern(r"[a-z]+(\+[a-z]+)*", "one provider or several joined by «+»"),
            "source": any_text,
        },
        optional={
            "gpu_id": slug,
            **dict.fromkeys(
                ("gpu", "instance_type", "region_or_zone", "observed", "label", "notes"), any_text
            ),
            "gpus_per_instance": whole(0, 100),
            **dict.fromkeys(("p_low", "p_high", "availability"), _SHARE),
            "p_unit": one_of("per month", "per day", "per hour"),
            **dict.fromkeys(("hazard_per_h_low", "hazard_per_h_high"), number(0, 100)),
            **dict.fromkeys(("median_up_h", "max_up_h", "mean_down_h"), hours),
            "mean_up_h": pattern(r"\d+(\.\d+)?( \(preempted nodes\))?", "hours, or hours of preempted nodes"),
            "up_hours": pattern(r"\d+(\.\d+)?( node-h)?", "hours or node-hours"),
            "interruptions": whole(0, 10**6),
            "savings_pct": number(-100, 100),
        },
        unique=False,
    )


ADVISOR_LABELS = ("<5%", "5-10%", "10-15%", "15-20%", ">20%")


def _aws_spot_advisor(today: datetime.date) -> Schema:
    return Schema(
        key=("region", "os", "instance_type"),
        required={
            "provider": one_of("aws"),
            "region": slug,
            "os": one_of("Linux", "Windows"),
            "instance_type": any_text,
            "gpu": any_text,
            "bucket": whole(0, len(ADVISOR_LABELS) - 1),
            "label": one_of(*ADVISOR_LABELS),
            "savings_pct": number(-100, 100),
            "as_of": date(today),
        },
        optional={"gpu_id": slug},
    )


def _glossary() -> Schema:
    return Schema(("en",), dict.fromkeys(("en", "pt_BR", "it"), any_text), {"note": any_text})


def _sources() -> Schema:
    return Schema(
        key=("id",),
        required={"id": slug, "title": any_text, "licence": any_text, "attribution": any_text},
        optional={"url": https},
    )
