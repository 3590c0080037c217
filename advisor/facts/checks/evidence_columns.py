"""The columns of the evidence tables: what the fitted constants were derived from, not read at run time."""

from collections.abc import Mapping

from advisor.facts.checks.cells import Rule, above_zero, any_text, number, one_of, pattern, slug, whole
from advisor.facts.checks.schema import Schema

EVIDENCE = "evidence"
"""Folder of these tables under `data/`."""

_FRACTION = above_zero(1.5)
"""Share of a printed peak: cards that boost above their specification exceed it a little."""

_RATIO = above_zero(3)
_COUNT = whole(1, 10**5)
_MICROSECONDS = number(0, 10_000)
_PERCENT = number(0, 100)
_HOURS = above_zero(1_000)


def evidence_schemas() -> dict[str, Schema]:
    """Return the schemas of the evidence tables by name."""
    link = pattern(r"(nvswitch|nvlink|pcie|infinity-fabric|ethernet)\S*( .+)?", "a link")
    return {
        "efficiency": _schema(
            "gpu metric conditions source",
            {"gpu_id": slug, "value": _FRACTION},
        ),
        "comms": _schema(
            "gpu operation metric conditions source",
            {
                "gpu_id": slug,
                "n_gpus": _COUNT,
                "link": link,
                "value": above_zero(10**5),
                "unit": one_of("GB/s", "us"),
            },
            {"message": any_text},
        ),
        "gguf_checks": _schema(
            "file_type model source",
            {"bits_per_weight": number(1, 32), "kind": one_of("reported", "computed")},
        ),
        "training_mfu": _schema(
            "task engine gpu_family precision dense_or_moe",
            {"n": _COUNT, **dict.fromkeys(("mfu_median", "mfu_p10", "mfu_p90"), _FRACTION)},
        ),
        "training_mfu_trends": _schema(
            "gpu by group",
            {"n": _COUNT, "mfu_median": _FRACTION},
            {"mfu_min": _FRACTION, "mfu_max": _FRACTION},
        ),
        "image_video_fraction": _schema(
            "task model gpu mode precision",
            {
                "gpu_count": _COUNT,
                "n": _COUNT,
                "fraction_of_bf16_peak": _FRACTION,
                "tflops_per_gpu": above_zero(50_000),
            },
        ),
        "image_video_fraction_by_family": _schema(
            "task gpu_family mode gpus",
            {
                "fp8": one_of("true", "false"),
                "n": _COUNT,
                **dict.fromkeys(("median", "p10", "p90"), _FRACTION),
            },
        ),
        **_throughput_schemas(),
        "spot_deadline_simulation": _schema(
            "trace",
            {
                "availability": number(0, 1),
                **dict.fromkeys(("deadline_h", "changeover_h"), _HOURS),
                **dict.fromkeys(("rel_cost_greedy", "rel_cost_uniform_progress"), _RATIO),
                **dict.fromkeys(("late_greedy_of_60", "late_up_of_60"), whole(0, 60)),
            },
        ),
    }


def _throughput_schemas() -> dict[str, Schema]:
    return {
        "throughput_batched_fit": _schema(
            "kind source_set combine",
            {
                **dict.fromkeys(("eff_weights", "eff_kv", "eff_flops", "bias"), _FRACTION),
                **dict.fromkeys(("us_per_layer", "us_per_sequence", "us_all_reduce"), _MICROSECONDS),
                **dict.fromkeys(("median_ape_pct", "p90_ape_pct"), _PERCENT),
                "n": _COUNT,
            },
            {"gpu_family": any_text, "dense_or_moe": any_text},
        ),
        "throughput_decode_fit": _schema(
            "parameter",
            {"value": number(0, 10_000)},
            dict.fromkeys(("engine", "gpu_family", "link", "weight_width"), any_text),
        ),
        "throughput_decode_fraction": _schema(
            "engine gpu_family split", {"n": _COUNT, **dict.fromkeys(("median", "low", "high"), _FRACTION)}
        ),
        "throughput_decode_fraction_by_gpu": _schema("engine gpu model_and_format", {"fraction": _FRACTION}),
        "throughput_mlperf_check": _schema(
            "gpu precision mlperf_version", {"n": _COUNT, "predicted_over_measured": _RATIO}
        ),
        "throughput_prefill": _schema(
            "engine gpu precision prompt_tokens", {"n": _COUNT, "median_fraction_of_peak": _FRACTION}
        ),
    }


def _schema(words: str, required: Mapping[str, Rule], optional: Mapping[str, Rule] | None = None) -> Schema:
    """Return the schema of one table; `words` names its text columns, the first of which name a row."""
    texts = tuple(words.split())
    return Schema(
        key=texts[:3],
        required={**dict.fromkeys(texts, any_text), **required},
        optional=optional or {},
        unique=False,
        complete_without=True,
        folder=EVIDENCE,
    )
