"""A catalogue of a few rows that is sound in every cell, for tests that damage one of them.

`small_facts/` holds it as the import takes it; `small_content` as the check takes it.
"""

import csv
import datetime
from pathlib import Path

from advisor.facts.check import Content, schemas
from advisor.facts.engine_memory import ENGINE_CONSTANTS
from advisor.facts.speed import SERVING_QUANTITIES
from advisor.facts.training_memory import TRAINING_CONSTANTS

SMALL_FACTS = Path(__file__).with_name("small_facts")
TODAY = datetime.date(2026, 12, 1)

_HAND_KEPT: dict[str, list[dict[str, str]]] = {
    "engines": [
        {
            "id": "vllm",
            "name": "vLLM",
            "profile": "",
            "tasks": "serve",
            "vendors": "NVIDIA;AMD",
            "minimum_compute_capability": "7.0",
            "formats": "bf16;fp8",
            "unsupported_on": "AMD:nf4",
            "source": "documentation of the engine",
        }
    ],
    "engine_defaults": [{"task": "serve", "method": "*", "formats": "*", "vendor": "*", "engine": "vllm"}],
    "format_support": [
        {
            "formats": "fp8",
            "vendor": "NVIDIA",
            "minimum_compute_capability": "8.0",
            "native_from": "8.9",
            "source": "documentation of the vendor",
        }
    ],
    "memory_intervals": [{"group": "*", "low_factor": "0.8", "high_factor": "1.25", "cases": "8"}],
    "speed_intervals": [{"group": "*", "low_factor": "0.6", "high_factor": "1.6", "cases": "8"}],
    "training_memory": [
        {
            "profile": "*",
            "constant": constant,
            "value": "1",
            "start": "1",
            "basis": "stated",
            "source": "a made-up engine",
        }
        for constant in TRAINING_CONSTANTS
    ],
    "engine_memory": [
        {
            "profile": "*",
            "since": "",
            "constant": constant,
            "value": "1",
            "start": "1",
            "basis": "stated",
            "source": "a made-up engine",
        }
        for constant in ENGINE_CONSTANTS
    ],
    "gpu_families": [
        {
            "gpu_id": "rtx-4090",
            "family": "ada-geforce",
            "bandwidth_fraction": "0.84",
            "gemm_16bit_fraction": "1",
            "gemm_fp8_fraction": "0.6",
            "gemm_fp4_fraction": "0.6",
            "allreduce_2_gpus_gb_per_second": "12",
            "allreduce_4_gpus_gb_per_second": "",
            "allreduce_8_gpus_gb_per_second": "",
            "allreduce_over": "pcie",
            "assumed_16bit_tflops": "",
            "source": "a made-up measurement",
        }
    ],
    "speed_serving": [
        {
            "quantity": quantity,
            "engine": "*",
            "width": "*",
            "since": "",
            "gpu": "*",
            "value": "1",
            "start": "1",
            "basis": "prior",
            "cases": "0",
            "source": "a made-up engine",
        }
        for quantity in SERVING_QUANTITIES
    ],
    "sources": [
        {
            "id": "price-list",
            "title": "A price list",
            "licence": "CC BY 4.0",
            "url": "https://prices.example.org",
            "attribution": "Prices by prices.example.org",
        }
    ],
}


def small_content() -> dict[str, Content]:
    """Return the tables of the small catalogue by name, each row fresh, so that a test may change it."""
    content: dict[str, Content] = {}
    for table in schemas(TODAY):
        if table in _HAND_KEPT:
            rows = [dict(row) for row in _HAND_KEPT[table]]
        else:
            rows = _read_fact("quantization" if table == "formats" else table)
        if table == "offers":
            rows = [{**row, "source_id": "price-list"} for row in rows]
        content[table] = (tuple(rows[0]), rows)
    return content


def _read_fact(table: str) -> list[dict[str, str]]:
    with (SMALL_FACTS / f"{table}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write_content(folder: Path, content: dict[str, Content]) -> None:
    """Write tables where `check_data` looks for them."""
    known = schemas(TODAY)
    for table, (columns, rows) in content.items():
        path = folder / known[table].folder / f"{table}.csv"
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, columns, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
