"""From what the framework allocates to what the card must offer: allocator slack, context, communication buffers."""

import numpy as np

from advisor.estimate.memory.training_activations import Activations
from advisor.facts.training_memory import TrainingProfile
from advisor.resolve.hardware import Hardware, Layout
from advisor.units import GIB, FloatArray, bytes_from_gib

LARGE_CARD_BYTES = 80 * GIB
"""From this size a card has the full context; a T4 has 0.14 GiB (notes on memory, section 8)."""


def slack_bytes(
    profile: TrainingProfile, lasting: FloatArray, peak: FloatArray, activations: Activations, layout: Layout
) -> FloatArray:
    """Return what the caching allocator reserves and does not use at the peak [D bytes].

    Blocks of eager attention scores are cached and do not fit those of the logits, so the smaller of the two stays.
    """
    transient = np.maximum(0.0, peak - lasting)
    misfit = min(activations.scores, activations.logits) / (layout.tensor_parallel * layout.context_parallel)
    return (
        profile.slack_static * lasting + profile.slack_transient * transient + profile.slack_scores * misfit
    )


def context_bytes(profile: TrainingProfile, hardware: Hardware) -> FloatArray:
    """Return the CUDA context and libraries of one process: smaller on small chips [D bytes]."""
    share = np.fmin(1.0, hardware.memory_bytes_total / LARGE_CARD_BYTES)
    return bytes_from_gib(profile.context_gib) * share


def needed_bytes(
    profile: TrainingProfile,
    lasting: FloatArray,
    peak: FloatArray,
    activations: Activations,
    hardware: Hardware,
    layout: Layout,
) -> tuple[FloatArray, FloatArray]:
    """Return the least that a card must offer, and the part of it outside the framework's peak [D bytes]."""
    degree = layout.tensor_parallel * layout.replicas * layout.context_parallel * layout.pipeline_parallel
    communication = np.where(degree > 1, bytes_from_gib(profile.communication_gib), 0.0)
    overhead = slack_bytes(profile, lasting, peak, activations, layout) + communication
    overhead = overhead + context_bytes(profile, hardware)
    return peak + overhead, overhead
