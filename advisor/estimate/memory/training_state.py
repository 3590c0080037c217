"""What training keeps through every step: weights, adapters, gradients and optimizer state of the whole model.

Bytes before any split over GPUs, in parts that are split differently: notes on memory, section 8.
"""

from dataclasses import dataclass

from advisor.facts.formats import SIXTEEN
from advisor.facts.models import ModelShape
from advisor.facts.training_memory import TrainingProfile
from advisor.resolve.works import TrainingWork
from advisor.units import BITS_PER_BYTE

FP32_BYTES = 4.0
BF16_BYTES = 2.0
EIGHT_BIT_BYTES = 1.0
UNPREPARED_FORMATS = ("int4-gptq", "int8-gptq")
"""Formats that PEFT's k-bit preparation leaves as they are (peft/utils/other.py)."""

MOMENTS = {
    "adamw": 2.0,
    "adamw-8bit": 2.0,
    "paged-adamw-8bit": 2.0,
    "adafactor": 0.0,
    "lion": 1.0,
    "sgd": 0.0,
    "muon": 1.0,
}
"""State vectors as large as the parameters: Adafactor's factors are negligible, SGD is meant without momentum."""

EIGHT_BIT_OPTIMIZERS = ("adamw-8bit", "paged-adamw-8bit")
SHARDED = ("zero1", "zero2", "zero3", "fsdp")
DEEPSPEED = ("zero1", "zero2", "zero3")


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """An amount over the tensors of a model, by the way they are split over GPUs.

    layers: split by tensor and pipeline parallelism; experts: by expert parallelism too; edges: embedding and head
    together, split over the vocabulary; one_edge: the larger of the two, where a pipeline separates them;
    replicated: norms, routers, vision tower, on every tensor-parallel rank.
    """

    layers: float = 0.0
    experts: float = 0.0
    edges: float = 0.0
    one_edge: float = 0.0
    replicated: float = 0.0

    @property
    def total(self) -> float:
        """Return the whole amount."""
        return self.layers + self.experts + self.edges + self.replicated

    def plus_replicated(self, amount: float) -> "Part":
        """Return the part with more that every tensor-parallel rank holds."""
        return Part(self.layers, self.experts, self.edges, self.one_edge, self.replicated + amount)

    def times(self, factor: float) -> "Part":
        """Return the amount times a factor."""
        return Part(
            self.layers * factor,
            self.experts * factor,
            self.edges * factor,
            self.one_edge * factor,
            self.replicated * factor,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Recipe:
    """Bytes of one trainable parameter: the recipe of full fine-tuning [bytes/parameter].

    Pure BF16 with AdamW is 2 + 2 + 4 = 8; with fp32 moments or Lion over fp32 weights 12; mixed with AdamW 16
    (4 + 4 + 8, or 2 + 2 + 4 + 8), and 18 where 16-bit weights have fp32 gradients (2 + 4 + 4 + 8).
    master: fp32 copy of 16-bit weights; moments: state of the optimizer.
    """

    weights: float
    gradients: float
    master: float
    moments: float

    @property
    def optimizer(self) -> float:
        """Return master copy and moments [bytes/parameter]."""
        return self.master + self.moments

    @property
    def bytes_per_parameter(self) -> float:
        """Return weights, gradients and optimizer together [bytes/parameter]."""
        return self.weights + self.gradients + self.optimizer


@dataclass(frozen=True, slots=True, eq=False)
class TrainingState:
    """Bytes of the whole model before any split; adapters apart from the weights they adapt.

    trainable: parameters that get a gradient [parameters].
    """

    weights: Part
    adapters: Part
    trainable: Part
    recipe: Recipe


def training_state(work: TrainingWork, profile: TrainingProfile) -> TrainingState:
    """Return what the whole model keeps through every step [bytes]."""
    if work.method == "full":
        recipe = full_recipe(work, profile)
        parameters = trained_parameters(work.model)
        weights = parameters.times(recipe.weights).plus_replicated(BF16_BYTES * work.model.groups.vision)
        return TrainingState(weights, Part(), parameters, recipe)
    recipe = adapter_recipe(work, profile)
    adapters = adapter_parameters(work, profile)
    return TrainingState(frozen_weights(work, profile), adapters.times(recipe.weights), adapters, recipe)


def full_recipe(work: TrainingWork, profile: TrainingProfile) -> Recipe:
    """Return the recipe of full training: pure BF16, or mixed as the engine keeps it."""
    if work.training_precision == "pure-bf16":
        return Recipe(BF16_BYTES, BF16_BYTES, 0.0, _moment_bytes(work.optimizer, BF16_BYTES))
    moments = _moment_bytes(work.optimizer, FP32_BYTES)
    if profile.mixed_master_bytes:
        master = profile.mixed_master_bytes
        return Recipe(profile.mixed_weight_bytes, profile.mixed_gradient_bytes, master, moments)
    if work.sharding in DEEPSPEED:
        return Recipe(BF16_BYTES, BF16_BYTES, FP32_BYTES, moments)
    return Recipe(profile.mixed_weight_bytes, profile.mixed_gradient_bytes, 0.0, moments)


def adapter_recipe(work: TrainingWork, profile: TrainingProfile) -> Recipe:
    """Return the bytes of one adapter parameter."""
    moments = _moment_bytes(work.optimizer, profile.adapter_bytes)
    return Recipe(profile.adapter_bytes, profile.adapter_bytes, 0.0, moments)


def _moment_bytes(optimizer: str, bytes_each: float) -> float:
    return MOMENTS[optimizer] * (EIGHT_BIT_BYTES if optimizer in EIGHT_BIT_OPTIMIZERS else bytes_each)


def trained_parameters(model: ModelShape) -> Part:
    """Return the parameters of full training: all but the vision tower, which stays frozen at 16 bit as is usual."""
    groups = model.groups
    return Part(
        layers=groups.attention + groups.linear_attention + groups.mlp + groups.shared_experts,
        experts=groups.experts,
        edges=groups.embedding + groups.lm_head,
        one_edge=max(groups.embedding, groups.lm_head),
        replicated=groups.router + groups.norm + groups.other,
    )


def is_upcast(work: TrainingWork, profile: TrainingProfile) -> bool:
    """Return whether k-bit preparation makes the residual stream and the unquantized tensors fp32.

    FSDP flattens tensors of one type only, so FSDP + QLoRA leaves them at 16 bit.
    """
    quantized = work.method != "full" and work.weights.bits.mlp < SIXTEEN and work.sharding != "fsdp"
    return quantized and profile.kbit_upcast > 0 and work.weights.id not in UNPREPARED_FORMATS


def frozen_weights(work: TrainingWork, profile: TrainingProfile) -> Part:
    """Return the weights that adapters are trained on, by the bits of each tensor group [bytes]."""
    groups, bits = work.model.groups, work.weights.bits
    upcast = is_upcast(work, profile)
    quantized = bits.mlp < SIXTEEN

    def kept(group_bits: float) -> float:
        return 2 * SIXTEEN if upcast else group_bits

    head_bits = bits.mlp if quantized and profile.quantizes_head else kept(bits.lm_head)
    embedding = groups.embedding * kept(bits.embedding)
    head = groups.lm_head * head_bits
    layers = groups.attention * bits.attention + groups.linear_attention * bits.linear_attention
    layers += groups.mlp * bits.mlp + groups.shared_experts * bits.shared_experts
    rest = groups.router * bits.router + groups.vision * bits.vision
    rest += groups.norm * kept(bits.norm) + groups.other * kept(bits.other)
    return Part(layers, groups.experts * bits.experts, embedding + head, max(embedding, head), rest).times(
        1 / BITS_PER_BYTE
    )


def adapter_parameters(work: TrainingWork, profile: TrainingProfile) -> Part:
    """Return the adapter parameters: rank x (inputs + outputs) of every adapted matrix [parameters]."""
    model, rank = work.model, work.lora_rank
    full = model.full_attention_layers + model.sliding_attention_layers
    attention = full * _adapted_attention_width(model, work.lora_targets == "attention-qv")
    if work.lora_targets != "all-linear":
        return Part(layers=float(rank * attention))
    hidden, matrices = model.hidden_size, model.mlp_matrices
    dense = model.mlp_layers * matrices * (hidden + model.intermediate_size)
    if model.shared_intermediate_size:
        dense += model.moe_layers * matrices * (hidden + model.shared_intermediate_size)
    linear = 0
    if model.linear_attention_layers:
        # Two matrices in and one out, whose outer widths together are parameters / hidden.
        linear = 3 * hidden * model.linear_attention_layers + model.groups.linear_attention // hidden
    experts = 0
    if profile.adapts_experts:
        experts = model.moe_layers * model.experts * matrices * (hidden + model.expert_intermediate_size)
    head = float(rank * (hidden + model.vocabulary)) if profile.adapts_head else 0.0
    layers = float(rank * (attention + dense + linear))
    return Part(layers, float(rank * experts), head, head)


def _adapted_attention_width(model: ModelShape, only_query_and_value: bool) -> int:
    """Return inputs + outputs of the adapted matrices of one attention layer [elements]."""
    hidden, heads = model.hidden_size, model.attention_heads
    if model.has_latent_cache:
        return _adapted_latent_width(model, only_query_and_value)
    query, key = heads * model.head_dim, model.kv_heads * model.head_dim
    pair = (hidden + query) + (hidden + key)
    return pair if only_query_and_value else 2 * pair


def _adapted_latent_width(model: ModelShape, only_query_and_value: bool) -> int:
    hidden, heads, rank = model.hidden_size, model.attention_heads, model.kv_lora_rank
    query = heads * (model.qk_nope_head_dim + model.qk_rope_head_dim)
    value = heads * (model.qk_nope_head_dim + model.v_head_dim)
    queries = (hidden + 2 * model.q_lora_rank + query) if model.q_lora_rank else hidden + query
    values = hidden + rank + model.qk_rope_head_dim + rank + value
    return queries + values + (0 if only_query_and_value else heads * model.v_head_dim + hidden)
