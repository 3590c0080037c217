"""Speed of serving a language model: decode, prefill, time to first token, one deployment or thousands."""

from dataclasses import dataclass

import numpy as np

from advisor.estimate.results import Memory, Throughput
from advisor.estimate.speed.load import ServingLoad, Split, serving_load, split_of
from advisor.estimate.speed.roofline import (
    StepTime,
    first_token_overhead,
    pipelined_prompt_seconds,
    prompt_seconds,
    step_time,
)
from advisor.estimate.speed.saturation import (
    Rates,
    capacity_of_copy,
    is_saturated,
    sequences_in_flight,
    shared_rates,
)
from advisor.estimate.speed.speculation import tokens_per_step
from advisor.facts import Facts
from advisor.facts.speed import ServingCoefficients
from advisor.resolve.hardware import Hardware, Layout
from advisor.resolve.works import ServeWork
from advisor.units import MILLISECOND, FloatArray

HALF_OF_OUTPUT = 0.5
"""A sequence has on average half of its output in the cache while it is generated."""


@dataclass(frozen=True, slots=True)
class ServingSetting:
    """The coefficients of D deployments and the load they are applied to, with what was asked for [D]."""

    load: ServingLoad
    reached: ServingCoefficients
    split: Split
    capacity: FloatArray
    asked: FloatArray


def serving_throughput(
    work: ServeWork, hardware: Hardware, layout: Layout, memory: Memory[FloatArray], facts: Facts
) -> Throughput[FloatArray]:
    """Return the speed of D serving deployments, columns [D]; `memory` is that of the same deployments."""
    setting = serving_setting(work, hardware, layout, memory, facts)
    load, reached = setting.load, setting.reached
    step = step_time(load, reached)
    serial = prompt_seconds(load, reached)
    rates = shared_rates(load, reached, step.total, serial / load.stages, setting.asked)
    return _as_throughput(work, layout, facts, setting, step, rates)


def serving_setting(
    work: ServeWork, hardware: Hardware, layout: Layout, memory: Memory[FloatArray], facts: Facts
) -> ServingSetting:
    """Return the load and the coefficients of D deployments."""
    settings = work.settings
    reached = facts.serving_speed.coefficients(
        settings.engine.profile, settings.version, work.weights.width, hardware.gpu_index
    )
    split = split_of(layout)
    capacity = capacity_of_copy(work, layout, split, memory.max_concurrency, reached.context_share)
    running, asked = sequences_in_flight(work, layout, split, capacity, reached.max_sequences)
    context = work.prompt_tokens + work.image_tokens + HALF_OF_OUTPUT * work.output_tokens
    load = serving_load(work, hardware, split, running, context, facts.families)
    return ServingSetting(load, reached, split, capacity, asked)


def _as_throughput(
    work: ServeWork,
    layout: Layout,
    facts: Facts,
    setting: ServingSetting,
    step: StepTime,
    rates: Rates,
) -> Throughput[FloatArray]:
    load, reached, copies = setting.load, setting.reached, setting.split.copies
    gain = tokens_per_step(work)
    total = rates.output_tokens_per_second * copies * gain
    per_request = gain / rates.seconds_per_token
    prompt_latency = pipelined_prompt_seconds(load, reached)
    first_token = prompt_latency + first_token_overhead(reached) + rates.waiting_seconds
    # A new prompt waits for the step that runs when it arrives.
    first_token = first_token + np.where(load.sequences > 1.0, step.total, 0.0)
    group = speed_group(work)
    interval = facts.speed_intervals.find(group)
    stated = work.concurrency is not None
    headline = per_request if stated else total
    bound = np.where(is_saturated(load, setting.capacity, setting.asked), "capacity", step.bound())
    return Throughput.columns(
        len(total),
        headline="decode_tokens_per_second_per_request" if stated else "decode_tokens_per_second",
        group=group,
        measured=interval.measured,
        bound=bound,
        decode_tokens_per_second=total,
        decode_tokens_per_second_per_request=per_request,
        prefill_tokens_per_second=load.prompt_tokens / prompt_latency * copies,
        time_to_first_token_ms=first_token / MILLISECOND,
        time_per_output_token_ms=1.0 / per_request / MILLISECOND,
        low=headline * interval.low_factor,
        high=headline * interval.high_factor,
        step_seconds=step.total,
        weights_seconds=step.weights,
        cache_seconds=step.cache,
        compute_seconds=step.compute,
        launch_seconds=step.launch,
        communication_seconds=step.communication,
        offload_seconds=step.offload,
        concurrency=load.sequences * copies,
    )


def speed_group(work: ServeWork) -> str:
    """Return the calibration group: engine, dense or mixture of experts, and whether memory sets the batch."""
    kind = "moe" if work.model.is_mixture else "dense"
    load = "saturated" if work.concurrency is None else ("single" if work.concurrency == 1 else "batch")
    return f"serve/{work.settings.engine.profile}/{kind}/{load}"
