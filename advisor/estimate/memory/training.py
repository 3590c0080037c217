"""Memory of fine-tuning and pre-training on the fullest GPU: state, the worst moment of a step, what the card needs.

A step has four moments that can be the worst: the end of the forward pass with the loss, the first and the last layer
of the backward pass, and the optimizer step: notes on memory, sections 8 and 12. No key-value cache is part of it.
"""

from dataclasses import dataclass, replace

import numpy as np

from advisor.estimate.memory.training_activations import Activations, training_activations
from advisor.estimate.memory.training_allocator import needed_bytes
from advisor.estimate.memory.training_host import host_bytes
from advisor.estimate.memory.training_objectives import companions, generation_bytes, reference_weights
from advisor.estimate.memory.training_sharding import Shares, shares
from advisor.estimate.memory.training_state import (
    BF16_BYTES,
    DEEPSPEED,
    FP32_BYTES,
    TrainingState,
    training_state,
)
from advisor.estimate.results import Memory
from advisor.facts import Facts
from advisor.facts.training_memory import TrainingProfile
from advisor.resolve.hardware import Hardware, Layout
from advisor.resolve.works import TrainingWork
from advisor.units import GIB, FloatArray

WEIGHT_OFFLOADS = ("parameters", "all")
OPTIMIZER_OFFLOADS = ("optimizer", "parameters", "all")
PAGED_OPTIMIZERS = ("paged-adamw-8bit",)


@dataclass(frozen=True, slots=True, eq=False)
class Lasting:
    """Bytes that stay on the fullest GPU through a step [D]; gathered: weights that are whole for a moment."""

    weights: FloatArray
    adapters: FloatArray
    gradients: FloatArray
    optimizer: FloatArray
    reference: FloatArray
    gathered: FloatArray

    @property
    def without_gradients(self) -> FloatArray:
        """Return all but the gradients [D]."""
        return self.weights + self.adapters + self.optimizer + self.reference


def training_memory(
    work: TrainingWork, hardware: Hardware, layout: Layout, facts: Facts
) -> Memory[FloatArray]:
    """Return the memory of D deployments of one training work [D]."""
    profile = facts.training_profiles.find(work.settings.engine.profile)
    if profile.double_quantizes and work.weights.id == "nf4":
        work = replace(work, weights=facts.formats.weight_format("nf4-dq", work.model))
    state = training_state(work, profile)
    activations = training_activations(work, profile)
    split = shares(work.model.layers, layout)
    lasting = lasting_bytes(work, profile, state, split)
    peak = peak_bytes(work, profile, lasting, activations, layout, split)
    needed, overhead = needed_bytes(profile, lasting.without_gradients, peak, activations, hardware, layout)
    return _memory(work, hardware, layout, facts, lasting, peak, needed, overhead, state, activations)


def lasting_bytes(
    work: TrainingWork, profile: TrainingProfile, state: TrainingState, split: Shares
) -> Lasting:
    """Return the state of the fullest GPU [D bytes]: ZeRO 1 splits the optimizer, 2 gradients too, 3 and FSDP all."""
    recipe, others = state.recipe, companions(work)
    weights_sharded = work.sharding in ("zero3", "fsdp")
    gradients_sharded = weights_sharded or work.sharding == "zero2"
    optimizer_sharded = gradients_sharded or work.sharding == "zero1"
    zero = np.zeros(len(split.data_ranks))
    weights = split.of(state.weights.times(others.trained), weights_sharded)
    adapters = split.of(state.adapters, weights_sharded)
    trainable = state.trainable.times(others.trained)
    gradients = split.of(trainable.times(recipe.gradients), gradients_sharded)
    optimizer = split.of(trainable.times(recipe.optimizer), optimizer_sharded)
    reference = zero
    if others.frozen:
        reference = split.of(reference_weights(work, state).times(others.frozen), weights_sharded)
    gathered = gathered_bytes(work, profile, state, split) if weights_sharded else zero
    if work.offload in WEIGHT_OFFLOADS:
        weights, gradients, gathered = zero, zero, gathered_bytes(work, profile, state, split)
    if work.offload in OPTIMIZER_OFFLOADS or work.optimizer in PAGED_OPTIMIZERS:
        optimizer = zero
    return Lasting(weights, adapters, gradients, optimizer, reference, gathered)


def gathered_bytes(
    work: TrainingWork, profile: TrainingProfile, state: TrainingState, split: Shares
) -> FloatArray:
    """Return the weights that full sharding makes whole for a moment: a few layers, with their gradients [D bytes]."""
    whole = state.trainable.times(2 * BF16_BYTES) if work.method == "full" else state.weights
    if profile.gathers_all:
        return split.of(whole, sharded=False)
    layers = max(1, work.model.layers)
    units = (whole.layers + whole.experts) / layers * profile.gathered_layers
    held = units + whole.edges if profile.gathers_edges else max(units, whole.one_edge)
    largest: FloatArray = held / split.tensor_parallel
    if work.offload not in WEIGHT_OFFLOADS:
        largest = largest * (split.data_ranks > 1)
    return largest


def peak_bytes(
    work: TrainingWork,
    profile: TrainingProfile,
    lasting: Lasting,
    activations: Activations,
    layout: Layout,
    split: Shares,
) -> FloatArray:
    """Return what the framework allocates at the worst of the moments of a step [D bytes]."""
    across = layout.tensor_parallel * layout.context_parallel
    in_flight = np.minimum(layout.pipeline_parallel, work.model.layers) if profile.pipelined else 1
    kept = activations.kept * split.stage * in_flight / across
    loss = (activations.logits + activations.mask) / across
    layer = (np.maximum(activations.working, activations.scores) + activations.unpacked) / across
    steady = lasting.without_gradients + lasting.gathered
    persists = profile.gradients_persist or work.gradient_accumulation > 1
    earlier = lasting.gradients if persists else 0.0
    forward = steady + earlier + kept + np.maximum(loss, layer)
    backward = steady + lasting.gradients + layer
    step = steady - lasting.gathered + lasting.gradients + step_bytes(work, profile, lasting, split)
    generation = lasting.without_gradients + lasting.gathered + generation_bytes(work) / across
    peak: FloatArray = np.maximum(np.maximum(forward, backward), np.maximum(step, generation))
    return peak


def step_bytes(
    work: TrainingWork, profile: TrainingProfile, lasting: Lasting, split: Shares
) -> FloatArray | float:
    """Return what the optimizer step makes for itself [D bytes]: copies of a moment, or ZeRO's fp32 gradients."""
    if work.method != "full" or work.offload in OPTIMIZER_OFFLOADS:
        return 0.0
    if work.sharding in DEEPSPEED and work.training_precision == "mixed":
        return np.minimum(lasting.gradients / BF16_BYTES, profile.zero_step_parameters) * FP32_BYTES
    return lasting.gradients * profile.step_moments if work.optimizer == "adamw" else 0.0


def _memory(
    work: TrainingWork,
    hardware: Hardware,
    layout: Layout,
    facts: Facts,
    lasting: Lasting,
    peak: FloatArray,
    needed: FloatArray,
    overhead: FloatArray,
    state: TrainingState,
    activations: Activations,
) -> Memory[FloatArray]:
    group = interval_group(work)
    interval = facts.memory_intervals.find(group)
    allocatable = hardware.memory_bytes_allocatable / GIB
    needed_gib = needed / GIB
    lasting_total = lasting.without_gradients + lasting.gradients
    low, high = needed_gib * interval.low_factor, needed_gib * interval.high_factor
    return Memory.columns(
        len(hardware),
        group,
        interval.measured,
        weights_gib=lasting.weights / GIB,
        kv_cache_gib=0.0,
        activations_gib=np.maximum(0.0, peak - lasting_total) / GIB,
        gradients_gib=lasting.gradients / GIB,
        optimizer_gib=lasting.optimizer / GIB,
        adapters_gib=lasting.adapters / GIB,
        reference_gib=lasting.reference / GIB,
        overhead_gib=overhead / GIB,
        peak_gib=peak / GIB,
        needed_gib=needed_gib,
        reserved_gib=needed_gib,
        leftover_gib=0.0,
        low_gib=low,
        high_gib=high,
        reserved_low_gib=low,
        reserved_high_gib=high,
        allocatable_gib=allocatable,
        budget_gib=allocatable,
        host_gib=host_bytes(work, state, activations, hardware, layout) / GIB,
    )


def interval_group(work: TrainingWork) -> str:
    """Return the calibration group: finetune/<engine>/<method> or pretrain/<engine>."""
    engine = work.settings.engine.profile
    return f"finetune/{engine}/{work.method}" if work.task == "finetune" else f"pretrain/{engine}"
