"""Speed of making images and video, or of fine-tuning such a model."""

from advisor.estimate.results import Throughput
from advisor.estimate.speed.media_time import media_time
from advisor.estimate.speed.media_training import media_training_throughput
from advisor.facts import Facts
from advisor.resolve.hardware import Hardware, Layout
from advisor.resolve.works import MediaWork
from advisor.units import FloatArray


def media_throughput(
    work: MediaWork, hardware: Hardware, layout: Layout, memory: object, facts: Facts
) -> Throughput[FloatArray]:
    """Return the speed of image or video work, or of fine-tuning such a model, columns [D]."""
    if work.method:
        return media_training_throughput(work, hardware, layout, facts)
    time = media_time(work, hardware, layout, facts)
    seconds = time.total(work.steps)
    video = work.task == "video"
    headline = "seconds_per_video" if video else "seconds_per_image"
    group = f"{work.task}/{work.settings.engine.id}"
    interval = facts.speed_intervals.find(group)
    each = seconds / work.batch
    own = (
        {headline: each}
        if video
        else {headline: each, "images_per_second": layout.replicas * work.batch / seconds}
    )
    return Throughput.columns(
        len(hardware),
        headline,
        group,
        interval.measured,
        time.bound(work.steps),
        steps_per_second=layout.replicas / time.step,
        low=each * interval.low_factor,
        high=each * interval.high_factor,
        step_seconds=time.step,
        compute_seconds=time.compute,
        launch_seconds=time.fixed,
        communication_seconds=time.exchange,
        offload_seconds=time.streaming,
        concurrency=layout.replicas * work.batch,
        **own,
    )
