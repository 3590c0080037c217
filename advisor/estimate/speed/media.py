"""Speed of making images and video, or of fine-tuning such a model."""

from advisor.estimate.results import Throughput
from advisor.estimate.speed.media_load import media_load, media_machine
from advisor.estimate.speed.media_time import is_fitted, media_coefficients, media_time
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
    machine = media_machine(hardware, layout, facts)
    time = media_time(media_load(work, facts), machine, media_coefficients(work, hardware, facts))
    seconds = time.total(work.steps)
    video = work.task == "video"
    headline = "seconds_per_video" if video else "seconds_per_image"
    group = speed_group(work)
    interval = facts.speed_intervals.find(group)
    each = seconds / work.batch
    fitted = is_fitted(work, hardware, facts)
    low, high = interval.around(each, fitted)
    own = (
        {headline: each}
        if video
        else {headline: each, "images_per_second": layout.replicas * work.batch / seconds}
    )
    return Throughput.columns(
        len(hardware),
        headline,
        group,
        interval.measured and bool(fitted.all()),
        time.bound(work.steps),
        steps_per_second=layout.replicas / time.step,
        low=low,
        high=high,
        step_seconds=time.step,
        compute_seconds=time.compute,
        launch_seconds=time.fixed,
        communication_seconds=time.exchange,
        offload_seconds=time.streaming,
        concurrency=layout.replicas * work.batch,
        **own,
    )


def speed_group(work: MediaWork) -> str:
    """Return the calibration group: image/<engine>, video/<engine>."""
    return f"{work.task}/{work.settings.engine.id}"
