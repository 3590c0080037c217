"""Image, video and audio models: parts, latent geometry, steps, licence."""

import re
from dataclasses import dataclass
from pathlib import Path

from advisor.errors import AdvisorError
from advisor.facts.names import NameIndex, build_index
from advisor.facts.table import Row, parse_rows, read_rows

_NUMBER = re.compile(r"\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class DiffusionModel:
    """An image or video model: its three parts and the geometry of its latents.

    *_parameters [parameters]; backbone_parameters_per_token: those that act on every token, 0 where unknown;
    spatial_downsample, temporal_downsample: of the VAE; patch: latent cells a token, per side;
    """

    id: str
    name: str
    aliases: tuple[str, ...]
    hf_id: str
    kind: str
    backbone: str
    backbone_parameters: int
    backbone_parameters_per_token: int
    text_encoder_parameters: int
    text_encoders: str
    vae_parameters: int
    default_steps: int
    default_guidance: bool
    default_width: int
    default_height: int
    default_frames: int
    default_fps: float
    spatial_downsample: int
    temporal_downsample: int
    patch: int
    layers: int
    hidden_size: int
    license: str
    source: str
    notes: str


@dataclass(frozen=True, slots=True)
class AudioModel:
    """A music, speech-synthesis or speech-recognition model.

    parameters: 0 where unknown; decode_steps_per_audio_second: autoregressive steps or latent frames [1/s], NaN where
    unknown; steps: denoising steps, 0 for autoregressive models.
    """

    id: str
    name: str
    aliases: tuple[str, ...]
    hf_id: str
    kind: str
    architecture: str
    parameters: int
    layers: int
    hidden_size: int
    heads: int
    kv_heads: int
    frame_rate_hz: float
    codebooks: int
    decode_steps_per_audio_second: float
    steps: int
    max_seconds: float
    native_format: str
    license: str
    source: str
    notes: str


@dataclass(frozen=True, slots=True)
class MediaModels:
    """The diffusion and audio tables with the index of their names."""

    diffusion: dict[str, DiffusionModel]
    audio: dict[str, AudioModel]
    diffusion_names: NameIndex
    audio_names: NameIndex


def load_media_models(folder: Path) -> tuple[MediaModels, list[AdvisorError]]:
    """Read `models_diffusion.csv` and `models_audio.csv`; returns both and the refused rows."""
    diffusion, refused = parse_rows(read_rows(folder, "models_diffusion", "id"), _parse_diffusion)
    audio, refused_audio = parse_rows(read_rows(folder, "models_audio", "id"), _parse_audio)
    return (
        MediaModels(
            {row.id: row for row in diffusion},
            {row.id: row for row in audio},
            build_index((row.id, (row.name, row.hf_id, *row.aliases)) for row in diffusion),
            build_index((row.id, (row.name, row.hf_id, *row.aliases)) for row in audio),
        ),
        refused + refused_audio,
    )


def _numbers(text: str) -> list[float]:
    return [float(number) for number in _NUMBER.findall(text)]


def _first_number(text: str, unknown: float = 0.0) -> float:
    numbers = _numbers(text)
    return numbers[0] if numbers else unknown


def _parse_diffusion(row: Row) -> DiffusionModel:
    size = [int(number) for number in _numbers(row.text("default_resolution"))[:2]] or [1024]
    downsample = [int(number) for number in _numbers(row.text("latent_downsample"))] or [8]
    return DiffusionModel(
        id=row.text("id"),
        name=row.text("name"),
        aliases=row.words("aliases"),
        hf_id=row.text("hf_id"),
        kind=row.text("kind"),
        backbone=row.text("backbone"),
        backbone_parameters=row.whole("backbone_params"),
        backbone_parameters_per_token=row.whole("backbone_params_per_token"),
        text_encoder_parameters=row.whole("text_encoder_params"),
        text_encoders=row.text("text_encoders"),
        vae_parameters=row.whole("vae_params"),
        default_steps=int(_first_number(row.text("default_steps"), 28)),
        default_guidance=row.text("cfg_doubles_passes").startswith("yes"),
        default_width=size[0],
        default_height=size[-1],
        default_frames=int(_first_number(row.text("frames"), 1)),
        default_fps=_first_number(row.text("fps"), 0.0),
        spatial_downsample=downsample[0],
        temporal_downsample=downsample[2] if len(downsample) > 2 else 1,
        patch=int((_numbers(row.text("patch")) or [1.0])[-1]),
        layers=int(sum(_numbers(row.text("layers")))),
        hidden_size=int(_first_number(row.text("hidden"))),
        license=row.text("license"),
        source=row.text("source"),
        notes=row.text("notes"),
    )


def _parse_audio(row: Row) -> AudioModel:
    return AudioModel(
        id=row.text("id"),
        name=row.text("name"),
        aliases=row.words("aliases"),
        hf_id=row.text("hf_id"),
        kind=row.text("kind"),
        architecture=row.text("architecture"),
        parameters=row.whole("params"),
        layers=int(sum(_numbers(row.text("layers")))),
        hidden_size=int(_first_number(row.text("hidden"))),
        heads=row.whole("heads"),
        kv_heads=row.whole("kv_heads"),
        frame_rate_hz=row.number("frame_rate_hz"),
        codebooks=int(_first_number(row.text("codebooks"))),
        decode_steps_per_audio_second=_first_number(row.text("tokens_per_audio_second"), float("nan")),
        steps=row.whole("steps"),
        max_seconds=row.number("max_seconds"),
        native_format=row.text("native_dtype"),
        license=row.text("license"),
        source=row.text("source"),
        notes=row.text("notes"),
    )
