"""What one micro-batch adds: kept activations, the working set of one layer, logits, attention scores [bytes].

Of one data-parallel rank, before tensor, context and pipeline parallelism: notes on memory, sections 8 and 12.
"""

from dataclasses import dataclass

from advisor.estimate.memory.training_state import BF16_BYTES, FP32_BYTES, is_upcast
from advisor.facts.formats import SIXTEEN
from advisor.facts.models import ModelShape
from advisor.facts.training_memory import TrainingProfile
from advisor.resolve.works import TrainingWork


@dataclass(frozen=True, slots=True, eq=False)
class Activations:
    """Bytes of one micro-batch.

    kept: until the backward pass, over all layers; working: one layer run backwards, beyond what is kept of it;
    logits: output layer and loss; scores: eager attention of one layer run backwards; mask: attention mask;
    unpacked: one quantized matrix unpacked to 16 bit; on_host: what checkpoint offload keeps in host memory.
    """

    kept: float
    working: float
    logits: float
    scores: float
    mask: float
    unpacked: float
    on_host: float


def sequences_at_once(work: TrainingWork) -> int:
    """Return the sequences of one forward pass: a preference pair counts twice, a prompt once a generation."""
    if work.objective == "dpo":
        return 2 * work.micro_batch
    if work.objective in ("grpo", "ppo"):
        return work.generations_per_prompt * work.micro_batch
    return work.micro_batch


def sequence_length(work: TrainingWork) -> int:
    """Return the tokens of one sequence with its pictures [tokens]."""
    return work.sequence_tokens + work.image_tokens


def training_activations(work: TrainingWork, profile: TrainingProfile) -> Activations:
    """Return what one micro-batch needs at its worst moments [bytes]."""
    sequences, length = sequences_at_once(work), sequence_length(work)
    tokens = sequences * length
    upcast = is_upcast(work, profile)
    element = FP32_BYTES if work.weights.id == "fp32" else BF16_BYTES
    working = element * tokens * working_elements(work, profile)
    kept, on_host = _kept_bytes(work, profile, tokens, element, upcast)
    if work.gradient_checkpointing != "full":
        kept_of_layer = kept / max(1, work.model.layers)
        working = max(0.0, working - kept_of_layer)
    eager = not work.flash_attention
    pairs = sequences * length * length
    if eager and work.gradient_checkpointing == "none":
        kept += pairs * work.model.attention_heads * attention_layers(work.model) * profile.kept_score_bytes
    score_bytes = profile.upcast_score_bytes if upcast else profile.score_bytes
    return Activations(
        kept=kept,
        working=working,
        logits=logits_bytes(work, profile, tokens, upcast),
        scores=pairs * work.model.attention_heads * score_bytes if eager else 0.0,
        mask=pairs * profile.mask_bytes * (2 if upcast else 1) if eager else 0.0,
        unpacked=unpacked_bytes(work, profile),
        on_host=on_host,
    )


def _kept_bytes(
    work: TrainingWork, profile: TrainingProfile, tokens: int, element: float, upcast: bool
) -> tuple[float, float]:
    """Return what stays until the backward pass on the GPU and in host memory [bytes]."""
    model = work.model
    if work.gradient_checkpointing == "full":
        checkpoints = tokens * model.layers * model.hidden_size * (FP32_BYTES if upcast else element)
        offloaded = profile.checkpoints_on_host > 0 or work.offload in ("activations", "all")
        return (0.0, checkpoints) if offloaded else (checkpoints, 0.0)
    kept = element * tokens * kept_elements(work, profile)
    if upcast:
        kept += element * tokens * model.layers * model.hidden_size * profile.upcast_hidden
    if work.gradient_checkpointing == "selective":
        kept *= profile.selective_share
    return (0.0, kept) if work.offload in ("activations", "all") else (kept, 0.0)


def attention_layers(model: ModelShape) -> int:
    """Return the layers that compare every token with others."""
    return max(1, model.full_attention_layers + model.sliding_attention_layers)


def attention_elements(model: ModelShape) -> float:
    """Return the projections of all attention layers: queries, keys, values and their result [elements/token].

    The widths of a layer's projections together are its parameters / hidden size; a latent attention expands its
    low ranks, so its heads are counted.
    """
    if model.has_latent_cache:
        head = 2 * (model.qk_nope_head_dim + model.qk_rope_head_dim) + 2 * model.v_head_dim
        full = attention_layers(model) * model.attention_heads * head
        return full + model.groups.linear_attention / model.hidden_size
    return (model.groups.attention + model.groups.linear_attention) / model.hidden_size


def feed_forward_elements(model: ModelShape) -> float:
    """Return the feed-forward widths that one token passes, over all layers [elements/token]."""
    dense = model.mlp_layers * model.intermediate_size
    routed = model.experts_per_token * model.expert_intermediate_size + model.shared_intermediate_size
    return float(dense + model.moe_layers * routed)


def dispatched_elements(model: ModelShape) -> float:
    """Return the copies of a token that are sent to its experts and come back, over all layers [elements/token]."""
    return 2.0 * model.moe_layers * model.experts_per_token * model.hidden_size


def kept_elements(work: TrainingWork, profile: TrainingProfile) -> float:
    """Return what all layers keep for the backward pass without checkpointing [elements/token]."""
    model = work.model
    hidden = profile.compiled_hidden if work.compile else profile.kept_hidden
    gated = profile.compiled_gated if work.compile else profile.kept_gated
    gated = gated if model.mlp_matrices > 2 else profile.kept_plain
    if work.method != "full" and work.lora_targets != "all-linear":
        gated -= 1  # a frozen last matrix needs no input
    kept = hidden * model.hidden_size * model.layers + attention_elements(model)
    return kept + gated * feed_forward_elements(model) + dispatched_elements(model)


def working_elements(work: TrainingWork, profile: TrainingProfile) -> float:
    """Return what is alive while one layer is run again and backwards [elements/token]."""
    model = work.model
    hidden = profile.work_hidden
    if work.compile:
        hidden -= profile.kept_hidden - profile.compiled_hidden
    others = attention_elements(model) + profile.work_intermediate * feed_forward_elements(model)
    return hidden * model.hidden_size + (others + dispatched_elements(model)) / max(1, model.layers)


def logits_bytes(work: TrainingWork, profile: TrainingProfile, tokens: int, upcast: bool) -> float:
    """Return output layer and loss; a fused loss never holds all logits [bytes]."""
    per_entry = profile.upcast_logits_bytes if upcast else profile.logits_bytes
    hidden = profile.upcast_loss_hidden if upcast else 0.0
    if work.fused_cross_entropy:
        per_entry, hidden = profile.fused_logits_bytes, profile.fused_hidden
    elif profile.adapts_head and work.lora_targets == "all-linear":
        per_entry += profile.head_adapter_bytes
    return tokens * (per_entry * work.model.vocabulary + BF16_BYTES * hidden * work.model.hidden_size)


def unpacked_bytes(work: TrainingWork, profile: TrainingProfile) -> float:
    """Return the quantized weights unpacked to 16 bit at once; nothing when they are stored so [bytes].

    One matrix of a dense layer; all experts of a layer where they are one fused parameter.
    """
    model, bits = work.model, work.weights.bits
    if work.method == "full":
        return 0.0
    if model.is_mixture and not profile.adapts_experts and bits.experts < SIXTEEN:
        return BF16_BYTES * model.groups.experts / max(1, model.moe_layers)
    if bits.mlp >= SIXTEEN:
        return 0.0
    return BF16_BYTES * model.hidden_size * max(model.intermediate_size, model.hidden_size)
