"""Versions of engines as they are written: numbers, dates, builds and names."""

import re

NAMED = "="
"""A row that holds for versions by name writes `=` and what they start with."""

_NUMERIC = re.compile(r"[vb]?(\d+(?:[.\-]\d+)*)")

VersionNumber = tuple[int, ...]


def version_number(version: str) -> VersionNumber | None:
    """Return a version as numbers: `0.6.3.post2`, `2024-05` (a date) or `b6918` (a build); None for a name."""
    found = _NUMERIC.match(version)
    return tuple(int(part) for part in re.split(r"[.\-]", found[1])) if found else None


def holds_since(since: str, version: str) -> bool:
    """Whether a row that holds since a version holds for this one; a version without a number is the newest."""
    if not since:
        return True
    if since.startswith(NAMED):
        return version.startswith(since.removeprefix(NAMED))
    first, given = version_number(since), version_number(version)
    return first is not None and (given is None or given >= first)
