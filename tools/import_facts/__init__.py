"""Turns collected fact tables into `data/`: picks, renames, checks every row, counts what each source gave.

Same input, same bytes. See `python -m tools.import_facts --help`.
"""
