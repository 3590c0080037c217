"""Tables of coefficients: the most special row holds; a wrong cell is refused by name."""

from pathlib import Path

import numpy as np
import pytest

from advisor import AdvisorError, Facts
from advisor.facts.coefficients import CoefficientTable, load_coefficients, numbered

HEAD = "quantity,engine,kind,since,gpu,value,start,basis,cases,source\n"
ROWS = """share,*,*,,*,0.5,0.5,prior,0,a
share,*,*,,hopper,0.6,0.5,prior,0,a
share,*,*,,h20*,0.7,0.5,prior,0,a
share,fast,*,,*,0.8,0.5,fitted,4,a
share,fast,*,2.0,*,0.9,0.5,fitted,4,a
share,fast,*,=nightly,*,0.95,0.5,fitted,4,a
share,fast,moe,,*,0.3,0.5,fitted,4,a
fixed_us,*,*,,*,10,10,prior,0,a
"""


def table_of(facts: Facts, folder: Path, rows: str) -> tuple[CoefficientTable, list[AdvisorError]]:
    (folder / "shares.csv").write_text(HEAD + rows, encoding="utf-8")
    keys = ("engine", "kind")
    return load_coefficients(folder, "shares", ("share", "fixed_us"), keys, facts.gpus, facts.families)


@pytest.mark.parametrize(
    ("engine", "kind", "version", "gpu", "share"),
    [
        ("slow", "dense", "", "a100-sxm-80gb", 0.5),
        ("slow", "dense", "", "h100-sxm-80gb", 0.6),
        ("slow", "dense", "", "h20-96gb", 0.7),
        ("fast", "dense", "1.9", "h20-96gb", 0.8),
        ("fast", "dense", "fast-engine 2.0.1", "h20-96gb", 0.9),
        ("fast", "dense", "", "h20-96gb", 0.9),
        ("fast", "dense", "nightly", "h20-96gb", 0.95),
        ("fast", "moe", "2.5", "h20-96gb", 0.3),
    ],
)
def test_the_most_special_row_holds(
    facts: Facts, tmp_path: Path, engine: str, kind: str, version: str, gpu: str, share: float
) -> None:
    table, refused = table_of(facts, tmp_path, ROWS)
    assert refused == []
    gpu_index = facts.gpus.index_of[gpu]
    assert table.columns((engine, kind), version)[:, gpu_index].tolist() == [share, 10.0]
    row = table.rows[table.decisive_index("share", (engine, kind), version, gpu_index)]
    assert row.value == share


def test_columns_are_made_once_and_cannot_be_changed(facts: Facts, tmp_path: Path) -> None:
    table, _ = table_of(facts, tmp_path, ROWS)
    columns = table.columns(("slow", "dense"), "")
    assert columns.shape == (2, len(facts.gpus.rows))
    assert table.columns(("slow", "dense"), "") is columns
    with pytest.raises(ValueError, match="read-only"):
        columns[0, 0] = 1.0


def test_a_quantity_without_a_row_is_named(facts: Facts, tmp_path: Path) -> None:
    table, _ = table_of(facts, tmp_path, "share,*,*,,*,0.5,0.5,prior,0,a\n")
    with pytest.raises(AdvisorError, match=r"missing-table: shares\.fixed_us"):
        table.columns(("slow", "dense"), "")
    with pytest.raises(AdvisorError, match=r"missing-table: shares\.fixed_us"):
        table.decisive_index("fixed_us", ("slow", "dense"), "", 0)


@pytest.mark.parametrize(
    ("row", "column"),
    [
        ("speed,*,*,,*,0.5,0.5,prior,0,a", "quantity"),
        ("share,*,*,,*,half,0.5,prior,0,a", "value"),
        ("share,*,*,,*,-1,0.5,prior,0,a", "value"),
        ("share,*,*,,*,0.5,0.5,guess,0,a", "basis"),
    ],
)
def test_a_wrong_cell_is_refused_by_name(facts: Facts, tmp_path: Path, row: str, column: str) -> None:
    table, refused = table_of(facts, tmp_path, ROWS + row + "\n")
    assert len(table.rows) == 8
    assert [error.field.split(".")[-1] for error in refused] == [column]


def test_a_row_of_an_unknown_family_is_named(facts: Facts, tmp_path: Path) -> None:
    table, refused = table_of(facts, tmp_path, ROWS + "share,fast,*,,hoper,0.5,0.5,prior,0,a\n")
    assert len(table.rows) == 8
    assert [error.field for error in refused] == ["shares.share/fast/*//hoper.gpu"]


@pytest.mark.parametrize(
    ("version", "number"),
    [
        ("megatron-bridge 26.04.01", "26.04.01"),
        ("2025-01 torch.compile", "2025-01"),
        ("sdpa", "sdpa"),
        ("", ""),
    ],
)
def test_a_version_is_known_by_its_number(version: str, number: str) -> None:
    assert numbered(version) == number


def test_every_engine_of_training_and_media_has_figures_on_every_known_card(facts: Facts) -> None:
    every = np.arange(len(facts.gpus.rows))
    for engine in facts.engines.rows.values():
        names = (engine.id, engine.profile)
        for method, kind in (("full", "dense"), ("lora", "moe"), ("qlora", "hybrid")):
            training = facts.training_speed.reached(names, (method, kind, "16bit", "eager"), "", every)
            assert (training.matrix_share > 0).all()
        for backbone in ("unet", "dit"):
            media = facts.media_speed.reached(names, (backbone, "any", "compiled"), "", every)
            assert (media.matrix_share > 0).all()
