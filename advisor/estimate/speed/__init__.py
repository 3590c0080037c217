"""Speed by kind of work: one call for one deployment and for thousands."""

from advisor.estimate.results import Memory, Throughput
from advisor.estimate.speed.audio import audio_throughput
from advisor.estimate.speed.media import media_throughput
from advisor.estimate.speed.serving import serving_throughput
from advisor.estimate.speed.training import training_throughput
from advisor.facts import Facts
from advisor.resolve.hardware import Hardware, Layout
from advisor.resolve.works import AudioWork, ServeWork, TrainingWork, Work
from advisor.units import FloatArray


def throughput_of(
    work: Work, hardware: Hardware, layout: Layout, memory: Memory[FloatArray], facts: Facts
) -> Throughput[FloatArray]:
    """Return the speed of D deployments of one work, columns [D]; `memory` is that of the same deployments."""
    if isinstance(work, ServeWork):
        return serving_throughput(work, hardware, layout, memory, facts)
    if isinstance(work, TrainingWork):
        return training_throughput(work, hardware, layout, memory, facts)
    if isinstance(work, AudioWork):
        return audio_throughput(work, hardware, layout, memory, facts)
    return media_throughput(work, hardware, layout, memory, facts)
