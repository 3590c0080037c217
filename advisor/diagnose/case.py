"""One measured set-up: the question, what was seen, and what the estimate says it should do."""

import dataclasses
import math
from dataclasses import dataclass

from advisor.estimate.layouts import choose_layout
from advisor.estimate.memory import memory_of
from advisor.estimate.results import Memory, Number, Throughput
from advisor.estimate.speed import throughput_of
from advisor.facts import Facts
from advisor.resolve import Resolved, resolve
from advisor.resolve.hardware import Hardware, Layout
from advisor.resolve.works import ServeWork
from advisor.workload import Deployment, Observed, Workload


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """Everything a cause or a remedy may look at."""

    workload: Workload
    deployment: Deployment
    observed: Observed
    work: ServeWork
    hardware: Hardware
    layout: Layout
    memory: Memory[Number]
    speed: Throughput[Number]
    share: float
    facts: Facts

    @property
    def step_seconds(self) -> float:
        """Return the estimated time of one step [s]."""
        return self.speed.step_seconds or math.nan

    @property
    def observed_step_seconds(self) -> float:
        """Return the measured time of one step [s]."""
        return self.step_seconds / self.share

    def part(self, seconds: Number) -> float:
        """Return the share of a part in the estimated step."""
        return (seconds or 0.0) / self.step_seconds


def with_concurrency(workload: Workload) -> Workload:
    """Return the workload as measured: one request where no number is stated."""
    if workload.concurrency is not None:
        return workload
    return dataclasses.replace(workload, concurrency=1)


def case_of(workload: Workload, deployment: Deployment, observed: Observed, facts: Facts) -> Case:
    """Return the case with its estimate; raises AdvisorError."""
    resolved = resolve(workload, deployment, facts)
    hardware, layout, memory, speed = estimated(resolved, facts)
    work = resolved.work
    assert isinstance(work, ServeWork)
    return Case(
        workload,
        deployment,
        observed,
        work,
        hardware,
        layout,
        memory,
        speed,
        _share(observed, speed, float(workload.concurrency or 1)),
        facts,
    )


def estimated(
    resolved: Resolved, facts: Facts
) -> tuple[Hardware, Layout, Memory[Number], Throughput[Number]]:
    """Return hardware, layout, memory and speed of a placed deployment; its layout is chosen where open."""
    assert resolved.placement is not None
    layout = choose_layout(resolved.work, resolved.placement, facts)
    hardware = resolved.placement.hardware
    memory = memory_of(resolved.work, hardware, layout, facts)
    speed = throughput_of(resolved.work, hardware, layout, memory, facts)
    return hardware, layout, memory.at(0), speed.at(0)


def _share(observed: Observed, speed: Throughput[Number], in_flight: float) -> float:
    """Return measured over estimated pace of the answers: per request, or of all requests in flight together."""
    each = speed.decode_tokens_per_second_per_request or math.nan
    if observed.tokens_per_second is not None:
        return observed.tokens_per_second / (each * in_flight)
    assert observed.tokens_per_second_per_request is not None
    return observed.tokens_per_second_per_request / each
