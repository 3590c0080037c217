"""Seconds of a decode step and of a prompt from a load and coefficients; what binds a step.

step = max(weights, multiplying) + cache + layers x launch + sequences x cost + all-reduce + hand-over + host.
The form and its terms: notes on throughput, sections 2, 4 and 5.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from advisor.estimate.speed.communication import all_reduce_seconds
from advisor.estimate.speed.load import ServingLoad
from advisor.estimate.speed.traffic import distinct_expert_share
from advisor.facts.speed import ServingCoefficients
from advisor.units import MICROSECOND, MILLISECOND, TERA, FloatArray

HALF_TOKENS_AT_FLOPS = 100 * TERA
"""The rate of a GPU for which the coefficient of half-filled chunks is given [FLOP/s]."""

BOUNDS = np.array(["bandwidth", "compute", "launch", "communication", "offload"])


@dataclass(frozen=True, slots=True, eq=False)
class StepTime:
    """One decode step, in parts that add up, except that weights and compute overlap; arrays [D] in seconds."""

    weights: FloatArray
    compute: FloatArray
    cache: FloatArray
    launch: FloatArray
    communication: FloatArray
    offload: FloatArray

    @property
    def total(self) -> FloatArray:
        """Return the time of the step [s]."""
        overlapped = np.maximum(self.weights, self.compute)
        return np.asarray(overlapped + self.cache + self.launch + self.communication + self.offload)

    def bound(self) -> npt.NDArray[np.str_]:
        """Return the code of the largest part [D]; reading weights and cache count together as bandwidth."""
        reading = np.where(self.weights >= self.compute, self.weights + self.cache, self.cache)
        multiplying = np.where(self.compute > self.weights, self.compute, 0.0)
        parts = np.stack([reading, multiplying, self.launch, self.communication, self.offload])
        return np.asarray(BOUNDS[np.argmax(parts, axis=0)])


def step_time(load: ServingLoad, reached: ServingCoefficients) -> StepTime:
    """Return the parts of one decode step [D]."""
    slowdown = reached.expert_slowdown
    read_bytes = _weights_read(load, reached, load.tokens, slowdown)
    padding = _padding(load, load.tokens, reached.expert_half_tokens)
    kernels = np.where(load.tokens > 1.0, reached.batch_slowdown, 1.0)
    flops = load.flops + load.expert_flops * slowdown * padding
    fixed = load.layers * reached.launch_us + reached.step_us + load.scheduled * reached.sequence_us
    hops = (load.stages - 1.0) * reached.layer_hop_us * MICROSECOND
    return StepTime(
        weights=read_bytes * kernels * load.share_on_gpu / _reading(load, reached.weights_bandwidth),
        compute=flops / (load.peak_flops * reached.decode_compute),
        cache=_attention_seconds(load, reached),
        launch=fixed * MICROSECOND,
        communication=_exchange(load, reached, load.message_bytes) + hops,
        offload=read_bytes * (1.0 - load.share_on_gpu) / load.host_bandwidth,
    )


def _reading(load: ServingLoad, share: FloatArray) -> FloatArray:
    """Return the rate of reading at a share of what kernels reach, never above the data sheet [D, bytes/s]."""
    return load.bandwidth * np.minimum(1.0, load.kernel_share * share)


def _weights_read(
    load: ServingLoad, reached: ServingCoefficients, tokens: FloatArray, slowdown: FloatArray
) -> FloatArray:
    """Return the weights that one GPU reads in a pass over `tokens` tokens, slower ones counted longer [D, bytes]."""
    met = distinct_expert_share(load.chosen_share, tokens, reached.expert_variety)
    return load.dense_bytes + load.expert_bytes * met * slowdown


def _padding(load: ServingLoad, tokens: FloatArray, half_tokens: FloatArray) -> FloatArray:
    """Return by how much more experts multiply than their tokens ask for: few tokens fill an expert badly [D]."""
    return 1.0 + half_tokens / np.maximum(1.0, tokens * load.chosen_share)


def _attention_seconds(load: ServingLoad, reached: ServingCoefficients) -> FloatArray:
    """Return the time of attention over the cache [D, s]: reading it, and multiplying it with every query head.

    Kernels that handle each query head apart pay for heads that share a cache; the second term holds that.
    """
    reading = load.cache_bytes / _reading(load, reached.cache_bandwidth)
    return reading + load.attention_flops / (load.peak_flops_16bit * reached.attention_compute)


def _exchange(load: ServingLoad, reached: ServingCoefficients, message_bytes: FloatArray) -> FloatArray:
    """Return the all-reduces of one pass over all layers [D, s]; PCIe is never quicker than a link of its own."""
    over_pcie = np.maximum(reached.all_reduce_us, reached.all_reduce_pcie_us)
    latency = np.where(load.over_pcie, over_pcie, reached.all_reduce_us) * MICROSECOND
    bandwidth = load.all_reduce_bandwidth * reached.all_reduce_share
    each = all_reduce_seconds(message_bytes, load.shards, bandwidth, latency)
    return load.exchanges * each


def chunk_seconds(load: ServingLoad, reached: ServingCoefficients, tokens: FloatArray) -> FloatArray:
    """Return the time in which one copy reads a chunk of prompt tokens, its stages one after another [D, s].

    Every chunk reads all weights once; small chunks reach less of the matrix rate: n / (n + n_half),
    and a faster chip needs more tokens to be filled.
    """
    slowdown = reached.prefill_expert_slowdown
    read_bytes = _weights_read(load, reached, tokens, slowdown)
    reading = read_bytes * load.share_on_gpu / _reading(load, reached.weights_bandwidth)
    fetching = read_bytes * (1.0 - load.share_on_gpu) / load.host_bandwidth
    half = reached.prefill_half_tokens * load.peak_flops_16bit / HALF_TOKENS_AT_FLOPS
    padding = _padding(load, tokens, reached.prefill_expert_half_tokens)
    share = tokens / load.prompt_tokens
    flops = load.prompt_flops * (1.0 + half / tokens) + load.prompt_expert_flops * slowdown * padding
    multiplying = flops * share / (load.peak_flops * reached.prefill_compute)
    attending = load.prompt_attention_flops * share / (load.peak_flops_16bit * reached.prefill_attention)
    launches = load.layers * reached.prefill_launch_us * MICROSECOND
    talking = _exchange(load, reached, tokens * load.hidden_bytes)
    hops = (load.stages - 1.0) * reached.layer_hop_us * MICROSECOND
    return np.asarray(np.maximum(reading, multiplying) + attending + fetching + launches + talking + hops)


def prompt_seconds(load: ServingLoad, reached: ServingCoefficients) -> FloatArray:
    """Return the time from the start of a lone prompt to its end [D, s].

    Its chunks follow one another through the stages: U chunks over n stages take (U + n - 1)/(U n) of the serial time,
    U being at most the chunks that the engine keeps in flight: notes on throughput, findings.
    """
    chunks = np.ceil(load.prompt_tokens / reached.chunk_tokens)
    serial = chunks * chunk_seconds(load, reached, load.prompt_tokens / chunks)
    flying = np.minimum(chunks, reached.chunks_in_flight)
    return np.asarray(serial * (flying + load.stages - 1.0) / (flying * load.stages))


def prompt_share_seconds(load: ServingLoad, reached: ServingCoefficients) -> FloatArray:
    """Return the time that one of many prompts holds a copy, with chunks filled and stages busy [D, s]."""
    tokens = np.minimum(load.prompt_tokens * load.sequences, reached.chunk_tokens)
    share = load.prompt_tokens / tokens / load.stages
    return np.asarray(chunk_seconds(load, reached, tokens) * share)


def first_token_overhead(reached: ServingCoefficients) -> FloatArray:
    """Return the fixed part of the time to first token [D, s]."""
    return reached.first_token_ms * MILLISECOND
