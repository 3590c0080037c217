"""How many sequences run together, and the rates when prompts and generation share the device."""

from dataclasses import dataclass

import numpy as np

from advisor.estimate.speed.load import ServingLoad
from advisor.estimate.speed.traffic import cache_bytes_at
from advisor.estimate.split import Split
from advisor.facts.speed import ServingCoefficients
from advisor.resolve.hardware import Layout
from advisor.resolve.works import ServeWork
from advisor.units import BoolArray, FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Rates:
    """Rates of one copy of the model; arrays [D].

    output_tokens_per_second: of all sequences of the copy; seconds_per_token: between two tokens of one reader;
    waiting_seconds: before a request gets its place, where more are asked for than run together.
    """

    output_tokens_per_second: FloatArray
    seconds_per_token: FloatArray
    waiting_seconds: FloatArray


def capacity_of_copy(
    work: ServeWork, layout: Layout, split: Split, max_concurrency: FloatArray, context_share: FloatArray
) -> FloatArray:
    """Return the sequences whose caches fit in one copy at once, at the length they have on average [D].

    Memory counts requests of full length; while they run they hold the prompt and a share of the output.
    """
    prompt = float(work.prompt_tokens + work.image_tokens)
    share = float(context_share.flat[0])
    full = cache_bytes_at(work, max(float(work.context_tokens), 1.0))
    held = cache_bytes_at(work, max(1.0, prompt + share * work.output_tokens))
    growth = max(1.0, full / held) if held else 1.0
    known = np.where(np.isnan(max_concurrency), np.inf, max_concurrency)
    return np.asarray(np.maximum(1.0, known * growth * layout.replicas / split.copies))


def sequences_in_flight(
    work: ServeWork, layout: Layout, split: Split, capacity: FloatArray, max_sequences: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the sequences that run together on one copy, and those asked for [D].

    Asked for: the stated concurrency of the busiest copy; where none is stated, as many as memory and the engine's own
    limit allow.
    """
    stated_limit = work.settings.max_concurrent_sequences
    limit = np.minimum(capacity, max_sequences if stated_limit is None else float(stated_limit))
    asked = np.where(np.isnan(layout.concurrency), limit, np.ceil(layout.concurrency / split.copies))
    return np.maximum(1.0, np.minimum(asked, limit)), np.maximum(1.0, asked)


def shared_rates(
    load: ServingLoad, reached: ServingCoefficients, step: FloatArray, prompt: FloatArray, asked: FloatArray
) -> Rates:
    """Return the rates when each sequence's prompt is read between the steps of the others [D].

    tokens/s = B / (step(B) + B x prompt/output): notes on throughput, section 5. `prompt`: time that one prompt holds
    the device [s]; a reader does not wait for the own prompt between tokens.
    """
    prompts_per_token = prompt / load.output_tokens * reached.prompts_in_rate
    cycle = step + load.sequences * prompts_per_token
    rate = load.sequences / cycle
    seconds_per_token = step + (load.sequences - 1.0) * prompts_per_token
    waiting = np.maximum(0.0, asked - load.sequences) * load.output_tokens / rate
    return Rates(rate, seconds_per_token, waiting)


def is_saturated(load: ServingLoad, capacity: FloatArray, asked: FloatArray) -> BoolArray:
    """Return where memory keeps requests waiting [D]."""
    return np.asarray((asked > load.sequences) & (load.sequences >= np.floor(capacity)))
