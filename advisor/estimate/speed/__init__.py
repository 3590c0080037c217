"""Speed by kind of work: one call for one deployment and for thousands.

The estimators of a kind of work are loaded when it is first asked for, so that `import advisor` stays quick.
"""

from advisor.estimate.results import Memory, Throughput
from advisor.facts import Facts
from advisor.resolve.hardware import Hardware, Layout
from advisor.resolve.works import AudioWork, ServeWork, TrainingWork, Work
from advisor.units import FloatArray


def throughput_of(
    work: Work, hardware: Hardware, layout: Layout, memory: Memory[FloatArray], facts: Facts
) -> Throughput[FloatArray]:
    """Return the speed of D deployments of one work, columns [D]; `memory` is that of the same deployments."""
    if isinstance(work, ServeWork):
        from advisor.estimate.speed.serving import serving_throughput

        return serving_throughput(work, hardware, layout, memory, facts)
    if isinstance(work, TrainingWork):
        from advisor.estimate.speed.training import training_throughput

        return training_throughput(work, hardware, layout, memory, facts)
    if isinstance(work, AudioWork):
        from advisor.estimate.speed.audio import audio_throughput

        return audio_throughput(work, hardware, layout, memory, facts)
    from advisor.estimate.speed.media import media_throughput

    return media_throughput(work, hardware, layout, memory, facts)
