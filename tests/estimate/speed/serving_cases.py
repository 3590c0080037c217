"""Short ways to one estimate of serving speed, shared by its tests."""

from typing import Any

import advisor
from advisor import Deployment, Facts, Workload
from advisor.estimate.results import Number, Throughput
from advisor.facts.models import ModelShape

PLACED = frozenset(Deployment.__dataclass_fields__)


def serve(
    facts: Facts, model: str = "llama-3.1-8b", gpu: str = "h100-sxm-80gb", **more: Any
) -> Throughput[Number]:
    """Estimate serving; `more` holds fields of the workload or of the deployment."""
    placed = {name: more.pop(name) for name in list(more) if name in PLACED}
    given = {"prompt_tokens": 1_000, "output_tokens": 1_000, **more}
    workload = Workload.from_dict({"task": "serve", "model": model, **given}, "workload")
    deployment = Deployment.from_dict({"gpu": gpu, **placed}, "deployment")
    throughput = advisor.estimate(workload, deployment, facts).throughput
    assert throughput is not None
    return throughput


def known(figure: Number) -> float:
    """Return a figure that must be known."""
    assert figure is not None
    return figure


def shape(facts: Facts, model: str) -> ModelShape:
    """Return one model of the table."""
    return facts.language_models.by_id[model]
