"""The import: same input, same bytes; wrong rows refused by name; a source that is off leaves nothing."""

import csv
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from advisor.facts.check import check_data
from tests.support.small_tables import SMALL_FACTS, TODAY
from tools.import_facts.__main__ import main
from tools.import_facts.sources import load_registry, sources_of
from tools.import_facts.tables import TABLES, read_table

DAY = ["--today", TODAY.isoformat()]


def import_small(into: Path, *options: str, facts: Path = SMALL_FACTS) -> int:
    return main(["--from", str(facts), "--into", str(into), *DAY, *options])


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def edit_fact(facts: Path, table: str, edit: Callable[[list[dict[str, str]]], list[dict[str, str]]]) -> None:
    """Rewrite one fact table of a copy."""
    read = read_table(facts / f"{table}.csv")
    with (facts / f"{table}.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, read.columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(edit(read.rows))


@pytest.fixture
def facts(tmp_path: Path) -> Path:
    """Return a copy of the small facts that a test may spoil."""
    return Path(shutil.copytree(SMALL_FACTS, tmp_path / "facts"))


def test_two_imports_write_the_same_bytes(tmp_path: Path) -> None:
    assert import_small(tmp_path / "one") == 0
    assert import_small(tmp_path / "two") == 0
    first = files_of(tmp_path / "one")
    assert first == files_of(tmp_path / "two")
    assert sorted(first) == sorted([table.path for table in TABLES] + ["NOTICE.md", "sources.csv"])


def test_order_of_the_facts_does_not_matter_where_it_means_nothing(tmp_path: Path, facts: Path) -> None:
    import_small(tmp_path / "one")
    for table in ("offers", "gpus", "models_llm", "providers"):
        edit_fact(facts, table, lambda rows: rows[::-1])
    import_small(tmp_path / "two", facts=facts)
    assert files_of(tmp_path / "one") == files_of(tmp_path / "two")


def test_order_of_rules_is_kept(tmp_path: Path) -> None:
    import_small(tmp_path)
    assert [row["provider"] for row in read_table(tmp_path / "fabric.csv").rows] == ["aws", "*"]


def test_written_text_is_plain(tmp_path: Path) -> None:
    import_small(tmp_path)
    written = (tmp_path / "offers.csv").read_bytes()
    assert b"\r" not in written
    assert written.endswith(b"\n")
    assert b'"' not in written
    head = "on_demand_usd_per_hour,spot_usd_per_hour,link,link_basis,commitment,source,as_of,source_id"
    assert written.decode("utf-8").splitlines()[0].endswith(head)


def test_written_tables_pass_the_check(tmp_path: Path) -> None:
    import_small(tmp_path)
    assert [one.sentence() for one in check_data(tmp_path, TODAY) if one.refused] == []


def test_dear_spot_offer_is_kept_and_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert import_small(tmp_path, "--strict") == 0
    rows = read_table(tmp_path / "offers.csv").rows
    assert [row["spot_usd_per_hour"] for row in rows if row["instance_type"] == "gpu_1x_h100_pcie"] == ["2.5"]
    assert "«2.5» is above the on-demand price, 2 (kept, doubtful)." in capsys.readouterr().out


def spoil(column: str, value: str) -> Callable[[list[dict[str, str]]], list[dict[str, str]]]:
    """Return an edit that puts a value into one cell of the first row."""

    def edit(rows: list[dict[str, str]]) -> list[dict[str, str]]:
        rows[0][column] = value
        return rows

    return edit


def test_wrong_row_is_refused_by_name_and_the_rest_is_written(
    tmp_path: Path, facts: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit_fact(facts, "offers", spoil("on_demand_usd_per_hour", "free"))
    assert import_small(tmp_path / "data", facts=facts) == 0
    said = capsys.readouterr().out
    assert "«runpod/1xRTX-4090-community//rtx-4090», on_demand_usd_per_hour = «free» is not a number" in said
    assert "1 findings refuse a row" in said
    assert [row["provider"] for row in read_table(tmp_path / "data" / "offers.csv").rows] == [
        "aws",
        "aws",
        "lambda",
        "lambda",
    ]


def test_strict_import_writes_nothing_when_a_row_is_refused(tmp_path: Path, facts: Path) -> None:
    edit_fact(facts, "offers", spoil("on_demand_usd_per_hour", "-1"))
    assert import_small(tmp_path / "data", "--strict", facts=facts) == 1
    assert not (tmp_path / "data").exists()


def test_rows_orphaned_by_a_refusal_are_refused_too(tmp_path: Path, facts: Path) -> None:
    edit_fact(facts, "gpus", spoil("memory_bandwidth_gb_s", "3.35"))
    assert import_small(tmp_path / "data", facts=facts) == 0
    folder = tmp_path / "data"
    assert "h100-sxm-80gb" not in [row["id"] for row in read_table(folder / "gpus.csv").rows]
    assert {row["gpu_id"] for row in read_table(folder / "offers.csv").rows} == {"h100-pcie-80gb", "rtx-4090"}
    assert read_table(folder / "evidence/comms.csv").rows == []
    assert not [one for one in check_data(folder, TODAY) if one.refused]


def test_table_without_a_column_stops_the_import(
    tmp_path: Path, facts: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head, rest = (facts / "gpus.csv").read_text(encoding="utf-8").split("\n", 1)
    (facts / "gpus.csv").write_text(head.replace("tdp_w", "watts") + "\n" + rest, encoding="utf-8")
    assert import_small(tmp_path / "data", facts=facts) == 1
    assert "Nothing was written: gpus.csv: has no column «tdp_w»" in capsys.readouterr().err
    assert not (tmp_path / "data").exists()


def test_missing_fact_table_stops_the_import(tmp_path: Path, facts: Path) -> None:
    (facts / "offers.csv").unlink()
    assert import_small(tmp_path / "data", facts=facts) == 1
    assert not (tmp_path / "data").exists()


def test_date_after_the_day_of_import_is_refused(tmp_path: Path) -> None:
    main(["--from", str(SMALL_FACTS), "--into", str(tmp_path), "--today", "2026-08-21"])
    assert {row["as_of"] for row in read_table(tmp_path / "offers.csv").rows} == {"2026-07-05", ""}


def test_source_that_is_off_leaves_nothing_behind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert import_small(tmp_path, "--without", "gpurentalprices", "--strict") == 0
    assert "offers: 2 rows of gpurentalprices left out, as asked." in capsys.readouterr().out
    rows = read_table(tmp_path / "offers.csv").rows
    assert [row["source_id"] for row in rows] == ["aws-pricing-landscape"] * 2 + ["skypilot-catalog"]
    for path, written in files_of(tmp_path).items():
        assert b"gpurentalprices" not in written, path
        assert b"gpu-rental-prices" not in written, path


def test_several_sources_can_be_off(tmp_path: Path) -> None:
    import_small(tmp_path, "--without", "gpurentalprices", "--without", "skypilot-catalog")
    assert {row["source_id"] for row in read_table(tmp_path / "offers.csv").rows} == {"aws-pricing-landscape"}


def test_unknown_source_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert import_small(tmp_path / "data", "--without", "gpurentalprice") == 1
    assert "unknown source: gpurentalprice" in capsys.readouterr().err
    assert not (tmp_path / "data").exists()


def test_notice_names_licence_link_duty_and_rows(tmp_path: Path) -> None:
    import_small(tmp_path)
    notice = (tmp_path / "NOTICE.md").read_text(encoding="utf-8")
    shown = notice.split("## To be shown with the data")[1].split("## Sources")[0]
    assert "GPU rental price data by gpurentalprices.com (https://gpurentalprices.com)" in shown
    assert "CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/)" in shown
    assert "MLCommons" in shown
    section = notice.split("### gpurentalprices.com")[1].split("###")[0]
    assert "- Licence: CC BY 4.0\n- Link: <https://gpurentalprices.com>\n" in section
    assert "- Rows: `offers.csv` 2\n" in section
    assert "Permission is hereby granted, free of charge" in notice


def test_source_table_holds_the_sources_that_gave_rows(tmp_path: Path) -> None:
    import_small(tmp_path)
    rows = {row["id"]: row for row in read_table(tmp_path / "sources.csv").rows}
    assert rows["gpurentalprices"]["licence"] == "CC BY 4.0"
    assert rows["gpurentalprices"]["url"] == "https://gpurentalprices.com"
    assert "karpenter-azure" not in rows


@pytest.mark.parametrize(
    ("table", "text", "ids"),
    [
        (
            "offers",
            "shape: skypilot-org/skypilot-catalog catalogs/v8/verda/vms.csv@0; price: 2 x per-GPU price in "
            "adriannutiu/gpu-rental-prices data/latest.json",
            ("gpurentalprices", "skypilot-catalog"),
        ),
        (
            "offers",
            "skypilot-org/skypilot-catalog catalogs/v9/lambda/vms.csv@0 (undated copy; per-GPU prices agree "
            "with the 2026-08-22 gpurentalprices snapshot)",
            ("skypilot-catalog",),
        ),
        ("aws_spot_advisor", "", ("spotinfo",)),
        ("throughput_mlperf_check", "", ("mlcommons",)),
        ("providers", "docs.lambda.ai/public-cloud/billing", ("named-in-row",)),
        ("fabric", "unverified: general knowledge", ("general-knowledge",)),
    ],
)
def test_sources_of_a_row(table: str, text: str, ids: tuple[str, ...]) -> None:
    assert sources_of(table, {"source": text}, load_registry()) == ids


def test_registry_is_sound() -> None:
    registry = load_registry()
    ids = [source.id for source in registry]
    assert len(ids) == len(set(ids))
    assert all(source.title and source.licence and source.attribution and source.taken for source in registry)
    assert all(source.url.startswith("https://") for source in registry if source.url)
    names = {table.name for table in TABLES}
    assert {name for source in registry for name in source.tables} <= names
