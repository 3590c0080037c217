"""GPU-seconds of one training token, in parts that add up.

matrices + attention + element-wise traffic + experts + launches, times the pipeline's bubble, + exchange + offload:
notes on throughput, section 6; each part divided by what the engine reaches.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from advisor.estimate.speed.communication import over_pcie
from advisor.estimate.speed.rates import (
    PCIE_GPUS_AT_FULL_RATE,
    reachable_bandwidth,
    reachable_flops,
    slot_bandwidth,
)
from advisor.estimate.speed.training_load import FULLY_SHARDED, TrainingLoad
from advisor.facts import Facts
from advisor.facts.training_speed import TrainingCoefficients
from advisor.resolve.hardware import Hardware, Layout
from advisor.resolve.works import TrainingWork
from advisor.units import MICROSECOND, FloatArray

TENSOR_EXCHANGES = 4.0
"""All-reduces of a hidden vector in a layer: after attention and feed-forward, forward and backward."""

OFFLOADED_BYTES = {"none": 0.0, "optimizer": 4.0, "parameters": 4.0, "activations": 0.0, "all": 8.0}
"""Bytes that each trained parameter moves to the host and back in an optimizer step."""

BOUNDS = np.array(["compute", "bandwidth", "launch", "communication", "offload"])


@dataclass(frozen=True, slots=True)
class Degrees:
    """The degrees of the layout as floats [D]; group: GPUs of one data-parallel rank."""

    tensor: FloatArray
    pipeline: FloatArray
    context: FloatArray
    data: FloatArray

    @property
    def group(self) -> FloatArray:
        """Return the GPUs that work on one micro-batch."""
        return np.asarray(self.tensor * self.pipeline * self.context)


@dataclass(frozen=True, slots=True)
class TokenTime:
    """GPU-seconds of one token in parts; arrays [D, s x GPU]."""

    compute: FloatArray
    traffic: FloatArray
    launch: FloatArray
    communication: FloatArray
    offload: FloatArray

    @property
    def total(self) -> FloatArray:
        """Return the sum of the parts."""
        return np.asarray(self.compute + self.traffic + self.launch + self.communication + self.offload)

    def bound(self) -> npt.NDArray[np.str_]:
        """Return the code of the largest part [D]."""
        parts = np.stack([self.compute, self.traffic, self.launch, self.communication, self.offload])
        return np.asarray(BOUNDS[np.argmax(parts, axis=0)])


def degrees_of(layout: Layout) -> Degrees:
    """Return the parallel degrees as floats [D]."""
    return Degrees(
        layout.tensor_parallel.astype(np.float64),
        layout.pipeline_parallel.astype(np.float64),
        layout.context_parallel.astype(np.float64),
        layout.replicas.astype(np.float64),
    )


def token_time(
    work: TrainingWork,
    load: TrainingLoad,
    reached: TrainingCoefficients,
    hardware: Hardware,
    layout: Layout,
    facts: Facts,
) -> TokenTime:
    """Return the GPU-seconds of one token [D]."""
    degrees = degrees_of(layout)
    repeated = load.recomputed * reached.recompute_share + load.other_passes
    bubble = 1.0 + reached.bubble_share * (degrees.pipeline - 1.0) / work.gradient_accumulation
    bandwidth = reachable_bandwidth(hardware, facts)
    traffic = (load.hidden_bytes * reached.traffic_copies + _unpacking(load, repeated, degrees)) / bandwidth
    launches = load.layers * reached.launch_us * MICROSECOND / load.tokens_per_micro_batch
    exchange = _tensor_exchange(load, reached, hardware, degrees) + _data_exchange(
        work, load, reached, hardware, degrees
    )
    return TokenTime(
        compute=_multiplying(work, load, reached, hardware, repeated, facts) * bubble,
        traffic=traffic * bubble,
        launch=launches * degrees.tensor * degrees.context * bubble,
        communication=exchange + _expert_exchange(load, reached, hardware),
        offload=_offload(work, load, hardware, degrees),
    )


def _multiplying(
    work: TrainingWork,
    load: TrainingLoad,
    reached: TrainingCoefficients,
    hardware: Hardware,
    repeated: FloatArray,
    facts: Facts,
) -> FloatArray:
    """Return the GPU-seconds of matrix products and attention for a token [D]."""
    precision = work.weights.compute if work.method == "full" else "16bit"
    if work.method == "lora" and work.weights.compute == "fp8":
        precision = "fp8"
    matrices = load.matrix_flops * (load.matrix_passes + repeated)
    attention = load.attention_flops * (load.attention_passes + repeated)
    by_matrices = matrices / (reachable_flops(hardware, precision, facts) * reached.matrix_share)
    by_attention = attention / (reachable_flops(hardware, "16bit", facts) * reached.attention_share)
    return np.asarray(by_matrices + by_attention)


def _unpacking(load: TrainingLoad, repeated: FloatArray, degrees: Degrees) -> FloatArray:
    """Return the traffic of unpacking quantized weights, spread over the tokens of a micro-batch [D, bytes/token]."""
    passes = load.matrix_passes + repeated
    return np.asarray(load.unpacked_bytes * passes / load.tokens_per_micro_batch * degrees.context)


def _link_rate(hardware: Hardware, reached: TrainingCoefficients, ranks: FloatArray) -> FloatArray:
    """Return the rate of one GPU's exchange inside a machine, as far as it shows [D, bytes/s]."""
    crowding = np.minimum(1.0, PCIE_GPUS_AT_FULL_RATE / np.maximum(ranks, 1.0))
    share = np.where(over_pcie(hardware), reached.pcie_share * crowding, reached.link_share)
    return np.asarray(hardware.link_bandwidth * share)


def _tensor_exchange(
    load: TrainingLoad, reached: TrainingCoefficients, hardware: Hardware, degrees: Degrees
) -> FloatArray:
    """Return the GPU-seconds of tensor parallelism's all-reduces for a token [D]: 2 (t - 1) / t of each vector."""
    sent = TENSOR_EXCHANGES * load.hidden_bytes * 2.0 * (degrees.tensor - 1.0)
    spans = degrees.tensor > hardware.gpus_per_node
    rate = _link_rate(hardware, reached, degrees.tensor)
    between = hardware.fabric_bandwidth * reached.fabric_share
    return np.asarray(sent / np.where(spans, np.minimum(rate, between), rate))


def _data_exchange(
    work: TrainingWork,
    load: TrainingLoad,
    reached: TrainingCoefficients,
    hardware: Hardware,
    degrees: Degrees,
) -> FloatArray:
    """Return the GPU-seconds of gathering weights and reducing gradients for a token [D].

    Sharded: each machine takes in the weights twice and sends gradients once for every micro-batch. Else: each GPU
    all-reduces the gradients of its shard once in an optimizer step.
    """
    others = (degrees.data - 1.0) / degrees.data
    sharded = work.sharding in FULLY_SHARDED
    if sharded:
        sent = (load.gathered_bytes + load.reduced_bytes) * others
        network = hardware.fabric_bandwidth * hardware.gpus_per_node
    else:
        shards = degrees.tensor * degrees.pipeline
        sent = 2.0 * load.reduced_bytes * others / shards / work.gradient_accumulation
        network = hardware.fabric_bandwidth
    seconds = sent / _link_rate(hardware, reached, degrees.data * degrees.group)
    seconds = seconds + np.where(hardware.nodes > 1, sent / (network * reached.fabric_share), 0.0)
    return np.asarray(seconds * degrees.group / load.tokens_per_micro_batch)


def _expert_exchange(load: TrainingLoad, reached: TrainingCoefficients, hardware: Hardware) -> FloatArray:
    """Return the GPU-seconds of sending a token to its experts and back [D]; inside one GPU its memory carries it."""
    rate = np.where(hardware.gpu_count > 1, hardware.link_bandwidth, hardware.memory_bandwidth)
    return np.asarray(load.expert_bytes * reached.expert_copies / rate)


def _offload(work: TrainingWork, load: TrainingLoad, hardware: Hardware, degrees: Degrees) -> FloatArray:
    """Return the GPU-seconds of moving state to the host and back for a token [D]; weights once for each micro-batch."""
    parameters = load.reduced_bytes / 2.0
    moved = parameters * OFFLOADED_BYTES[work.offload] / work.gradient_accumulation
    if work.offload in ("parameters", "all"):
        moved += load.gathered_bytes or 2.0 * load.reduced_bytes
    ranks = degrees.data if work.sharding != "none" else np.ones_like(degrees.data)
    return np.asarray(moved / ranks / slot_bandwidth(hardware) / load.tokens_per_micro_batch)
