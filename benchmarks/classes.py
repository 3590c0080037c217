"""The classes of accuracy under which the cases are reported, each with the bound it is held to."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Class:
    """A class of cases: its name, and the bounds of the median and the ninetieth percentile of its misses.

    None where the class has no bound of its own.
    """

    name: str
    median: float | None = None
    ninetieth: float | None = None


MEMORY_CLASSES = (
    Class("serving: weights", 0.01, 0.04),
    Class("serving: cache of an engine's budget", 0.06, 0.10),
    Class("serving: Transformers peak", 0.005, 0.02),
    Class("serving: other peaks and buffers", 0.04, 0.12),
    Class("serving: activations of a profile run"),
    Class("serving: CUDA graphs"),
    Class("serving: process"),
    Class("training: LoRA allocated", 0.02, 0.08),
    Class("training: QLoRA allocated", 0.02, 0.08),
    Class("training: full allocated", 0.02, 0.08),
    Class("training: LoRA reserved", 0.05, 0.14),
    Class("training: QLoRA reserved", 0.05, 0.14),
    Class("training: full reserved", 0.05, 0.14),
    Class("image"),
    Class("video"),
    Class("audio"),
)

SPEED_CLASSES = (
    Class("decode, batch 1, one GPU", 0.06, 0.16),
    Class("decode, batch 1, sharded", 0.12, 0.30),
    Class("decode, static batch", 0.10, 0.30),
    Class("serving at full load, dense", 0.08, 0.25),
    Class("serving, mixture of experts", 0.18, 0.50),
    Class("prefill", 0.14, 0.35),
    Class("time to first token", 0.18, 0.50),
    Class("training MFU", 0.08, 0.22),
    Class("training tokens/s", 0.14, 0.45),
    Class("training FLOP/s"),
    Class("images", 0.12, 0.40),
    Class("videos", 0.18, 0.50),
    Class("audio"),
)

TRAINING_CLASSES = {"mfu": "training MFU", "training_tflops_per_gpu": "training FLOP/s"}
MEDIA_CLASSES = {"image": "images", "video": "videos", "audio": "audio"}

METHOD_NAMES = {"lora": "LoRA", "qlora": "QLoRA", "full": "full"}


def memory_class(record: Mapping[str, Any]) -> str:
    """Return the class of a case of memory."""
    workload, measured = record["workload"], record["measured"]
    task = workload["task"]
    if task == "pretrain" or (task == "finetune" and "width" not in workload):
        kind = "reserved" if measured["metric"] == "reserved_gib" else "allocated"
        return f"training: {METHOD_NAMES[workload.get('method', 'full')]} {kind}"
    return _serving_memory_class(record) if task == "serve" else str(task)


def _serving_memory_class(record: Mapping[str, Any]) -> str:
    metric, kind = record["measured"]["metric"], record["measured"]["kind"]
    if metric == "weights_gib":
        return "serving: weights"
    if kind == "budget":
        of_metric = {"activations_gib": "activations of a profile run", "cuda_graphs_gib": "CUDA graphs"}
        return f"serving: {of_metric.get(metric, 'cache of an engine' + chr(39) + 's budget')}"
    if metric == "reserved_gib":
        return "serving: process"
    transformers = record["deployment"].get("engine") == "transformers" and metric == "peak_gib"
    return "serving: Transformers peak" if transformers else "serving: other peaks and buffers"


def speed_class(record: Mapping[str, Any]) -> str:
    """Return the class of a case of speed."""
    workload, metric = record["workload"], record["measured"]["metric"]
    if workload["task"] == "serve":
        return _serving_speed_class(record, workload, metric)
    if workload["task"] in MEDIA_CLASSES:
        return MEDIA_CLASSES[workload["task"]]
    return TRAINING_CLASSES.get(metric, "training tokens/s")


def _serving_speed_class(record: Mapping[str, Any], workload: Mapping[str, Any], metric: str) -> str:
    if metric == "prefill_tokens_per_second":
        return "prefill"
    if metric == "time_to_first_token_ms":
        return "time to first token"
    sharded = record["deployment"].get("gpu_count", 1) > 1
    if workload.get("concurrency") == 1:
        return f"decode, batch 1, {'sharded' if sharded else 'one GPU'}"
    if record.get("is_mixture"):
        return "serving, mixture of experts"
    return "serving at full load, dense" if workload.get("concurrency") is None else "decode, static batch"


CLASSES: dict[str, tuple[tuple[Class, ...], Callable[[Mapping[str, Any]], str]]] = {
    "memory": (MEMORY_CLASSES, memory_class),
    "throughput": (SPEED_CLASSES, speed_class),
}
