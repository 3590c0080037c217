"""What training asks of the GPUs for each token: FLOPs, element-wise traffic, exchange between GPUs."""

from dataclasses import dataclass, fields

import numpy as np

from advisor.estimate.memory.training_state import adapter_parameters
from advisor.estimate.speed.traffic import attention_flops
from advisor.facts.training_memory import TrainingProfile
from advisor.resolve.works import TrainingWork
from advisor.units import BITS_PER_BYTE, FloatArray

Amount = float | FloatArray

FORWARD = 1.0
INPUT_GRADIENT = 1.0
WEIGHT_GRADIENT = 1.0
"""Passes worth of matrix FLOPs; frozen weights need no gradient of their own."""

FLOPS_PER_PARAMETER = 2.0
CAUSAL_SHARE = 0.5
ATTENTION_PASSES = 3.0
"""Forward, and twice as much backward, whether or not weights are frozen."""

BF16_BYTES, BF16_BITS = 2.0, 16.0
DEQUANTIZED_BYTES = 2.0
FULLY_SHARDED = ("fsdp", "zero3")
SELECTIVE_SHARE = 0.3
"""What selective checkpointing repeats of what full checkpointing does: attention and norms."""


OFFLOADED_BYTES = {"none": 0.0, "optimizer": 4.0, "parameters": 4.0, "activations": 0.0, "all": 8.0}
"""Bytes that each trained parameter moves to the host and back in an optimizer step."""


@dataclass(frozen=True, slots=True, eq=False)
class TrainingLoad:
    """What one training work asks for: floats of one work, or arrays [D] of several.

    matrix_flops, attention_flops: of one forward pass, for each token [FLOP/token]; attention causal;
    matrix_passes, attention_passes: forward passes worth of them in a step without recomputation; recomputed: share of
    a forward pass that checkpointing may repeat; other_passes: forward passes of a reference model;
    hidden_bytes: one 16-bit hidden vector in all layers [bytes/token]; expert_bytes: those sent to experts;
    gathered_bytes: weights that sharded training gathers for each micro-batch; reduced_bytes: gradients that are
    reduced, for each micro-batch when sharded, else for each step [bytes]; expert_share: of them in routed experts;
    experts: their number, 0 for dense models; sharded, state_split: 1 where weights, and
    where the optimizer's state, are split over the ranks; unpacked_bytes: traffic of unpacking quantized weights for
    each pass over a micro-batch [bytes]; offloaded_bytes: moved to the host and back for each micro-batch [bytes];
    layers; tokens_per_micro_batch: of one data-parallel rank [tokens]; micro_batches: in an optimizer step.
    """

    matrix_flops: Amount
    attention_flops: Amount
    matrix_passes: Amount
    attention_passes: Amount
    recomputed: Amount
    other_passes: Amount
    hidden_bytes: Amount
    expert_bytes: Amount
    gathered_bytes: Amount
    reduced_bytes: Amount
    expert_share: Amount
    experts: Amount
    sharded: Amount
    state_split: Amount
    unpacked_bytes: Amount
    offloaded_bytes: Amount
    layers: Amount
    tokens_per_micro_batch: Amount
    micro_batches: Amount


LOAD_FIELDS = tuple(spec.name for spec in fields(TrainingLoad))


def training_load(work: TrainingWork, profile: TrainingProfile) -> TrainingLoad:
    """Return what the work asks for, floats."""
    model, groups = work.model, work.model.groups
    full = work.method == "full"
    sharded = work.sharding in FULLY_SHARDED
    trainable = groups.total if full else adapter_parameters(work, profile).total
    weights_bytes = groups.total * (BF16_BITS if full else work.weights.bits.mlp) / BITS_PER_BYTE
    quantized = not full and work.weights.bits.mlp < BF16_BITS
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
        expert_share=groups.experts / groups.total if full else 0.0,
        experts=float(model.experts),
        sharded=float(sharded),
        state_split=float(work.sharding != "none"),
        unpacked_bytes=weights_bytes + groups.total * DEQUANTIZED_BYTES if quantized else 0.0,
        offloaded_bytes=_offloaded_bytes(work, trainable, weights_bytes),
        layers=float(model.layers),
        tokens_per_micro_batch=float(work.tokens_per_micro_batch),
        micro_batches=float(work.gradient_accumulation),
    )


def _offloaded_bytes(work: TrainingWork, trainable: float, weights_bytes: float) -> float:
    """Return what moves to the host and back for each micro-batch before any split [bytes].

    The optimizer's part once in a step; weights that live on the host for forward and backward of every micro-batch.
    """
    moved = trainable * OFFLOADED_BYTES[work.offload] / work.gradient_accumulation
    return moved + (2.0 * weights_bytes if work.offload in ("parameters", "all") else 0.0)


def multiplied_parameters(work: TrainingWork) -> float:
    """Return the parameters that multiply every token [parameters]: active ones without an untied input embedding."""
    model = work.model
    looked_up = 0 if model.tied_embeddings else model.groups.embedding
    return float(model.parameters_active - looked_up)


def model_flops_per_token(load: TrainingLoad, counts_attention: Amount) -> FloatArray:
    """Return the FLOPs that MFU counts for each token [D, FLOP/token]: no recomputation.

    6 N (4 N with frozen weights) and attention, in full (1) or its causal half (0.5).
    """
    attention = load.attention_flops * load.attention_passes * counts_attention / CAUSAL_SHARE
    return np.asarray(load.matrix_flops * load.matrix_passes + attention)
