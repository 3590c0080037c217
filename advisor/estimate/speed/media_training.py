"""Speed of fine-tuning an image or video model: latent tokens and samples a second, hours, checkpoint."""

from dataclasses import replace

import numpy as np

from advisor.estimate.diffusion import adapter_parameters, latent_tokens
from advisor.estimate.results import Throughput
from advisor.estimate.speed.media_load import media_load, media_machine
from advisor.estimate.speed.media_time import media_coefficients, pass_seconds
from advisor.facts import Facts
from advisor.resolve.hardware import Hardware, Layout
from advisor.resolve.works import MediaWork
from advisor.units import GIB, MILLISECOND, SECONDS_PER_HOUR, FloatArray

FORWARD_AND_INPUT_GRADIENT = 2.0
WEIGHT_GRADIENT = 1.0
RECOMPUTED_FORWARD = 1.0
"""Passes worth of FLOPs: frozen weights need no gradient of their own; full checkpointing runs the forward twice."""

TRAINED_STATE_BYTES = {"mixed": 14.0, "pure-bf16": 6.0}
"""Weights and AdamW moments in a checkpoint of full training [bytes/parameter]."""

ADAPTER_STATE_BYTES = 12.0
"""An fp32 adapter weight with both moments [bytes/parameter]."""


def media_training_throughput(
    work: MediaWork, hardware: Hardware, layout: Layout, facts: Facts
) -> Throughput[FloatArray]:
    """Return the speed of fine-tuning [D]: every GPU takes samples of its own.

    training_tokens_per_second counts latent tokens.
    """
    reached = media_coefficients(work, hardware, facts)
    machine = media_machine(hardware, layout, facts)
    load = replace(media_load(work, facts), fp8=0.0, int8=0.0, fp4=0.0)
    forward = pass_seconds(load, machine, reached) / reached.training_share
    step = work.micro_batch * passes_worth(work) * forward + reached.step_ms * MILLISECOND
    gpus = (layout.replicas * layout.context_parallel).astype(np.float64)
    samples_per_second = gpus * work.micro_batch / step
    tokens = latent_tokens(work.model, work.width, work.height, work.frames)
    tokens_per_second = samples_per_second * tokens
    hours = work.dataset_tokens * work.epochs / tokens_per_second / SECONDS_PER_HOUR
    group = f"finetune/{work.settings.engine.id}/image"
    interval = facts.speed_intervals.find(group)
    return Throughput.columns(
        len(hardware),
        "training_tokens_per_second",
        group,
        interval.measured,
        np.full(len(hardware), "compute"),
        training_tokens_per_second=tokens_per_second,
        images_per_second=samples_per_second if work.task == "image" else None,
        steps_per_second=1.0 / step,
        hours=hours,
        device_hours=hours * hardware.gpu_count,
        checkpoint_gib=checkpoint_bytes(work) / GIB,
        low=tokens_per_second * interval.low_factor,
        high=tokens_per_second * interval.high_factor,
        step_seconds=step,
        compute_seconds=step - reached.step_ms * MILLISECOND,
        launch_seconds=reached.step_ms * MILLISECOND,
    )


def passes_worth(work: MediaWork) -> float:
    """Return the FLOPs of one training step in forward passes."""
    recomputed = RECOMPUTED_FORWARD if work.gradient_checkpointing != "none" else 0.0
    weight_gradient = WEIGHT_GRADIENT if work.method == "full" else 0.0
    return FORWARD_AND_INPUT_GRADIENT + weight_gradient + recomputed


def checkpoint_bytes(work: MediaWork) -> float:
    """Return the size of one checkpoint: weights and optimizer, of the adapters alone with LoRA [bytes]."""
    if work.method == "full":
        return work.model.backbone_parameters * TRAINED_STATE_BYTES[work.training_precision]
    return adapter_parameters(work.model, work.lora_rank) * ADAPTER_STATE_BYTES
