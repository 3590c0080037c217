"""Question 4: why is it slow? The ceiling of a set-up, the share reached, likely causes, and what each remedy gains."""

import dataclasses
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from advisor.codes import Message, message
from advisor.errors import AdvisorError
from advisor.estimate.layouts import choose_layout
from advisor.estimate.memory import memory_of
from advisor.estimate.results import Memory, Number, Throughput, throughput_to_dict
from advisor.estimate.speed import throughput_of
from advisor.facts import Facts
from advisor.facts.offers import Offer
from advisor.resolve import Resolved, resolve
from advisor.resolve.hardware import LINKS, Hardware, Layout
from advisor.resolve.works import ServeWork
from advisor.units import GB, GIB
from advisor.workload import Deployment, Observed, Workload

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

MOST_OFFERS = 3
FASTER_MEMORY_GPUS = ("h100-sxm-80gb", "h200-sxm-141gb", "b200-sxm-180gb")
LOWER_FORMATS = ("fp8", "int4-awq")


@dataclass(frozen=True, slots=True, eq=False)
class Cause:
    """One likely cause. score: how well it explains what was seen, larger is likelier."""

    message: Message
    likelihood: str
    score: float

    def to_dict(self) -> dict[str, object]:
        """Return the contract's shape."""
        return {**self.message.to_dict(), "likelihood": self.likelihood}


@dataclass(frozen=True, slots=True, eq=False)
class Remedy:
    """One change: the factor on the speed that it should bring, the fields to change, and offers that carry it."""

    message: Message
    factor: float
    change: dict[str, object]
    offers: tuple[Offer, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """Return the contract's shape."""
        return {**self.message.to_dict(), "factor": self.factor, "change": self.change, "offers": [_offer(offer) for offer in self.offers]}


@dataclass(frozen=True, slots=True, eq=False)
class Advice:
    """The diagnosis. share_reached: measured over estimated speed."""

    ceiling: Throughput[Number]
    memory: Memory[Number]
    share_reached: float
    bound: str
    causes: tuple[Cause, ...]
    remedies: tuple[Remedy, ...]

    def to_dict(self) -> dict[str, object]:
        """Return the contract's shape."""
        return {
            "ceiling": throughput_to_dict(self.ceiling),
            "share_reached": self.share_reached,
            "bound": self.bound,
            "causes": [cause.to_dict() for cause in self.causes],
            "remedies": [remedy.to_dict() for remedy in self.remedies],
        }


@dataclass(frozen=True, slots=True, eq=False)
class _Case:
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


def diagnose(workload: Workload, deployment: Deployment, observed: Observed, facts: Facts) -> Advice:
    """Compare what was measured with what the set-up should do; raises AdvisorError."""
    if observed.tokens_per_second is None and observed.tokens_per_second_per_request is None:
        accepted = ("tokens_per_second", "tokens_per_second_per_request")
        raise AdvisorError("nothing-observed", "observed", accepted)
    if deployment.gpu is None:
        raise AdvisorError("missing-field", "deployment.gpu")
    if workload.task != "serve":
        raise AdvisorError("unknown-value", "workload.task", ("serve",), {"given": workload.task})
    case = _case(_with_concurrency(workload), deployment, observed, facts)
    return Advice(
        ceiling=case.speed,
        memory=case.memory,
        share_reached=case.share,
        bound=str(case.speed.bound),
        causes=tuple(sorted(_causes(case), key=lambda cause: -cause.score)),
        remedies=tuple(sorted(_remedies(case), key=lambda remedy: -remedy.factor)),
    )


def _with_concurrency(workload: Workload) -> Workload:
    if workload.concurrency is not None:
        return workload
    return dataclasses.replace(workload, concurrency=1)


def _case(workload: Workload, deployment: Deployment, observed: Observed, facts: Facts) -> _Case:
    resolved = resolve(workload, deployment, facts)
    hardware, layout, memory, speed = _estimated(resolved, facts)
    work = resolved.work
    assert isinstance(work, ServeWork)
    return _Case(
        workload,
        deployment,
        observed,
        work,
        hardware,
        layout,
        memory,
        speed,
        _share(observed, speed),
        facts,
    )


def _estimated(
    resolved: Resolved, facts: Facts
) -> tuple[Hardware, Layout, Memory[Number], Throughput[Number]]:
    assert resolved.placement is not None
    layout = choose_layout(resolved.work, resolved.placement, facts)
    hardware = resolved.placement.hardware
    memory = memory_of(resolved.work, hardware, layout, facts)
    speed = throughput_of(resolved.work, hardware, layout, memory, facts)
    return hardware, layout, memory.at(0), speed.at(0)


def _share(observed: Observed, speed: Throughput[Number]) -> float:
    """Return measured over estimated speed; the total where both were given."""
    if observed.tokens_per_second is not None:
        return observed.tokens_per_second / (speed.decode_tokens_per_second or math.nan)
    assert observed.tokens_per_second_per_request is not None
    return observed.tokens_per_second_per_request / (speed.decode_tokens_per_second_per_request or math.nan)


# --- causes: each looks for its own traces and yields at most one cause ---


def _causes(case: _Case) -> Iterator[Cause]:
    for look in _LOOKS:
        cause = look(case)
        if cause is not None and cause.score > 0:
            yield cause


def _explains(case: _Case, step_seconds: float) -> float:
    """Return how well a predicted step explains the measured one: 1 when equal, 0 from a factor of 3 apart."""
    apart = abs(math.log(step_seconds / case.observed_step_seconds))
    return max(0.0, 1 - apart / math.log(3))


def _cause(code: str, score: float, **values: object) -> Cause:
    likelihood = HIGH if score >= 0.7 else MEDIUM if score >= 0.35 else LOW
    return Cause(message(code, **values), likelihood, score)


def _above_ceiling(case: _Case) -> Cause | None:
    if case.share < ABOVE_CEILING_SHARE:
        return None
    return _cause("above-ceiling", 2.0, share_percent=case.share * 100)


def _at_ceiling(case: _Case) -> Cause | None:
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


def _small_batch(case: _Case) -> Cause | None:
    concurrency = case.workload.concurrency or 1
    reading = case.part(case.speed.weights_seconds)
    if concurrency > 8 or reading < 0.4 or case.share < AT_CEILING_SHARE:
        return None
    return _cause("small-batch", 0.9 * reading, concurrency=concurrency)


def _eager_launches(case: _Case) -> Cause | None:
    """Kernels launched one by one: an idle-looking GPU, a step longer by a fixed time a layer."""
    if case.share >= AT_CEILING_SHARE:
        return None
    launching = EAGER_LAUNCH_SECONDS_PER_LAYER * case.work.model.layers
    score = _explains(case, max(case.step_seconds, launching))
    utilization = case.observed.gpu_utilization
    if utilization is not None:
        score += 0.4 if utilization < IDLE_UTILIZATION else -0.4
    if case.deployment.cuda_graphs is False or case.work.settings.engine.id in ("transformers", "litgpt"):
        score += 0.3
    percent = 100 * max(0.0, 1 - case.step_seconds / case.observed_step_seconds)
    return _cause("eager-launches", score, launch_percent=percent)


def _pcie_all_reduce(case: _Case) -> Cause | None:
    over_pcie = LINKS[int(case.hardware.link[0])] == "pcie"
    if int(case.layout.tensor_parallel[0]) < 2 or not over_pcie:
        return None
    part = case.part(case.speed.communication_seconds)
    missing = max(0.0, 1 - case.share)
    return _cause(
        "pcie-all-reduce", 0.4 + part + 0.4 * missing, communication_percent=100 * max(part, missing)
    )


def _host_offload(case: _Case) -> Cause | None:
    """More is needed than the card holds, so the rest crosses the slot for every token."""
    needed, budget = case.memory.needed_gib or 0.0, case.memory.allocatable_gib or math.inf
    over = max(0.0, needed - budget)
    if over == 0.0 or case.share >= AT_CEILING_SHARE:
        return None
    crossing = over * GIB / HOST_LINK_BANDWIDTH
    score = 0.6 + _explains(case, case.step_seconds + crossing)
    return _cause("host-offload", score, needed_gib=needed, budget_gib=budget)


def _cache_thrash(case: _Case) -> Cause | None:
    wanted, held = case.workload.concurrency or 1, case.memory.max_concurrency or math.inf
    if wanted <= held:
        return None
    score = 0.5 + min(0.6, 0.3 * math.log2(wanted / max(held, 1)))
    return _cause("cache-thrash", score, concurrency=wanted, max_concurrency=held)


def _throttling(case: _Case) -> Cause | None:
    clock, power = case.observed.sm_clock_mhz, case.observed.power_w
    board = float(case.facts.gpus.rows[int(case.hardware.gpu_index[0])].power_w)
    if clock is not None and clock < USUAL_CLOCK_MHZ * 0.8:
        return _cause("throttling", 1.1, clock_percent=100 * clock / USUAL_CLOCK_MHZ)
    if power is not None and power > 0.97 * board and case.share < AT_CEILING_SHARE:
        return _cause("throttling", 0.5, clock_percent=100.0 * case.share)
    return None


def _format_kernel(case: _Case) -> Cause | None:
    """A format that is only stored is unpacked for every multiplication; old or missing kernels do it slowly."""
    if case.share >= AT_CEILING_SHARE or case.work.weights.width == "f16":
        return None
    compute = case.work.weights.compute
    native = compute != "16bit" and bool(case.hardware.computes_natively(compute)[0])
    return _cause("format-kernel", 0.2 if native else 0.45, weights=case.work.weights.id)


def _prefill_interference(case: _Case) -> Cause | None:
    first, step = case.speed.time_to_first_token_ms, case.step_seconds
    if first is None or (case.workload.concurrency or 1) < 2:
        return None
    reading = first / 1_000
    writing = step * case.work.output_tokens
    if case.share >= AT_CEILING_SHARE or reading < 0.5 * writing:
        return None
    return _cause("prefill-interference", 0.6, prompt_tokens=case.work.prompt_tokens)


_LOOKS: tuple[Callable[[_Case], Cause | None], ...] = (
    _above_ceiling,
    _at_ceiling,
    _small_batch,
    _eager_launches,
    _pcie_all_reduce,
    _host_offload,
    _cache_thrash,
    _throttling,
    _format_kernel,
    _prefill_interference,
)


# --- remedies: the same question with one field changed ---


def _remedies(case: _Case) -> Iterator[Remedy]:
    for code, values, workload, deployment in _changed_questions(case):
        factor = _factor(case, workload, deployment)
        if factor > 1.05:
            offers = cheapest_offers(deployment.gpu or "", case.facts) if code == "faster-memory" else ()
            yield Remedy(message(code, **values), factor, _change(case, workload, deployment), offers)


def _changed_questions(
    case: _Case,
) -> Iterator[tuple[str, dict[str, object], Workload, Deployment]]:
    workload, deployment = case.workload, case.deployment
    for weights in LOWER_FORMATS:
        if case.work.weights.width == "f16" or (
            weights.startswith("int4") and case.work.weights.width == "i8"
        ):
            changed = dataclasses.replace(workload, weights=weights)
            yield "lower-precision", {"weights": weights}, changed, deployment
    batch = min(8 * (workload.concurrency or 1), int(case.memory.max_concurrency or 1))
    if batch > (workload.concurrency or 1):
        changed = dataclasses.replace(workload, concurrency=batch)
        yield "larger-batch", {"concurrency": batch}, changed, deployment
    for gpu_id in FASTER_MEMORY_GPUS:
        gpu = case.facts.gpus[gpu_id]
        if gpu.memory_bandwidth > 1.2 * float(case.hardware.memory_bandwidth[0]):
            moved = dataclasses.replace(deployment, gpu=gpu_id, link=None)
            yield "faster-memory", {"gpu": gpu.name}, workload, moved
            break
    if int(case.layout.tensor_parallel[0]) > 1:
        if LINKS[int(case.hardware.link[0])] == "pcie":
            yield "nvlink", {}, workload, dataclasses.replace(deployment, link="nvlink")
        fewer = int(case.layout.tensor_parallel[0]) // 2
        changed_layout = dataclasses.replace(deployment, tensor_parallel=fewer)
        yield "fewer-gpus", {"tensor_parallel": fewer}, workload, changed_layout
    if deployment.cuda_graphs is False:
        graphs = dataclasses.replace(deployment, cuda_graphs=True)
        yield "cuda-graphs", {"engine": case.work.settings.engine.name}, workload, graphs


def _offer(offer: Offer) -> dict[str, object]:
    return {
        "provider": offer.provider,
        "instance_type": offer.instance_type,
        "region": offer.region,
        "gpu": offer.gpu_id,
        "gpu_count": offer.gpu_count,
        "usd_per_hour": offer.on_demand_usd_per_hour,
        "price_as_of": offer.price_as_of.isoformat() if offer.price_as_of else None,
    }


def cheapest_offers(gpu_id: str, facts: Facts, count: int = MOST_OFFERS) -> tuple[Offer, ...]:
    """Return the cheapest dated on-demand offers of one GPU, one a provider."""
    dated = [
        offer
        for offer in facts.offers.rows
        if offer.gpu_id == gpu_id and offer.price_as_of and offer.on_demand_usd_per_hour > 0
    ]
    by_provider: dict[str, Offer] = {}
    for offer in sorted(dated, key=lambda offer: offer.on_demand_usd_per_hour / offer.gpu_count):
        by_provider.setdefault(offer.provider, offer)
    return tuple(by_provider.values())[:count]


def _factor(case: _Case, workload: Workload, deployment: Deployment) -> float:
    """Return the speed after a change over the estimated speed before; 0 where it cannot be done or does not fit."""
    try:
        _, _, memory, speed = _estimated(resolve(workload, deployment, case.facts), case.facts)
    except AdvisorError:
        return 0.0
    fits = (memory.needed_gib or math.inf) <= (memory.budget_gib or 0.0)
    before, after = case.speed.decode_tokens_per_second, speed.decode_tokens_per_second
    return (after or 0.0) / before if fits and before else 0.0


def _change(case: _Case, workload: Workload, deployment: Deployment) -> dict[str, object]:
    changed = {
        name: value
        for name, value in workload.to_dict().items()
        if case.workload.to_dict().get(name) != value
    }
    moved = {
        name: value
        for name, value in deployment.to_dict().items()
        if case.deployment.to_dict().get(name) != value
    }
    return changed | moved
