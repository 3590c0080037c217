"""Speed of training a language model: tokens a second, model FLOP/s, hours, what checkpoints and data need."""

import numpy as np

from advisor.estimate.memory.training_state import training_state
from advisor.estimate.results import Memory, Throughput
from advisor.estimate.speed.training_load import model_flops_per_token, training_load
from advisor.estimate.speed.training_time import token_time, training_machine
from advisor.facts import Facts
from advisor.facts.training_speed import TrainingCoefficients
from advisor.resolve.hardware import Hardware, Layout
from advisor.resolve.works import TrainingWork
from advisor.units import GB, GIB, SECONDS_PER_HOUR, TERA, BoolArray, FloatArray

SAVED_WEIGHT_BYTES = 2.0
SAVED_MASTER_BYTES = 4.0
"""A checkpoint of full training holds 16-bit weights, their fp32 master copy and the optimizer's moments."""

TOKEN_BYTES = 4.0
"""One token of a prepared data set [bytes]."""

CHECKPOINT_PAUSE_SECONDS = 60.0
"""Time in which a checkpoint should be written, by which the write rate is sized [s]."""

MOST_MFU = 0.85
"""No interval reaches above this share of the peak: the best kernels on the best GPUs stay below it."""

ROLLOUT_OBJECTIVES = ("grpo", "ppo")


def training_throughput(
    work: TrainingWork, hardware: Hardware, layout: Layout, memory: Memory[FloatArray], facts: Facts
) -> Throughput[FloatArray]:
    """Return the speed of training, columns [D]."""
    profile = facts.training_profiles.find(work.settings.engine.profile)
    load = training_load(work, profile)
    reached = training_coefficients(work, hardware, facts)
    machine = training_machine(hardware, layout, training_precision(work), facts)
    time = token_time(load, machine, reached)
    gpus = machine.gpus
    padded_tokens_per_second = gpus / time.total / _rollouts(work, reached)
    tokens_per_second = padded_tokens_per_second * real_share(work, reached)
    counted = model_flops_per_token(load, reached.counts_attention)
    flops_per_gpu = padded_tokens_per_second * counted / gpus
    mfu = flops_per_gpu / peak_flops(work, hardware, facts)
    step_tokens = load.tokens_per_micro_batch * work.gradient_accumulation * machine.data
    hours = work.dataset_tokens * work.epochs / tokens_per_second / SECONDS_PER_HOUR
    saved = checkpoint_bytes(work, facts)
    group = speed_group(work)
    interval = facts.speed_intervals.find(group)
    fitted = is_fitted(work, hardware, facts)
    low, high = interval.around(tokens_per_second, fitted)
    step_seconds = step_tokens / padded_tokens_per_second
    share_of_step = step_seconds / time.total
    return Throughput.columns(
        len(hardware),
        "training_tokens_per_second",
        group,
        interval.measured and bool(fitted.all()),
        time.bound(),
        training_tokens_per_second=tokens_per_second,
        training_tflops_per_gpu=flops_per_gpu / TERA,
        mfu=mfu,
        steps_per_second=1.0 / step_seconds,
        hours=hours,
        device_hours=hours * gpus,
        checkpoint_gib=saved / GIB,
        checkpoint_write_gb_per_second=saved / GB / CHECKPOINT_PAUSE_SECONDS,
        dataset_read_gb_per_second=tokens_per_second * TOKEN_BYTES / GB,
        low=low,
        high=np.minimum(high, np.fmax(tokens_per_second, tokens_per_second * MOST_MFU / mfu)),
        step_seconds=step_seconds,
        compute_seconds=time.compute * share_of_step,
        weights_seconds=time.traffic * share_of_step,
        launch_seconds=time.launch * share_of_step,
        communication_seconds=time.communication * share_of_step,
        offload_seconds=time.offload * share_of_step,
    )


def training_coefficients(work: TrainingWork, hardware: Hardware, facts: Facts) -> TrainingCoefficients:
    """Return what the engine reaches with this work [D]."""
    return facts.training_speed.reached(*_coefficient_key(work), hardware.gpu_index)


def is_fitted(work: TrainingWork, hardware: Hardware, facts: Facts) -> BoolArray:
    """Return where the engine's share was fitted to cases on such a GPU [D]."""
    return facts.training_speed.fitted(*_coefficient_key(work), hardware.gpu_index)


def _coefficient_key(work: TrainingWork) -> tuple[tuple[str, str], tuple[str, str, str, str], str]:
    """Return what chooses the coefficients beside the GPU: engine, keys of the table, version."""
    engine = work.settings.engine
    keys = (work.method, model_kind(work), training_precision(work), training_work_mode(work))
    return (engine.id, engine.profile), keys, work.settings.version


def training_work_mode(work: TrainingWork) -> str:
    """Return compiled or eager; a version that names torch.compile counts."""
    return "compiled" if work.compile or "compile" in work.settings.version else "eager"


def model_kind(work: TrainingWork) -> str:
    """Return dense, moe or hybrid (linear attention in some layers, with or without experts)."""
    if work.model.linear_attention_layers:
        return "hybrid"
    return "moe" if work.model.is_mixture else "dense"


def training_precision(work: TrainingWork) -> str:
    """Return the precision in which matrices multiply: quantized weights of QLoRA are unpacked to 16 bit."""
    return work.weights.compute if work.method != "qlora" else "16bit"


def speed_group(work: TrainingWork) -> str:
    """Return the calibration group: pretrain/<engine>/<dense or moe>, finetune/<engine>/<method>."""
    engine = work.settings.engine.id
    if work.task == "pretrain":
        return f"pretrain/{engine}/{'moe' if work.model.is_mixture else 'dense'}"
    return f"finetune/{engine}/{work.method}"


def peak_flops(work: TrainingWork, hardware: Hardware, facts: Facts) -> FloatArray:
    """Return the data-sheet rate that MFU is a share of [D, FLOP/s]: dense, in the precision of the matrices."""
    plain = facts.families.flops_16bit[hardware.gpu_index]
    precision = training_precision(work)
    if precision == "16bit":
        return np.asarray(plain)
    return np.where(hardware.computes_natively(precision), hardware.flops(precision), plain)


def real_share(work: TrainingWork, reached: TrainingCoefficients) -> FloatArray:
    """Return the share of real tokens among those computed [D]: all when packed, else by the mean length."""
    if work.packing:
        return np.ones_like(reached.unpacked_share)
    if work.average_tokens < work.sequence_tokens:
        return np.full_like(reached.unpacked_share, work.average_tokens / work.sequence_tokens)
    return reached.unpacked_share


def _rollouts(work: TrainingWork, reached: TrainingCoefficients) -> FloatArray:
    """Return the factor on the time that generating answers costs [D]; more for each answer beyond the first."""
    if work.objective not in ROLLOUT_OBJECTIVES:
        return np.ones_like(reached.rollout_factor)
    return reached.rollout_factor


def checkpoint_bytes(work: TrainingWork, facts: Facts) -> float:
    """Return the size of one checkpoint that training can go on from [bytes].

    Full: weights 2 + master copy 4 + moments of the optimizer (AdamW 8) = 14 bytes a parameter in the mixed recipe;
    LoRA: adapters and their moments alone.
    """
    state = training_state(work, facts.training_profiles.find(work.settings.engine.profile))
    each = state.recipe.weights + state.recipe.moments
    if work.method == "full":
        master = SAVED_MASTER_BYTES if work.training_precision == "mixed" else 0.0
        each = SAVED_WEIGHT_BYTES + master + state.recipe.moments
    return state.trainable.total * each
