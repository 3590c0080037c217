"""Memory of one GPU, by kind of work: one call for one deployment and for thousands.

The estimators of a kind of work are loaded when it is first asked for, so that `import advisor` stays quick.
"""

from advisor.estimate.results import Memory
from advisor.facts import Facts
from advisor.resolve.hardware import Hardware, Layout
from advisor.resolve.works import AudioWork, ServeWork, TrainingWork, Work
from advisor.units import FloatArray


def memory_of(work: Work, hardware: Hardware, layout: Layout, facts: Facts) -> Memory[FloatArray]:
    """Return the memory of D deployments of one work, columns [D]."""
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
