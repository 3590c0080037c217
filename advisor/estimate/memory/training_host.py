"""Memory of the host: what is offloaded to it, and the checkpoint that FSDP with QLoRA loads through it."""

import numpy as np

from advisor.estimate.memory.training_activations import Activations
from advisor.estimate.memory.training_state import BF16_BYTES, TrainingState
from advisor.resolve.hardware import Hardware, Layout
from advisor.resolve.works import TrainingWork
from advisor.units import FloatArray


def host_bytes(
    work: TrainingWork, state: TrainingState, activations: Activations, hardware: Hardware, layout: Layout
) -> FloatArray:
    """Return the memory that one machine's host must have for this work [D bytes]; 0 without offload.

    FSDP with QLoRA: the first rank of a machine holds the 16-bit checkpoint while it is quantized and dealt out.
    """
    machines = np.maximum(1, hardware.nodes)
    state_on_host = 0.0
    if work.offload in ("optimizer", "parameters", "all") or work.optimizer == "paged-adamw-8bit":
        state_on_host += state.trainable.total * state.recipe.optimizer
    if work.offload in ("parameters", "all"):
        state_on_host += state.weights.total + state.trainable.total * state.recipe.gradients
    if work.reference_model == "offloaded":
        state_on_host += work.model.parameters_total * BF16_BYTES
    on_host = state_on_host / machines + activations.on_host * np.minimum(
        layout.replicas, hardware.gpus_per_node
    )
    if work.sharding == "fsdp" and work.method == "qlora":
        on_host = np.maximum(on_host, work.model.parameters_total * BF16_BYTES)
    return np.asarray(on_host, dtype=np.float64)
