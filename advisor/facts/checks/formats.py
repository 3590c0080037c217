"""The checks of weight formats, block types and engines against each other."""

import fnmatch
from collections.abc import Iterator

from advisor.facts.checks.findings import CheckedRow, CheckedTables, Finding

NATIVE = "native"
"""Stands for the format a model is published in; no row of the format table."""

ROUNDED_BITS = 0.01


def check_formats(tables: CheckedTables) -> Iterator[Finding]:
    """Yield what is wrong with the formats, the GGUF rules and the engine tables."""
    yield from _check_blocks(tables)
    yield from _check_engines(tables)
    yield from _check_intervals(tables)


def _check_blocks(tables: CheckedTables) -> Iterator[Finding]:
    """A GGUF format is as wide as the block type in its name; the mixing rules name known block types."""
    bits = {
        row.text("block_type").lower(): row.number("bits_per_weight") for row in tables.rows("gguf_blocks")
    }
    for row in tables.rows("formats"):
        block = row.text("id").removeprefix("gguf-")
        width, expected = row.number("bits_per_quantized_weight"), bits.get(block)
        if row.text("id").startswith("gguf-") and width and expected and abs(width - expected) > ROUNDED_BITS:
            yield row.refuse("bits_per_quantized_weight", f"is not the width of {block}, {expected:g} bits")
    for row in tables.rows("gguf_mixing"):
        if row.text("block_type").lower() not in bits:
            yield row.refuse("block_type", "is not in the table of block types")


def _check_engines(tables: CheckedTables) -> Iterator[Finding]:
    engines = tables.ids("engines", "id")
    formats = tables.ids("formats", "id") | {NATIVE}
    for row in tables.rows("engines"):
        if row.text("profile") and row.text("profile") not in engines:
            yield row.refuse("profile", "is not in the engine table")
        yield from _check_patterns(row, "formats", formats)
        yield from _check_patterns(row, "unsupported_on", formats)
    for row in tables.rows("engine_defaults"):
        if row.text("engine") not in engines:
            yield row.refuse("engine", "is not in the engine table")
    for row in tables.rows("format_support"):
        yield from _check_patterns(row, "formats", formats)


def _check_patterns(row: CheckedRow, column: str, formats: frozenset[str]) -> Iterator[Finding]:
    """Each part of a cell, `pattern` or `vendor:pattern`, fits a format."""
    for part in row.words(column):
        pattern = part.rpartition(":")[2]
        if not fnmatch.filter(formats, pattern):
            yield row.refuse(column, f"names «{pattern}», which fits no format")


def _check_intervals(tables: CheckedTables) -> Iterator[Finding]:
    """An interval holds the estimate itself, and every table of them has a root for groups without one."""
    for table in ("memory_intervals", "speed_intervals"):
        rows = tables.rows(table)
        for row in rows:
            low, high = row.number("low_factor"), row.number("high_factor")
            if low and high and not low <= 1 <= high:
                yield row.doubt("low_factor", f"to {high:g} does not hold the estimate itself")
        if rows and "*" not in tables.ids(table, "group"):
            yield Finding(table, "", "", "", "has no group «*»")
