"""From what a person stated to what estimators read: names to rows, defaults filled, and what was assumed."""

from dataclasses import dataclass

from advisor.codes import Assumption, Message
from advisor.facts import Facts
from advisor.facts.media import AudioModel, DiffusionModel
from advisor.resolve.filling import Filling
from advisor.resolve.media import resolve_audio, resolve_media
from advisor.resolve.models import resolve_model
from advisor.resolve.placement import Placement, resolve_placement
from advisor.resolve.serving import resolve_serving
from advisor.resolve.training import resolve_training
from advisor.resolve.works import Work
from advisor.workload import Deployment, Workload


@dataclass(frozen=True, slots=True)
class Resolved:
    """The work and where it runs; `placement` is None without a GPU."""

    work: Work
    placement: Placement | None
    assumed: tuple[Assumption, ...]
    warnings: tuple[Message, ...]


def resolve(workload: Workload, deployment: Deployment, facts: Facts) -> Resolved:
    """Resolve names and fill defaults; raises AdvisorError naming the field and what is accepted."""
    filling = Filling()
    work = resolve_work(workload, deployment, facts, filling)
    placement = resolve_placement(deployment, facts, filling)
    return Resolved(work, placement, tuple(filling.assumed), tuple(filling.warnings))


def resolve_work(workload: Workload, deployment: Deployment, facts: Facts, filling: Filling) -> Work:
    """Return the work of the task, recording defaults in `filling`."""
    if workload.task == "serve":
        return resolve_serving(workload, deployment, facts, filling)
    model = resolve_model(workload, facts)
    if isinstance(model, DiffusionModel):
        return resolve_media(workload, model, deployment, facts, filling)
    if isinstance(model, AudioModel):
        return resolve_audio(workload, model, deployment, facts, filling)
    return resolve_training(workload, model, deployment, facts, filling)
