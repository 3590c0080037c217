"""The checks of the evidence tables against the accelerators, and of their quantiles."""

from collections.abc import Iterator

from advisor.facts.checks.findings import CheckedTables, Finding
from advisor.facts.checks.gpus import out_of_order

QUANTILES = {
    "training_mfu": ("mfu_p10", "mfu_median", "mfu_p90"),
    "training_mfu_trends": ("mfu_min", "mfu_median", "mfu_max"),
    "image_video_fraction_by_family": ("p10", "median", "p90"),
    "throughput_decode_fraction": ("low", "median", "high"),
}


def check_evidence(tables: CheckedTables) -> Iterator[Finding]:
    """Yield evidence about unknown accelerators, and quantiles that do not rise."""
    gpus = tables.ids("gpus", "id")
    for table in ("efficiency", "comms"):
        for row in tables.rows(table):
            if row.text("gpu_id") not in gpus:
                yield row.refuse("gpu_id", "is not in the accelerator table")
    for table, columns in QUANTILES.items():
        for row in tables.rows(table):
            yield from out_of_order(row, columns)
