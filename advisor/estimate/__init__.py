"""Estimates of memory and speed: the deployment of one question, or columns for a ranking."""

from advisor.codes import Assumption, Message
from advisor.estimate.layouts import choose_layout, stated_layout
from advisor.estimate.memory import memory_of
from advisor.estimate.memory.training_notes import crossover_warnings, recipe_assumptions
from advisor.estimate.results import Estimate, Memory
from advisor.estimate.speed import throughput_of
from advisor.facts import Facts
from advisor.resolve import Resolved, resolve
from advisor.resolve.hardware import Hardware, Layout
from advisor.resolve.no_gpu import hardware_without_gpu
from advisor.resolve.placement import implied_gpu_count
from advisor.resolve.works import ServeWork, TrainingWork
from advisor.units import FloatArray
from advisor.workload import Deployment, Workload


def estimate(workload: Workload, deployment: Deployment, facts: Facts) -> Estimate:
    """Estimate memory and speed of one deployment; without a GPU only what does not depend on one.

    Raises AdvisorError naming the field and what is accepted.
    """
    resolved = resolve(workload, deployment, facts)
    if resolved.placement is None:
        return _estimate_without_gpu(resolved, deployment, facts)
    layout = choose_layout(resolved.work, resolved.placement, facts)
    hardware = resolved.placement.hardware
    memory = memory_of(resolved.work, hardware, layout, facts)
    throughput = throughput_of(resolved.work, hardware, layout, memory, facts)
    assumed, warnings = _training_notes(resolved, hardware, layout, memory, facts)
    return Estimate(
        memory.at(0),
        throughput.at(0),
        resolved.assumed + _layout_assumptions(resolved, layout) + assumed,
        resolved.warnings + warnings,
    )


def _estimate_without_gpu(resolved: Resolved, deployment: Deployment, facts: Facts) -> Estimate:
    gpu_count = deployment.gpu_count or implied_gpu_count(deployment)
    layout = stated_layout(resolved.work, deployment, gpu_count)
    hardware = hardware_without_gpu(gpu_count, deployment.nodes or 1)
    memory = memory_of(resolved.work, hardware, layout, facts)
    assumed, warnings = _training_notes(resolved, hardware, layout, memory, facts)
    return Estimate(memory.at(0), None, resolved.assumed + assumed, resolved.warnings + warnings)


def _training_notes(
    resolved: Resolved, hardware: Hardware, layout: Layout, memory: Memory[FloatArray], facts: Facts
) -> tuple[tuple[Assumption, ...], tuple[Message, ...]]:
    """Return what an estimate of training says beside its figures."""
    if not isinstance(resolved.work, TrainingWork):
        return (), ()
    return (
        recipe_assumptions(resolved.work, facts),
        crossover_warnings(resolved.work, hardware, layout, memory, facts),
    )


def _layout_assumptions(resolved: Resolved, layout: Layout) -> tuple[Assumption, ...]:
    assert resolved.placement is not None
    stated = resolved.placement.stated
    assumed = []
    if isinstance(resolved.work, ServeWork):
        if stated.tensor_parallel is None and int(resolved.placement.hardware.gpu_count[0]) > 1:
            assumed.append(
                Assumption("tensor_parallel", int(layout.tensor_parallel[0]), "smallest-that-fits")
            )
        if resolved.work.concurrency is None:
            assumed.append(Assumption("concurrency", None, "as-many-as-fit"))
    return tuple(assumed)
