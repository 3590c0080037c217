"""Constants of serving memory by engine and version, each with its source: `engine_memory.csv`.

A profile is an engine; the row `*` holds what every engine shares until one states its own. `since` is the first
version a row holds for; of several that hold, the latest counts, and without a version the newest.
"""

import dataclasses
from dataclasses import dataclass, field
from pathlib import Path

from advisor.errors import AdvisorError
from advisor.facts.table import Row, parse_rows, read_rows
from advisor.facts.versions import holds_since, version_number

SHARED = "*"


@dataclass(frozen=True, slots=True)
class EngineMemory:
    """How one engine, in one version, uses the memory of a card when it serves.

    Budget:
        utilization: share of the card that the engine takes, 0 where it takes only what it needs;
        pool_share: share of what is left after the rest that the cache takes; where it is below 1, a stated
        `memory_utilization` is this share;
        activations_inside, graphs_inside: 1 where they count within the budget.
    Weights:
        rotary_table: 1 where tables of rotary positions lie beside the weights; padded_width: experts in MXFP4 are
        padded to a multiple of this width [elements]; expert_padding: a further factor where they are;
        unties_head: 1 where a tied head is held apart; unties_fp8_head: 1 where only FP8 checkpoints do so;
        quantizes_head: 1 where 4- and 8-bit formats quantize the
        head too; head_copy_bytes: copy of the head alive while it is quantized [bytes/parameter];
        splits_embedding: 1 where embedding and head are split over tensor-parallel ranks;
        embedding_on_host: 1 where an untied embedding stays in host memory; vision_apart: 1 where the vision encoder
        is loaded for pictures only;
        rank_weights_gib: what a tensor-parallel rank adds to the weights as the engine logs them [GiB].
    Cache:
        window_managed: 1 where sliding layers hold only their window; window_cells_round: granularity of
        llama.cpp's window cells, 0 for others [tokens]; awq_prompt_excess: what AWQ kernels add to the cache of
        a prompt, as a share; growth_slack: what a cache that grows by copying leaves reserved, as a share of it.
    Activations of the profile run or of a step:
        base_gib: fixed [GiB]; sampler_bytes: per sequence and vocabulary entry; sampler_tokens: 1 where per
        batched token instead; sampler_adds: 1 where the sampler's peak adds to the forward pass's, else the larger
        counts; forward_intermediate, forward_hidden: 16-bit copies of both widths per token; vision_hidden,
        pipeline_hidden: further hidden copies of a vision-language model and of a pipeline stage;
        vision_profile_gib: encoding the largest picture in a profile run [GiB]; cross_sequence_gib: the same for
        every planned sequence of a model with cross-attention [GiB];
        expert_workspace: 1 where routed tokens have buffers of their own; mask_bytes: per batched token and token
        of context; profiles_context: longest context that the profile run takes whole, 0 where it takes the
        batched tokens [tokens].
    Scheduler defaults: sequences, tokens: of large cards (70 GiB and more, A100 apart); small_sequences,
        small_tokens: of the others.
    Outside the tensors:
        context_gib: of the process [GiB]; pair_gib, group_gib: communication buffers of a rank among two, and among
        more [GiB]; graph_bytes: CUDA graphs per layer and hidden element [bytes]; graph_most_gib: the
        most they take [GiB]; slack: reserved but unused, as a
        share of weights and activations.
    """

    utilization: float
    pool_share: float
    activations_inside: float
    graphs_inside: float
    rotary_table: float
    padded_width: float
    expert_padding: float
    unties_head: float
    unties_fp8_head: float
    quantizes_head: float
    head_copy_bytes: float
    splits_embedding: float
    embedding_on_host: float
    vision_apart: float
    rank_weights_gib: float
    window_managed: float
    window_cells_round: float
    awq_prompt_excess: float
    growth_slack: float
    base_gib: float
    sampler_bytes: float
    sampler_tokens: float
    sampler_adds: float
    forward_intermediate: float
    forward_hidden: float
    vision_hidden: float
    vision_profile_gib: float
    cross_sequence_gib: float
    pipeline_hidden: float
    expert_workspace: float
    mask_bytes: float
    profiles_context: float
    sequences: float
    tokens: float
    small_sequences: float
    small_tokens: float
    context_gib: float
    pair_gib: float
    group_gib: float
    graph_bytes: float
    graph_most_gib: float
    slack: float


ENGINE_CONSTANTS = tuple(spec.name for spec in dataclasses.fields(EngineMemory))


@dataclass(frozen=True, slots=True)
class EngineConstant:
    """One row of the table."""

    profile: str
    since: str
    constant: str
    value: float


@dataclass(frozen=True)
class EngineMemories:
    """The table, with the profile of each engine and version made once."""

    rows: tuple[EngineConstant, ...]
    _found: dict[tuple[str, str], EngineMemory] = field(default_factory=dict, compare=False)

    def profile(self, engine: str, version: str) -> EngineMemory:
        """Return the constants of an engine in a version."""
        key = (engine, version)
        if key not in self._found:
            self._found[key] = self._build(engine, version)
        return self._found[key]

    def _build(self, engine: str, version: str) -> EngineMemory:
        holding = [
            row for row in self.rows if row.profile in (SHARED, engine) and holds_since(row.since, version)
        ]
        # Rows of the engine overwrite the shared ones, later versions earlier ones.
        holding.sort(key=lambda row: (row.profile != SHARED, version_number(row.since) or ()))
        return EngineMemory(**{row.constant: row.value for row in holding})


def load_engine_memories(folder: Path) -> tuple[EngineMemories, list[AdvisorError]]:
    """Read `engine_memory.csv`: one constant a row. Raises AdvisorError missing-field for one without `*`."""
    rows, refused = parse_rows(
        read_rows(folder, "engine_memory", ("profile", "since", "constant")), _parse_constant
    )
    shared = {row.constant for row in rows if row.profile == SHARED}
    for constant in ENGINE_CONSTANTS:
        if constant not in shared:
            raise AdvisorError("missing-field", f"engine_memory.{SHARED}.{constant}")
    return EngineMemories(tuple(rows)), refused


def _parse_constant(row: Row) -> EngineConstant:
    constant = row.text("constant")
    if constant not in ENGINE_CONSTANTS:
        raise row.refuse("constant", "a constant of serving memory")
    value = row.number("value")
    if not 0 <= value < 1e7:
        raise row.refuse("value", "a number from 0")
    return EngineConstant(row.text("profile"), row.text("since"), constant, value)
