"""The columns of the accelerator tables."""

import datetime

from advisor.facts.checks.cells import above_zero, any_text, each, number, one_of, pattern, slug, whole
from advisor.facts.checks.schema import Schema

_YES_NO = one_of("yes", "no")
_TFLOPS = above_zero(50_000)
LINKS = ("nvswitch", "nvlink", "pcie", "infinity-fabric", "ici", "neuronlink", "ethernet")


def hardware_schemas(today: datetime.date) -> dict[str, Schema]:
    """Return the schemas of the accelerator tables by name."""
    return {"gpus": _gpus(today), "gpu_ambiguous": _gpu_ambiguous(), "gpu_efficiency": _gpu_efficiency()}


def _gpus(today: datetime.date) -> Schema:
    rates = ("fp32_tflops", "tf32_dense_tflops", "bf16_dense_tflops", "fp16_dense_tflops", "fp8_dense_tflops")
    return Schema(
        key=("id",),
        required={
            "id": slug,
            "name": any_text,
            "vendor": one_of("NVIDIA", "AMD", "Intel", "Google", "AWS"),
            "architecture": any_text,
            "release_year": whole(2010, today.year),
            "segment": one_of("datacenter", "workstation", "consumer"),
            "form_factor": any_text,
            "memory_gb": above_zero(2_000),
            "memory_gib_allocatable": above_zero(2_000),
            "allocatable_basis": one_of("by rule", "read in engine logs", "by analogy with a logged card"),
            "memory_type": pattern(r"(HBM|GDDR|LPDDR|DDR)\d?\w*", "a type of memory"),
            "memory_bandwidth_gb_s": number(50, 25_000),
            **{f"supports_{precision}": _YES_NO for precision in ("bf16", "fp8", "int8", "fp4")},
            "interconnect": one_of(*LINKS),
            "source": any_text,
        },
        optional={
            "aliases": each(any_text),
            "memory_gib_usable": above_zero(2_000),
            **dict.fromkeys((*rates, "int8_dense_tops", "fp4_dense_tflops"), _TFLOPS),
            "nvlink_gb_s_total": number(10, 10_000),
            "pcie_gen": whole(2, 7),
            "tdp_w": number(10, 5_000),
            "compute_capability": pattern(
                r"\d{1,2}\.\d|gfx[0-9a-f]{3,4}", "a compute capability or a gfx name"
            ),
            "notes": any_text,
        },
    )


def _gpu_ambiguous() -> Schema:
    return Schema(
        ("alias",), {"alias": any_text, "candidate_ids": each(slug), "assume_id": slug, "why": any_text}
    )


EFFICIENCY_RANGES = ("mbu_decode", "gemm_frac_bf16", "gemm_frac_fp8", "mfu_dense_train", "mfu_moe_train")


def _gpu_efficiency() -> Schema:
    # Cards that boost above their specification reach a little more than the peak in the table.
    fraction = above_zero(1.2)
    bounds = [f"{name}_{bound}" for name in EFFICIENCY_RANGES for bound in ("low", "typ", "high")]
    rings = [f"allreduce_busbw_{ring}_gb_s" for ring in ("2gpu", "4gpu", "8gpu", "8gpu_8gb")]
    return Schema(
        key=("family",),
        required={"family": slug, "gpu_ids": each(slug), "basis": any_text},
        optional={
            **dict.fromkeys([*bounds, "gemm_frac_fp4_typ"], fraction),
            **dict.fromkeys(rings, above_zero(5_000)),
            "mfu_peak_precision": any_text,
            "note": any_text,
        },
    )
