"""The command line of the import."""

import argparse
import datetime
import sys
from collections.abc import Sequence
from pathlib import Path

from tools.import_facts.building import Catalogue, build_catalogue
from tools.import_facts.notice import notice_text
from tools.import_facts.sources import load_registry
from tools.import_facts.tables import write_table


def main(arguments: Sequence[str] | None = None) -> int:
    """Import the facts; returns 1 when nothing could be written, or under --strict when a row is refused."""
    options = _parser().parse_args(arguments)
    registry = load_registry(options.sources) if options.sources else load_registry()
    try:
        catalogue = build_catalogue(options.facts, registry, options.without, options.today)
    except (ValueError, FileNotFoundError) as error:
        print(f"Nothing was written: {error}", file=sys.stderr)
        return 1
    _report(catalogue)
    if options.strict and catalogue.refused:
        print("Nothing was written: --strict.", file=sys.stderr)
        return 1
    for path, table in catalogue.tables.items():
        write_table(options.into / path, table.columns, table.rows)
    (options.into / "NOTICE.md").write_text(
        notice_text(registry, catalogue.taken), encoding="utf-8", newline="\n"
    )
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tools.import_facts",
        description="Turn collected fact tables into the tables of the product. Same input, same bytes.",
    )
    parser.add_argument("--from", dest="facts", type=Path, required=True, help="folder of the fact tables")
    parser.add_argument("--into", type=Path, default=Path("data"), help="folder to write (default: data)")
    parser.add_argument(
        "--without",
        action="append",
        default=[],
        metavar="ID",
        help="leave out every row of this source; repeatable",
    )
    parser.add_argument(
        "--sources", type=Path, help="another registry of sources than the one beside this program"
    )
    parser.add_argument(
        "--today",
        type=datetime.date.fromisoformat,
        default=datetime.datetime.now(datetime.UTC).date(),
        help="no date in the facts may lie after this one (default: today, UTC)",
    )
    parser.add_argument("--strict", action="store_true", help="write nothing when a row is refused")
    return parser


def _report(catalogue: Catalogue) -> None:
    for finding in catalogue.findings:
        print(finding.sentence())
    for (source, table), count in sorted(catalogue.left_out.items()):
        print(f"{table}: {count} rows of {source} left out, as asked.")
    rows = sum(len(table.rows) for table in catalogue.tables.values())
    doubtful = len(catalogue.findings) - len(catalogue.refused)
    print(f"{rows} rows, {len(catalogue.refused)} findings refuse a row, {doubtful} are doubtful and kept.")


if __name__ == "__main__":
    sys.exit(main())
