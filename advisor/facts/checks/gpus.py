"""The checks of the accelerator tables: names, memory, rates, and the tables that point at them."""

import itertools
from collections.abc import Iterator, Sequence

from advisor.facts.checks.findings import CheckedRow, CheckedTables, Finding
from advisor.facts.checks.hardware_columns import EFFICIENCY_RANGES
from advisor.facts.names import folded

ROUNDING = 1.005
"""The tables round memory to two decimals of a GiB, and rates to three or four digits."""

LEAST_ALLOCATABLE_SHARE = 0.85
"""A process gets at least this share of the memory on the name: an «8 GB» P4 with ECC gives 6.93 of 8."""

PRECISIONS = (
    ("bf16", "bf16_dense_tflops"),
    ("fp8", "fp8_dense_tflops"),
    ("int8", "int8_dense_tops"),
    ("fp4", "fp4_dense_tflops"),
)
NARROWER = (("bf16_dense_tflops", "fp8_dense_tflops"), ("fp8_dense_tflops", "fp4_dense_tflops"))
HIGHEST_GAIN = 4.0
"""Most that a narrower number has gained on a chip (Trainium3, BF16 to FP8); sparse figures exceed it."""


def check_gpus(tables: CheckedTables) -> Iterator[Finding]:
    """Yield what is wrong with the accelerators, their ambiguous names and their efficiencies."""
    for row in tables.rows("gpus"):
        yield from _check_memory(row)
        yield from _check_rates(row)
    yield from _check_names(tables)
    yield from _check_ambiguous(tables)
    yield from _check_efficiencies(tables)


def _check_memory(row: CheckedRow) -> Iterator[Finding]:
    """A process gets no more than the driver shows, and the driver shows no more GiB than the name says GB.

    The name is no size: cards sold as «80 GB» hold 79.6 GiB, which is more than 80 decimal GB.
    """
    named, allocatable = row.number("memory_gb"), row.number("memory_gib_allocatable")
    usable = row.number("memory_gib_usable")
    if named is None or allocatable is None:
        return
    if usable is not None and usable > named * ROUNDING:
        yield row.refuse("memory_gib_usable", f"is more than the {named:g} GB on the name")
    if allocatable > (usable or named):
        yield row.refuse("memory_gib_allocatable", f"is more than the {usable or named:g} GiB of the card")
    if allocatable < named * LEAST_ALLOCATABLE_SHARE:
        yield row.refuse(
            "memory_gib_allocatable", f"is less than {LEAST_ALLOCATABLE_SHARE:.0%} of {named:g} GB"
        )


def _check_rates(row: CheckedRow) -> Iterator[Finding]:
    """A narrower number is never slower and gains a limited factor; without support there is no rate."""
    for wider, narrower in NARROWER:
        rates = row.numbers((wider, narrower))
        if rates and not rates[0] / ROUNDING <= rates[1] <= rates[0] * HIGHEST_GAIN:
            yield row.refuse(
                narrower, f"does not fit {wider} = {rates[0]:g}; is one of them a sparse figure?"
            )
    for precision, rate in PRECISIONS:
        if row.text(f"supports_{precision}") == "no" and row.text(rate):
            yield row.doubt(rate, f"is not used, because supports_{precision} = no")


def _check_names(tables: CheckedTables) -> Iterator[Finding]:
    """Ids, names and aliases are unique over the table, compared as people write them."""
    ambiguous = {folded(row.text("alias")): row.text("alias") for row in tables.rows("gpu_ambiguous")}
    owner: dict[str, str] = {}
    for row in tables.rows("gpus"):
        for name in (row.text("id"), row.text("name"), *row.words("aliases")):
            holder = owner.setdefault(folded(name), row.text("id"))
            if holder != row.text("id"):
                yield row.refuse("aliases", f"holds «{name}», a name of {holder} already")
            if folded(name) in ambiguous:
                yield row.doubt(
                    "aliases",
                    f"holds «{name}», read like the ambiguous «{ambiguous[folded(name)]}», which wins",
                )


def _check_ambiguous(tables: CheckedTables) -> Iterator[Finding]:
    known = tables.ids("gpus", "id")
    meaning: dict[str, tuple[str, str]] = {}
    for row in tables.rows("gpu_ambiguous"):
        candidates = row.words("candidate_ids")
        yield from unknown_parts(row, "candidate_ids", known, "the accelerator table")
        if row.text("assume_id") not in candidates:
            yield row.refuse("assume_id", "is none of the candidates")
        if len(candidates) < 2:
            yield row.refuse("candidate_ids", "names fewer than two candidates")
        own = (row.text("candidate_ids"), row.text("assume_id"))
        if meaning.setdefault(folded(row.text("alias")), own) != own:
            yield row.refuse("alias", "is read like an earlier alias with another meaning")


def _check_efficiencies(tables: CheckedTables) -> Iterator[Finding]:
    known = tables.ids("gpus", "id")
    family_of: dict[str, str] = {}
    for row in tables.rows("gpu_efficiency"):
        yield from unknown_parts(row, "gpu_ids", known, "the accelerator table")
        for gpu_id in row.words("gpu_ids"):
            if family_of.setdefault(gpu_id, row.key) != row.key:
                yield row.refuse(
                    "gpu_ids", f"holds {gpu_id}, which is in the family {family_of[gpu_id]} already"
                )
        for name in EFFICIENCY_RANGES:
            yield from out_of_order(row, [f"{name}_{bound}" for bound in ("low", "typ", "high")])


def unknown_parts(row: CheckedRow, column: str, known: frozenset[str], where: str) -> Iterator[Finding]:
    """Yield a finding for each part of a cell that another table does not hold."""
    for part in row.words(column):
        if part not in known:
            yield row.refuse(column, f"names «{part}», which is not in {where}")


def out_of_order(row: CheckedRow, columns: Sequence[str]) -> Iterator[Finding]:
    """Yield a finding when the known ones of these cells do not rise from the first to the last."""
    known = [(column, value) for column in columns if (value := row.number(column)) is not None]
    for (lower, low), (higher, high) in itertools.pairwise(known):
        if low > high:
            yield row.refuse(higher, f"is less than {lower} = {low:g}")
