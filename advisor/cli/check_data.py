"""`python -m advisor check-data`: the full check of the tables, for whoever edits them."""

import argparse
import dataclasses
import datetime
from pathlib import Path

from advisor.cli.parsers import Commands, add_command, add_today
from advisor.cli.streams import wants_table, write_json
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


def add_parser(commands: Commands) -> None:
    """Add the command."""
    parser = add_command(commands, "check-data", "the full check of the data tables", DESCRIPTION, EXAMPLES)
    parser.add_argument("folder", nargs="?", type=Path, help="folder of tables (the product's own)")
    add_today(parser, "the day after which no date may lie")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> bool:
    """Check the tables; returns whether a row was refused."""
    today = options.today or datetime.date.today()
    findings = check_data(options.folder or data_folder(), today)
    refused = sum(finding.refused for finding in findings)
    if wants_table(options):
        for finding in findings:
            write(finding.sentence())
        write(f"{len(schemas(today))} tables checked: {refused} refused, {len(findings) - refused} doubtful.")
    else:
        for finding in findings:
            write_json(dataclasses.asdict(finding))
    return refused > 0
