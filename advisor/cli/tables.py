"""Plain text tables for a terminal."""

import sys
from collections.abc import Sequence

GAP = "  "
DASH = "–"
LINE_LENGTH = 110


def write(text: str = "") -> None:
    """Write one line for a person."""
    sys.stdout.write(text.rstrip() + "\n")


def write_table(heads: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[str] = ()) -> None:
    """Write rows under their heads, columns as wide as they need; right: heads of the columns aligned right."""
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    for row in (heads, ["-" * width for width in widths], *rows):
        cells = [
            cell.rjust(width) if head in right else cell.ljust(width)
            for head, cell, width in zip(heads, row, widths, strict=True)
        ]
        write(GAP.join(cells))


def write_assumed(head: str, assumed: Sequence[str]) -> None:
    """Write what was assumed in lines of readable length."""
    line = head
    for text in assumed:
        if len(line) + len(text) > LINE_LENGTH:
            write(line)
            line = "  "
        line += f"{text}; "
    write(line.rstrip("; "))
