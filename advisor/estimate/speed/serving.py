"""Speed of serving a language model: decode, prefill, time to first token, one deployment or thousands."""

from dataclasses import dataclass, replace

import numpy as np

from advisor.estimate.results import Memory, Throughput
from advisor.estimate.speed.demand import capacity_of_copy, demand_of_copy
from advisor.estimate.speed.load import ServingLoad, serving_load
from advisor.estimate.speed.roofline import (
    StepTime,
    first_token_overhead,
    prompt_seconds,
    prompt_share_seconds,
    step_time,
)
from advisor.estimate.speed.saturation import Rates, is_saturated, shared_rates
from advisor.estimate.split import split_of
from advisor.facts import Facts
from advisor.facts.speed import ServingCoefficients
from advisor.resolve.hardware import Hardware, Layout
from advisor.resolve.works import EngineSettings, ServeWork
from advisor.units import MILLISECOND, BoolArray, FloatArray

PRIOR_GROUP = "serve/prior"
"""Where a prior stands in for a fit the interval is that of all serving, as for a group without cases of its own."""

HALF_OF_OUTPUT = 0.5
"""A sequence has on average half of its output in the cache while it is generated."""


@dataclass(frozen=True, slots=True, eq=False)
class ServingSetting:
    """Load and coefficients of D deployments, the sequences asked for, and where the coefficients were fitted [D]."""

    load: ServingLoad
    reached: ServingCoefficients
    capacity: FloatArray
    asked: FloatArray
    fitted: BoolArray


@dataclass(frozen=True, slots=True, eq=False)
class ServingFigures:
    """The figures that a load and coefficients give: one step, the rates of a copy, prompts; arrays [D].

    prompt_seconds: from a prompt's start to its first token, with nobody before it [s].
    """

    step: StepTime
    rates: Rates
    prompt_seconds: FloatArray
    first_token_seconds: FloatArray


def serving_throughput(
    work: ServeWork, hardware: Hardware, layout: Layout, memory: Memory[FloatArray], facts: Facts
) -> Throughput[FloatArray]:
    """Return the speed of D serving deployments, columns [D]; `memory` is that of the same deployments."""
    setting = serving_setting(work, hardware, layout, memory, facts)
    figures = serving_figures(setting.load, setting.reached, setting.asked)
    return _as_throughput(work, facts, setting, figures)


def serving_setting(
    work: ServeWork, hardware: Hardware, layout: Layout, memory: Memory[FloatArray], facts: Facts
) -> ServingSetting:
    """Return the load and the coefficients of D deployments."""
    settings = work.settings
    key = (settings.engine.profile, work.weights.width, settings.version, hardware.gpu_index)
    reached = _as_set(settings, facts.serving_speed.reached(*key))
    split = split_of(layout)
    capacity = capacity_of_copy(work, layout, split, memory.max_concurrency, reached.context_share)
    demand = demand_of_copy(work, layout, split, capacity, reached.max_sequences)
    context = work.prompt_tokens + work.image_tokens + HALF_OF_OUTPUT * work.output_tokens
    load = serving_load(work, hardware, split, demand, context, facts.families)
    fitted = facts.serving_speed.fitted(*key)
    return ServingSetting(load, reached, capacity, demand.asked, fitted)


def _as_set(settings: EngineSettings, reached: ServingCoefficients) -> ServingCoefficients:
    """Return the coefficients under the settings that a person stated."""
    if settings.cuda_graphs is False:
        reached = replace(reached, launch_us=np.maximum(reached.launch_us, reached.eager_launch_us))
    if settings.max_batched_tokens is not None:
        chunk = np.full(len(reached.chunk_tokens), float(settings.max_batched_tokens))
        reached = replace(reached, chunk_tokens=chunk)
    return reached


def serving_figures(load: ServingLoad, reached: ServingCoefficients, asked: FloatArray) -> ServingFigures:
    """Return what a load takes with these coefficients, `asked` sequences being asked for on each copy [D]."""
    step = step_time(load, reached)
    rates = shared_rates(load, reached, step.total, prompt_share_seconds(load, reached), asked)
    latency = prompt_seconds(load, reached)
    before = _before_first_token(load, reached, step.total, latency)
    first_token = latency + before + first_token_overhead(reached) + rates.waiting_seconds
    return ServingFigures(step, rates, latency, first_token)


def _before_first_token(
    load: ServingLoad, reached: ServingCoefficients, step: FloatArray, prompt: FloatArray
) -> FloatArray:
    """Return what a new prompt of several in flight waits for [D, s].

    The step that runs when it arrives; in a static batch, whose prompts are read before any answer, all other prompts.
    """
    others = np.where(reached.prompts_in_rate > 0, step, (load.sequences - 1.0) * prompt)
    return np.where(load.sequences > 1.0, others, 0.0)


def _as_throughput(
    work: ServeWork, facts: Facts, setting: ServingSetting, figures: ServingFigures
) -> Throughput[FloatArray]:
    load, step, rates = setting.load, figures.step, figures.rates
    total = rates.output_tokens_per_second * load.copies
    per_request = 1.0 / rates.seconds_per_token
    group = speed_group(work)
    interval = facts.speed_intervals.find(group)
    unfitted = facts.speed_intervals.find(PRIOR_GROUP)
    stated = work.concurrency is not None
    headline = per_request if stated else total
    return Throughput.columns(
        len(total),
        headline="decode_tokens_per_second_per_request" if stated else "decode_tokens_per_second",
        group=group,
        measured=interval.measured and bool(setting.fitted.all()),
        bound=np.where(is_saturated(load, setting.capacity, setting.asked), "capacity", step.bound()),
        decode_tokens_per_second=total,
        decode_tokens_per_second_per_request=per_request,
        prefill_tokens_per_second=load.prompt_tokens / figures.prompt_seconds * load.copies,
        time_to_first_token_ms=figures.first_token_seconds / MILLISECOND,
        time_per_output_token_ms=1.0 / per_request / MILLISECOND,
        low=headline * np.where(setting.fitted, interval.low_factor, unfitted.low_factor),
        high=headline * np.where(setting.fitted, interval.high_factor, unfitted.high_factor),
        step_seconds=step.total,
        weights_seconds=step.weights,
        cache_seconds=step.cache,
        compute_seconds=step.compute,
        launch_seconds=step.launch,
        communication_seconds=step.communication,
        offload_seconds=step.offload,
        concurrency=load.sequences * load.copies,
    )


def speed_group(work: ServeWork) -> str:
    """Return the calibration group: engine, dense or mixture of experts, and whether memory sets the batch."""
    kind = "moe" if work.model.is_mixture else "dense"
    load = "saturated" if work.concurrency is None else ("single" if work.concurrency == 1 else "batch")
    return f"serve/{work.settings.engine.profile}/{kind}/{load}"
