"""`python -m advisor check-data`: the full check of the tables, for whoever edits them."""

import argparse
import dataclasses
import datetime
from pathlib import Path

from advisor.cli.streams import add_output_arguments, write_json
from advisor.cli.tables import write
from advisor.facts.check import check_data, schemas
from advisor.paths import data_folder

DESCRIPTION = """\
Check every row of the data tables: columns, cells, keys, ids that must exist in another table, prices, dates, units.

Each finding names the table, the line, the row and the cell. A refused row would be left out when the tables are loaded
and makes the exit status 1; a doubtful one is kept.
"""

EXAMPLES = """\
examples:
  python -m advisor check-data
  python -m advisor check-data path/to/other/tables
  python -m advisor check-data --json | jq -r 'select(.refused) | .key'
"""


def add_parsers(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = commands.add_parser(
        "check-data",
        help="the full check of the data tables",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", nargs="?", type=Path, help="folder of tables (the product's own)")
    parser.add_argument(
        "--today",
        type=datetime.date.fromisoformat,
        default=None,
        metavar="YYYY-MM-DD",
        help="the day after which no date may lie (today)",
    )
    add_output_arguments(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> bool:
    """Check the tables; returns whether a row was refused. Sentences, unless JSON is asked for."""
    today = options.today or datetime.date.today()
    findings = check_data(options.folder or data_folder(), today)
    refused = sum(finding.refused for finding in findings)
    if options.json:
        for finding in findings:
            write_json(dataclasses.asdict(finding))
        return refused > 0
    for finding in findings:
        write(finding.sentence())
    write(f"{len(schemas(today))} tables checked: {refused} refused, {len(findings) - refused} doubtful.")
    return refused > 0
