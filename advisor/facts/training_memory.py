"""Constants of training memory by engine, each with its source: `training_memory.csv`.

Rows of basis «fitted» are rewritten by `python -m benchmarks.calibrate memory`, from their start.

A profile is an engine; the row `*` holds what every engine shares until one states its own.
"""

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from advisor.errors import AdvisorError
from advisor.facts.table import Row, parse_rows, read_rows

SHARED = "*"


@dataclass(frozen=True, slots=True, eq=False)
class TrainingProfile:
    """How one engine uses memory in training. Bytes are those of one element of the thing named.

    State [bytes/parameter]:
        mixed_weight_bytes, mixed_gradient_bytes, mixed_master_bytes: weights, gradients and fp32 master copy of the
        mixed recipe; adapter_bytes: one adapter weight, its gradient and each of its moments;
        step_moments: copies of one moment that AdamW's step makes;
        gradients_persist: 1 where gradients stay allocated between steps;
        kbit_upcast: 1 where PEFT's preparation turns unquantized tensors into fp32;
        double_quantizes: 1 where the engine loads nf4 with double quantization;
        quantizes_head: 1 where the output head is quantized too; adapts_experts: 1 where «all linear» means experts.
    Activations [16-bit elements/token]:
        kept_hidden: copies of the hidden vector that one layer keeps for its backward pass, beside queries, keys,
        values and their result; kept_gated, kept_plain: copies of the feed-forward width, gated and plain;
        compiled_hidden, compiled_gated: as kept_hidden and kept_gated under torch.compile;
        upcast_hidden: further copies with an fp32 residual;
        work_hidden, work_intermediate: copies alive while one layer is run backwards;
        selective_share: share of the kept copies that selective checkpointing keeps;
        checkpoints_on_host: 1 where checkpoints always go to the host.
    Logits [bytes/(token x vocabulary entry)]:
        logits_bytes, upcast_logits_bytes: loss over whole logits, and with an fp32 head;
        fused_logits_bytes: loss in chunks; fused_hidden, upcast_loss_hidden: 16-bit hidden copies of a fused loss,
        and of one with an fp32 head; adapts_head: 1 where «all linear» means the output head too;
        head_adapter_bytes: what that adds.
    Eager attention [bytes/(query x key x head)]:
        score_bytes, upcast_score_bytes: alive in one layer's backward pass; kept_score_bytes: kept without
        checkpointing; mask_bytes [bytes/(query x key)].
    Several GPUs:
        gathered_layers: layers whose weights are whole at once under full sharding; gathers_all: 1 where all are;
        gathers_edges: 1 where embedding and head stay whole between forward and backward pass;
        zero_step_parameters: parameters that ZeRO steps at a time, with fp32 gradients [parameters];
        pipelined: 1 where a pipeline keeps several micro-batches in flight.
    Allocator:
        slack_static, slack_transient, slack_scores: reserved but unused, as shares of the lasting, the transient and
        the smaller of score and logit memory; context_gib: of the process [GiB]; communication_gib: buffers of a
        rank among several [GiB].
    """

    mixed_weight_bytes: float
    mixed_gradient_bytes: float
    mixed_master_bytes: float
    adapter_bytes: float
    step_moments: float
    gradients_persist: float
    kbit_upcast: float
    double_quantizes: float
    quantizes_head: float
    adapts_experts: float
    kept_hidden: float
    kept_gated: float
    kept_plain: float
    compiled_hidden: float
    compiled_gated: float
    upcast_hidden: float
    work_hidden: float
    work_intermediate: float
    selective_share: float
    checkpoints_on_host: float
    logits_bytes: float
    upcast_logits_bytes: float
    fused_logits_bytes: float
    fused_hidden: float
    upcast_loss_hidden: float
    adapts_head: float
    head_adapter_bytes: float
    score_bytes: float
    upcast_score_bytes: float
    kept_score_bytes: float
    mask_bytes: float
    gathered_layers: float
    gathers_all: float
    gathers_edges: float
    zero_step_parameters: float
    pipelined: float
    slack_static: float
    slack_transient: float
    slack_scores: float
    context_gib: float
    communication_gib: float


TRAINING_CONSTANTS = tuple(spec.name for spec in dataclasses.fields(TrainingProfile))


@dataclass(frozen=True, slots=True, eq=False)
class TrainingProfiles:
    """The profiles by engine id."""

    rows: dict[str, TrainingProfile]

    def find(self, engine: str) -> TrainingProfile:
        """Return the profile of an engine, the shared one where it has none."""
        return self.rows.get(engine, self.rows[SHARED])


def load_training_profiles(folder: Path) -> tuple[TrainingProfiles, list[AdvisorError]]:
    """Read `training_memory.csv`: one constant a row. Raises AdvisorError missing-field for one without `*`."""
    cells, refused = parse_rows(
        read_rows(folder, "training_memory", ("profile", "constant")), _parse_constant
    )
    return training_profiles(cells), refused


def training_profiles(cells: Iterable[tuple[str, str, float]]) -> TrainingProfiles:
    """Build the profiles from (profile, constant, value); raises AdvisorError for a constant without `*`."""
    stated: dict[str, dict[str, float]] = {SHARED: {}}
    for profile, constant, value in cells:
        stated.setdefault(profile, {})[constant] = value
    for constant in TRAINING_CONSTANTS:
        if constant not in stated[SHARED]:
            raise AdvisorError("missing-field", f"training_memory.{SHARED}.{constant}")
    return TrainingProfiles({name: TrainingProfile(**(stated[SHARED] | own)) for name, own in stated.items()})


def _parse_constant(row: Row) -> tuple[str, str, float]:
    constant = row.text("constant")
    if constant not in TRAINING_CONSTANTS:
        raise row.refuse("constant", "a constant of training memory")
    value = row.number("value")
    if not 0 <= value < 1e12:
        raise row.refuse("value", "a number from 0")
    return row.text("profile"), constant, value
