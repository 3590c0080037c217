"""What may make a set-up slow: each cause looks for its own traces in one case."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from advisor.codes import Message, message
from advisor.diagnose.case import Case
from advisor.resolve.hardware import LINKS
from advisor.units import GB, GIB

HIGH, MEDIUM, LOW = "high", "medium", "low"
AT_CEILING_SHARE = 0.75
"""From this share of the estimate on, a set-up runs as it should: the estimate itself is not known better."""

ABOVE_CEILING_SHARE = 1.3
EAGER_LAUNCH_SECONDS_PER_LAYER = 1.2e-3
"""Launch time of one layer in eager PyTorch: 1.0 to 2.2 ms were measured with LitGPT on an A100 [s]."""

IDLE_UTILIZATION = 0.6
HOST_LINK_BANDWIDTH = 20 * GB
USUAL_CLOCK_MHZ = 1_400.0
"""Data-center and consumer GPUs of the last generations hold more than this under load [MHz]."""


@dataclass(frozen=True, slots=True, eq=False)
class Cause:
    """One likely cause. score: how well it explains what was seen, larger is likelier."""

    message: Message
    likelihood: str
    score: float

    def to_dict(self) -> dict[str, object]:
        """Return the contract's shape."""
        return {**self.message.to_dict(), "likelihood": self.likelihood}


def likely_causes(case: Case) -> Iterator[Cause]:
    """Yield the causes that leave traces here, in no order."""
    for look in _LOOKS:
        cause = look(case)
        if cause is not None and cause.score > 0:
            yield cause


def _explains(case: Case, step_seconds: float) -> float:
    """Return how well a predicted step explains the measured one: 1 when equal, 0 from a factor of 3 apart."""
    apart = abs(math.log(step_seconds / case.observed_step_seconds))
    return max(0.0, 1 - apart / math.log(3))


def _cause(code: str, score: float, **values: object) -> Cause:
    likelihood = HIGH if score >= 0.7 else MEDIUM if score >= 0.35 else LOW
    return Cause(message(code, **values), likelihood, score)


def _above_ceiling(case: Case) -> Cause | None:
    if case.share < ABOVE_CEILING_SHARE:
        return None
    return _cause("above-ceiling", 2.0, share_percent=case.share * 100)


def _at_ceiling(case: Case) -> Cause | None:
    """The set-up runs as it should: what limits it is the hardware."""
    if case.share < AT_CEILING_SHARE:
        return None
    percent = case.share * 100
    if case.speed.bound == "compute":
        return _cause("compute-ceiling", 1.0, share_percent=percent)
    if case.speed.bound == "communication":
        return None
    bandwidth = float(case.hardware.memory_bandwidth[0]) / GB
    return _cause("bandwidth-ceiling", 1.0, share_percent=percent, bandwidth_gb_per_second=bandwidth)


def _small_batch(case: Case) -> Cause | None:
    concurrency = case.workload.concurrency or 1
    reading = case.part(case.speed.weights_seconds)
    if concurrency > 8 or reading < 0.4 or case.share < AT_CEILING_SHARE:
        return None
    return _cause("small-batch", 0.9 * reading, concurrency=concurrency)


def _eager_launches(case: Case) -> Cause | None:
    """Kernels launched one by one: an idle-looking GPU, a step longer by a fixed time a layer."""
    if case.share >= AT_CEILING_SHARE:
        return None
    launching = EAGER_LAUNCH_SECONDS_PER_LAYER * case.work.model.layers
    score = 0.9 * _explains(case, max(case.step_seconds, launching))
    utilization = case.observed.gpu_utilization
    if utilization is not None:
        score += 0.4 if utilization < IDLE_UTILIZATION else -0.4
    if case.deployment.cuda_graphs is False or case.work.settings.engine.id in ("transformers", "litgpt"):
        score += 0.3
    gap = max(0.0, case.observed_step_seconds - case.step_seconds)
    percent = 100 * min(launching, gap) / case.observed_step_seconds
    return _cause("eager-launches", score, launch_percent=percent)


def _unexplained(case: Case) -> Cause | None:
    """More is missing than launching could take, and nothing stated explains it."""
    launching = EAGER_LAUNCH_SECONDS_PER_LAYER * case.work.model.layers
    unexplained = case.observed_step_seconds - case.step_seconds - launching
    if case.share >= AT_CEILING_SHARE or unexplained <= 0.2 * case.observed_step_seconds:
        return None
    percent = 100 * unexplained / case.observed_step_seconds
    return _cause("unexplained", 0.6, gap_percent=percent)


def _pcie_all_reduce(case: Case) -> Cause | None:
    over_pcie = LINKS[int(case.hardware.link[0])] == "pcie"
    if int(case.layout.tensor_parallel[0]) < 2 or not over_pcie:
        return None
    part = case.part(case.speed.communication_seconds)
    missing = max(0.0, 1 - case.share)
    return _cause(
        "pcie-all-reduce", 0.4 + part + 0.4 * missing, communication_percent=100 * max(part, missing)
    )


def _host_offload(case: Case) -> Cause | None:
    """More is needed than the card holds, so the rest crosses the slot for every token."""
    needed, budget = case.memory.needed_gib or 0.0, case.memory.allocatable_gib or math.inf
    over = max(0.0, needed - budget)
    if over == 0.0 or case.share >= AT_CEILING_SHARE:
        return None
    crossing = over * GIB / HOST_LINK_BANDWIDTH
    score = 0.6 + _explains(case, case.step_seconds + crossing)
    return _cause("host-offload", score, needed_gib=needed, budget_gib=budget)


def _cache_thrash(case: Case) -> Cause | None:
    wanted, held = case.workload.concurrency or 1, case.memory.max_concurrency or math.inf
    if wanted <= held:
        return None
    score = 0.5 + min(0.6, 0.3 * math.log2(wanted / max(held, 1)))
    return _cause("cache-thrash", score, concurrency=wanted, max_concurrency=held)


def _throttling(case: Case) -> Cause | None:
    clock, power = case.observed.sm_clock_mhz, case.observed.power_w
    board = float(case.facts.gpus.rows[int(case.hardware.gpu_index[0])].power_w)
    if clock is not None and clock < USUAL_CLOCK_MHZ * 0.8:
        return _cause("throttling", 1.1, clock_percent=100 * clock / USUAL_CLOCK_MHZ)
    if power is not None and power > 0.97 * board and case.share < AT_CEILING_SHARE:
        return _cause("throttling", 0.5, clock_percent=100.0 * case.share)
    return None


def _format_kernel(case: Case) -> Cause | None:
    """A format that is only stored is unpacked for every multiplication; old or missing kernels do it slowly."""
    if case.share >= AT_CEILING_SHARE or case.work.weights.width == "f16":
        return None
    compute = case.work.weights.compute
    native = compute != "16bit" and bool(case.hardware.computes_natively(compute)[0])
    return _cause("format-kernel", 0.2 if native else 0.45, weights=case.work.weights.id)


def _prefill_interference(case: Case) -> Cause | None:
    first, step = case.speed.time_to_first_token_ms, case.step_seconds
    if first is None or (case.workload.concurrency or 1) < 2:
        return None
    reading = first / 1_000
    writing = step * case.work.output_tokens
    if case.share >= AT_CEILING_SHARE or reading < 0.5 * writing:
        return None
    return _cause("prefill-interference", 0.6, prompt_tokens=case.work.prompt_tokens)


_LOOKS: tuple[Callable[[Case], Cause | None], ...] = (
    _above_ceiling,
    _at_ceiling,
    _small_batch,
    _eager_launches,
    _unexplained,
    _pcie_all_reduce,
    _host_offload,
    _cache_thrash,
    _throttling,
    _format_kernel,
    _prefill_interference,
)
