"""Memory of fine-tuning image and video models: LoRA and full training told apart."""

import numpy as np

from advisor.estimate.diffusion import (
    adapter_parameters,
    backbone_hidden_size,
    backbone_layers,
    sequence_tokens,
)
from advisor.estimate.results import Memory
from advisor.facts import Facts
from advisor.facts.media_constants import MediaMemoryConstants
from advisor.resolve.hardware import Hardware, Layout
from advisor.resolve.works import MediaWork
from advisor.units import BITS_PER_BYTE, GIB, FloatArray

BF16_BYTES = 2.0
ADAPTER_WEIGHT_BYTES, ADAPTER_GRADIENT_BYTES = 4.0, 4.0
FULL_BYTES = {"mixed": (4.0, 4.0), "pure-bf16": (2.0, 2.0)}
"""Weights and gradients of one trained parameter: fp32 under autocast, or pure BF16 [bytes]."""

MOMENT_BYTES = {
    "adamw": 2.0,
    "adamw-8bit": 0.5,
    "paged-adamw-8bit": 0.5,
    "adafactor": 0.0,
    "lion": 1.0,
    "sgd": 0.0,
    "muon": 1.0,
}
"""Optimizer state in copies of the trained weight; the 8-bit ones of a 4-byte weight."""

SHARDED = ("fsdp", "zero3")
UNET_TRAINING_COPIES = 8.0
"""Activations kept for the backward pass of a UNet, in those of one pass; unverified: general knowledge."""


def media_training_memory(
    work: MediaWork,
    frozen_parts: float,
    constants: MediaMemoryConstants,
    hardware: Hardware,
    layout: Layout,
    facts: Facts,
) -> Memory[FloatArray]:
    """Return the memory of fine-tuning [D]; `frozen_parts`: bytes of text encoders and VAE, which stay frozen.

    Offload «model» keeps them on the host, as when latents and text embeddings are made beforehand.
    """
    gpus = (layout.replicas * layout.context_parallel).astype(np.float64)
    shards = gpus if work.sharding in SHARDED else np.ones(len(hardware))
    weights, adapters, gradients, optimizer = trained_state_bytes(work)
    frozen = 0.0 if work.offload in ("model", "sequential") else frozen_parts
    weights_held = weights / shards + frozen
    state = weights_held + (adapters + gradients + optimizer) / shards
    activations = training_activation_bytes(work, constants)
    peak = state + activations
    needed = (peak * (1.0 + constants.slack_share)) / GIB + constants.context_gib
    group = f"finetune/{work.settings.engine.id}/image"
    interval = facts.memory_intervals.find(group)
    allocatable = hardware.memory_bytes_allocatable / GIB
    return Memory.columns(
        len(hardware),
        group,
        interval.measured,
        weights_gib=weights_held / GIB,
        adapters_gib=adapters / shards / GIB,
        gradients_gib=gradients / shards / GIB,
        optimizer_gib=optimizer / shards / GIB,
        activations_gib=activations / GIB,
        overhead_gib=constants.context_gib,
        peak_gib=peak / GIB,
        needed_gib=needed,
        reserved_gib=needed,
        leftover_gib=0.0,
        low_gib=needed * interval.low_factor,
        high_gib=needed * interval.high_factor,
        reserved_low_gib=needed * interval.low_factor,
        reserved_high_gib=needed * interval.high_factor,
        allocatable_gib=allocatable,
        budget_gib=allocatable,
        host_gib=(frozen_parts - frozen) / GIB,
    )


def trained_state_bytes(work: MediaWork) -> tuple[float, float, float, float]:
    """Return backbone weights, adapters, gradients and optimizer state before any split [bytes]."""
    parameters = work.model.backbone_parameters
    if work.method == "full":
        weight, gradient = FULL_BYTES[work.training_precision]
        moments = MOMENT_BYTES[work.optimizer] * weight
        return parameters * weight, 0.0, parameters * gradient, parameters * moments
    adapters = adapter_parameters(work.model, work.lora_rank)
    moments = MOMENT_BYTES[work.optimizer] * ADAPTER_WEIGHT_BYTES
    return (
        parameters * work.backbone_bits / BITS_PER_BYTE,
        adapters * ADAPTER_WEIGHT_BYTES,
        adapters * ADAPTER_GRADIENT_BYTES,
        adapters * moments,
    )


def training_activation_bytes(work: MediaWork, constants: MediaMemoryConstants) -> float:
    """Return what one step keeps for its backward pass [bytes].

    With checkpointing one copy of tokens x hidden a layer, and one layer whole; without, every layer whole.
    """
    if work.model.is_unet:
        one_pass = constants.unet_bytes_per_pixel * work.width * work.height * work.frames
        kept = 1.0 if work.gradient_checkpointing != "none" else UNET_TRAINING_COPIES
        return work.micro_batch * one_pass * kept
    tokens = sequence_tokens(work.model, work.width, work.height, work.frames)
    hidden = work.micro_batch * tokens * backbone_hidden_size(work.model) * BF16_BYTES
    layers = backbone_layers(work.model)
    if work.gradient_checkpointing == "none":
        return hidden * layers * constants.training_hidden_copies
    return hidden * (layers + 2 * constants.training_hidden_copies)
