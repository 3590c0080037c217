"""The rates of a copy when prompts and generation share the device, and where memory keeps requests waiting."""

from dataclasses import dataclass

import numpy as np

from advisor.estimate.speed.load import ServingLoad
from advisor.facts.speed import ServingCoefficients
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


def shared_rates(
    load: ServingLoad, reached: ServingCoefficients, step: FloatArray, prompt: FloatArray, asked: FloatArray
) -> Rates:
    """Return the rates when each sequence's prompt is read between the steps of the others [D].

    tokens/s = B / (step(B) + B x prompt/output): notes on throughput, section 5. `prompt`: time that one prompt holds
    the device [s]. A reader does not wait for the own prompt between tokens; where more are asked for than run, the
    time in the queue counts as every reader's share of the rate.
    """
    prompts_per_token = prompt / load.output_tokens * reached.prompts_in_rate
    decoding = step / load.tokens_kept
    rate = load.sequences / (decoding + load.sequences * prompts_per_token)
    running = decoding + (load.sequences - 1.0) * prompts_per_token
    queued = asked > load.sequences
    seconds_per_token = np.where(queued, np.maximum(running, asked / rate), running)
    waiting = np.maximum(0.0, asked - load.sequences) * load.output_tokens / rate
    return Rates(rate, seconds_per_token, waiting)


def is_saturated(load: ServingLoad, capacity: FloatArray, asked: FloatArray) -> BoolArray:
    """Return where memory keeps requests waiting [D]."""
    return np.asarray((asked > load.sequences) & (load.sequences >= np.floor(capacity)))
