"""The columns of the tables on engines, kept by hand, and of the intervals, written by calibration."""

from advisor.facts.checks.cells import above_zero, any_text, each, number, one_of, pattern, slug, whole
from advisor.facts.checks.schema import Schema
from advisor.facts.engine_memory import ENGINE_CONSTANTS
from advisor.facts.families import ALL_REDUCE_SIZES
from advisor.facts.speed import SERVING_KEYS, SERVING_QUANTITIES
from advisor.facts.training_memory import TRAINING_CONSTANTS

TASKS = ("serve", "finetune", "pretrain", "image", "video", "audio")
VENDORS = ("NVIDIA", "AMD", "Intel", "Google", "AWS")
_CAPABILITY = number(3, 20)
_VENDOR_OR_ANY = one_of("*", *VENDORS)


def engine_schemas() -> dict[str, Schema]:
    """Return the schemas of these tables by name."""
    return {
        "engines": _engines(),
        "engine_defaults": _engine_defaults(),
        "format_support": _format_support(),
        "memory_intervals": _intervals(),
        "speed_intervals": _intervals(),
        "training_memory": _training_memory(),
        "engine_memory": _engine_memory(),
        "gpu_families": _gpu_families(),
        "speed_serving": _speed_serving(),
    }


def _engines() -> Schema:
    return Schema(
        key=("id",),
        required={
            "id": slug,
            "name": any_text,
            "tasks": each(one_of(*TASKS)),
            "vendors": each(one_of(*VENDORS)),
            "formats": each(any_text),
            "source": any_text,
        },
        optional={
            "profile": slug,
            "minimum_compute_capability": _CAPABILITY,
            "unsupported_on": each(pattern(rf"({'|'.join(VENDORS)}):\S+", "vendor:format")),
        },
        complete_without=True,
    )


def _engine_defaults() -> Schema:
    return Schema(
        key=("task", "method", "formats", "vendor"),
        required={
            "task": one_of(*TASKS),
            "method": one_of("*", "lora", "qlora", "full"),
            "formats": any_text,
            "vendor": _VENDOR_OR_ANY,
            "engine": slug,
        },
        complete_without=True,
    )


def _format_support() -> Schema:
    return Schema(
        key=("formats", "vendor"),
        required={"formats": any_text, "vendor": _VENDOR_OR_ANY, "source": any_text},
        optional={"minimum_compute_capability": _CAPABILITY, "native_from": _CAPABILITY},
        complete_without=True,
    )


def _training_memory() -> Schema:
    return Schema(
        key=("profile", "constant"),
        required={
            "profile": any_text,
            "constant": one_of(*TRAINING_CONSTANTS),
            "value": number(0, 10**12),
            "start": number(0, 10**12),
            "basis": one_of("stated", "fitted"),
            "source": any_text,
        },
        complete_without=True,
    )


def _engine_memory() -> Schema:
    return Schema(
        key=("profile", "since", "constant"),
        required={
            "profile": any_text,
            "constant": one_of(*ENGINE_CONSTANTS),
            "value": number(0, 10**7),
            "start": number(0, 10**7),
            "basis": one_of("stated", "fitted", "prior"),
            "source": any_text,
        },
        optional={"since": any_text},
        complete_without=True,
    )


def _gpu_families() -> Schema:
    share, rate = number(0.1, 1.3), number(0.1, 10_000)
    return Schema(
        key=("gpu_id",),
        required={
            "gpu_id": slug,
            "family": slug,
            "bandwidth_fraction": number(0.3, 1),
            "gemm_16bit_fraction": share,
            "gemm_fp8_fraction": share,
            "gemm_fp4_fraction": share,
            "source": any_text,
        },
        optional={
            **{f"allreduce_{count}_gpus_gb_per_second": rate for count in ALL_REDUCE_SIZES},
            "allreduce_over": one_of("link", "pcie"),
            "assumed_16bit_tflops": rate,
        },
        complete_without=True,
    )


def _speed_serving() -> Schema:
    return Schema(
        key=("quantity", *SERVING_KEYS, "since", "gpu"),
        required={
            "quantity": one_of(*SERVING_QUANTITIES),
            "engine": any_text,
            "width": one_of("*", "f16", "i8", "q"),
            "gpu": any_text,
            "value": number(0, 10**7),
            "start": number(0, 10**7),
            "basis": one_of("fitted", "prior"),
            "cases": whole(0, 10**6),
            "source": any_text,
        },
        optional={"since": any_text},
        complete_without=True,
    )


def _intervals() -> Schema:
    factor = above_zero(1_000)
    return Schema(
        key=("group",),
        required={"group": any_text, "low_factor": factor, "high_factor": factor, "cases": whole(0, 10**6)},
        complete_without=True,
    )
