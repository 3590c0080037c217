"""The GPU advisor: memory, speed and cost of generative models on rented GPUs, and a ranking of real offers.

facts = load_facts()
estimate(workload, deployment, facts)
rank(workload, needs, facts)
diagnose(workload, deployment, observed, facts)
"""

from typing import TYPE_CHECKING

from advisor.diagnose import Advice, diagnose
from advisor.errors import AdvisorError
from advisor.estimate import estimate
from advisor.estimate.results import Estimate
from advisor.facts import Facts, load_facts
from advisor.workload import Deployment, Needs, Observed, Workload

if TYPE_CHECKING:
    from advisor.recommend import Ranking, rank

__all__ = [
    "Advice",
    "AdvisorError",
    "Deployment",
    "Estimate",
    "Facts",
    "Needs",
    "Observed",
    "Ranking",
    "Workload",
    "diagnose",
    "estimate",
    "load_facts",
    "rank",
]


def __getattr__(name: str) -> object:
    """Load the ranking when it is first asked for: `import advisor` stays quick for whoever only estimates."""
    if name in ("Ranking", "rank"):
        from advisor import recommend

        return getattr(recommend, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
