"""Short ways to ask for the memory of serving."""

from typing import Any

from advisor import Deployment, Facts, Workload, estimate
from advisor.codes import Assumption
from advisor.estimate.results import Estimate, Memory, Number

H100 = "h100-sxm-80gb"


def serve(facts: Facts, model: str, gpu: str | None = H100, **fields: Any) -> Estimate:
    """Estimate serving a model; fields go to the workload or the deployment, whichever knows them."""
    work = {name: value for name, value in fields.items() if name in Workload.__dataclass_fields__}
    place = {name: value for name, value in fields.items() if name not in work}
    return estimate(Workload(task="serve", model=model, **work), Deployment(gpu=gpu, **place), facts)


def memory(facts: Facts, model: str, gpu: str | None = H100, **fields: Any) -> Memory[Number]:
    """Return the memory of serving a model."""
    return serve(facts, model, gpu, **fields).memory


def known(figure: Number) -> float:
    """Return a figure that must be there."""
    assert figure is not None
    return figure


def assumed(answer: Estimate) -> dict[str, Assumption]:
    """Return what was assumed, by field."""
    return {assumption.field: assumption for assumption in answer.assumed}
