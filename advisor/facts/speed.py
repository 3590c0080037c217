"""Coefficients of serving speed by engine, weight width, version and GPU: `speed_serving.csv`."""

from dataclasses import dataclass, fields
from pathlib import Path

from advisor.errors import AdvisorError
from advisor.facts.coefficients import CoefficientTable, load_coefficients
from advisor.facts.families import GpuFamilies
from advisor.facts.gpus import Gpus
from advisor.units import BoolArray, FloatArray, IntArray

SERVING_KEYS = ("engine", "width")


@dataclass(frozen=True, slots=True, eq=False)
class ServingCoefficients:
    """What an engine reaches on D deployments; every array has shape [D].

    Shares are of what single kernels and large matrix products of this GPU reach (`gpu_families.csv`):
    weights_bandwidth, cache_bandwidth: reading weights and cache; decode_compute, prefill_compute: multiplying in a
    decode step and in a prompt; prefill_attention, attention_compute: attention over a prompt and over the cache, of
    the 16-bit rate; all_reduce_share: of the all-reduce bandwidth.

    Times: launch_us, prefill_launch_us: fixed time of a layer in a step and in a chunk of a prompt; eager_launch_us:
    the first of these without CUDA graphs; step_us: of a step; sequence_us: of a step for each sequence in flight;
    all_reduce_us, all_reduce_pcie_us: latency of an all-reduce for each doubling of GPUs; layer_hop_us: handing a token
    from one card's layers to the next card's [us]; first_token_ms: fixed part of the time to first token [ms].

    Experts: expert_slowdown, prefill_expert_slowdown: factor on reading and multiplying routed experts in a step and in
    a prompt; expert_half_tokens, prefill_expert_half_tokens: tokens of an expert at which its products reach half of
    their rate [tokens]; expert_variety: exponent on the tokens of a step that are routed independently, 0 to 1.

    Batches: batch_slowdown: factor on reading weights for more than one sequence, whose kernels differ from those for
    one; prefill_half_tokens: tokens of a chunk at which a GPU of 100 TFLOP/s reaches half of its rate; chunk_tokens:
    tokens of prompts read at once; chunks_in_flight: chunks that follow one another through a pipeline; max_sequences:
    that one replica runs unless stated; context_share: of the output that lies in the cache on average when memory
    limits the batch; prompts_in_rate: 1 where the total rate includes the time of prompts, 0 where generation is
    reported apart.
    """

    weights_bandwidth: FloatArray
    batch_slowdown: FloatArray
    cache_bandwidth: FloatArray
    attention_compute: FloatArray
    decode_compute: FloatArray
    prefill_compute: FloatArray
    prefill_attention: FloatArray
    prefill_half_tokens: FloatArray
    launch_us: FloatArray
    eager_launch_us: FloatArray
    prefill_launch_us: FloatArray
    step_us: FloatArray
    sequence_us: FloatArray
    all_reduce_us: FloatArray
    all_reduce_pcie_us: FloatArray
    all_reduce_share: FloatArray
    layer_hop_us: FloatArray
    first_token_ms: FloatArray
    expert_slowdown: FloatArray
    prefill_expert_slowdown: FloatArray
    expert_half_tokens: FloatArray
    prefill_expert_half_tokens: FloatArray
    expert_variety: FloatArray
    context_share: FloatArray
    prompts_in_rate: FloatArray
    max_sequences: FloatArray
    chunk_tokens: FloatArray
    chunks_in_flight: FloatArray


SERVING_QUANTITIES = tuple(spec.name for spec in fields(ServingCoefficients))

DECISIVE = ("weights_bandwidth", "decode_compute", "launch_us")
"""The coefficients that decide most of a decode step."""


@dataclass(frozen=True, slots=True, eq=False)
class ServingSpeed:
    """The table of serving coefficients."""

    table: CoefficientTable

    def reached(self, engine: str, width: str, version: str, gpu_index: IntArray) -> ServingCoefficients:
        """Return the coefficients of an engine on some accelerators, given as rows of the GPU table [D]."""
        return ServingCoefficients(*self.table.columns((engine, width), version)[:, gpu_index])

    def fitted(self, engine: str, width: str, version: str, gpu_index: IntArray) -> BoolArray:
        """Return where what decides a step was fitted to cases on such a GPU, and is not a prior [D]."""
        return self.table.fitted((engine, width), version, DECISIVE)[gpu_index]


def load_serving_speed(
    folder: Path, gpus: Gpus, families: GpuFamilies
) -> tuple[ServingSpeed, list[AdvisorError]]:
    """Read `speed_serving.csv`; returns the table and the refused rows."""
    table, refused = load_coefficients(
        folder, "speed_serving", SERVING_QUANTITIES, SERVING_KEYS, gpus, families
    )
    return ServingSpeed(table), refused
