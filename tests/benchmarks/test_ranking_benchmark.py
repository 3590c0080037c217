"""The benchmark of the ranking measures what it says it measures."""

import importlib
from collections.abc import Callable

from advisor import Facts
from benchmarks import ranking


def test_ten_thousand_deployments_are_evaluated_at_once(facts: Facts) -> None:
    machines = ranking.many_machines(facts)
    assert len(machines) == 10_000
    assert set(machines.gpu_count.tolist()) == set(range(1, 9))
    assert set(machines.gpu_index.tolist()) == set(range(len(facts.gpus.rows)))


def test_the_filter_beside_sees_every_offer(facts: Facts) -> None:
    gpuhunt = importlib.import_module("gpuhunt")
    items = ranking.gpuhunt_items(facts, gpuhunt)
    assert len(items) == len(facts.offers) == 2698
    large = [item for item in items if gpuhunt.matches(item, gpuhunt.QueryFilter(min_total_gpu_memory=80.0))]
    expected = [row for row in facts.offers.rows if row.gpu_count * facts.gpus[row.gpu_id].memory_gb >= 80]
    assert len(large) == len(expected)


def test_rounds_are_taken_in_turn_and_the_first_does_not_count() -> None:
    order: list[str] = []
    works: dict[str, Callable[[], object]] = {
        "one": lambda: order.append("one"),
        "two": lambda: order.append("two"),
    }
    timings = ranking.timed_in_turn(works, rounds=2)
    assert order == ["one", "two"] * 3
    assert [timing.name for timing in timings] == ["one", "two"]
    assert all(0 <= timing.least <= timing.median for timing in timings)


def test_report_line() -> None:
    assert ranking.Timing("ranking", 1.234, 5.0).line().split() == ["ranking", "1.23", "ms", "5.00", "ms"]
