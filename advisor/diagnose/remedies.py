"""What would make a set-up faster: the same question with one field changed, and the factor that it brings."""

import dataclasses
import math
from collections.abc import Iterator
from dataclasses import dataclass

from advisor.codes import Message, message
from advisor.diagnose.case import Case, estimated
from advisor.diagnose.causes import AT_CEILING_SHARE, EAGER_LAUNCH_SECONDS_PER_LAYER
from advisor.errors import AdvisorError
from advisor.facts import Facts
from advisor.facts.offers import Offer
from advisor.resolve import resolve
from advisor.resolve.hardware import LINKS
from advisor.workload import Deployment, Workload

MOST_OFFERS = 3
FASTER_MEMORY_GPUS = ("h100-sxm-80gb", "h200-sxm-141gb", "b200-sxm-180gb")
LOWER_FORMATS = ("fp8", "int4-awq")


@dataclass(frozen=True, slots=True, eq=False)
class Remedy:
    """One change: the factor on the speed that it should bring, the fields to change, and offers that carry it."""

    message: Message
    factor: float
    change: dict[str, object]
    offers: tuple[Offer, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """Return the contract's shape."""
        return {
            **self.message.to_dict(),
            "factor": self.factor,
            "change": self.change,
            "offers": [_offer(offer) for offer in self.offers],
        }


def possible_remedies(case: Case) -> Iterator[Remedy]:
    """Yield the changes that are possible here and gain more than 5 %, in no order."""
    for code, values, workload, deployment in _changed_questions(case):
        factor = _factor(case, workload, deployment)
        if factor > 1.05:
            offers = cheapest_offers(deployment.gpu or "", case.facts) if code == "faster-memory" else ()
            yield Remedy(message(code, **values), factor, _change(case, workload, deployment), offers)
    if case.share < AT_CEILING_SHARE and case.deployment.cuda_graphs is not True:
        yield from _graphs(case)


def _graphs(case: Case) -> Iterator[Remedy]:
    """Yield CUDA graphs with what they can give back: the time that launching a layer at a time takes."""
    launching = EAGER_LAUNCH_SECONDS_PER_LAYER * case.work.model.layers
    step = case.observed_step_seconds
    factor = step / max(case.step_seconds, step - launching)
    if factor > 1.05:
        engine = case.work.settings.engine.name
        yield Remedy(message("cuda-graphs", engine=engine), factor, {"cuda_graphs": True})


def _changed_questions(
    case: Case,
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


def _factor(case: Case, workload: Workload, deployment: Deployment) -> float:
    """Return the speed after a change over the estimated speed before; 0 where it cannot be done or does not fit."""
    try:
        _, _, memory, speed = estimated(resolve(workload, deployment, case.facts), case.facts)
    except AdvisorError:
        return 0.0
    fits = (memory.needed_gib or math.inf) <= (memory.budget_gib or 0.0)
    before, after = case.speed.decode_tokens_per_second, speed.decode_tokens_per_second
    return (after or 0.0) / before if fits and before else 0.0


def _change(case: Case, workload: Workload, deployment: Deployment) -> dict[str, object]:
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
