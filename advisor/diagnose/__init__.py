"""Question 4: why is it slow? The ceiling of a set-up, the share reached, likely causes, and what each remedy gains."""

from dataclasses import dataclass

from advisor.diagnose.case import case_of, with_concurrency
from advisor.diagnose.causes import Cause, likely_causes
from advisor.diagnose.remedies import Remedy, possible_remedies
from advisor.errors import AdvisorError
from advisor.estimate.results import Memory, Number, Throughput, throughput_to_dict
from advisor.facts import Facts
from advisor.workload import Deployment, Observed, Workload

__all__ = ["Advice", "Cause", "Remedy", "diagnose"]


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


def diagnose(workload: Workload, deployment: Deployment, observed: Observed, facts: Facts) -> Advice:
    """Compare what was measured with what the set-up should do; raises AdvisorError."""
    if observed.tokens_per_second is None and observed.tokens_per_second_per_request is None:
        accepted = ("tokens_per_second", "tokens_per_second_per_request")
        raise AdvisorError("nothing-observed", "observed", accepted)
    if deployment.gpu is None:
        raise AdvisorError("missing-field", "deployment.gpu")
    if workload.task != "serve":
        raise AdvisorError("unknown-value", "workload.task", ("serve",), {"given": workload.task})
    case = case_of(with_concurrency(workload), deployment, observed, facts)
    return Advice(
        ceiling=case.speed,
        memory=case.memory,
        share_reached=case.share,
        bound=str(case.speed.bound),
        causes=tuple(sorted(likely_causes(case), key=lambda cause: -cause.score)),
        remedies=tuple(sorted(possible_remedies(case), key=lambda remedy: -remedy.factor)),
    )
