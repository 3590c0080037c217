"""How many sequences each copy of a served model is asked for, and how many of them memory and engine let run."""

from dataclasses import dataclass

import numpy as np

from advisor.estimate.speed.traffic import cache_bytes_at
from advisor.estimate.split import Split
from advisor.resolve.hardware import Layout
from advisor.resolve.works import ServeWork
from advisor.units import FloatArray


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


@dataclass(frozen=True, slots=True)
class Demand:
    """What is asked of one copy of the model [D].

    asked: sequences in flight on a copy in the mean, were there room; running: those that run together; copies: that
    have work to do.
    """

    asked: FloatArray
    running: FloatArray
    copies: FloatArray


def demand_of_copy(
    work: ServeWork, layout: Layout, split: Split, capacity: FloatArray, max_sequences: FloatArray
) -> Demand:
    """Return the sequences asked for and running on each copy [D].

    Where no concurrency is stated, as many are asked for as memory and the engine's own limit allow.
    """
    stated_limit = work.settings.max_concurrent_sequences
    own_limit = max_sequences * split.attention_ranks if stated_limit is None else float(stated_limit)
    limit = np.maximum(1.0, np.minimum(capacity, own_limit))
    open_ended = np.isnan(layout.concurrency)
    asked = np.where(open_ended, limit, np.maximum(1.0, layout.concurrency / split.copies))
    copies = np.where(open_ended, split.copies, np.minimum(split.copies, layout.concurrency))
    return Demand(asked, np.minimum(asked, limit), copies)
