"""What a person asks: the work, the deployment, the needs and what was observed.

Plain names and numbers of the contract, checked and hashable; no table is needed. `None` means «not stated»:
`advisor.resolve` fills it and says so.
"""

import dataclasses
import difflib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from advisor.errors import AdvisorError

TASKS = ("serve", "finetune", "pretrain", "image", "video", "audio")
TRAINING_TASKS = ("finetune", "pretrain")
MEDIA_TASKS = ("image", "video")
METHODS = ("lora", "qlora", "full")
OBJECTIVES = ("sft", "dpo", "grpo", "ppo")
REFERENCE_MODELS = ("none", "adapter-off", "resident", "offloaded")
CHECKPOINTING = ("none", "selective", "full")
OPTIMIZERS = ("adamw", "adamw-8bit", "paged-adamw-8bit", "adafactor", "lion", "sgd", "muon")
TRAINING_PRECISIONS = ("mixed", "pure-bf16")
LORA_TARGETS = ("attention-qv", "attention", "all-linear")
CACHE_FORMATS = ("bf16", "fp16", "fp32", "fp8", "int8", "q8_0", "q4_0")
OFFLOADS = ("none", "model", "sequential", "optimizer", "parameters", "activations", "all", "weights")
SHARDINGS = ("none", "zero1", "zero2", "zero3", "fsdp")
LINKS = ("nvswitch", "nvlink", "pcie", "infinity-fabric", "ici", "neuronlink", "ethernet")
FABRICS = ("infiniband", "efa", "roce", "ethernet", "unknown")
PRICINGS = ("on-demand", "spot", "reserved", "serverless", "cheapest")
SORTS = ("cost", "speed", "value", "bandwidth-per-usd")
GPU_CLASSES = ("consumer", "workstation", "datacenter")
PROVIDER_KINDS = ("hyperscaler", "neocloud", "marketplace", "unknown")
COMMITMENTS = ("on-demand", "capacity-block", "serverless", "marketplace", "community", "secure")

MILLION = 10**6


def choice(*accepted: str, spelled: Mapping[str, str] | None = None) -> Any:
    """Declare a field that takes one of the accepted codes; `spelled` maps other spellings to them."""
    return field(
        default=None, metadata={"kind": "choice", "accepted": accepted, "spelled": dict(spelled or {})}
    )


def whole(low: int, high: int) -> Any:
    """Declare a whole number between two bounds."""
    return field(default=None, metadata={"kind": "whole", "low": low, "high": high})


def number(low: float, high: float) -> Any:
    """Declare a number between two bounds."""
    return field(default=None, metadata={"kind": "number", "low": low, "high": high})


def flag() -> Any:
    """Declare a yes or no."""
    return field(default=None, metadata={"kind": "flag"})


def name() -> Any:
    """Declare a name that a table resolves later."""
    return field(default=None, metadata={"kind": "name"})


def names() -> Any:
    """Declare a list of names."""
    return field(default=(), metadata={"kind": "names"})


def choices(*accepted: str) -> Any:
    """Declare a list of accepted codes."""
    return field(default=(), metadata={"kind": "choices", "accepted": accepted})


def checked(value: object, where: str, spec: Mapping[str, Any]) -> Any:
    """Return a value in the form its field holds.

    Raises AdvisorError wrong-type, unknown-value or out-of-range, naming the field.
    """
    return _CHECKS[spec["kind"]](value, where, spec)


def _checked_choice(value: object, where: str, spec: Mapping[str, Any]) -> str:
    code = spec["spelled"].get(str(value).lower(), value)
    if code not in spec["accepted"]:
        raise AdvisorError("unknown-value", where, spec["accepted"], {"given": value})
    return str(code)


def _checked_number(value: object, where: str, spec: Mapping[str, Any]) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise AdvisorError("wrong-type", where, ["a number"])
    if not spec["low"] <= value <= spec["high"]:
        bounds = {"given": value, "low": spec["low"], "high": spec["high"]}
        raise AdvisorError("out-of-range", where, [f"{spec['low']} to {spec['high']}"], bounds)
    return value


def _checked_whole(value: object, where: str, spec: Mapping[str, Any]) -> int:
    number_given = _checked_number(value, where, spec)
    if number_given != int(number_given):
        raise AdvisorError("wrong-type", where, ["a whole number"])
    return int(number_given)


def _checked_flag(value: object, where: str, spec: Mapping[str, Any]) -> bool:
    if not isinstance(value, bool):
        raise AdvisorError("wrong-type", where, ["true", "false"])
    return value


def _checked_name(value: object, where: str, spec: Mapping[str, Any]) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > 200:
        raise AdvisorError("wrong-type", where, ["a name"])
    return value.strip()


def _checked_list(value: object, where: str) -> list[object]:
    if not isinstance(value, list | tuple):
        raise AdvisorError("wrong-type", where, ["a list"])
    return list(value)


def _checked_names(value: object, where: str, spec: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(_checked_name(item, where, spec) for item in _checked_list(value, where))


def _checked_choices(value: object, where: str, spec: Mapping[str, Any]) -> tuple[str, ...]:
    each = {"accepted": spec["accepted"], "spelled": {}}
    return tuple(_checked_choice(item, where, each) for item in _checked_list(value, where))


def _checked_model(value: object, where: str, spec: Mapping[str, Any]) -> "str | ModelConfig":
    if isinstance(value, ModelConfig):
        return value
    if isinstance(value, Mapping):
        if set(value) != {"config"} or not isinstance(value["config"], Mapping):
            raise AdvisorError("wrong-type", where, ["a name", '{"config": {...}}'])
        return ModelConfig(json.dumps(value["config"], sort_keys=True))
    return _checked_name(value, where, spec)


def _checked_speculative(value: object, where: str, spec: Mapping[str, Any]) -> "Speculative":
    return value if isinstance(value, Speculative) else Speculative.from_dict(value, where)


_CHECKS = {
    "choice": _checked_choice,
    "number": _checked_number,
    "whole": _checked_whole,
    "flag": _checked_flag,
    "name": _checked_name,
    "names": _checked_names,
    "choices": _checked_choices,
    "model": _checked_model,
    "speculative": _checked_speculative,
}


@dataclass(frozen=True)
class Checked:
    """A record whose fields are checked when it is made."""

    def __post_init__(self) -> None:
        """Check and normalise every stated field; raises AdvisorError."""
        for spec in dataclasses.fields(self):
            value = getattr(self, spec.name)
            if value is not None and spec.metadata:
                object.__setattr__(self, spec.name, checked(value, spec.name, spec.metadata))

    @classmethod
    def from_dict(cls, given: object, where: str) -> Self:
        """Build from a mapping of contract names; an unknown key is an error that names the nearest ones."""
        if not isinstance(given, Mapping):
            raise AdvisorError("not-an-object", where)
        known = [spec.name for spec in dataclasses.fields(cls)]
        for key in given:
            if key not in known:
                nearest = difflib.get_close_matches(str(key), known, 3, 0.4) or known
                raise AdvisorError("unknown-field", f"{where}.{key}", nearest)
        return cls(**{key: value for key, value in given.items() if value is not None})

    def to_dict(self) -> dict[str, object]:
        """Return the stated fields, in the contract's names and JSON types."""
        stated: dict[str, object] = {}
        for spec in dataclasses.fields(self):
            value = getattr(self, spec.name)
            if value is None or value == ():
                continue
            if isinstance(value, ModelConfig | Speculative):
                value = value.to_dict()
            stated[spec.name] = list(value) if isinstance(value, tuple) else value
        return stated


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """A Hugging Face `config.json`, kept as canonical JSON so that a workload stays hashable."""

    canonical_json: str

    def to_dict(self) -> dict[str, object]:
        """Return the contract's object form."""
        return {"config": json.loads(self.canonical_json)}


@dataclass(frozen=True)
class Speculative(Checked):
    """Speculative decoding: what drafts, how many tokens, and the share accepted."""

    draft: str | None = name()
    tokens: int | None = whole(1, 64)
    acceptance: float | None = number(0, 1)


@dataclass(frozen=True)
class Workload(Checked):
    """What is run. Field names, units and defaults: the contract."""

    task: str = field(default="serve", metadata={"kind": "choice", "accepted": TASKS, "spelled": {}})
    model: str | ModelConfig | None = field(default=None, metadata={"kind": "model"})
    weights: str | None = name()
    kv_cache: str | None = choice(*CACHE_FORMATS, spelled={"f16": "fp16", "f32": "fp32"})
    prompt_tokens: int | None = whole(0, 100 * MILLION)
    output_tokens: int | None = whole(0, 100 * MILLION)
    context_tokens: int | None = whole(1, 100 * MILLION)
    concurrency: int | None = whole(1, MILLION)
    shared_prefix_tokens: int | None = whole(0, 100 * MILLION)
    images_per_request: int | None = whole(0, 10_000)
    image_width: int | None = whole(1, 65_536)
    image_height: int | None = whole(1, 65_536)
    speculative: Speculative | None = field(default=None, metadata={"kind": "speculative"})
    method: str | None = choice(*METHODS)
    objective: str | None = choice(*OBJECTIVES)
    generations_per_prompt: int | None = whole(1, 4_096)
    reference_model: str | None = choice(*REFERENCE_MODELS)
    sequence_tokens: int | None = whole(1, 100 * MILLION)
    average_tokens: int | None = whole(1, 100 * MILLION)
    micro_batch: int | None = whole(1, 65_536)
    gradient_accumulation: int | None = whole(1, MILLION)
    gradient_checkpointing: str | None = choice(*CHECKPOINTING, spelled={"true": "full", "false": "none"})
    flash_attention: bool | None = flag()
    fused_cross_entropy: bool | None = flag()
    packing: bool | None = flag()
    compile: bool | None = flag()
    optimizer: str | None = choice(*OPTIMIZERS)
    training_precision: str | None = choice(*TRAINING_PRECISIONS)
    lora_rank: int | None = whole(1, 4_096)
    lora_targets: str | None = choice(*LORA_TARGETS)
    dataset_tokens: float | None = number(1, 1e16)
    epochs: float | None = number(1e-6, 10_000)
    width: int | None = whole(16, 65_536)
    height: int | None = whole(16, 65_536)
    frames: int | None = whole(1, 100_000)
    fps: float | None = number(0.1, 1_000)
    steps: int | None = whole(1, 10_000)
    batch: int | None = whole(1, 65_536)
    guidance: bool | None = flag()
    text_encoder_weights: str | None = name()
    vae_weights: str | None = name()
    offload: str | None = choice(*OFFLOADS)
    offload_gib: float | None = number(0, 100_000)
    gpu_layers: int | None = whole(0, 10_000)
    vae_tiling: bool | None = flag()
    audio_seconds: float | None = number(0.01, 10 * MILLION)


@dataclass(frozen=True)
class Deployment(Checked):
    """Where it runs. `gpu_count` is that of the whole deployment over all nodes."""

    gpu: str | None = name()
    gpu_count: int | None = whole(1, 100_000)
    nodes: int | None = whole(1, 12_500)
    tensor_parallel: int | None = whole(1, 1_024)
    pipeline_parallel: int | None = whole(1, 1_024)
    data_parallel: int | None = whole(1, 100_000)
    expert_parallel: int | None = whole(1, 4_096)
    context_parallel: int | None = whole(1, 4_096)
    attention_data_parallel: int | None = whole(1, 4_096)
    sharding: str | None = choice(*SHARDINGS)
    link: str | None = choice(*LINKS)
    fabric: str | None = choice(*FABRICS)
    fabric_gb_per_second: float | None = number(0.01, 10_000)
    engine: str | None = name()
    engine_version: str | None = name()
    memory_utilization: float | None = number(0.05, 1)
    max_concurrent_sequences: int | None = whole(1, MILLION)
    max_batched_tokens: int | None = whole(1, 100 * MILLION)
    cuda_graphs: bool | None = flag()


@dataclass(frozen=True)
class Needs(Checked):
    """What the work must reach, how long it runs, what may be rented."""

    somebody_waiting: bool | None = flag()
    tokens_per_second_per_request: float | None = number(0, MILLION)
    time_to_first_token_ms: float | None = number(1, 1e9)
    tokens_per_second: float | None = number(0, 1e12)
    images_per_minute: float | None = number(0, 1e9)
    video_seconds_per_hour: float | None = number(0, 1e9)
    deadline_hours: float | None = number(0.01, MILLION)
    job_units: float | None = number(1e-6, 1e18)
    units_per_month: float | None = number(1e-6, 1e18)
    hours_per_month: float | None = number(0.01, 744)
    busy_share: float | None = number(0.0001, 1)
    bursts_per_month: float | None = number(0, 10 * MILLION)
    idle_timeout_seconds: float | None = number(0, MILLION)
    cold_start_seconds: float | None = number(0, MILLION)
    job_hours: float | None = number(0.001, MILLION)
    term_months: float | None = number(0.1, 120)
    interruptible: bool | None = flag()
    checkpoint_gib: float | None = number(0, 1e6)
    checkpoint_interval_minutes: float | None = number(0.1, 1e5)
    restart_minutes: float | None = number(0, 1e5)
    mean_hours_between_interruptions: float | None = number(0.01, 1e6)
    countries: tuple[str, ...] = names()
    regions: tuple[str, ...] = names()
    providers: tuple[str, ...] = names()
    provider_kinds: tuple[str, ...] = choices(*PROVIDER_KINDS)
    commitments: tuple[str, ...] = choices(*COMMITMENTS)
    pricing: str | None = choice(*PRICINGS)
    max_usd_per_hour: float | None = number(0, 1e9)
    max_usd_per_month: float | None = number(0, 1e9)
    weights_allowed: tuple[str, ...] = names()
    gpu_classes: tuple[str, ...] = choices(*GPU_CLASSES)
    max_gpu_count: int | None = whole(1, 100_000)
    link: str | None = choice(*LINKS)
    storage_gb: float | None = number(0, 1e9)
    egress_gb_per_month: float | None = number(0, 1e9)
    currency: str | None = name()
    sort: str | None = choice(*SORTS)


@dataclass(frozen=True)
class Observed(Checked):
    """What a person sees on a running deployment; at least one speed."""

    tokens_per_second: float | None = number(0, 1e12)
    tokens_per_second_per_request: float | None = number(0, MILLION)
    gpu_utilization: float | None = number(0, 1)
    memory_used_gib: float | None = number(0, 1e6)
    power_w: float | None = number(0, 1e5)
    time_to_first_token_ms: float | None = number(0, 1e9)
    sm_clock_mhz: float | None = number(0, 1e5)
