"""What an engine holds beside weights and cache: activations at the peak, graphs, libraries."""

from dataclasses import dataclass

import numpy as np

from advisor.estimate.memory.cache import MICRO_BATCH_TOKENS
from advisor.facts.engine_memory import EngineMemory
from advisor.resolve.hardware import Hardware, Layout
from advisor.resolve.works import ServeWork
from advisor.units import GIB, MIB, FloatArray

LARGE_CARD_GIB = 70.0
"""From this size on, and not on an A100, vLLM's server takes 1,024 sequences and 8,192 tokens together by default."""

LARGE_CARD_SEQUENCES = 1_024
SMALL_BATCHED_TOKENS = 2_048
UNCHUNKED_CONTEXT_TOKENS = 32_768
"""Longer contexts turned chunked prefill on in vLLM V0, and the profile run shrank to one chunk of 512 tokens."""

CHUNK_TOKENS = 512
VISION_PROFILE_FACTOR = 1.06
LOGITS_BYTES = 4.0
DEQUANTIZED_BYTES = 2.0
COMPUTE_BUFFER_BYTES = 15 * MIB
MASK_BYTES = 2.0


@dataclass(frozen=True, slots=True)
class Overheads:
    """Memory beside weights and cache on one GPU [D, GiB]."""

    activations: FloatArray
    graphs: FloatArray
    libraries: FloatArray


def overheads(work: ServeWork, hardware: Hardware, layout: Layout, engine: EngineMemory) -> Overheads:
    """Return activations, CUDA graphs and libraries of one GPU."""
    sharded = layout.tensor_parallel > 1
    libraries = np.where(sharded, engine.non_torch_sharded_gib, engine.non_torch_gib)
    graphs = np.full(len(hardware), 0.0 if work.settings.cuda_graphs is False else engine.graphs_gib)
    activations = _ACTIVATIONS[engine.profile](work, hardware, layout, engine)
    return Overheads(np.asarray(activations, dtype=np.float64), graphs, libraries.astype(np.float64))


def default_sequences(work: ServeWork, hardware: Hardware, engine: EngineMemory) -> FloatArray:
    """Return the sequences that the engine plans for [D]: stated, else its default for the size of card."""
    if work.settings.max_concurrent_sequences is not None:
        return np.full(len(hardware), float(work.settings.max_concurrent_sequences))
    a100 = np.array([gpu.id.startswith("a100") for gpu in hardware.gpus.rows])[hardware.gpu_index]
    large = (hardware.memory_bytes_total / GIB >= LARGE_CARD_GIB) & ~a100
    return np.where(large, float(LARGE_CARD_SEQUENCES), engine.sequences)


def sampler_activations(
    work: ServeWork, hardware: Hardware, layout: Layout, engine: EngineMemory
) -> FloatArray:
    """Return vLLM V1's profiled peak: base + bytes x sequences x vocabulary, with floors [D, GiB].

    The sampler decides, not the layers: the term follows the vocabulary and shrinks with nothing but a pipeline.
    """
    model = work.model
    sequences = default_sequences(work, hardware, engine)
    peak = engine.profile_base_gib + engine.sequence_bytes_per_vocabulary * sequences * model.vocabulary / GIB
    floor = engine.profile_floor_moe_gib if model.is_mixture else engine.profile_floor_gib
    factor = engine.moe_factor if model.is_mixture and work.weights.id != "mxfp4" else 1.0
    factor *= VISION_PROFILE_FACTOR if model.groups.vision and model.family == "Gemma" else 1.0
    # The floor was seen with 1,024 sequences; with fewer it scales like the rest.
    scaled_floor = floor * np.minimum(1.0, sequences / LARGE_CARD_SEQUENCES)
    piped = layout.pipeline_parallel > 1
    return np.where(piped, engine.pipeline_profile_gib, np.maximum(peak * factor, scaled_floor))


def token_activations(
    work: ServeWork, hardware: Hardware, layout: Layout, engine: EngineMemory
) -> FloatArray:
    """Return vLLM V0's profiled peak: 2 B x tokens x (3 intermediate / TP + 3 hidden) [D, GiB]."""
    stated = work.settings.max_batched_tokens
    whole = work.context_tokens <= UNCHUNKED_CONTEXT_TOKENS
    tokens = stated if stated is not None else work.context_tokens if whole else CHUNK_TOKENS
    tokens = max(tokens, work.context_tokens) if whole else min(tokens, SMALL_BATCHED_TOKENS)
    model = work.model
    width = model.intermediate_size or model.expert_intermediate_size * max(1, model.experts_per_token)
    return 2.0 * tokens * (3 * width / layout.tensor_parallel + 3 * model.hidden_size) / GIB


def fixed_activations(
    work: ServeWork, hardware: Hardware, layout: Layout, engine: EngineMemory
) -> FloatArray:
    """Return a stated constant: engines with few public logs [D, GiB]."""
    return np.full(len(hardware), engine.profile_floor_gib)


def logit_activations(
    work: ServeWork, hardware: Hardware, layout: Layout, engine: EngineMemory
) -> FloatArray:
    """Return the last logits of each sequence in 32 bits, and the output head where it is unpacked [D, GiB]."""
    model = work.model
    sequences = np.where(np.isnan(layout.concurrency), 1.0, layout.concurrency_per_replica)
    unpacked = 0.0 if work.weights.width == "f16" else engine.dequantized_share
    head = unpacked * DEQUANTIZED_BYTES * model.vocabulary * model.hidden_size
    per_token = engine.awq_work_bytes * model.intermediate_size if work.weights.id == "int4-awq" else 0.0
    tokens = sequences * work.context_tokens
    return (LOGITS_BYTES * model.vocabulary * sequences + head + per_token * tokens) / GIB


def block_activations(
    work: ServeWork, hardware: Hardware, layout: Layout, engine: EngineMemory
) -> FloatArray:
    """Return llama.cpp's compute buffer: vocabulary x micro-batch x 4 B + 15 MiB + the mask [D, GiB]."""
    slots = np.where(np.isnan(layout.concurrency), 1.0, layout.concurrency_per_replica)
    mask = work.context_tokens * slots * MICRO_BATCH_TOKENS * MASK_BYTES
    buffer = work.model.vocabulary * MICRO_BATCH_TOKENS * LOGITS_BYTES + COMPUTE_BUFFER_BYTES
    return (buffer + mask) / GIB


_ACTIVATIONS = {
    "sampler": sampler_activations,
    "tokens": token_activations,
    "fixed": fixed_activations,
    "logits": logit_activations,
    "blocks": block_activations,
}
