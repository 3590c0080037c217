"""Loading: a damaged row is refused by name and the rest loads."""

import shutil
from pathlib import Path

import pytest

from advisor import AdvisorError, load_facts
from advisor.paths import data_folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    copied = tmp_path / "data"
    shutil.copytree(data_folder(), copied)
    return copied


def replace_in(folder: Path, table: str, old: str, new: str) -> None:
    path = folder / f"{table}.csv"
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def test_the_embedded_catalogue_refuses_nothing() -> None:
    facts = load_facts()
    assert facts.refused == ()
    assert (len(facts.offers), len(facts.gpus.rows)) == (2698, 135)
    assert len(facts.language_models.rows) == 291


def test_a_wrong_cell_is_named_and_the_rest_loads(folder: Path) -> None:
    replace_in(folder, "gpus", ",1008,", ",fast,")
    facts = load_facts(folder)
    assert [error.code for error in facts.refused][:1] == ["bad-cell"]
    assert facts.refused[0].field.startswith("gpus.")
    assert facts.refused[0].field.endswith(".memory_bandwidth_gb_s")
    assert facts.refused[0].values["given"] == "fast"
    assert len(facts.gpus.rows) == 134


def test_offers_of_a_refused_gpu_are_refused_too(folder: Path) -> None:
    replace_in(folder, "gpus", "l40s,", "l40s-renamed,")
    facts = load_facts(folder)
    assert {error.field.rsplit(".", 1)[1] for error in facts.refused} >= {"gpu_id"}
    assert len(facts.offers) < 2698


def test_a_missing_table_says_which(folder: Path) -> None:
    (folder / "providers.csv").unlink()
    with pytest.raises(AdvisorError) as caught:
        load_facts(folder)
    assert (caught.value.code, caught.value.field) == ("missing-table", "providers")


def test_a_missing_column_says_which(folder: Path) -> None:
    replace_in(folder, "providers", "homepage", "web")
    with pytest.raises(AdvisorError) as caught:
        load_facts(folder)
    assert (caught.value.code, caught.value.field) == ("missing-column", "providers.homepage")


def test_the_version_follows_the_offers(folder: Path) -> None:
    replace_in(folder, "offers", "2026-08-22", "2026-08-23")
    assert load_facts(folder).version != load_facts().version


def test_facts_cannot_be_changed() -> None:
    facts = load_facts()
    with pytest.raises(ValueError, match="read-only"):
        facts.offers.on_demand_usd_per_hour[0] = 0.0
