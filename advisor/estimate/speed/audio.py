"""Speed of speech and music: seconds of sound a second of work.

Autoregressive: decode steps a second of sound, each reading the weights and launching every layer. Denoising: FLOPs of
all steps over the clip. Recognition: an encoder over the frames, then text tokens (notes on throughput and memory, 10).
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from advisor.estimate.audio import (
    audio_parts,
    decode_steps_per_audio_second,
    hidden_size_of,
    latent_frames,
    layers_of,
)
from advisor.estimate.results import Throughput
from advisor.estimate.speed.rates import reachable_bandwidth, reachable_flops
from advisor.facts import Facts
from advisor.facts.audio_constants import AudioConstants
from advisor.resolve.hardware import Hardware, Layout
from advisor.resolve.works import AudioWork
from advisor.units import BITS_PER_BYTE, MICROSECOND, FloatArray

GROUP = "audio"
BOUNDS = np.array(["bandwidth", "compute", "launch"])


@dataclass(frozen=True, slots=True, eq=False)
class AudioTime:
    """Seconds of work for one second of sound of every sequence in the batch; arrays [D]."""

    reading: FloatArray
    compute: FloatArray
    launch: FloatArray

    @property
    def total(self) -> FloatArray:
        """Return the time [s/s]."""
        return np.asarray(self.reading + self.compute + self.launch)

    def bound(self) -> npt.NDArray[np.str_]:
        """Return the code of the largest part [D]."""
        return np.asarray(BOUNDS[np.argmax(np.stack([self.reading, self.compute, self.launch]), axis=0)])


def audio_throughput(
    work: AudioWork, hardware: Hardware, layout: Layout, memory: object, facts: Facts
) -> Throughput[FloatArray]:
    """Return the speed of audio work, columns [D]; every GPU works on clips of its own."""
    engine = work.settings.engine
    constants = facts.audio_profiles.constants((engine.id, engine.profile))
    time = audio_time(work, constants, hardware, facts)
    realtime_factor = hardware.gpu_count * work.batch / time.total
    interval = facts.speed_intervals.find(GROUP)
    return Throughput.columns(
        len(hardware),
        "realtime_factor",
        GROUP,
        interval.measured,
        time.bound(),
        realtime_factor=realtime_factor,
        low=realtime_factor * interval.low_factor,
        high=realtime_factor * interval.high_factor,
        weights_seconds=time.reading,
        compute_seconds=time.compute,
        launch_seconds=time.launch,
        concurrency=float(work.batch) * hardware.gpu_count,
    )


def audio_time(work: AudioWork, constants: AudioConstants, hardware: Hardware, facts: Facts) -> AudioTime:
    """Return the seconds of work for one second of sound of the whole batch [D]."""
    flops = reachable_flops(hardware, "16bit", facts) * constants.compute_share
    bandwidth = reachable_bandwidth(hardware, facts) * constants.bandwidth_share
    if work.model.is_denoising:
        return _denoising_time(work, constants, flops)
    return _decoding_time(work, constants, flops, bandwidth)


def _decoding_time(
    work: AudioWork, constants: AudioConstants, flops: FloatArray, bandwidth: FloatArray
) -> AudioTime:
    """Return the time of a model that decodes step by step, after an encoder over the sound where it has one."""
    model, parts = work.model, audio_parts(work.model)
    steps = decode_steps_per_audio_second(model, constants)
    depth_reads = parts.depth * model.depth_steps
    read = (parts.decoder + depth_reads) * work.bits / BITS_PER_BYTE
    layers = layers_of(model, constants) + model.depth_layers * model.depth_steps
    fixed = layers * (constants.launch_us + work.batch * constants.sequence_us) * MICROSECOND
    encoded = 2.0 * parts.encoder * constants.audio_frames_per_second
    decoded = 2.0 * (parts.decoder + depth_reads) * steps
    further = 1.0 + (constants.flow_share if model.steps and not model.is_recognition else 0.0)
    return AudioTime(
        reading=steps * read / bandwidth * further,
        compute=work.batch * (encoded + decoded) / flops * further,
        launch=np.full_like(flops, steps * fixed * further),
    )


def _denoising_time(work: AudioWork, constants: AudioConstants, flops: FloatArray) -> AudioTime:
    """Return the time of a model that makes the whole clip in denoising steps, spread over its seconds."""
    model = work.model
    frames = latent_frames(model, work.audio_seconds, constants)
    layers, hidden = layers_of(model, constants), hidden_size_of(model, constants)
    one_pass = 2.0 * model.parameters * frames + 4.0 * layers * frames**2 * hidden
    steps = model.steps or constants.default_denoising_steps
    passes = work.batch * (constants.guidance_passes if steps > 1 else 1.0)
    launch = steps * layers * constants.launch_us * MICROSECOND
    return AudioTime(
        reading=np.zeros_like(flops),
        compute=steps * passes * one_pass / flops / work.audio_seconds,
        launch=np.full_like(flops, launch / work.audio_seconds),
    )
