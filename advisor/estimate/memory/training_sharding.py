"""How the parts of a model are split over the GPUs of D deployments: shares of the fullest GPU, arrays [D]."""

from dataclasses import dataclass

import numpy as np

from advisor.estimate.memory.training_state import Part
from advisor.resolve.hardware import Layout
from advisor.units import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Shares:
    """Shares of the fullest GPU by tensor, pipeline and expert parallelism, before data-parallel sharding [D].

    data_ranks: GPUs that hold the same parameters and can share them; expert_parallel: those among them that each
    hold other experts.
    """

    stage: FloatArray
    tensor_parallel: IntArray
    staged: FloatArray
    data_ranks: IntArray
    expert_parallel: IntArray

    def of(self, part: Part, sharded: bool) -> FloatArray:
        """Return a part of the model on the fullest GPU [D]; `sharded`: also over the data-parallel ranks."""
        ranks = self.data_ranks if sharded else 1
        edges = part.edges + (part.one_edge - part.edges) * self.staged
        split = (
            (part.layers * self.stage + edges) / self.tensor_parallel + part.replicated * self.stage
        ) / ranks
        if not part.experts:
            return split
        holders = np.maximum(self.expert_parallel, ranks)
        return split + part.experts * self.stage / (self.tensor_parallel * holders)


def shares(layers: int, layout: Layout) -> Shares:
    """Return the shares of D layouts of a model with so many layers."""
    pipeline = np.minimum(layout.pipeline_parallel, layers)
    stage = np.ceil(layers / pipeline) / layers
    data_ranks = layout.replicas * layout.context_parallel
    staged = (pipeline > 1).astype(np.float64)
    expert_parallel = np.minimum(layout.expert_parallel, data_ranks)
    return Shares(stage, layout.tensor_parallel, staged, data_ranks, expert_parallel)
