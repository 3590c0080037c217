"""How copies of a served model lie over the GPUs of D deployments."""

from dataclasses import dataclass

import numpy as np

from advisor.resolve.hardware import Layout
from advisor.units import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """How one copy of the model lies over GPUs [D].

    shards: GPUs that share each layer; attention_shards: those that share one attention; attention_ranks: attentions
    side by side (attention data parallel); stages: of the pipeline; copies: copies of the model in the deployment.
    """

    shards: FloatArray
    attention_shards: FloatArray
    attention_ranks: FloatArray
    stages: FloatArray
    copies: FloatArray


def split_of(layout: Layout) -> Split:
    """Return how copies of the model lie over the GPUs [D].

    Tensor, expert and attention data parallel name the same GPUs, so a copy spans the largest of the three; attention
    data parallel divides it into attentions side by side.
    """
    tensor = layout.tensor_parallel.astype(np.float64)
    shards = np.maximum(np.maximum(tensor, layout.expert_parallel), layout.attention_data_parallel)
    divided = layout.attention_data_parallel > 1
    attention = np.where(divided, np.maximum(1.0, shards // layout.attention_data_parallel), tensor)
    copies = np.maximum(1.0, layout.replicas * tensor // shards)
    return Split(shards, attention, shards / attention, layout.pipeline_parallel.astype(np.float64), copies)
