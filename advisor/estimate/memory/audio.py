"""Memory of speech and music models: weights, cache of the decoder, activations of encoder or denoiser."""

from advisor.estimate.audio import (
    decode_steps_per_audio_second,
    hidden_size_of,
    latent_frames,
    layers_of,
)
from advisor.estimate.results import Memory
from advisor.facts import Facts
from advisor.facts.audio_constants import AudioConstants
from advisor.resolve.hardware import Hardware, Layout
from advisor.resolve.works import AudioWork
from advisor.units import BITS_PER_BYTE, GIB, FloatArray

GROUP = "audio"
CACHE_BYTES = 2.0
KEYS_AND_VALUES = 2


def audio_memory(work: AudioWork, hardware: Hardware, layout: Layout, facts: Facts) -> Memory[FloatArray]:
    """Return the memory of audio work, columns [D]; every GPU holds the whole model."""
    engine = work.settings.engine
    constants = facts.audio_profiles.constants((engine.id, engine.profile))
    weights = work.model.parameters * work.bits / BITS_PER_BYTE / GIB
    cache = decoder_cache_bytes(work, constants) / GIB
    activations = encoder_activation_bytes(work, constants) / GIB + constants.codec_gib
    peak = weights + cache + activations
    needed = peak * (1.0 + constants.slack_share) + constants.context_gib
    interval = facts.memory_intervals.find(GROUP)
    allocatable = hardware.memory_bytes_allocatable / GIB
    return Memory.columns(
        len(hardware),
        GROUP,
        interval.measured,
        weights_gib=weights,
        kv_cache_gib=cache,
        activations_gib=activations,
        overhead_gib=constants.context_gib,
        peak_gib=peak,
        needed_gib=needed,
        reserved_gib=needed,
        leftover_gib=0.0,
        low_gib=needed * interval.low_factor,
        high_gib=needed * interval.high_factor,
        reserved_low_gib=needed * interval.low_factor,
        reserved_high_gib=needed * interval.high_factor,
        allocatable_gib=allocatable,
        budget_gib=allocatable,
        host_gib=0.0,
    )


def decoder_cache_bytes(work: AudioWork, constants: AudioConstants) -> float:
    """Return keys and values of the decoder over one clip, or one window of recognised speech [bytes].

    2 x layers x kv heads x head size x steps x 2 bytes; all heads where the table does not know them.
    """
    model = work.model
    if model.is_denoising:
        return 0.0
    hidden = hidden_size_of(model, constants)
    width = hidden * model.kv_heads / model.heads if model.heads and model.kv_heads else hidden
    steps = decode_steps_per_audio_second(model, constants) * _window_seconds(work)
    return work.batch * KEYS_AND_VALUES * layers_of(model, constants) * width * steps * CACHE_BYTES


def encoder_activation_bytes(work: AudioWork, constants: AudioConstants) -> float:
    """Return the activations of a pass over the frames of one clip or window [bytes]."""
    model = work.model
    hidden = model.encoder_hidden_size or hidden_size_of(model, constants)
    if model.is_denoising:
        frames = latent_frames(model, work.audio_seconds, constants)
    elif model.is_recognition:
        frames = constants.audio_frames_per_second * _window_seconds(work)
    else:
        frames = decode_steps_per_audio_second(model, constants)
    return work.batch * constants.activation_copies * frames * hidden * CACHE_BYTES


def _window_seconds(work: AudioWork) -> float:
    """Return the seconds that are worked on at once: the clip, or the model's window where it has one [s]."""
    return (
        min(work.audio_seconds, work.model.max_seconds) if work.model.max_seconds > 0 else work.audio_seconds
    )
