"""Which fact table becomes which file of `data/`, and in which order its rows stand."""

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from advisor.facts.checks.evidence_columns import EVIDENCE

Cells = dict[str, str]
"""One row: column name to text, as in the file."""


@dataclass(frozen=True, slots=True)
class ImportedTable:
    """One table of `data/`.

    name: of the file in `data/`, without folder; fact: of the file it is made from, where another;
    key: columns to sort by, all columns when empty; keeps_order: the order of the rows carries meaning
    (the first rule that matches wins), so they stay as they are; at_run_time: whether the product reads it.
    """

    name: str
    key: tuple[str, ...] = ()
    fact: str = ""
    keeps_order: bool = False
    at_run_time: bool = True

    @property
    def fact_file(self) -> str:
        """Return the name of the file this table is made from."""
        return f"{self.fact or self.name}.csv"

    @property
    def path(self) -> str:
        """Return the path of the table under `data/`."""
        return f"{self.name}.csv" if self.at_run_time else f"{EVIDENCE}/{self.name}.csv"


def _evidence(name: str) -> ImportedTable:
    return ImportedTable(name, at_run_time=False)


OFFER_KEY = ("provider", "instance_type", "region", "gpu_id")

TABLES: tuple[ImportedTable, ...] = (
    ImportedTable("gpus", ("id",)),
    ImportedTable("gpu_ambiguous", ("alias",)),
    ImportedTable("gpu_efficiency", ("family",)),
    ImportedTable("models_llm", ("id",)),
    ImportedTable("models_diffusion", ("id",)),
    ImportedTable("models_audio", ("id",)),
    ImportedTable("formats", ("id",), fact="quantization"),
    ImportedTable("gguf_blocks", ("block_type",)),
    ImportedTable("gguf_mixing", keeps_order=True),
    ImportedTable("providers", ("provider",)),
    ImportedTable("offers", OFFER_KEY),
    ImportedTable("fabric", keeps_order=True),
    ImportedTable("spot_observations"),
    ImportedTable("aws_spot_advisor", ("region", "os", "instance_type")),
    ImportedTable("glossary", ("en",)),
    _evidence("efficiency"),
    _evidence("comms"),
    _evidence("gguf_checks"),
    _evidence("training_mfu"),
    _evidence("training_mfu_trends"),
    _evidence("image_video_fraction"),
    _evidence("image_video_fraction_by_family"),
    _evidence("throughput_batched_fit"),
    _evidence("throughput_decode_fit"),
    _evidence("throughput_decode_fraction"),
    _evidence("throughput_decode_fraction_by_gpu"),
    _evidence("throughput_prefill"),
    _evidence("throughput_mlperf_check"),
    _evidence("spot_deadline_simulation"),
)


@dataclass(slots=True)
class Table:
    """The rows of one table with the columns of its head."""

    columns: tuple[str, ...]
    rows: list[Cells]


def read_table(path: Path) -> Table:
    """Read a CSV file; every cell is text, an empty one means unknown."""
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        return Table(tuple(reader.fieldnames or ()), list(reader))


def in_order(table: ImportedTable, columns: Sequence[str], rows: Iterable[Cells]) -> list[Cells]:
    """Return the rows in the order in which the table is written."""
    if table.keeps_order:
        return list(rows)
    first = table.key or tuple(columns)
    return sorted(
        rows, key=lambda row: ([row[column] for column in first], [row[column] for column in columns])
    )


def write_table(path: Path, columns: Sequence[str], rows: Iterable[Cells]) -> None:
    """Write a table: UTF-8, one head line, line feeds, quotes only where needed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
