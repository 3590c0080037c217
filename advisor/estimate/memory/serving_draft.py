"""Memory of speculative decoding: a draft model with its cache, or the layer a model drafts with itself."""

from dataclasses import dataclass

from advisor.estimate.memory.cache import cache_bytes, managed_window
from advisor.estimate.memory.weights import group_bytes, weight_parts
from advisor.facts.engine_memory import EngineMemory
from advisor.facts.formats import WeightFormat
from advisor.facts.models import ModelShape
from advisor.resolve.works import ServeWork


@dataclass(frozen=True, slots=True)
class DraftDemand:
    """A draft before any split [bytes]: its weights, and what it caches of one request."""

    weights: float
    each: float


NO_DRAFT = DraftDemand(0.0, 0.0)


def draft_demand(work: ServeWork, tokens: float, engine: EngineMemory) -> DraftDemand:
    """Return the weights and the cache that drafting adds; n-grams add nothing.

    A draft model is held in the formats of the model it serves.
    """
    if work.draft is None or work.draft.kind == "ngram":
        return NO_DRAFT
    if work.draft.model is None:
        return own_layer(work, tokens)
    draft = work.draft.model
    weights = weight_parts(draft, work.weights, engine).total
    window = managed_window(draft, engine)
    return DraftDemand(weights, cache_bytes(draft, work.cache_bits, tokens, window))


def own_layer(work: ServeWork, tokens: float) -> DraftDemand:
    """Return a multi-token-prediction layer: one layer like the last, and a projection of 2 H x H."""
    model = work.model
    layers = max(1, model.layers)
    weights = layer_bytes(model, work.weights) + group_bytes(
        2 * model.hidden_size**2, work.weights.bits.attention
    )
    return DraftDemand(weights, cache_bytes(model, work.cache_bits, tokens, float("inf")) / layers)


def layer_bytes(model: ModelShape, weights: WeightFormat) -> float:
    """Return the weights of the last layer, a mixture's one where there is one [bytes]."""
    groups, bits = model.groups, weights.bits
    attention_layers = max(1, model.full_attention_layers + model.sliding_attention_layers)
    attention = group_bytes(groups.attention, bits.attention) / attention_layers
    if model.is_mixture:
        experts = group_bytes(groups.experts, bits.experts) + group_bytes(
            groups.shared_experts, bits.shared_experts
        )
        return attention + experts / max(1, model.moe_layers)
    return attention + group_bytes(groups.mlp, bits.mlp) / max(1, model.mlp_layers or model.layers)
