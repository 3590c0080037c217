"""Every error, warning, assumption, reason, rejection, cause and remedy code, with the names of its values.

The sentence of each code is in `advisor.wording`; a test holds the two together. A value's name ends in its unit
(`_gib`, `_usd_per_hour`, `_tokens_per_second`, `_factor`, `_percent`), and the page formats it by that ending.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Message:
    """One coded statement with its values."""

    code: str
    values: Mapping[str, object]

    def to_dict(self) -> dict[str, object]:
        """Return the shape of the contract: {"code", "values"}."""
        return {"code": self.code, "values": dict(self.values)}


@dataclass(frozen=True, slots=True)
class Assumption:
    """A field that was left open, the value it got, and the code of the reason."""

    field: str
    value: object
    reason: str

    def to_dict(self) -> dict[str, object]:
        """Return the shape of the contract: {"field", "value", "reason"}."""
        return {"field": self.field, "value": self.value, "reason": self.reason}


def message(code: str, **values: object) -> Message:
    """Build a message and hold it to the registry.

    Raises KeyError for an unknown code and ValueError for values that differ from the registered names.
    """
    expected = VALUES_OF[code]
    if set(values) != set(expected):
        raise ValueError(f"{code} takes {sorted(expected)}, not {sorted(values)}")
    return Message(code, MappingProxyType(values))


ERRORS: dict[str, tuple[str, ...]] = {
    "not-json": ("field",),
    "not-an-object": ("field",),
    "unknown-field": ("field", "accepted"),
    "missing-field": ("field",),
    "wrong-type": ("field", "accepted"),
    "unknown-value": ("field", "given", "accepted"),
    "unknown-name": ("field", "given", "accepted"),
    "ambiguous-name": ("field", "given", "accepted"),
    "out-of-range": ("field", "given", "low", "high"),
    "model-not-for-task": ("field", "given", "task"),
    "model-without-shape": ("field", "given"),
    "bad-config": ("field", "missing"),
    "unknown-architecture": ("field", "given"),
    "needs-network": ("field", "given"),
    "format-not-for-task": ("field", "given", "task"),
    "layout-impossible": ("field", "given", "gpu_count"),
    "nothing-observed": ("field", "accepted"),
    "missing-table": ("field",),
    "missing-column": ("field",),
    "bad-cell": ("field", "given", "accepted"),
    "internal-fault": ("field",),
}

WARNINGS: dict[str, tuple[str, ...]] = {
    "context-above-maximum": ("context_tokens", "maximum_tokens"),
    "first-estimate": ("task",),
    "not-measured": ("group",),
    "no-figure-for-gpu": ("gpu",),
    "peak-crosses-over": ("method", "other_method"),
}

ASSUMPTIONS: dict[str, tuple[str, ...]] = {
    "default": (),
    "native-format": (),
    "format-default": (),
    "engine-default": (),
    "gpu-variant": (),
    "link-by-form-factor": (),
    "as-many-as-fit": (),
    "family-profile": (),
    "smallest-that-fits": (),
    "model-default": (),
    "fabric-by-provider": (),
    "method-default": (),
    "training-recipe": (),
}

REASONS: dict[str, tuple[str, ...]] = {
    "recommended": (),
    "price-too-old": (),
    "price-is-floor": (),
    "costs-more": ("more_usd", "speed_factor"),
    "costs-more-and-slower": ("more_usd", "slower_factor"),
    "slower": ("speed_factor",),
    "less-for-the-money": ("value_factor",),
    "as-good": (),
}
"""Why an offer that does the work is not the recommended one."""

REJECTIONS: dict[str, tuple[str, ...]] = {
    "filter-commitment": (),
    "filter-provider": (),
    "filter-provider-kind": (),
    "filter-provider-kind-unknown": (),
    "filter-region": (),
    "filter-region-unknown": (),
    "filter-country": (),
    "filter-country-unknown": (),
    "filter-class": (),
    "filter-gpu-count": (),
    "filter-link": (),
    "filter-link-unknown": (),
    "engine-not-supported": (),
    "format-not-supported": (),
    "no-price": (),
    "does-not-fit": ("value_gib", "limit_gib"),
    "no-figure-for-this-gpu": (),
    "too-slow": ("value_tokens_per_second", "limit_tokens_per_second"),
    "first-token-too-late": ("value_ms", "limit_ms"),
    "misses-deadline": ("value_hours", "limit_hours"),
    "needs-too-many-machines": ("value_count", "limit_count"),
    "over-budget-hour": ("value_usd_per_hour", "limit_usd_per_hour"),
    "over-budget-month": ("value_usd_per_month", "limit_usd_per_month"),
}
"""Why an offer is refused: `value_*` is its figure, `limit_*` what it had to be."""

CAUSES: dict[str, tuple[str, ...]] = {
    "bandwidth-ceiling": ("share_percent", "bandwidth_gb_per_second"),
    "small-batch": ("concurrency",),
    "eager-launches": ("launch_percent",),
    "pcie-all-reduce": ("communication_percent",),
    "host-offload": ("needed_gib", "budget_gib"),
    "format-kernel": ("weights",),
    "cache-thrash": ("concurrency", "max_concurrency"),
    "throttling": ("clock_percent",),
    "compute-ceiling": ("share_percent",),
    "prefill-interference": ("prompt_tokens",),
    "above-ceiling": ("share_percent",),
    "unexplained": ("gap_percent",),
}

REMEDIES: dict[str, tuple[str, ...]] = {
    "faster-memory": ("gpu",),
    "lower-precision": ("weights",),
    "quantized-cache": ("kv_cache",),
    "larger-batch": ("concurrency",),
    "cuda-graphs": ("engine",),
    "fewer-gpus": ("tensor_parallel",),
    "nvlink": (),
    "keep-on-gpu": (),
    "shorter-context": ("context_tokens",),
    "check-clocks": (),
}

CHANGES: dict[str, tuple[str, ...]] = {
    "shrink-weights": ("weights",),
    "shrink-cache-format": ("kv_cache",),
    "shrink-context": ("context_tokens",),
    "shrink-concurrency": ("concurrency",),
    "shrink-method": ("method",),
    "shrink-optimizer": ("optimizer",),
    "shrink-loss": (),
    "shrink-checkpointing": (),
    "shrink-sequence": ("sequence_tokens",),
    "shrink-offload": ("offload",),
    "shrink-tiling": (),
}
"""What would lower the need for memory."""

SAVINGS: dict[str, tuple[str, ...]] = {
    "save-format": ("weights",),
    "save-anywhere": (),
    "save-spot": (),
    "save-reserved": ("term_months",),
    "save-switch-off": ("idle_percent",),
    "save-context": ("context_tokens",),
}
"""What would lower the cost of the work."""

VERDICTS: dict[str, tuple[str, ...]] = {
    "spot-suitable": (),
    "spot-with-checkpoints": (),
    "spot-only-with-fallback": (),
    "spot-unsuitable": (),
    "spot-depends-on-rate": (),
}

KINDS: dict[str, dict[str, tuple[str, ...]]] = {
    "error": ERRORS,
    "warning": WARNINGS,
    "assumption": ASSUMPTIONS,
    "reason": REASONS,
    "rejection": REJECTIONS,
    "cause": CAUSES,
    "remedy": REMEDIES,
    "change": CHANGES,
    "saving": SAVINGS,
    "verdict": VERDICTS,
}

VALUES_OF: dict[str, tuple[str, ...]] = {
    code: names for kind in KINDS.values() for code, names in kind.items()
}
