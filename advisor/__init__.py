"""The GPU advisor: memory, speed and cost of generative models on rented GPUs, and a ranking of real offers.

facts = load_facts()
estimate(workload, deployment, facts)
rank(workload, needs, facts)
diagnose(workload, deployment, observed, facts)
"""

from advisor.diagnose import Advice, diagnose
from advisor.errors import AdvisorError
from advisor.estimate import estimate
from advisor.estimate.results import Estimate
from advisor.facts import Facts, load_facts
from advisor.recommend import Ranking, rank
from advisor.workload import Deployment, Needs, Observed, Workload

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
