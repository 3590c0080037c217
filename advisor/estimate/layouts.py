"""Laying work over GPUs: the degrees a person stated, the usual ones where left open."""

import numpy as np

from advisor.estimate.memory import memory_of
from advisor.estimate.results import fits
from advisor.facts import Facts
from advisor.resolve.hardware import Layout
from advisor.resolve.placement import Placement
from advisor.resolve.works import ServeWork, TrainingWork, Work
from advisor.units import FloatArray, IntArray
from advisor.workload import Deployment


def candidate_tensor_parallel(gpu_count: int, heads: int) -> list[int]:
    """Return the tensor-parallel degrees to try on one machine: powers of two that divide it, and the whole of it."""
    degrees = [degree for degree in (1, 2, 4, 8, 16, 32, 64) if gpu_count % degree == 0]
    if gpu_count not in degrees and heads % gpu_count == 0:
        degrees.append(gpu_count)
    return degrees


def uniform_layout(
    count: int,
    tensor_parallel: int | IntArray = 1,
    pipeline_parallel: int | IntArray = 1,
    replicas: int | IntArray = 1,
    expert_parallel: int | IntArray = 1,
    context_parallel: int | IntArray = 1,
    attention_data_parallel: int | IntArray = 1,
    concurrency: float | FloatArray = np.nan,
) -> Layout:
    """Return a layout [count] from degrees that are the same everywhere or columns."""

    def degrees(value: int | IntArray) -> IntArray:
        return np.broadcast_to(np.asarray(value, dtype=np.int64), (count,))

    return Layout(
        degrees(tensor_parallel),
        degrees(pipeline_parallel),
        degrees(replicas),
        degrees(expert_parallel),
        degrees(context_parallel),
        degrees(attention_data_parallel),
        np.broadcast_to(np.asarray(concurrency, dtype=np.float64), (count,)),
    )


def choose_layout(work: Work, placement: Placement, facts: Facts) -> Layout:
    """Return the layout of one deployment [1]: stated degrees, else the smallest tensor parallel that fits.

    Serving uses the other GPUs as replicas; training shards over all of them; image and video split the frames.
    """
    stated = placement.stated
    gpu_count = int(placement.hardware.gpu_count[0])
    if isinstance(work, ServeWork):
        return _serving_layout(work, placement, facts)
    if isinstance(work, TrainingWork):
        return _training_layout(stated, gpu_count)
    context = stated.context_parallel or max(1, gpu_count // (stated.data_parallel or 1))
    return uniform_layout(1, replicas=gpu_count // context, context_parallel=context)


def stated_layout(work: Work, stated: Deployment, gpu_count: int) -> Layout:
    """Return the layout of one deployment [1] by its stated degrees alone, for a question that names no GPU."""
    if isinstance(work, TrainingWork):
        return _training_layout(stated, gpu_count)
    tensor, pipeline = stated.tensor_parallel or 1, stated.pipeline_parallel or 1
    concurrency = work.concurrency if isinstance(work, ServeWork) else None
    return uniform_layout(
        1,
        tensor,
        pipeline,
        max(1, stated.data_parallel or gpu_count // (tensor * pipeline)),
        stated.expert_parallel or 1,
        stated.context_parallel or 1,
        stated.attention_data_parallel or 1,
        np.nan if concurrency is None else float(concurrency),
    )


def _training_layout(stated: Deployment, gpu_count: int) -> Layout:
    tensor, pipeline = stated.tensor_parallel or 1, stated.pipeline_parallel or 1
    context = stated.context_parallel or 1
    data = stated.data_parallel or max(1, gpu_count // (tensor * pipeline * context))
    return uniform_layout(1, tensor, pipeline, data, stated.expert_parallel or 1, context)


def _serving_layout(work: ServeWork, placement: Placement, facts: Facts) -> Layout:
    stated = placement.stated
    gpu_count = int(placement.hardware.gpu_count[0])
    pipeline = stated.pipeline_parallel or 1
    spread = max(stated.expert_parallel or 1, stated.attention_data_parallel or 1)
    if stated.tensor_parallel:
        degrees = [stated.tensor_parallel]
    elif spread > 1 and not stated.data_parallel:
        # Experts or attentions side by side name the GPUs of one copy: the same ones as tensor parallel.
        degrees = [spread]
    elif stated.data_parallel:
        degrees = [max(1, gpu_count // (pipeline * stated.data_parallel))]
    else:
        degrees = candidate_tensor_parallel(gpu_count // pipeline, work.model.attention_heads)
    tensor = np.array(degrees)
    attention_data = stated.attention_data_parallel or 1
    layouts = uniform_layout(
        len(tensor),
        tensor,
        pipeline,
        np.maximum(1, gpu_count // (tensor * pipeline)),
        stated.expert_parallel or 1,
        stated.context_parallel or 1,
        attention_data,
        np.nan if work.concurrency is None else float(work.concurrency),
    )
    rows = np.zeros(len(tensor), dtype=np.int64)
    memory = memory_of(work, placement.hardware.take(rows), layouts, facts)
    chosen = _first_that_fits(fits(memory))
    return layouts.take(np.array([chosen]))


def _first_that_fits(fitting: np.ndarray) -> int:
    """Return the first layout that fits, the largest one where none does."""
    return int(np.argmax(fitting)) if fitting.any() else len(fitting) - 1
