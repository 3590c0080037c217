"""`make bench`: every measurement of the product, or those that are named: `python -m benchmarks ranking`."""

import argparse
import importlib

PARTS = ("ranking", "page")
"""Modules of this package whose `main` prints what it measured, in the order of the report."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure the product.")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"any of: {', '.join(PARTS)}")
    parts = parser.parse_args().parts or PARTS
    unknown = set(parts) - set(PARTS)
    if unknown:
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    for part in parts:
        print(f"== {part}")
        importlib.import_module(f"benchmarks.{part}").main()


if __name__ == "__main__":
    main()
