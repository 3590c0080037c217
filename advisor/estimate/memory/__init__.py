"""Memory of one GPU, by kind of work: one call for one deployment and for thousands.

The estimators of a kind of work are loaded when it is first asked for, so that `import advisor` stays quick.
"""

import dataclasses

import numpy as np

from advisor.estimate.results import Memory
from advisor.facts import Facts
from advisor.resolve.hardware import Hardware, Layout
from advisor.resolve.works import AudioWork, ServeWork, TrainingWork, Work
from advisor.units import FloatArray

UNMEASURED_FACTOR = 1.5
"""Half as much again: the worst that first formulas missed measured needs of images, video and sound by."""


def memory_of(work: Work, hardware: Hardware, layout: Layout, facts: Facts) -> Memory[FloatArray]:
    """Return the memory of D deployments of one work, columns [D].

    The interval never reaches below the weights, which are known to the byte; where nothing like it was measured, it
    is as wide as `UNMEASURED_FACTOR`, not wider.
    """
    memory = _memory_by_kind(work, hardware, layout, facts)
    least = np.fmin(memory.weights_gib, memory.needed_gib)
    low, high = np.maximum(memory.low_gib, least), memory.high_gib
    if not memory.measured:
        low = np.maximum(low, memory.needed_gib / UNMEASURED_FACTOR)
        high = np.minimum(high, memory.needed_gib * UNMEASURED_FACTOR)
    return dataclasses.replace(memory, low_gib=low, high_gib=high)


def _memory_by_kind(work: Work, hardware: Hardware, layout: Layout, facts: Facts) -> Memory[FloatArray]:
    if isinstance(work, ServeWork):
        from advisor.estimate.memory.serving import serving_memory

        return serving_memory(work, hardware, layout, facts)
    if isinstance(work, TrainingWork):
        from advisor.estimate.memory.training import training_memory

        return training_memory(work, hardware, layout, facts)
    if isinstance(work, AudioWork):
        from advisor.estimate.memory.audio import audio_memory

        return audio_memory(work, hardware, layout, facts)
    from advisor.estimate.memory.media import media_memory

    return media_memory(work, hardware, layout, facts)
