"""Memory of image and video models: all their parts, the pass over the latents, decoding, and what offload saves.

Formulas and fits: notes on memory, sections 9 and 12.
"""

from dataclasses import dataclass

import numpy as np

from advisor.estimate.diffusion import backbone_hidden_size, backbone_layers, sequence_tokens
from advisor.estimate.memory.media_training import media_training_memory
from advisor.estimate.results import Memory
from advisor.facts import Facts
from advisor.facts.media_constants import MediaMemoryConstants
from advisor.resolve.hardware import Hardware, Layout
from advisor.resolve.works import MediaWork
from advisor.units import BITS_PER_BYTE, GIB, FloatArray

BF16_BYTES = 2.0
FP32_BITS = 32.0
SHARDED = ("fsdp", "zero3")
LAYERS_IN_FLIGHT = 2
"""Layers of a sequentially offloaded backbone on the card at once: the one that works and the next."""

UNET_BLOCKS = 25
"""Blocks of a Stable Diffusion UNet that sequential offload moves one by one."""


@dataclass(frozen=True, slots=True, eq=False)
class MediaParts:
    """Bytes of the weights of the three parts; backbone: all of them, working: the one that a step uses."""

    backbone: float
    working: float
    encoders: float
    vae: float

    @property
    def total(self) -> float:
        """Return all weights [bytes]."""
        return self.backbone + self.encoders + self.vae


def media_memory(work: MediaWork, hardware: Hardware, layout: Layout, facts: Facts) -> Memory[FloatArray]:
    """Return the memory of image or video work, or of fine-tuning such a model, columns [D]."""
    constants = media_memory_constants(work, facts)
    parts = media_parts(work, constants)
    if work.method:
        return media_training_memory(work, parts.encoders + parts.vae, constants, hardware, layout, facts)
    ranks = layout.context_parallel.astype(np.float64)
    weights, activations = memory_at_peak(work, parts, constants, ranks)
    peak = weights + activations
    needed = peak * (1.0 + constants.slack_share) + constants.context_gib * GIB
    group = memory_group(work)
    interval = facts.memory_intervals.find(group)
    allocatable = hardware.memory_bytes_allocatable / GIB
    needed_gib = needed / GIB
    return Memory.columns(
        len(hardware),
        group,
        interval.measured,
        weights_gib=weights / GIB,
        activations_gib=activations / GIB,
        overhead_gib=constants.context_gib,
        peak_gib=peak / GIB,
        needed_gib=needed_gib,
        reserved_gib=needed_gib,
        leftover_gib=0.0,
        low_gib=needed_gib * interval.low_factor,
        high_gib=needed_gib * interval.high_factor,
        reserved_low_gib=needed_gib * interval.low_factor,
        reserved_high_gib=needed_gib * interval.high_factor,
        allocatable_gib=allocatable,
        budget_gib=allocatable,
        host_gib=0.0 if work.offload == "none" else parts.total / GIB,
    )


def media_memory_constants(work: MediaWork, facts: Facts) -> MediaMemoryConstants:
    """Return the constants of the engine for these weights and their split."""
    engine = work.settings.engine
    return facts.media_memory.constants((engine.id, engine.profile), work.model.id, memory_setting(work))


def memory_setting(work: MediaWork) -> str:
    """Return sharded, fp32 or plain, the settings by which constants differ."""
    if work.sharding in SHARDED:
        return "sharded"
    return "fp32" if work.backbone_bits >= FP32_BITS else "plain"


def memory_group(work: MediaWork) -> str:
    """Return the calibration group: image/<engine>, video/<engine>."""
    return f"{work.task}/{work.settings.engine.id}"


def media_parts(work: MediaWork, constants: MediaMemoryConstants) -> MediaParts:
    """Return the bytes of backbone, text encoders and VAE."""
    model = work.model
    backbone = model.backbone_parameters * work.backbone_bits / BITS_PER_BYTE
    encoder_bits = min(work.text_encoder_bits, constants.encoder_most_bits)
    return MediaParts(
        backbone=backbone,
        working=backbone / model.backbones_in_turn,
        encoders=model.text_encoder_parameters * encoder_bits / BITS_PER_BYTE,
        vae=model.vae_parameters * work.vae_bits / BITS_PER_BYTE,
    )


def pass_activation_bytes(work: MediaWork, constants: MediaMemoryConstants) -> float:
    """Return the activations of one pass of the backbone over a whole batch [bytes].

    copies x tokens x hidden x 2 bytes for transformers; by pixels for UNets.
    """
    together = work.batch * (constants.guidance_copies if work.guidance else 1.0)
    if work.model.is_unet:
        return together * constants.unet_bytes_per_pixel * work.width * work.height * work.frames
    tokens = sequence_tokens(work.model, work.width, work.height, work.frames)
    copies = constants.video_hidden_copies if work.task == "video" else constants.hidden_copies
    return together * copies * tokens * backbone_hidden_size(work.model) * BF16_BYTES


def decode_bytes(work: MediaWork, constants: MediaMemoryConstants) -> float:
    """Return the activations of the VAE's decoder, of one tile with tiling [bytes]."""
    pixels = float(work.width * work.height)
    if work.vae_tiling:
        pixels = min(pixels, constants.tile_pixels)
    if work.task == "video":
        return work.batch * pixels * work.frames * constants.video_decode_bytes_per_pixel
    return (1 if work.vae_tiling else work.batch) * pixels * constants.decode_bytes_per_pixel


def memory_at_peak(
    work: MediaWork, parts: MediaParts, constants: MediaMemoryConstants, ranks: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return weights and activations on one card at the fullest moment of a request [D, bytes].

    Moments: encoding the text, a pass of the backbone, decoding. GPUs that share a sequence split the activations of
    the pass; its weights only where they are sharded; decoding stays whole on each.
    """
    fixed = constants.fixed_gib * GIB
    in_pass = pass_activation_bytes(work, constants) / ranks + fixed
    decoding = np.full_like(ranks, decode_bytes(work, constants) + fixed)
    if work.sharding in SHARDED:
        held = (parts.backbone + parts.encoders) / ranks
        return held, np.maximum(in_pass, decoding)
    if work.offload == "none" and constants.keeps_encoders:
        return np.full_like(ranks, parts.total), np.maximum(in_pass, decoding)
    held_in_pass, held_in_decoding, held_in_encoding = _held_by_moment(work, parts, constants)
    held = np.stack(
        [np.full_like(ranks, size) for size in (held_in_pass, held_in_decoding, held_in_encoding)]
    )
    used = np.stack([in_pass, decoding, np.full_like(ranks, fixed)])
    fullest = np.argmax(held + used, axis=0)[None]
    return np.take_along_axis(held, fullest, 0)[0], np.take_along_axis(used, fullest, 0)[0]


def _held_by_moment(
    work: MediaWork, parts: MediaParts, constants: MediaMemoryConstants
) -> tuple[float, float, float]:
    """Return the weights on the card in a pass, in decoding and in encoding [bytes], by the kind of offload."""
    if work.offload == "sequential":
        blocks = UNET_BLOCKS if work.model.is_unet else backbone_layers(work.model)
        return (
            LAYERS_IN_FLIGHT * parts.working / blocks,
            parts.vae,
            LAYERS_IN_FLIGHT * parts.encoders / blocks,
        )
    if work.offload == "model":
        return parts.working, parts.vae, 0.0 if constants.encodes_on_host else parts.encoders
    # The engine frees the text encoders by itself and keeps the rest.
    return parts.backbone + parts.vae, parts.backbone + parts.vae, parts.encoders
