"""The physical load of one serving deployment: what its GPUs read, multiply and exchange, before any efficiency.

Everything here follows from the model, the layout and the number of sequences in flight; the fitted coefficients enter
in `advisor.estimate.speed.roofline` alone, so that a calibration can vary them over the same loads.
"""

from dataclasses import dataclass, fields

import numpy as np

from advisor.estimate.speed.communication import all_reduce_bandwidth, over_pcie
from advisor.estimate.speed.demand import Demand
from advisor.estimate.speed.speculation import checked_tokens, tokens_per_step
from advisor.estimate.speed.traffic import (
    WeightTraffic,
    attention_flops,
    cache_bytes_read,
    cache_split,
    decode_attention_flops,
    weight_traffic,
)
from advisor.estimate.split import Split
from advisor.facts.families import GpuFamilies
from advisor.resolve.hardware import PCIE_BANDWIDTH, Hardware
from advisor.resolve.works import ServeWork
from advisor.units import BoolArray, FloatArray

EXCHANGES_PER_LAYER = 2.0
"""All-reduces of a layer under tensor parallel, after attention and after the feed-forward part.

Attention data parallel has one exchange, which gathers the tokens of all ranks for the experts and scatters the sums.
"""

ACTIVATION_BYTES = 2.0
"""Activations travel between GPUs in 16 bit [bytes an element]."""


@dataclass(frozen=True, slots=True, eq=False)
class ServingLoad:
    """The load of one copy of the model on each of its GPUs; every array has shape [D].

    sequences: in flight on one copy; tokens: of one pass of a micro-batch, drafted ones
    too; tokens_kept: of each sequence in a step; scheduled: by one scheduler; dense_bytes, expert_bytes:
    weights of one GPU, the second read as far as tokens are routed to them; chosen_share: of the experts, by one token;
    share_on_gpu: of the weights, the rest comes from the host at every pass; cache_bytes: cache that one GPU reads;
    flops, expert_flops, attention_flops: of one GPU in a pass [FLOP]; message_bytes, exchanges: of the all-reduces of a
    pass, size of each and number; hidden_bytes: the message of one token; prompt_*: the same of one prompt, as far as
    it is not cached; bandwidth: of the data sheet [bytes/s]; kernel_share: of it, that single kernels reach;
    peak_flops*: what large matrix products of one GPU reach [FLOP/s].
    """

    sequences: FloatArray
    tokens: FloatArray
    tokens_kept: FloatArray
    output_tokens: FloatArray
    layers: FloatArray
    dense_bytes: FloatArray
    expert_bytes: FloatArray
    cache_bytes: FloatArray
    flops: FloatArray
    expert_flops: FloatArray
    attention_flops: FloatArray
    share_on_gpu: FloatArray
    host_bandwidth: FloatArray
    message_bytes: FloatArray
    exchanges: FloatArray
    prompt_tokens: FloatArray
    prompt_flops: FloatArray
    prompt_expert_flops: FloatArray
    prompt_attention_flops: FloatArray
    chosen_share: FloatArray
    hidden_bytes: FloatArray
    shards: FloatArray
    stages: FloatArray
    copies: FloatArray
    scheduled: FloatArray
    over_pcie: BoolArray
    all_reduce_bandwidth: FloatArray
    bandwidth: FloatArray
    kernel_share: FloatArray
    peak_flops: FloatArray
    peak_flops_16bit: FloatArray


LOAD_FIELDS = tuple(spec.name for spec in fields(ServingLoad))


def serving_load(
    work: ServeWork,
    hardware: Hardware,
    split: Split,
    demand: Demand,
    mean_context: float,
    families: GpuFamilies,
) -> ServingLoad:
    """Return the load of D deployments at a mean context of the sequences that run [tokens]."""
    sequences = demand.running
    traffic = weight_traffic(work.model, work.weights)
    sixteen = (families.flops_16bit * families.gemm_16bit_fraction)[hardware.gpu_index]
    batch = sequences / np.minimum(split.stages, np.maximum(1.0, sequences))
    prompt = float(max(1, work.prompt_tokens + work.image_tokens - work.shared_prefix_tokens))
    ones = np.ones(len(hardware))
    dense_flops, expert_flops = _flops_per_token(traffic, split)
    quadratic = attention_flops(
        work.model, prompt + work.shared_prefix_tokens, float(work.shared_prefix_tokens)
    )
    cache = cache_bytes_read(work, mean_context) / cache_split(work.model, split.attention_shards)
    own = batch / split.attention_ranks
    tokens = batch * checked_tokens(work)
    head = 2.0 * traffic.head_parameters / split.shards
    return ServingLoad(
        sequences=sequences,
        tokens=tokens,
        tokens_kept=ones * tokens_per_step(work),
        output_tokens=ones * max(1, work.output_tokens),
        layers=ones * work.model.layers,
        dense_bytes=_dense_bytes(traffic, split),
        expert_bytes=traffic.experts_bytes / split.shards,
        cache_bytes=cache * own,
        flops=(dense_flops + head) * tokens,
        expert_flops=expert_flops * tokens,
        attention_flops=decode_attention_flops(work.model, mean_context)
        / split.attention_shards
        * own
        * checked_tokens(work),
        share_on_gpu=ones * _share_on_gpu(work, traffic),
        host_bandwidth=_host_bandwidth(hardware),
        message_bytes=tokens * work.model.hidden_size * ACTIVATION_BYTES,
        exchanges=work.model.layers * np.where(split.attention_ranks > 1, 1.0, EXCHANGES_PER_LAYER),
        prompt_tokens=ones * prompt,
        prompt_flops=dense_flops * prompt,
        prompt_expert_flops=expert_flops * prompt,
        prompt_attention_flops=quadratic / split.shards,
        chosen_share=ones * _chosen_share(traffic),
        hidden_bytes=ones * work.model.hidden_size * ACTIVATION_BYTES,
        shards=split.shards,
        stages=split.stages,
        copies=demand.copies,
        scheduled=sequences / split.attention_ranks,
        over_pcie=over_pcie(hardware),
        all_reduce_bandwidth=all_reduce_bandwidth(hardware, families, split.shards),
        bandwidth=hardware.memory_bandwidth,
        kernel_share=families.bandwidth_fraction[hardware.gpu_index],
        peak_flops=_peak_flops(work, hardware, sixteen, families),
        peak_flops_16bit=sixteen,
    )


def _dense_bytes(traffic: WeightTraffic, split: Split) -> FloatArray:
    """Return what one GPU of a copy reads of the weights that every step reads [D, bytes]."""
    return (
        traffic.attention_bytes / split.attention_shards
        + (traffic.dense_bytes + traffic.head_bytes) / split.shards
    )


def _flops_per_token(traffic: WeightTraffic, split: Split) -> tuple[FloatArray, FloatArray]:
    """Return the FLOPs of one GPU for one token of the copy, without the head: 2 a parameter and token."""
    dense = (traffic.attention_parameters + traffic.dense_parameters) / split.shards
    return 2.0 * dense, 2.0 * traffic.experts_parameters / split.shards


def _chosen_share(traffic: WeightTraffic) -> float:
    """Return the share of its experts that a token is routed to, 1 for a dense model."""
    return traffic.experts_per_token / traffic.experts if traffic.experts else 1.0


def _share_on_gpu(work: ServeWork, traffic: WeightTraffic) -> float:
    """Return the share of the weights that lies on the GPU, 0 to 1; the rest comes from the host at every pass."""
    total = traffic.attention_bytes + traffic.dense_bytes + traffic.head_bytes + traffic.experts_bytes
    share = 1.0
    if work.gpu_layers is not None and work.model.layers:
        share = min(1.0, work.gpu_layers / work.model.layers)
    if work.offload_bytes > 0:
        share = min(share, max(0.0, 1.0 - work.offload_bytes / total))
    return share


def _host_bandwidth(hardware: Hardware) -> FloatArray:
    """Return the usable rate of the slot between host and GPU, one direction [D, bytes/s]."""
    return np.asarray(PCIE_BANDWIDTH[hardware.gpus.pcie_generation[hardware.gpu_index]])


def _peak_flops(
    work: ServeWork, hardware: Hardware, sixteen: FloatArray, families: GpuFamilies
) -> FloatArray:
    """Return what large matrix products reach in the precision this chip multiplies the format in [D, FLOP/s].

    sixteen: the same in 16 bit, into which a chip unpacks a format that it only stores [D, FLOP/s].
    """
    compute = work.weights.compute
    if compute == "16bit":
        return sixteen
    native = hardware.flops(compute) * families.gemm_fraction(compute)[hardware.gpu_index]
    return np.where(hardware.computes_natively(compute), native, sixteen)
