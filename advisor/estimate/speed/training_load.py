"""What training asks of the GPUs for each token: FLOPs, element-wise traffic, exchange between GPUs."""

from dataclasses import dataclass

import numpy as np

from advisor.estimate.memory.training_state import adapter_parameters
from advisor.estimate.speed.traffic import attention_flops
from advisor.facts.training_memory import TrainingProfile
from advisor.resolve.works import TrainingWork
from advisor.units import BITS_PER_BYTE, FloatArray

FORWARD = 1.0
INPUT_GRADIENT = 1.0
WEIGHT_GRADIENT = 1.0
"""Passes worth of matrix FLOPs; frozen weights need no gradient of their own."""

FLOPS_PER_PARAMETER = 2.0
ATTENTION_PASSES = 3.0
"""Forward, and twice as much backward, whether or not weights are frozen."""

BF16_BYTES = 2.0
DEQUANTIZED_BYTES = 2.0
FULLY_SHARDED = ("fsdp", "zero3")
SELECTIVE_SHARE = 0.3
"""Share of a forward pass that selective checkpointing repeats, of what full checkpointing does: attention and norms."""


@dataclass(frozen=True, slots=True)
class TrainingLoad:
    """What one training work asks for, scalars.

    matrix_flops, attention_flops: of one forward pass, for each token [FLOP/token]; attention causal;
    matrix_passes, attention_passes: forward passes worth of them in a step without recomputation; recomputed: share of
    a forward pass that checkpointing may repeat; other_passes: forward passes of a reference model;
    hidden_bytes: one 16-bit hidden vector in all layers [bytes/token]; expert_bytes: vectors sent to experts [bytes/token];
    gathered_bytes: weights that sharded training gathers for each micro-batch; reduced_bytes: gradients that are
    reduced, for each micro-batch when sharded, else for each step [bytes]; unpacked_bytes: traffic of unpacking
    quantized weights for each pass over a micro-batch [bytes]; layers;
    tokens_per_micro_batch: of one data-parallel rank [tokens].
    """

    matrix_flops: float
    attention_flops: float
    matrix_passes: float
    attention_passes: float
    recomputed: float
    other_passes: float
    hidden_bytes: float
    expert_bytes: float
    gathered_bytes: float
    reduced_bytes: float
    unpacked_bytes: float
    layers: int
    tokens_per_micro_batch: int


def training_load(work: TrainingWork, profile: TrainingProfile) -> TrainingLoad:
    """Return what the work asks for."""
    model, groups = work.model, work.model.groups
    full = work.method == "full"
    wire_bits = 8 * BF16_BYTES if full else work.weights.bits.mlp
    trainable = groups.total if full else adapter_parameters(work, profile).total
    sharded = work.sharding in FULLY_SHARDED
    weights_bytes = groups.total * wire_bits / BITS_PER_BYTE
    quantized = work.weights.bits.mlp < 8 * BF16_BYTES and not full
    return TrainingLoad(
        matrix_flops=FLOPS_PER_PARAMETER * multiplied_parameters(work),
        attention_flops=attention_flops(model, float(work.sequence_tokens), 0.0) / work.sequence_tokens,
        matrix_passes=FORWARD + INPUT_GRADIENT + (WEIGHT_GRADIENT if full else 0.0),
        attention_passes=ATTENTION_PASSES,
        recomputed={"none": 0.0, "selective": SELECTIVE_SHARE, "full": 1.0}[work.gradient_checkpointing],
        other_passes=0.0 if work.reference_model == "none" else 1.0,
        hidden_bytes=BF16_BYTES * model.hidden_size * model.layers,
        expert_bytes=BF16_BYTES * model.hidden_size * model.moe_layers * model.experts_per_token,
        gathered_bytes=2.0 * weights_bytes if sharded else 0.0,
        reduced_bytes=BF16_BYTES * trainable,
        unpacked_bytes=weights_bytes + groups.total * DEQUANTIZED_BYTES if quantized else 0.0,
        layers=model.layers,
        tokens_per_micro_batch=work.tokens_per_micro_batch,
    )


def multiplied_parameters(work: TrainingWork) -> float:
    """Return the parameters that multiply every token [parameters]: active ones without an untied input embedding."""
    model = work.model
    looked_up = 0 if model.tied_embeddings else model.groups.embedding
    return float(model.parameters_active - looked_up)


def model_flops_per_token(load: TrainingLoad, counts_attention: FloatArray) -> FloatArray:
    """Return the FLOPs that MFU counts for each token [D, FLOP/token]: no recomputation.

    6 N (4 N with frozen weights) and attention, in full (1) or its causal half (0.5).
    """
    attention = load.attention_flops * load.attention_passes * counts_attention / 0.5
    return np.asarray(load.matrix_flops * load.matrix_passes + attention)
