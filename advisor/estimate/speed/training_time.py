"""GPU-seconds of one training token, in parts that add up.

matrices + attention + element-wise traffic + launches, times the pipeline's bubble, + exchange + offload:
notes on throughput, section 6; each part divided by what the engine reaches.
"""

from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from advisor.estimate.speed.communication import over_pcie
from advisor.estimate.speed.rates import (
    PCIE_GPUS_AT_FULL_RATE,
    reachable_bandwidth,
    reachable_flops,
    slot_bandwidth,
)
from advisor.estimate.speed.training_load import TrainingLoad
from advisor.facts import Facts
from advisor.facts.training_speed import TrainingCoefficients
from advisor.resolve.hardware import Hardware, Layout
from advisor.units import MICROSECOND, FloatArray

TENSOR_EXCHANGES = 4.0
"""All-reduces of a hidden vector in a layer: after attention and feed-forward, forward and backward."""


@dataclass(frozen=True, slots=True, eq=False)
class Shares:
    """Shares of the nominal rates of link, PCIe slot and fabric."""

    link: float | FloatArray
    pcie: float | FloatArray
    fabric: float | FloatArray


WHOLE = Shares(0.8, 0.5, 0.8)
"""What an exchange takes when nothing hides it: bus rates of large messages, notes on throughput, section 8."""

BOUNDS = np.array(["compute", "bandwidth", "launch", "communication", "offload"])


@dataclass(frozen=True, slots=True, eq=False)
class TrainingMachine:
    """The GPUs of D deployments and how the work is laid over them; every array has shape [D].

    matrix_flops, attention_flops: what large products reach in the precision and at 16 bit [FLOP/s]; bandwidth: of
    memory, what large reads reach [bytes/s]; link, fabric, slot: nominal rates of one GPU inside and between machines
    and to the host [bytes/s]; by_pcie: 1 where GPUs talk over PCIe; tensor, pipeline, context, data, expert: degrees.
    """

    matrix_flops: FloatArray
    attention_flops: FloatArray
    bandwidth: FloatArray
    link: FloatArray
    fabric: FloatArray
    slot: FloatArray
    by_pcie: FloatArray
    gpus: FloatArray
    nodes: FloatArray
    gpus_per_node: FloatArray
    tensor: FloatArray
    pipeline: FloatArray
    context: FloatArray
    data: FloatArray
    expert: FloatArray

    @property
    def group(self) -> FloatArray:
        """Return the GPUs that work on one micro-batch: those of one data-parallel rank."""
        return np.asarray(self.tensor * self.pipeline * self.context)


MACHINE_FIELDS = tuple(spec.name for spec in fields(TrainingMachine))


@dataclass(frozen=True, slots=True, eq=False)
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


def training_machine(hardware: Hardware, layout: Layout, precision: str, facts: Facts) -> TrainingMachine:
    """Return the machine of D deployments. precision: 16bit, fp8, int8 or fp4, of the matrix products."""
    return TrainingMachine(
        matrix_flops=reachable_flops(hardware, precision, facts),
        attention_flops=reachable_flops(hardware, "16bit", facts),
        bandwidth=reachable_bandwidth(hardware, facts),
        link=hardware.link_bandwidth,
        fabric=hardware.fabric_bandwidth,
        slot=slot_bandwidth(hardware),
        by_pcie=over_pcie(hardware).astype(np.float64),
        gpus=hardware.gpu_count.astype(np.float64),
        nodes=hardware.nodes.astype(np.float64),
        gpus_per_node=hardware.gpus_per_node.astype(np.float64),
        tensor=layout.tensor_parallel.astype(np.float64),
        pipeline=layout.pipeline_parallel.astype(np.float64),
        context=layout.context_parallel.astype(np.float64),
        data=layout.replicas.astype(np.float64),
        expert=layout.expert_parallel.astype(np.float64),
    )


def token_time(load: TrainingLoad, machine: TrainingMachine, reached: TrainingCoefficients) -> TokenTime:
    """Return the GPU-seconds of one token [D]."""
    repeated = load.recomputed * reached.recompute_share + load.other_passes
    bubble = 1.0 + reached.bubble_share * (machine.pipeline - 1.0) / _micro_batches(load, machine)
    unpacking = load.unpacked_bytes * (load.matrix_passes + repeated) / load.tokens_per_micro_batch
    moved = load.hidden_bytes * reached.traffic_copies + unpacking * machine.context
    launches = load.layers * reached.launch_us * MICROSECOND / load.tokens_per_micro_batch
    compute = _multiplying(load, machine, reached, repeated) * bubble
    traffic = moved / machine.bandwidth * bubble
    launch = launches * machine.tensor * machine.context * bubble
    shown = Shares(reached.link_share, reached.pcie_share, reached.fabric_share)
    exchange = _exchange(load, machine, shown) + _expert_exchange(load, machine, reached)
    busy = compute + traffic + launch
    # What is hidden behind other work is hidden no longer than that work lasts.
    communication = np.maximum(exchange, _exchange(load, machine, WHOLE) - busy)
    ranks = np.where(np.asarray(load.state_split) > 0, machine.data, 1.0)
    return TokenTime(
        compute=compute,
        traffic=traffic,
        launch=launch,
        communication=communication,
        offload=np.asarray(load.offloaded_bytes / ranks / machine.slot / load.tokens_per_micro_batch),
    )


def _micro_batches(load: TrainingLoad, machine: TrainingMachine) -> FloatArray:
    """Return the micro-batches of an optimizer step [D]; nobody runs a pipeline with fewer of them than stages."""
    return np.maximum(load.micro_batches, machine.pipeline)


def _multiplying(
    load: TrainingLoad, machine: TrainingMachine, reached: TrainingCoefficients, repeated: FloatArray
) -> FloatArray:
    """Return the GPU-seconds of matrix products and attention for a token [D]."""
    matrices = load.matrix_flops * (load.matrix_passes + repeated)
    attention = load.attention_flops * (load.attention_passes + repeated)
    by_matrices = matrices / (machine.matrix_flops * reached.matrix_share)
    return np.asarray(by_matrices + attention / (machine.attention_flops * reached.attention_share))


def _exchange(load: TrainingLoad, machine: TrainingMachine, shares: Shares) -> FloatArray:
    """Return the GPU-seconds of exchange of hidden vectors, weights and gradients for a token [D]."""
    return _tensor_exchange(load, machine, shares) + _data_exchange(load, machine, shares)


def _link_rate(machine: TrainingMachine, shares: Shares, ranks: FloatArray) -> FloatArray:
    """Return the rate of one GPU's exchange inside a machine [D, bytes/s]; GPUs on PCIe share the host's paths."""
    crowding = np.minimum(1.0, PCIE_GPUS_AT_FULL_RATE / np.maximum(ranks, 1.0))
    share = np.where(machine.by_pcie > 0, shares.pcie * crowding, shares.link)
    return np.asarray(machine.link * share)


def _tensor_exchange(load: TrainingLoad, machine: TrainingMachine, shares: Shares) -> FloatArray:
    """Return the GPU-seconds of tensor parallelism's all-reduces for a token [D]: 2 (t - 1) / t of each vector."""
    sent = TENSOR_EXCHANGES * load.hidden_bytes * 2.0 * (machine.tensor - 1.0)
    rate = _link_rate(machine, shares, machine.tensor)
    between = np.minimum(rate, machine.fabric * shares.fabric)
    return np.asarray(sent / np.where(machine.tensor > machine.gpus_per_node, between, rate))


def _data_exchange(load: TrainingLoad, machine: TrainingMachine, shares: Shares) -> FloatArray:
    """Return the GPU-seconds of gathering weights and reducing gradients for a token [D].

    Sharded: each machine takes in the weights twice and sends gradients once for every micro-batch, through all its
    ports. Else: each GPU all-reduces the gradients of its shard once in an optimizer step.
    """
    sharded = np.asarray(load.sharded) > 0
    whole = load.gathered_bytes + load.reduced_bytes
    own = 2.0 * load.reduced_bytes / (machine.tensor * machine.pipeline) / _micro_batches(load, machine)
    own = own * (1.0 - load.expert_share + load.expert_share / _expert_degree(load, machine))
    sent = np.where(sharded, whole, own) * (machine.data - 1.0) / machine.data
    ports = np.where(sharded, machine.gpus_per_node, 1.0)
    seconds = sent / _link_rate(machine, shares, machine.gpus_per_node)
    between = sent / (machine.fabric * ports * shares.fabric)
    seconds = seconds + np.where(machine.nodes > 1, between, 0.0)
    return np.asarray(seconds * machine.group / load.tokens_per_micro_batch)


def _expert_degree(load: TrainingLoad, machine: TrainingMachine) -> FloatArray:
    """Return over how many GPUs the experts are spread [D]: as stated, else over the ranks of a machine."""
    spread = np.minimum(np.minimum(machine.data, machine.gpus_per_node), np.maximum(load.experts, 1.0))
    return np.where(machine.expert > 1, machine.expert, spread)


def _expert_exchange(
    load: TrainingLoad, machine: TrainingMachine, reached: TrainingCoefficients
) -> FloatArray:
    """Return the GPU-seconds of sending a token to its experts and back [D]; inside one GPU its memory carries it."""
    rate = np.where(machine.gpus > 1, machine.link, machine.bandwidth)
    return np.asarray(load.expert_bytes * reached.expert_copies / rate)
