"""How long estimates and the ranking take, and the ranking beside a plain filter of the same offers.

    python -m benchmarks.ranking

CPU time of this process, the least and the median of many rounds. The comparison is with the in-memory filter of
gpuhunt where that is installed (`make bench` sees to it): it selects offers by total GPU memory and sorts them by
price, and knows no workload; both run in turn, so that they meet the same machine.
"""

import datetime
import importlib
import importlib.metadata
import importlib.util
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import advisor
from advisor import Deployment, Facts, Needs, Workload, load_facts
from advisor.estimate.layouts import uniform_layout
from advisor.estimate.memory import memory_of
from advisor.estimate.speed import throughput_of
from advisor.resolve import resolve
from advisor.resolve.hardware import Hardware
from advisor.resolve.works import Work

TODAY = datetime.date(2026, 12, 1)
MANY = 10_000
SERVE = {"task": "serve", "model": "llama-3.1-8b", "concurrency": 8}
RANKED: dict[str, dict[str, Any]] = {
    "serve": SERVE,
    "serve 70B": {"task": "serve", "model": "llama-3.1-70b", "concurrency": 32},
    "finetune": {"task": "finetune", "model": "llama-3.1-8b", "method": "qlora", "dataset_tokens": 5e7},
    "image": {"task": "image", "model": "flux.1-dev"},
}
FILTERED_GIB = 26.0
"""Total memory that the plain filter asks for: about what the served 8B model needs [GiB]."""


@dataclass(frozen=True, slots=True)
class Timing:
    """CPU time of one piece of work: the least and the median of the rounds [ms]."""

    name: str
    least: float
    median: float

    def line(self) -> str:
        """Return the timing as a line of the report."""
        return f"  {self.name:<44} {self.least:9.2f} ms  {self.median:9.2f} ms"


def timed(name: str, work: Callable[[], object], rounds: int = 30) -> Timing:
    """Run some work many times; the first run, which fills caches, does not count."""
    return timed_in_turn({name: work}, rounds)[0]


def timed_in_turn(works: dict[str, Callable[[], object]], rounds: int = 30) -> list[Timing]:
    """Run several pieces of work one after the other in each round."""
    spent: dict[str, list[float]] = {name: [] for name in works}
    for number in range(rounds + 1):
        for name, work in works.items():
            start = time.process_time()
            work()
            if number:
                spent[name].append((time.process_time() - start) * 1000)
    return [Timing(name, min(times), statistics.median(times)) for name, times in spent.items()]


def estimate_timings(facts: Facts) -> list[Timing]:
    """Time one estimate and ten thousand of them, with and without the resolving of names."""
    workload = Workload.from_dict(SERVE, "workload")
    deployment = Deployment(gpu="h100-sxm-80gb")
    resolved = resolve(workload, deployment, facts)
    assert resolved.placement
    one, many = resolved.placement.hardware, many_machines(facts)
    return [
        timed("memory of one deployment", lambda: memory(resolved.work, one, facts), 300),
        timed("memory and speed of one deployment", lambda: memory_and_speed(resolved.work, one, facts), 300),
        timed(
            "the same from names, as `estimate` answers",
            lambda: advisor.estimate(workload, deployment, facts),
            300,
        ),
        timed(
            f"memory and speed of {MANY:,} deployments", lambda: memory_and_speed(resolved.work, many, facts)
        ),
    ]


def many_machines(facts: Facts) -> Hardware:
    """Return ten thousand machines: the GPU table in turn, with one to eight GPUs over PCIe."""
    rows = np.arange(MANY)
    ones = np.ones(MANY, dtype=np.int64)
    return Hardware(
        facts.gpus,
        rows % len(facts.gpus.rows),
        1 + rows % 8,
        ones,
        2 * ones,
        4 * ones,
        np.full(MANY, 1.25e10),
    )


def memory(work: Work, hardware: Hardware, facts: Facts) -> object:
    return memory_of(work, hardware, uniform_layout(len(hardware), concurrency=8.0), facts)


def memory_and_speed(work: Work, hardware: Hardware, facts: Facts) -> object:
    layout = uniform_layout(len(hardware), replicas=hardware.gpu_count, concurrency=8.0)
    return throughput_of(work, hardware, layout, memory_of(work, hardware, layout, facts), facts)


def ranking_timings(facts: Facts) -> list[Timing]:
    """Time the ranking of the whole catalogue for several kinds of work."""
    return [
        timed(f"ranking of {len(facts.offers):,} offers, {name}", ranker(question, facts))
        for name, question in RANKED.items()
    ]


def ranker(question: dict[str, Any], facts: Facts) -> Callable[[], object]:
    workload, needs = Workload.from_dict(question, "workload"), Needs()
    return lambda: advisor.rank(workload, needs, facts, today=TODAY)


def comparison(facts: Facts) -> list[Timing]:
    """Time the ranking and gpuhunt's filter of the same offers in turn; empty without gpuhunt."""
    if importlib.util.find_spec("gpuhunt") is None:
        return []
    gpuhunt = importlib.import_module("gpuhunt")
    items = gpuhunt_items(facts, gpuhunt)
    wanted = gpuhunt.QueryFilter(min_total_gpu_memory=FILTERED_GIB, spot=False)

    def filtered() -> object:
        found = [item for item in items if gpuhunt.matches(item, wanted)]
        return sorted(found, key=lambda item: item.price)

    return timed_in_turn(
        {
            f"gpuhunt {gpuhunt_version()}: filter and sort by price": filtered,
            "advisor: memory, speed, cost and ranking": ranker(SERVE, facts),
        }
    )


def gpuhunt_items(facts: Facts, gpuhunt: Any) -> list[Any]:
    """Return the offers of the catalogue as gpuhunt holds them."""
    vendors = {vendor.value: vendor for vendor in gpuhunt.AcceleratorVendor}
    items = []
    for offer in facts.offers.rows:
        gpu = facts.gpus[offer.gpu_id]
        items.append(
            gpuhunt.CatalogItem(
                provider=offer.provider,
                instance_name=offer.instance_type,
                location=offer.region,
                price=offer.on_demand_usd_per_hour,
                cpu=0,
                memory=0.0,
                gpu_count=offer.gpu_count,
                gpu_name=gpu.id,
                gpu_memory=gpu.memory_gb,
                spot=False,
                disk_size=None,
                # gpuhunt knows five makers; the maker plays no part in this filter.
                gpu_vendor=vendors.get(gpu.vendor.lower(), gpuhunt.AcceleratorVendor.NVIDIA),
            )
        )
    return items


def gpuhunt_version() -> str:
    return importlib.metadata.version("gpuhunt")


def main() -> None:
    facts = load_facts()
    print(f"CPU time{'':<38} {'least':>12}  {'median':>12}")
    for timing in (*estimate_timings(facts), *ranking_timings(facts)):
        print(timing.line())
    beside = comparison(facts)
    print(
        f"\nThe same {len(facts.offers):,} offers, in turn"
        if beside
        else "\ngpuhunt is not installed: no comparison"
    )
    for timing in beside:
        print(timing.line())


if __name__ == "__main__":
    main()
