"""Short ways to one estimate of images, video or sound, shared by the tests of their memory and speed."""

from typing import Any

import advisor
from advisor import Deployment, Facts, Workload
from advisor.estimate.results import Estimate

H100 = {"gpu": "h100-sxm-80gb"}


def make(
    facts: Facts, task: str, model: str, deployment: dict[str, Any] | None = None, **work: Any
) -> Estimate:
    """Estimate one work; `work` holds fields of the workload."""
    workload = Workload.from_dict({"task": task, "model": model, **work}, "workload")
    return advisor.estimate(workload, Deployment.from_dict(deployment or {}, "deployment"), facts)


def known(figure: float | None) -> float:
    """Return a figure that has to be there."""
    assert figure is not None
    return figure


def speed_of(estimate: Estimate) -> dict[str, Any]:
    """Return the figures of speed by name."""
    assert estimate.throughput is not None
    return {
        name: getattr(estimate.throughput, name) for name in type(estimate.throughput).__dataclass_fields__
    }
