"""Constants of image, video and audio: speed coefficients, memory constants and the FLOPs of measured UNets."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path

from advisor.errors import AdvisorError
from advisor.facts.coefficients import CoefficientTable, load_coefficients
from advisor.facts.families import GpuFamilies
from advisor.facts.gpus import Gpus
from advisor.facts.media import DiffusionModel, MediaModels
from advisor.facts.table import Row, parse_rows, read_rows
from advisor.units import TERA, BoolArray, FloatArray, IntArray

ANY = "*"
MEDIA_KEYS = ("engine", "backbone", "model", "mode")


@dataclass(frozen=True, slots=True, eq=False)
class MediaCoefficients:
    """What an engine reaches with one kind of backbone; every array has shape [D].

    matrix_share, attention_share: of the 16-bit rate that large matrix products of this GPU reach;
    fp8_gain, int8_gain, fp4_gain: how much faster matrix products are where the chip multiplies in that precision;
    step_ms: fixed time of a denoising step [ms]; layer_us: least time of a transformer layer in a step [us];
    request_ms: fixed time of a request [ms]; decode_bytes_per_pixel: memory traffic of the VAE's decoder
    [bytes/pixel]; link_share, pcie_share: of the link's rate in exchanges between the GPUs that share one image;
    overlaps_offload: 1 where weights stream from the host while the GPU works; training_share: what training reaches
    of the shares above.
    """

    matrix_share: FloatArray
    attention_share: FloatArray
    fp8_gain: FloatArray
    int8_gain: FloatArray
    fp4_gain: FloatArray
    step_ms: FloatArray
    layer_us: FloatArray
    request_ms: FloatArray
    decode_bytes_per_pixel: FloatArray
    link_share: FloatArray
    pcie_share: FloatArray
    overlaps_offload: FloatArray
    training_share: FloatArray


DECISIVE = ("matrix_share",)
"""The coefficients that decide most of a step."""

MEDIA_QUANTITIES = tuple(spec.name for spec in fields(MediaCoefficients))


@dataclass(frozen=True, slots=True, eq=False)
class MediaSpeed:
    """The table of speed coefficients of image and video engines."""

    table: CoefficientTable

    def reached(
        self, engines: tuple[str, str], keys: tuple[str, str, str], version: str, gpu_index: IntArray
    ) -> MediaCoefficients:
        """Return the coefficients of some accelerators [D].

        engines: id and profile; an engine without rows of its own takes its profile's. keys: backbone (unet or dit),
        model id, mode (eager or compiled).
        """
        engine = self.table.named(0, engines)
        columns = self.table.columns((engine, *keys), version)
        return MediaCoefficients(*columns[:, gpu_index])

    def fitted(
        self, engines: tuple[str, str], keys: tuple[str, str, str], version: str, gpu_index: IntArray
    ) -> BoolArray:
        """Return where the share of matrix products was fitted to cases on such a GPU, and is not a prior [D]."""
        engine = self.table.named(0, engines)
        return self.table.fitted((engine, *keys), version, DECISIVE)[gpu_index]


@dataclass(frozen=True, slots=True, eq=False)
class UnetFlops:
    """FLOPs of measured UNets for each parameter and pixel, by model id; others take the geometric mean."""

    measured: Mapping[str, float]

    def per_parameter_and_pixel(self, model: DiffusionModel) -> float:
        """Return the FLOPs of one pass for each parameter and pixel [FLOP]."""
        if model.id in self.measured:
            return self.measured[model.id]
        logarithms = [math.log(value) for value in self.measured.values()]
        return math.exp(sum(logarithms) / len(logarithms))


def load_media_speed(
    folder: Path, gpus: Gpus, families: GpuFamilies
) -> tuple[MediaSpeed, list[AdvisorError]]:
    """Read `speed_media.csv`; returns the table and the refused rows."""
    table, refused = load_coefficients(folder, "speed_media", MEDIA_QUANTITIES, MEDIA_KEYS, gpus, families)
    return MediaSpeed(table), refused


def load_unet_flops(folder: Path, models: MediaModels) -> tuple[UnetFlops, list[AdvisorError]]:
    """Read `unet_flops.csv`; a row of a model that is not in the table is refused by name."""

    def parse(row: Row) -> tuple[str, float]:
        model = models.diffusion.get(row.text("model"))
        if model is None:
            raise row.refuse("model", "an id of models_diffusion")
        pixels = row.whole("width") * row.whole("height") * row.whole("frames")
        return model.id, row.number("teraflops") * TERA / (model.backbone_parameters * pixels)

    rows, refused = parse_rows(read_rows(folder, "unet_flops", "model"), parse)
    return UnetFlops(dict(rows)), refused


@dataclass(frozen=True, slots=True, eq=False)
class MediaMemoryConstants:
    """How one engine uses memory for images and video.

    hidden_copies, video_hidden_copies: 16-bit copies of tokens x hidden alive in a pass over an image or a video;
    guidance_copies: passes of guidance held together; unet_bytes_per_pixel: of a UNet's pass [bytes/pixel];
    decode_bytes_per_pixel, video_decode_bytes_per_pixel: peak of the VAE's decoder, the latter over all frames
    [bytes/pixel]; tile_pixels: of one tile [pixels]; fixed_gib: beside weights and activations [GiB];
    keeps_encoders: 1 where text encoders stay on the card; encodes_on_host: 1 where model offload leaves them on the
    host; encoder_most_bits: of a text-encoder weight; slack_share: reserved but unused, of the peak;
    context_gib: of the process [GiB]; training_hidden_copies: copies of tokens x hidden that one layer keeps for its
    backward pass.
    """

    hidden_copies: float
    video_hidden_copies: float
    guidance_copies: float
    unet_bytes_per_pixel: float
    decode_bytes_per_pixel: float
    video_decode_bytes_per_pixel: float
    tile_pixels: float
    fixed_gib: float
    keeps_encoders: float
    encodes_on_host: float
    encoder_most_bits: float
    slack_share: float
    context_gib: float
    training_hidden_copies: float


MEDIA_MEMORY_KEYS = ("engine", "model", "setting")
MEMORY_QUANTITIES = tuple(spec.name for spec in fields(MediaMemoryConstants))


@dataclass(frozen=True, slots=True, eq=False)
class MediaMemory:
    """The table of memory constants of image and video engines."""

    table: CoefficientTable

    def constants(self, engines: tuple[str, str], model: str, setting: str) -> MediaMemoryConstants:
        """Return the constants of an engine. setting: sharded, fp32 or plain."""
        engine = self.table.named(0, engines)
        columns = self.table.columns((engine, model, setting), "")
        return MediaMemoryConstants(*(float(value) for value in columns[:, 0]))


def load_media_memory(
    folder: Path, gpus: Gpus, families: GpuFamilies
) -> tuple[MediaMemory, list[AdvisorError]]:
    """Read `media_memory.csv`; returns the table and the refused rows."""
    table, refused = load_coefficients(
        folder, "media_memory", MEMORY_QUANTITIES, MEDIA_MEMORY_KEYS, gpus, families
    )
    return MediaMemory(table), refused
