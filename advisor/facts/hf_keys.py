"""Reading one Hugging Face configuration: a size under any of its usual names, checked, missing noted."""

import math
from collections.abc import Mapping, Sequence

from advisor.errors import AdvisorError

WHERE = "workload.model.config"

LARGEST = 10**8
"""No width, vocabulary or length of a real model is larger; a figure above it is a slip or an attack."""

MOST_LAYERS = 2_000

NAMES: dict[str, tuple[str, ...]] = {
    "hidden_size": ("hidden_size", "n_embd", "d_model", "dim"),
    "num_hidden_layers": ("num_hidden_layers", "n_layer", "n_layers", "num_layers"),
    "num_attention_heads": ("num_attention_heads", "n_head", "n_heads"),
    "num_key_value_heads": (
        "num_key_value_heads",
        "num_kv_heads",
        "n_head_kv",
        "multi_query_group_num",
        "kv_n_heads",
        "n_kv_heads",
    ),
    "head_dim": ("head_dim", "kv_channels", "attention_head_dim"),
    "vocab_size": ("vocab_size", "padded_vocab_size"),
    "intermediate_size": (
        "intermediate_size",
        "ffn_dim",
        "ffn_hidden_size",
        "n_inner",
        "intermediate_dim",
        "d_ff",
    ),
    "max_position_embeddings": (
        "max_position_embeddings",
        "n_positions",
        "n_ctx",
        "max_seq_len",
        "seq_length",
        "max_sequence_length",
    ),
    "experts": ("num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts"),
    "experts_per_token": (
        "num_experts_per_tok",
        "num_experts_per_token",
        "moe_topk",
        "moe_k",
        "moe_top_k",
        "top_k_experts",
    ),
    "expert_intermediate_size": ("moe_intermediate_size", "expert_ffn_hidden_size", "moe_ffn_hidden_size"),
    "shared_experts": (
        "n_shared_experts",
        "num_shared_experts",
        "num_shared_expert",
        "moe_num_shared_experts",
    ),
    "shared_intermediate_size": (
        "shared_expert_intermediate_size",
        "shared_intermediate_size",
        "moe_shared_expert_intermediate_size",
    ),
    "dense_layers_first": ("first_k_dense_replace", "moe_layer_start_index", "num_dense_layers"),
    "sliding_window": ("sliding_window", "attention_chunk_size", "sliding_window_size"),
    "window_every": ("sliding_window_pattern", "_sliding_window_pattern"),
}
"""The names under which each size is published, most usual first."""


class ConfigKeys:
    """The keys of one configuration. A missing size is noted; `check` raises for all of them together."""

    def __init__(self, config: Mapping[str, object], defaults: Mapping[str, object] | None = None) -> None:
        self._config = {
            **(defaults or {}),
            **{key: value for key, value in config.items() if value is not None},
        }
        self._missing: list[str] = []

    def value(self, name: str) -> object:
        """Return what stands under the first of a size's names, None where nothing does."""
        for key in NAMES.get(name, (name,)):
            if key in self._config:
                return self._config[key]
        return None

    def size(self, name: str, largest: int = LARGEST) -> int:
        """Return a size above zero; a missing one is noted and counts as 1 until `check`."""
        value = self.value(name)
        if value is None:
            self._missing.append(name)
            return 1
        return _whole(name, value, 1, largest)

    def optional(self, name: str, unknown: int = 0, largest: int = LARGEST) -> int:
        """Return a size, or `unknown` where it is not stated."""
        value = self.value(name)
        return unknown if value is None else _whole(name, value, 0, largest)

    def number(self, name: str, unknown: float) -> float:
        """Return a factor above zero, or `unknown` where it is not stated."""
        value = self.value(name)
        if value is None:
            return unknown
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= LARGEST:
            raise AdvisorError("wrong-type", f"{WHERE}.{name}", ["a number above 0"])
        return float(value)

    def flag(self, name: str, unknown: bool = False) -> bool:
        """Return a yes or no, or `unknown` where it is not stated."""
        value = self.value(name)
        if value is None:
            return unknown
        if not isinstance(value, bool):
            raise AdvisorError("wrong-type", f"{WHERE}.{name}", ["true", "false"])
        return value

    def words(self, name: str) -> tuple[str, ...]:
        """Return a list of words, empty where it is not stated."""
        value = self.value(name)
        if not isinstance(value, Sequence) or isinstance(value, str) or len(value) > MOST_LAYERS:
            return ()
        return tuple(str(item) for item in value)

    def part(self, *names: str) -> "ConfigKeys | None":
        """Return a nested configuration under the first of several names."""
        for name in names:
            nested = self._config.get(name)
            if isinstance(nested, Mapping):
                return ConfigKeys(nested)
        return None

    def merged(self, *names: str) -> "ConfigKeys":
        """Return this configuration with nested ones laid over it."""
        merged = dict(self._config)
        for name in names:
            nested = self._config.get(name)
            if isinstance(nested, Mapping):
                merged.update(nested)
        return ConfigKeys(merged)

    def check(self) -> None:
        """Raise AdvisorError bad-config naming every size that was missing."""
        if self._missing:
            missing = ", ".join(dict.fromkeys(self._missing))
            raise AdvisorError("bad-config", WHERE, tuple(dict.fromkeys(self._missing)), {"missing": missing})


def _whole(name: str, value: object, low: int, high: int) -> int:
    if isinstance(value, list | tuple) and value:
        value = value[0]  # some configurations repeat one size for every layer
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value % 1:
        raise AdvisorError("wrong-type", f"{WHERE}.{name}", ["a whole number"])
    if not low <= value <= high:
        bounds = {"given": value, "low": low, "high": high}
        raise AdvisorError("out-of-range", f"{WHERE}.{name}", [f"{low} to {high}"], bounds)
    return int(value)
