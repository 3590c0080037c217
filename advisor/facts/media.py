"""Image, video and audio models: parts, latent geometry, steps, licence."""

import re
from dataclasses import dataclass
from pathlib import Path

from advisor.errors import AdvisorError
from advisor.facts.names import NameIndex, build_index
from advisor.facts.table import Row, parse_rows, read_rows

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_PACK = re.compile(r"(\d+)x\d+ pack")
_EXPERTS_IN_TURN = re.compile(r"(\d+) experts, one active")
_EXPERTS_PER_TOKEN = re.compile(r"MoE \d+ experts, (\d+) active")
_DEPTH_STEPS = re.compile(r"x (\d+) depth")
_SUM_OF_STEPS = re.compile(r"~?(\d+(?:\.\d+)?) \w+ \+ (\d+(?:\.\d+)?) \w+")

VIDEO_SIZE = (1280, 720)
IMAGE_SIZE = (1024, 1024)
"""Sizes of models whose row states none [pixels]."""


@dataclass(frozen=True, slots=True, eq=False)
class DiffusionModel:
    """An image or video model: its three parts and the geometry of its latents.

    *_parameters [parameters]; backbone_parameters_per_token: those that act on every token, 0 where unknown;
    backbones_in_turn: whole backbones of which one works at each step (Wan 2.2 A14B has two); experts_per_token: feed-
    forward networks that each token passes, 1 unless a mixture of experts;
    spatial_downsample, temporal_downsample: of the VAE with its packing; patch: latent cells a token, per side;
    layers, hidden_size: of the transformer, 0 for UNets and where unknown.
    """

    id: str
    name: str
    aliases: tuple[str, ...]
    hf_id: str
    kind: str
    backbone: str
    backbone_parameters: int
    backbone_parameters_per_token: int
    backbones_in_turn: int
    experts_per_token: int
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

    @property
    def is_unet(self) -> bool:
        """Whether the backbone is a convolutional UNet and not a transformer."""
        return self.backbone.startswith("unet")

    @property
    def has_joint_text(self) -> bool:
        """Whether text and image tokens attend to each other in one sequence (MMDiT, single stream)."""
        return self.backbone.startswith("mmdit") or "single stream" in self.backbone

    @property
    def has_linear_attention(self) -> bool:
        """Whether attention grows with the tokens and not with their square."""
        return "linear attention" in self.backbone

    @property
    def pixels_per_token(self) -> int:
        """Return the side of the square of pixels that one token stands for [pixels]."""
        return self.spatial_downsample * self.patch


@dataclass(frozen=True, slots=True, eq=False)
class AudioModel:
    """A music, speech-synthesis or speech-recognition model.

    parameters: 0 where unknown; layers, hidden_size: of the decoder or backbone; encoder_*: of an audio encoder before
    it; depth_*: of a small decoder that runs depth_steps times for each step of the backbone;
    decode_steps_per_audio_second: autoregressive steps of speech and music made [1/s], NaN where unknown and for speech
    recognition, whose steps are text tokens unless it steps with the sound; steps: denoising steps, 0 for
    autoregressive models.
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
    encoder_layers: int
    encoder_hidden_size: int
    depth_layers: int
    depth_hidden_size: int
    depth_steps: int
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

    @property
    def is_recognition(self) -> bool:
        """Whether sound comes in and text goes out."""
        return self.kind == "stt"

    @property
    def is_denoising(self) -> bool:
        """Whether the whole clip is made together in denoising steps, without an autoregressive part."""
        diffuses = self.steps > 0 or "DiT" in self.architecture
        return diffuses and not self.is_recognition and " AR" not in f" {self.architecture}"


@dataclass(frozen=True, slots=True, eq=False)
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


def _found(pattern: re.Pattern[str], text: str, unknown: int) -> int:
    found = pattern.search(text)
    return int(found[1]) if found else unknown


def _parse_diffusion(row: Row) -> DiffusionModel:
    usual = VIDEO_SIZE if row.text("kind") == "video" else IMAGE_SIZE
    width, height = [int(number) for number in _numbers(row.text("default_resolution"))[:2]] or usual
    downsample = [int(number) for number in _numbers(row.text("latent_downsample"))] or [8]
    backbone = row.text("backbone")
    is_unet = backbone.startswith("unet")
    return DiffusionModel(
        id=row.text("id"),
        name=row.text("name"),
        aliases=row.words("aliases"),
        hf_id=row.text("hf_id"),
        kind=row.text("kind"),
        backbone=backbone,
        backbone_parameters=row.whole("backbone_params"),
        backbone_parameters_per_token=row.whole("backbone_params_per_token"),
        backbones_in_turn=_found(_EXPERTS_IN_TURN, backbone, 1),
        experts_per_token=_found(_EXPERTS_PER_TOKEN, backbone, 1),
        text_encoder_parameters=row.whole("text_encoder_params"),
        text_encoders=row.text("text_encoders"),
        vae_parameters=row.whole("vae_params"),
        default_steps=int(_first_number(row.text("default_steps"), 28)),
        default_guidance=row.text("cfg_doubles_passes").startswith("yes"),
        default_width=width,
        default_height=height,
        default_frames=int(_first_number(row.text("frames"), 1)),
        default_fps=_first_number(row.text("fps"), 0.0),
        spatial_downsample=downsample[0] * _found(_PACK, row.text("latent_downsample"), 1),
        temporal_downsample=_temporal_downsample(row.text("kind"), row.text("latent_downsample")),
        patch=_patch(row.text("patch"), is_unet),
        layers=0 if is_unet else int(sum(_numbers(row.text("layers")))),
        hidden_size=0 if is_unet else int(_first_number(row.text("hidden"))),
        license=row.text("license"),
        source=row.text("source"),
        notes=row.text("notes"),
    )


def _temporal_downsample(kind: str, downsample: str) -> int:
    """Return frames a latent frame: the third factor of `8x8x4`; four where a video row states none."""
    factors = [int(number) for number in _numbers(downsample)]
    if kind == "image":
        return 1
    return factors[2] if len(factors) > 2 else 4


def _patch(patch: str, is_unet: bool) -> int:
    """Return latent cells a token, per side: the last factor of `1x2x2`; two where a transformer states none."""
    return int(([1.0] if is_unet else _numbers(patch) or [2.0])[-1])


def _parse_audio(row: Row) -> AudioModel:
    has_depth = "depth" in row.text("architecture") + row.text("tokens_per_audio_second")
    encoder_layers, layers, depth_layers = _stacks(row.text("layers"), has_depth)
    encoder_hidden, hidden, depth_hidden = _stacks(row.text("hidden"), has_depth)
    return AudioModel(
        id=row.text("id"),
        name=row.text("name"),
        aliases=row.words("aliases"),
        hf_id=row.text("hf_id"),
        kind=row.text("kind"),
        architecture=row.text("architecture"),
        parameters=row.whole("params"),
        layers=layers,
        hidden_size=hidden,
        encoder_layers=encoder_layers,
        encoder_hidden_size=encoder_hidden or (hidden if encoder_layers else 0),
        depth_layers=depth_layers,
        depth_hidden_size=depth_hidden,
        depth_steps=_found(_DEPTH_STEPS, row.text("tokens_per_audio_second"), 0),
        heads=row.whole("heads"),
        kv_heads=row.whole("kv_heads"),
        frame_rate_hz=row.number("frame_rate_hz"),
        codebooks=int(_first_number(row.text("codebooks"))),
        decode_steps_per_audio_second=_decode_steps(row),
        steps=row.whole("steps"),
        max_seconds=row.number("max_seconds"),
        native_format=row.text("native_dtype"),
        license=row.text("license"),
        source=row.text("source"),
        notes=row.text("notes"),
    )


def _stacks(cell: str, has_depth: bool) -> tuple[int, int, int]:
    """Return encoder, backbone and depth figures of a cell: `32+4`, `12 enc + 18 dec`, or `16 + 4` with depth."""
    numbers = [int(number) for number in _numbers(cell)] or [0]
    if len(numbers) == 1:
        return 0, numbers[0], 0
    return (0, numbers[0], numbers[1]) if has_depth else (numbers[0], numbers[1], 0)


def _decode_steps(row: Row) -> float:
    """Return autoregressive steps a second of sound; NaN where unknown, and for text tokens of recognised speech."""
    cell = row.text("tokens_per_audio_second").split("(")[0]
    if "frames" in cell or "audio tokens" in cell or "none" in cell:
        return float("nan")
    several = _SUM_OF_STEPS.search(cell)
    if several:
        return float(several[1]) + float(several[2])
    return _first_number(cell, float("nan"))
