"""Geometry of audio models: how parameters are split, how many steps and frames a second of sound takes."""

import math
from dataclasses import dataclass

from advisor.facts.audio_constants import AudioConstants
from advisor.facts.media import AudioModel

ENCODER_MATRICES = 12
"""Attention and feed-forward of an encoder layer: 12 hidden^2 parameters."""

DEPTH_MATRICES = 12
TRANSDUCER = "transducer"
UNKNOWN_ENCODER_SHARE = 0.3
"""Share of a speech-recognition model in its audio encoder where its layers are unknown (Qwen3-ASR, Voxtral)."""


@dataclass(frozen=True, slots=True, eq=False)
class AudioParts:
    """Parameters of the parts of an audio model [parameters]; decoder: what each step reads."""

    encoder: float
    decoder: float
    depth: float


def audio_parts(model: AudioModel) -> AudioParts:
    """Return the parameters by part: 12 hidden^2 a layer of encoder and depth decoder, the rest in the decoder."""
    encoder = float(ENCODER_MATRICES * model.encoder_layers * model.encoder_hidden_size**2)
    if model.is_recognition and not encoder:
        encoder = model.parameters * (1.0 if TRANSDUCER in model.architecture else UNKNOWN_ENCODER_SHARE)
    depth = float(DEPTH_MATRICES * model.depth_layers * model.depth_hidden_size**2)
    encoder = min(encoder, float(model.parameters))
    return AudioParts(encoder, max(0.0, model.parameters - encoder - depth), depth)


def decode_steps_per_audio_second(model: AudioModel, constants: AudioConstants) -> float:
    """Return autoregressive steps a second of sound [1/s]: audio tokens made, or text tokens of recognised speech."""
    if not math.isnan(model.decode_steps_per_audio_second):
        return model.decode_steps_per_audio_second
    if model.is_recognition:
        return constants.text_tokens_per_audio_second
    return constants.default_decode_steps


def latent_frames(model: AudioModel, audio_seconds: float, constants: AudioConstants) -> float:
    """Return the latent frames of one clip that is made in denoising steps [frames]."""
    rate = constants.default_latent_rate if math.isnan(model.frame_rate_hz) else model.frame_rate_hz
    return rate * audio_seconds


def layers_of(model: AudioModel, constants: AudioConstants) -> float:
    """Return the layers of decoder or backbone; a transducer has one small layer after its encoder."""
    if TRANSDUCER in model.architecture:
        return 1.0
    return model.layers or constants.default_layers


def hidden_size_of(model: AudioModel, constants: AudioConstants) -> float:
    """Return the hidden size, from parameters and layers where the table has none: N = 12 hidden^2 layers."""
    if model.hidden_size:
        return float(model.hidden_size)
    return math.sqrt(model.parameters / (ENCODER_MATRICES * layers_of(model, constants)))
