"""What an engine allocates beside weights and cache: activations of its profile run, CUDA graphs, buffers."""

from dataclasses import dataclass

import numpy as np

from advisor.estimate.split import Split
from advisor.facts.engine_memory import EngineMemory
from advisor.resolve.hardware import Hardware
from advisor.resolve.works import ServeWork
from advisor.units import GIB, FloatArray, bytes_from_gib

LARGE_CARD_BYTES = 70 * GIB
"""Cards of this size and more, A100 apart, get vLLM's larger scheduler defaults: notes on memory, section 5."""

A100_COMPUTE_CAPABILITY = 8.0
AWQ = "int4-awq"
CROSS_ATTENTION = "cross-attention"
ELEMENT_BYTES = 2.0
"""Activations are 16 bit [bytes an element]."""


@dataclass(frozen=True, slots=True)
class Beside:
    """Memory of one GPU beside weights and cache [D, bytes]; libraries: process context and communication buffers."""

    activations: FloatArray
    graphs: FloatArray
    libraries: FloatArray


def beside_weights_and_cache(
    work: ServeWork,
    hardware: Hardware,
    split: Split,
    in_flight: FloatArray,
    cache: FloatArray,
    engine: EngineMemory,
) -> Beside:
    """Return activations, CUDA graphs and libraries of one GPU [D].

    in_flight: sequences on one attention [D]; cache: theirs [D, bytes].
    """
    large = (hardware.memory_bytes_total >= LARGE_CARD_BYTES) & (
        hardware.gpus.compute_capability[hardware.gpu_index] != A100_COMPUTE_CAPABILITY
    )
    sequences = planned_sequences(work, engine, large, in_flight)
    tokens = batched_tokens(work, engine, large)
    sampler = sampler_bytes(work, engine, split, sequences, tokens)
    forward = forward_bytes(work, engine, split, tokens)
    peak = sampler + forward if engine.sampler_adds else np.maximum(sampler, forward)
    peak = peak + expert_workspace_bytes(work, engine, split, tokens) + bytes_from_gib(engine.base_gib)
    return Beside(
        peak
        + vision_bytes(work, engine, sequences, tokens)
        + quantizing_bytes(work, engine)
        + mask_bytes(work, engine, tokens)
        + prompt_excess_bytes(work, engine, cache),
        np.full(len(hardware), graph_bytes(work, engine)),
        libraries_bytes(engine, split),
    )


def planned_sequences(
    work: ServeWork, engine: EngineMemory, large: FloatArray, in_flight: FloatArray
) -> FloatArray:
    """Return the sequences that the engine plans for [D]: stated, its default by card, or those in flight."""
    stated = work.settings.max_concurrent_sequences
    if not engine.sequences:
        return in_flight
    if stated is not None:
        return np.full(len(in_flight), float(stated))
    return np.where(large, engine.sequences, engine.small_sequences)


def batched_tokens(work: ServeWork, engine: EngineMemory, large: FloatArray) -> FloatArray:
    """Return the tokens of one forward pass [D]: a whole context, as stated, or the default by card."""
    stated = work.settings.max_batched_tokens
    if 0 < work.context_tokens <= engine.profiles_context:
        return np.full(len(large), float(max(work.context_tokens, stated or 0)))
    if stated is not None:
        return np.full(len(large), float(stated))
    return np.where(large, engine.tokens, engine.small_tokens)


def sampler_bytes(
    work: ServeWork, engine: EngineMemory, split: Split, sequences: FloatArray, tokens: FloatArray
) -> FloatArray:
    """Return the sampler's peak: bytes x sequences x vocabulary [D, bytes].

    It does not shrink with tensor parallelism. A pipeline's logs show its fullest stage without it.
    """
    rows = tokens if engine.sampler_tokens else sequences
    peak: FloatArray = engine.sampler_bytes * rows * work.model.vocabulary
    return np.where((split.stages > 1) & (engine.pipeline_hidden > 0), 0.0, peak)


def forward_bytes(work: ServeWork, engine: EngineMemory, split: Split, tokens: FloatArray) -> FloatArray:
    """Return the forward pass's peak: 2 B x tokens x (a x intermediate / TP + b x hidden) [D, bytes].

    Notes on memory, section 12. A stage of a pipeline holds the hidden states it receives beside them.
    """
    model = work.model
    copies = engine.forward_hidden + engine.pipeline_hidden * (split.stages > 1)
    width = engine.forward_intermediate * model.intermediate_size / split.shards + copies * model.hidden_size
    return ELEMENT_BYTES * tokens * width


def vision_bytes(
    work: ServeWork, engine: EngineMemory, sequences: FloatArray, tokens: FloatArray
) -> FloatArray | float:
    """Return what pictures add to a profile run [D, bytes].

    Hidden copies of every batched token; in vLLM V0 the encoder at work: on one picture of the largest size, or with
    cross-attention on one for every planned sequence.
    """
    model = work.model
    if not model.groups.vision:
        return 0.0
    if CROSS_ATTENTION in model.kv_note:
        return sequences * bytes_from_gib(engine.cross_sequence_gib)
    embeddings = tokens * (ELEMENT_BYTES * engine.vision_hidden * model.hidden_size)
    return embeddings + bytes_from_gib(engine.vision_profile_gib)


def expert_workspace_bytes(
    work: ServeWork, engine: EngineMemory, split: Split, tokens: FloatArray
) -> FloatArray | float:
    """Return the buffers of routed tokens: 2 B x tokens x k x (max(2 I / TP, H) + I / TP) [D, bytes].

    vLLM's fused experts keep the gate and up projections (or, in the same place, the result) and the activation.
    """
    model = work.model
    if not (engine.expert_workspace and model.is_mixture) or work.weights.id == "mxfp4":
        return 0.0
    width = model.expert_intermediate_size / split.shards
    routed = tokens * model.experts_per_token
    workspace: FloatArray = ELEMENT_BYTES * routed * (np.maximum(2.0 * width, model.hidden_size) + width)
    return workspace


def quantizing_bytes(work: ServeWork, engine: EngineMemory) -> float:
    """Return the wide copy of the head that is alive while the engine quantizes it on loading [bytes]."""
    quantized = work.weights.bits.mlp < 16.0
    return engine.head_copy_bytes * work.model.groups.embedding if quantized else 0.0


def mask_bytes(work: ServeWork, engine: EngineMemory, tokens: FloatArray) -> FloatArray:
    """Return the attention mask of one micro-batch over the context of a slot [D, bytes]."""
    return tokens * (engine.mask_bytes * work.context_tokens)


def prompt_excess_bytes(work: ServeWork, engine: EngineMemory, cache: FloatArray) -> FloatArray | float:
    """Return what AWQ kernels leave beside the cache of a prompt, as a share of it [D, bytes]."""
    if work.weights.id != AWQ or not engine.awq_prompt_excess:
        return 0.0
    return cache * (engine.awq_prompt_excess * min(1.0, work.prompt_tokens / work.context_tokens))


def graph_bytes(work: ServeWork, engine: EngineMemory) -> float:
    """Return the CUDA graphs: bytes x layers x hidden, up to the most seen; logs lie within a factor of two [bytes]."""
    if work.settings.cuda_graphs is False:
        return 0.0
    size = engine.graph_bytes * work.model.layers * work.model.hidden_size
    return min(size, bytes_from_gib(engine.graph_most_gib))


def libraries_bytes(engine: EngineMemory, split: Split) -> FloatArray:
    """Return process context and communication buffers by the ranks that exchange activations [D, bytes].

    vLLM's «non-torch» memory: of one rank, of two, of more.
    """
    several = np.where(split.shards > 2, engine.group_gib, engine.pair_gib)
    return bytes_from_gib(np.where(split.shards > 1, several, engine.context_gib))
