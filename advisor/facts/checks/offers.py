"""The checks of offers, providers, networks, spot evidence, terms and sources against each other."""

from collections.abc import Iterator

from advisor.facts.checks.findings import CheckedRow, CheckedTables, Finding
from advisor.facts.checks.gpus import out_of_order, unknown_parts
from advisor.facts.checks.offer_columns import ADVISOR_LABELS

MEMORY_TOLERANCE = 0.02
"""Share by which a listed memory may differ from the accelerator table before it is doubtful."""


def check_offers(tables: CheckedTables) -> Iterator[Finding]:
    """Yield what is wrong with the offers and with the tables about who rents them out and how."""
    yield from _check_offer_rows(tables)
    yield from _check_listed_memory(tables)
    yield from _check_regions(tables)
    yield from _check_providers(tables)
    yield from _check_fabric(tables)
    yield from _check_spot_evidence(tables)


def _check_offer_rows(tables: CheckedTables) -> Iterator[Finding]:
    gpus = tables.ids("gpus", "id")
    providers, sources = tables.ids("providers", "provider"), tables.ids("sources", "id")
    for row in tables.rows("offers"):
        yield from _check_prices(row)
        yield from _check_link(row)
        if row.text("provider") not in providers:
            yield row.refuse("provider", "is not in the provider table")
        if "sources" in tables:
            yield from unknown_parts(row, "source_id", sources, "the source table")
        if row.text("gpu_id") not in gpus:
            yield row.refuse("gpu_id", "is not in the accelerator table")


def _check_prices(row: CheckedRow) -> Iterator[Finding]:
    """An offer has a price. Spot above on demand is kept: both were quoted, each for its own question.

    Asked for on-demand, the row ranks by a sound price; asked for spot, it is the dear offer that it is.
    To drop it would hide a price that a person can be charged.
    """
    on_demand, spot = row.number("on_demand_usd_per_hour"), row.number("spot_usd_per_hour")
    if not row.text("on_demand_usd_per_hour") and not row.text("spot_usd_per_hour"):
        yield row.refuse("on_demand_usd_per_hour", "is empty, and so is the spot price")
    if on_demand is not None and spot is not None and spot > on_demand:
        yield row.doubt("spot_usd_per_hour", f"is above the on-demand price, {on_demand:g}")


def _check_link(row: CheckedRow) -> Iterator[Finding]:
    if bool(row.text("link")) != bool(row.text("link_basis")):
        yield row.refuse("link_basis", f"does not fit link = «{row.text('link')}»: both are known or neither")


def _check_listed_memory(tables: CheckedTables) -> Iterator[Finding]:
    """The memory a provider lists is that of the accelerator; named once for each accelerator and figure."""
    named = {row.text("id"): row.number("memory_gb") for row in tables.rows("gpus")}
    listed_as: dict[tuple[str, float], list[CheckedRow]] = {}
    for row in tables.rows("offers"):
        listed, known = row.number("gpu_memory_gb"), named.get(row.text("gpu_id"))
        if listed and known and abs(listed / known - 1) > MEMORY_TOLERANCE:
            listed_as.setdefault((row.text("gpu_id"), known), []).append(row)
    for (gpu_id, known), rows in listed_as.items():
        yield rows[0].doubt(
            "gpu_memory_gb", f"differs from the {known:g} GB of {gpu_id}, in {len(rows)} offers"
        )


def _check_regions(tables: CheckedTables) -> Iterator[Finding]:
    """One region of one provider lies in one country."""
    country_of: dict[tuple[str, str], str] = {}
    for row in tables.rows("offers"):
        region = (row.text("provider"), row.text("region"))
        if not all(region):
            continue
        country = country_of.setdefault(region, row.text("country"))
        if country != row.text("country"):
            yield row.refuse(
                "country", f"differs from «{country}», the country of {region[1]} in an earlier row"
            )


def _check_providers(tables: CheckedTables) -> Iterator[Finding]:
    known = tables.ids("providers", "provider")
    for row in tables.rows("providers"):
        if row.text("variant_of") and row.text("variant_of") not in known:
            yield row.refuse("variant_of", "is not in the provider table")
        if row.text("facts_known") == "true" and not row.text("source"):
            yield row.refuse("source", "is empty although facts_known = true")
        yield from out_of_order(row, ["reserved_1y_discount_pct", "reserved_3y_discount_pct"])


def _check_fabric(tables: CheckedTables) -> Iterator[Finding]:
    """Every rule points at known providers and accelerators, and the last one fits everything."""
    rows = tables.rows("fabric")
    providers, gpus = tables.ids("providers", "provider") | {"*"}, tables.ids("gpus", "id")
    for row in rows:
        if row.text("provider") not in providers:
            yield row.refuse("provider", "is not in the provider table")
        yield from unknown_parts(row, "gpu_ids", gpus, "the accelerator table")
    if rows and (rows[-1].text("match"), rows[-1].text("provider"), rows[-1].text("gpu_ids")) != (
        "*",
        "*",
        "",
    ):
        yield Finding("fabric", "", "", "", "does not end in a rule that fits every offer")


def _check_spot_evidence(tables: CheckedTables) -> Iterator[Finding]:
    gpus = tables.ids("gpus", "id") | {""}
    label_of = {str(bucket): label for bucket, label in enumerate(ADVISOR_LABELS)}
    for table in ("spot_observations", "aws_spot_advisor"):
        for row in tables.rows(table):
            if row.text("gpu_id") not in gpus:
                yield row.refuse("gpu_id", "is not in the accelerator table")
    for row in tables.rows("spot_observations"):
        yield from out_of_order(row, ["p_low", "p_high"])
        yield from out_of_order(row, ["hazard_per_h_low", "hazard_per_h_high"])
    for row in tables.rows("aws_spot_advisor"):
        if row.text("bucket") in label_of and row.text("label") != label_of[row.text("bucket")]:
            yield row.refuse("label", f"is not the label of bucket {row.text('bucket')}")
