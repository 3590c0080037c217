"""How commands are declared: help with examples, files of questions, the choice of output, the day."""

import argparse
import datetime
from pathlib import Path
from typing import TypeAlias

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def add_command(
    commands: Commands,
    name: str,
    summary: str,
    description: str,
    examples: str,
) -> argparse.ArgumentParser:
    """Add a command with the choice of output and return its parser; the texts keep their lines."""
    parser = commands.add_parser(
        name,
        help=summary,
        description=description,
        epilog=examples,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    output = parser.add_mutually_exclusive_group()
    output.add_argument(
        "--json", action="store_true", help="write JSON lines (the default into a file or pipe)"
    )
    output.add_argument(
        "--table", action="store_true", help="write a readable table (the default on a terminal)"
    )
    return parser


def add_files(parser: argparse.ArgumentParser) -> None:
    """Add the files of questions."""
    parser.add_argument(
        "files", nargs="*", type=Path, metavar="FILE", help="files of questions; standard input without any"
    )


def add_today(parser: argparse.ArgumentParser, meaning: str) -> None:
    """Add the day that stands for today."""
    parser.add_argument(
        "--today", type=datetime.date.fromisoformat, metavar="YYYY-MM-DD", help=f"{meaning} (today)"
    )
