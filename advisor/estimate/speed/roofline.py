"""Seconds of a decode step and of a prompt from a load and coefficients; what binds a step.

step = max(weights, multiplying) + cache + layers x launch + sequences x cost + all-reduce + hand-over + host.
The form and its terms: notes on throughput, sections 2, 4 and 5.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from advisor.estimate.speed.communication import all_reduce_seconds
from advisor.estimate.speed.load import ServingLoad
from advisor.facts.speed import ServingCoefficients
from advisor.units import MICROSECOND, MILLISECOND, FloatArray

ALL_REDUCES_PER_LAYER = 2
"""After attention and after the feed-forward part."""

BOUNDS = np.array(["bandwidth", "compute", "launch", "communication", "offload"])


@dataclass(frozen=True, slots=True)
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
        return BOUNDS[np.argmax(parts, axis=0)]


def step_time(load: ServingLoad, reached: ServingCoefficients) -> StepTime:
    """Return the parts of one decode step [D]."""
    slowdown = reached.expert_slowdown
    weights = (load.dense_bytes + load.expert_bytes * slowdown) / (load.bandwidth * reached.weights_bandwidth)
    compute = (load.flops + load.expert_flops * slowdown) / (load.peak_flops * reached.decode_compute)
    fixed = load.layers * reached.launch_us + reached.step_us + load.scheduled * reached.sequence_us
    hops = (load.stages - 1.0) * reached.layer_hop_us * MICROSECOND
    return StepTime(
        weights=weights,
        compute=compute,
        cache=load.cache_bytes / (load.bandwidth * reached.cache_bandwidth),
        launch=fixed * MICROSECOND,
        communication=_exchange(load, reached, load.message_bytes) + hops,
        offload=load.offload_bytes / load.host_bandwidth,
    )


def _exchange(load: ServingLoad, reached: ServingCoefficients, message_bytes: FloatArray) -> FloatArray:
    """Return the all-reduces of one pass over all layers [D, s]."""
    latency = np.where(load.over_pcie, reached.all_reduce_pcie_us, reached.all_reduce_us) * MICROSECOND
    bandwidth = load.all_reduce_bandwidth * reached.all_reduce_share
    each = all_reduce_seconds(message_bytes, load.shards, bandwidth, latency)
    return ALL_REDUCES_PER_LAYER * load.layers * each


def prompt_seconds(load: ServingLoad, reached: ServingCoefficients) -> FloatArray:
    """Return the time in which one copy reads one prompt, its stages one after another [D, s].

    Each chunk of the prompt reads all weights once; small chunks reach less of the matrix rate: n / (n + n_half).
    """
    chunk = np.minimum(load.prompt_tokens, reached.chunk_tokens)
    chunks = np.ceil(load.prompt_tokens / reached.chunk_tokens)
    slowdown = reached.expert_slowdown
    read_bytes = (load.prompt_dense_bytes + load.prompt_expert_bytes * slowdown) * chunks
    reading = read_bytes / (load.bandwidth * reached.weights_bandwidth)
    filled = chunk / (chunk + reached.prefill_half_tokens)
    flops = load.prompt_flops + load.prompt_expert_flops * slowdown
    multiplying = flops / (load.peak_flops * reached.prefill_compute * filled)
    launches = load.layers * reached.prefill_launch_us * chunks * MICROSECOND
    talking = _exchange(load, reached, chunk * load.hidden_bytes) * chunks
    hops = (load.stages - 1.0) * reached.layer_hop_us * MICROSECOND
    return np.asarray(np.maximum(reading, multiplying) + launches + talking + hops)


def pipelined_prompt_seconds(load: ServingLoad, reached: ServingCoefficients) -> FloatArray:
    """Return the time to read one prompt when its chunks follow one another through the stages [D, s].

    U chunks over n stages take (U + n - 1)/(U n) of the serial time: notes on throughput, findings.
    """
    chunks = np.ceil(load.prompt_tokens / reached.chunk_tokens)
    return prompt_seconds(load, reached) * (chunks + load.stages - 1.0) / (chunks * load.stages)


def first_token_overhead(reached: ServingCoefficients) -> FloatArray:
    """Return the fixed part of the time to first token [D, s]."""
    return reached.first_token_ms * MILLISECOND
