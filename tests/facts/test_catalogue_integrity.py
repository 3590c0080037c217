"""The shipped catalogue: what it holds, that it joins, and that the full check refuses nothing."""

import csv
import datetime
import re
from collections import Counter
from pathlib import Path

import pytest

from advisor.facts.check import Finding, check_data
from advisor.paths import data_folder
from tools.import_facts.tables import TABLES

IMPORTED_ON = datetime.date(2026, 12, 1)

Rows = list[dict[str, str]]


def rows_of(table: str) -> Rows:
    with (data_folder() / f"{table}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def offers() -> Rows:
    return rows_of("offers")


@pytest.fixture(scope="module")
def findings() -> tuple[Finding, ...]:
    return check_data(data_folder(), IMPORTED_ON)


def test_full_check_refuses_nothing(findings: tuple[Finding, ...]) -> None:
    assert [one.sentence() for one in findings if one.refused] == []


def test_doubts_about_prices_and_memory_are_the_known_ones(findings: tuple[Finding, ...]) -> None:
    doubts = [(one.key, one.column) for one in findings if one.table == "offers"]
    assert doubts == [
        ("dataoorts/1xA100-PCIe-80GB//a100-pcie-80gb", "spot_usd_per_hour"),
        ("spheron/1xL40S//l40s", "spot_usd_per_hour"),
        ("aws/u-p6e-gb200x36-capacity-block/us-east-1-dfw-2a/gb200", "gpu_memory_gb"),
        ("azure/Standard_NV28adms_V710_v5/australiaeast/radeon-pro-v710", "gpu_memory_gb"),
    ]


def test_doubts_about_caches_are_the_known_ones(findings: tuple[Finding, ...]) -> None:
    doubts = [one.key for one in findings if one.column == "kv_bytes_per_token_sliding_bf16"]
    assert doubts == ["dots3-note-preview-288b-a17b", "inkling-975b-a41b", "mimo-v2-flash-309b-a15b"]


@pytest.mark.parametrize(
    ("table", "count"),
    [
        ("offers", 2_698),
        ("gpus", 135),
        ("gpu_ambiguous", 36),
        ("gpu_efficiency", 26),
        ("models_llm", 291),
        ("models_diffusion", 57),
        ("models_audio", 48),
        ("formats", 54),
        ("gguf_blocks", 26),
        ("gguf_mixing", 62),
        ("providers", 62),
        ("fabric", 20),
        ("spot_observations", 879),
        ("aws_spot_advisor", 1_428),
        ("glossary", 95),
        ("evidence/efficiency", 630),
        ("evidence/comms", 395),
    ],
)
def test_rows_of_each_table(table: str, count: int) -> None:
    assert len(rows_of(table)) == count


def test_every_imported_table_is_there() -> None:
    assert [table.path for table in TABLES if not (data_folder() / table.path).is_file()] == []


def test_every_offer_joins(offers: Rows) -> None:
    gpus = {row["id"] for row in rows_of("gpus")}
    providers = {row["provider"] for row in rows_of("providers")}
    sources = {row["id"] for row in rows_of("sources")}
    assert {row["gpu_id"] for row in offers} <= gpus
    assert {row["provider"] for row in offers} <= providers
    assert {source for row in offers for source in row["source_id"].split(";")} <= sources


def test_expected_providers_rent(offers: Rows) -> None:
    counts = Counter(row["provider"] for row in offers)
    assert len(counts) == 54
    large = {"aws": 854, "azure": 565, "gcp": 483, "runpod": 76, "vast": 71, "cudo": 60, "oci": 57}
    assert {provider: counts[provider] for provider in large} == large
    for provider in ("lambda", "nebius", "verda", "ovh", "scaleway", "seeweb", "hyperstack", "coreweave"):
        assert counts[provider] > 0, provider


def test_expected_accelerators_are_rented(offers: Rows) -> None:
    rented = {row["gpu_id"] for row in offers}
    expected = {
        "h100-sxm-80gb",
        "h200-sxm-141gb",
        "b200-sxm-180gb",
        "a100-sxm-80gb",
        "l40s",
        "l4",
        "rtx-4090",
    }
    assert expected | {"rtx-5090", "mi300x", "t4"} <= rented


def test_commitments_and_dates(offers: Rows) -> None:
    assert Counter(row["commitment"] for row in offers) == {
        "on-demand": 2_378,
        "marketplace": 125,
        "capacity-block": 63,
        "serverless": 51,
        "secure": 51,
        "community": 30,
    }
    assert sum(not row["as_of"] for row in offers) == 406
    assert max(row["as_of"] for row in offers) == "2026-08-22"


def test_rows_under_cc_by_name_their_source(offers: Rows) -> None:
    named = [row for row in offers if "gpurentalprices" in row["source_id"].split(";")]
    assert len(named) == 304
    assert all("adriannutiu/gpu-rental-prices" in row["source"] for row in named)
    notice = (data_folder() / "NOTICE.md").read_text(encoding="utf-8")
    assert "https://gpurentalprices.com" in notice
    assert "https://creativecommons.org/licenses/by/4.0/" in notice
    assert "- Rows: `offers.csv` 304\n" in notice


def test_links_are_https() -> None:
    tables = sorted(data_folder().rglob("*.csv"))
    assert [path.name for path in tables if "http://" in path.read_text(encoding="utf-8")] == []
    for row in rows_of("providers"):
        for link in (row["homepage"], row["docs_url"]):
            assert not link or re.fullmatch(r"https://[a-z0-9.-]+(/\S*)?", link), link


def test_every_source_has_a_licence_and_a_credit() -> None:
    for row in rows_of("sources"):
        assert row["licence"], row["id"]
        assert row["attribution"], row["id"]
        assert not row["url"] or row["url"].startswith("https://"), row["id"]


def test_tables_are_plain_text() -> None:
    for path in Path(data_folder()).rglob("*.csv"):
        written = path.read_bytes()
        assert b"\r" not in written, path.name
        assert written.endswith(b"\n"), path.name
        assert not written.startswith(b"\xef\xbb\xbf"), path.name


def test_shapes_that_everything_rests_on() -> None:
    models = {row["id"]: row for row in rows_of("models_llm")}
    assert models["llama-3.1-8b"]["params_total"] == "8030261248"
    assert models["llama-3.1-8b"]["kv_bytes_per_token_full_bf16"] == "131072"
    assert models["deepseek-v3"]["kv_bytes_per_token_full_bf16"] == "70272"
    gemma = models["gemma-3-27b"]
    assert gemma["kv_bytes_per_token_full_bf16"] == "81920"
    assert gemma["kv_bytes_per_token_sliding_bf16"] == "425984"
