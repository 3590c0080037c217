"""What the lists of models and of GPUs share: searched by words, shown as a table with a count."""

import argparse
from collections.abc import Iterable, Sequence

from advisor.cli.parsers import Commands, add_command
from advisor.cli.tables import write, write_table
from advisor.facts.names import folded


def add_list(
    commands: Commands, name: str, summary: str, description: str, examples: str
) -> argparse.ArgumentParser:
    """Add the command of a list that words search, and return its parser."""
    parser = add_command(commands, name, summary, description, examples)
    parser.add_argument("words", nargs="*", metavar="WORD", help="parts of a name; all must occur")
    return parser


def has_words(names: Iterable[str], words: Sequence[str]) -> bool:
    """Return whether every word is part of one of the names."""
    text = " ".join(map(folded, names))
    return all(folded(word) in text for word in words)


def write_found(heads: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[str], noun: str) -> None:
    """Write the rows that were found and how many they are."""
    if rows:
        write_table(heads, rows, right)
        write()
    write(f"{len(rows):,} {noun}{'' if len(rows) == 1 else 's'}.")
