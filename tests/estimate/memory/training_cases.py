"""Short ways to one training estimate, shared by the tests of training memory."""

from typing import Any

import advisor
from advisor import Deployment, Facts, Workload
from advisor.estimate.results import Estimate, Memory, Number


def train(
    facts: Facts, model: str = "llama-3.1-8b", deployment: dict[str, Any] | None = None, **work: Any
) -> Estimate:
    """Estimate fine-tuning of a model; `work` holds fields of the workload."""
    workload = Workload.from_dict({"task": "finetune", "model": model, **work}, "workload")
    return advisor.estimate(workload, Deployment.from_dict(deployment or {}, "deployment"), facts)


def memory(
    facts: Facts, model: str = "llama-3.1-8b", deployment: dict[str, Any] | None = None, **work: Any
) -> Memory[Number]:
    """Return the memory of such an estimate."""
    return train(facts, model, deployment, **work).memory


def state_gib(figures: Memory[Number]) -> float:
    """Return weights, adapters, gradients and optimizer together [GiB]."""
    parts = (figures.weights_gib, figures.adapters_gib, figures.gradients_gib, figures.optimizer_gib)
    return sum(part or 0.0 for part in parts)


def known(figure: Number) -> float:
    """Return a figure that must be known."""
    assert figure is not None
    return figure
