"""Which rows of a table hold for a version of an engine."""

import pytest

from advisor.facts.versions import holds_since, version_number


@pytest.mark.parametrize(
    ("version", "number"),
    [
        ("0.6.3.post2", (0, 6, 3)),
        ("2024-05", (2024, 5)),
        ("b6918", (6918,)),
        ("v1.0", (1, 0)),
        ("ollama", None),
        ("", None),
    ],
)
def test_versions_are_numbers_dates_builds_or_names(version: str, number: tuple[int, ...] | None) -> None:
    assert version_number(version) == number


@pytest.mark.parametrize(
    ("since", "version", "holds"),
    [
        ("", "0.6.1", True),
        ("0.17", "0.17", True),
        ("0.17", "1.0", True),
        ("0.17", "0.9.0", False),
        ("b2900", "2024-05", False),
        ("b2900", "b6918", True),
        # Without a version, or with a name, the newest holds.
        ("1.0", "", True),
        ("1.0", "nightly", True),
        ("=ollama", "ollama", True),
        ("=ollama", "b6918", False),
        ("=mlperf", "mlperf-inference-v4.1", True),
    ],
)
def test_a_row_holds_from_its_first_version_on(since: str, version: str, holds: bool) -> None:
    assert holds_since(since, version) is holds
