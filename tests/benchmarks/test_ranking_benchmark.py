"""The benchmark of the ranking measures what it says it measures."""

from collections.abc import Callable
from enum import Enum
from types import SimpleNamespace

from advisor import Facts
from benchmarks import ranking


class Vendor(Enum):
    NVIDIA = "nvidia"
    AMD = "amd"


def test_ten_thousand_deployments_are_evaluated_at_once(facts: Facts) -> None:
    machines = ranking.many_machines(facts)
    assert len(machines) == 10_000
    assert set(machines.gpu_count.tolist()) == set(range(1, 9))
    assert set(machines.gpu_index.tolist()) == set(range(len(facts.gpus.rows)))


def test_the_filter_beside_sees_every_offer(facts: Facts) -> None:
    """With a stand-in for gpuhunt, whose records have these names."""
    gpuhunt = SimpleNamespace(CatalogItem=SimpleNamespace, AcceleratorVendor=Vendor)
    items = ranking.gpuhunt_items(facts, gpuhunt)
    assert len(items) == len(facts.offers) == 2698
    for item, offer in zip(items, facts.offers.rows, strict=True):
        assert (item.provider, item.instance_name, item.location) == (
            offer.provider,
            offer.instance_type,
            offer.region,
        )
        assert (item.gpu_count, item.gpu_memory) == (offer.gpu_count, facts.gpus[offer.gpu_id].memory_gb)
        assert isinstance(item.gpu_vendor, Vendor)


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
