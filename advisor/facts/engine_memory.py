"""How each engine uses memory when it serves, by version: `engine_memory.csv`, each row with its source."""

import dataclasses
from dataclasses import dataclass
from pathlib import Path

from advisor.errors import AdvisorError
from advisor.facts.speed import VersionNumber, version_number
from advisor.facts.table import Row, parse_rows, read_rows

POOL, ALLOCATOR, BLOCKS = "pool", "allocator", "blocks"
"""Kinds of engine: one that takes a share of the card for its cache pool; one that allocates as it goes; llama.cpp."""


@dataclass(frozen=True, slots=True)
class EngineMemory:
    """Constants of one engine from one version on.

    kind: pool, allocator or blocks; utilization: share of the card taken by default; manages_windows: whether window
    layers keep only their window; profile: tokens, sampler, fixed, logits or blocks, which activation term holds;
    sequences: default of sequences together; sequence_bytes_per_vocabulary: of the sampler [bytes];
    profile_*_gib: base and floors of the activation peak [GiB]; moe_factor: on it for mixtures;
    non_torch_gib, non_torch_sharded_gib: libraries' own memory on one GPU, and on one of several [GiB];
    graphs_in_budget: whether CUDA graphs count inside the share; expert_padding: factor on MXFP4 experts;
    context_gib: of the process [GiB]; slack_share, cache_slack_share: reserved by the allocator and unused, of what is
    allocated and of a cache that grows by copying; head_copy: pattern of the weight formats beside which a tied
    output head is held apart; dequantized_share: of the head unpacked while it multiplies; awq_work_bytes: of AWQ
    kernels [bytes/(token x intermediate size)].
    """

    engine: str
    version_from: str
    kind: str
    utilization: float
    manages_windows: bool
    profile: str
    sequences: float
    sequence_bytes_per_vocabulary: float
    profile_base_gib: float
    profile_floor_gib: float
    profile_floor_moe_gib: float
    moe_factor: float
    pipeline_profile_gib: float
    non_torch_gib: float
    non_torch_sharded_gib: float
    graphs_gib: float
    graphs_in_budget: bool
    expert_padding: float
    context_gib: float
    slack_share: float
    cache_slack_share: float
    head_copy: str
    dequantized_share: float
    awq_work_bytes: float


@dataclass(frozen=True, slots=True)
class EngineMemories:
    """The profiles of all engines, each engine's in order of version."""

    by_engine: dict[str, tuple[EngineMemory, ...]]

    def profile(self, engine: str, version: str) -> EngineMemory:
        """Return the profile of an engine at a version: the last row not above it; the newest for no version.

        An engine without a row takes the profile of Transformers, which allocates what it needs.
        """
        rows = self.by_engine.get(engine) or self.by_engine["transformers"]
        number = version_number(version)
        if number is None:
            return rows[-1]
        reached = [row for row in rows if _number(row.version_from) <= number]
        return reached[-1] if reached else rows[0]


def load_engine_memories(folder: Path) -> tuple[EngineMemories, list[AdvisorError]]:
    """Read `engine_memory.csv`; returns the profiles and the refused rows."""
    rows, refused = parse_rows(read_rows(folder, "engine_memory", ("engine", "version_from")), _parse)
    by_engine: dict[str, tuple[EngineMemory, ...]] = {}
    for row in sorted(rows, key=lambda row: (row.engine, _number(row.version_from))):
        by_engine[row.engine] = (*by_engine.get(row.engine, ()), row)
    return EngineMemories(by_engine), refused


def _number(version: str) -> VersionNumber:
    return version_number(version) or ()


def _parse(row: Row) -> EngineMemory:
    texts = ("engine", "version_from", "kind", "profile", "head_copy")
    flags = ("manages_windows", "graphs_in_budget")
    values: dict[str, str | float | bool] = {}
    for field in dataclasses.fields(EngineMemory):
        cell = row.text(field.name) if field.name in texts else row.number(field.name)
        values[field.name] = bool(cell) if field.name in flags else cell
    return EngineMemory(**values)  # type: ignore[arg-type]
