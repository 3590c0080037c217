"""Exact parameter counts of a decoder from its architecture, by tensor group.

Formulas: notes on memory, section 2. Biases count with their matrix, every norm with `norm`.
"""

from dataclasses import dataclass

from advisor.facts.models import ParameterGroups


@dataclass(frozen=True, slots=True, eq=False)
class Attention:
    """Attention of one layer: heads and widths [elements], biases, norms of query and key.

    kv_lora_rank above 0 means latent attention (MLA), which uses ranks and widths instead of `head_dim`.
    qk_norm: "" none, "head" one vector of a head's width each, "all" over all heads; sinks: one a head;
    output_gate: a second query-sized projection. indexer_*: the key selector of sparse attention.
    """

    heads: int
    kv_heads: int
    head_dim: int
    qkv_bias: bool = False
    output_bias: bool = False
    qk_norm: str = ""
    output_gate: bool = False
    sinks: bool = False
    q_lora_rank: int = 0
    kv_lora_rank: int = 0
    rope_head_dim: int = 0
    nope_head_dim: int = 0
    v_head_dim: int = 0
    indexer_heads: int = 0
    indexer_head_dim: int = 0

    def parameters(self, hidden: int) -> int:
        """Return the matrices, biases and sinks of one layer [parameters]."""
        if self.kv_lora_rank:
            return self._latent_parameters(hidden)
        query, key = self.heads * self.head_dim, self.kv_heads * self.head_dim
        matrices = hidden * (query * (3 if self.output_gate else 2) + 2 * key)
        biases = (query + 2 * key if self.qkv_bias else 0) + (hidden if self.output_bias else 0)
        return matrices + biases + (self.heads if self.sinks else 0)

    def _latent_parameters(self, hidden: int) -> int:
        query = self.heads * (self.nope_head_dim + self.rope_head_dim)
        queries = hidden * self.q_lora_rank + self.q_lora_rank * query if self.q_lora_rank else hidden * query
        keys_values = hidden * (self.kv_lora_rank + self.rope_head_dim)
        keys_values += self.kv_lora_rank * self.heads * (self.nope_head_dim + self.v_head_dim)
        return queries + keys_values + self.heads * self.v_head_dim * hidden

    def norm_parameters(self) -> int:
        """Return the norms inside the attention of one layer [parameters]."""
        if self.kv_lora_rank:
            return self.q_lora_rank + self.kv_lora_rank
        if self.qk_norm == "head":
            return 2 * self.head_dim
        return (self.heads + self.kv_heads) * self.head_dim if self.qk_norm == "all" else 0

    def indexer_parameters(self, hidden: int) -> int:
        """Return the key selector of one layer: queries, keys, head weights, a norm [parameters]."""
        if not self.indexer_heads:
            return 0
        query_input = self.q_lora_rank or hidden
        queries = query_input * self.indexer_heads * self.indexer_head_dim
        return queries + hidden * (self.indexer_head_dim + self.indexer_heads) + 2 * self.indexer_head_dim


@dataclass(frozen=True, slots=True, eq=False)
class FeedForward:
    """Feed-forward layers: dense ones and mixtures of experts. Widths [elements].

    matrices: 3 for a gated unit, 2 for a plain one; shared_gate: a vector that scales the shared expert.
    """

    matrices: int
    dense_layers: int
    intermediate: int
    bias: bool = False
    moe_layers: int = 0
    experts: int = 0
    experts_per_token: int = 0
    expert_intermediate: int = 0
    expert_bias: bool = False
    router_bias: bool = False
    shared_experts: int = 0
    shared_intermediate: int = 0
    shared_gate: bool = False

    def dense_parameters(self, hidden: int) -> int:
        """Return the dense layers together [parameters]."""
        return self.dense_layers * self._unit(hidden, self.intermediate, self.bias)

    def expert_parameters(self, hidden: int) -> int:
        """Return the routed experts of all layers [parameters]."""
        return self.moe_layers * self.experts * self._unit(hidden, self.expert_intermediate, self.expert_bias)

    def shared_parameters(self, hidden: int) -> int:
        """Return the experts that every token passes, with their gate, of all layers [parameters]."""
        if not self.shared_intermediate:
            return 0
        gate = hidden if self.shared_gate else 0
        return self.moe_layers * (self._unit(hidden, self.shared_intermediate, False) + gate)

    def router_parameters(self, hidden: int) -> int:
        """Return the routers of all layers [parameters]."""
        return self.moe_layers * self.experts * (hidden + int(self.router_bias))

    def _unit(self, hidden: int, width: int, bias: bool) -> int:
        biases = (self.matrices - 1) * width + hidden if bias else 0
        return self.matrices * hidden * width + biases


@dataclass(frozen=True, slots=True, eq=False)
class LinearAttention:
    """Linear attention of one layer with a fixed state: gated delta net (gdn) or Mamba 2 (mamba2).

    gdn: key_heads x key_dim and value_heads x value_dim. mamba2: value_heads x value_dim is the inner width,
    key_heads the groups and key_dim the state size. convolution: width of the short convolution [tokens].
    """

    kind: str
    key_heads: int
    key_dim: int
    value_heads: int
    value_dim: int
    convolution: int = 4

    @property
    def inner(self) -> int:
        """Return the width of the values [elements]."""
        return self.value_heads * self.value_dim

    @property
    def convolved(self) -> int:
        """Return the channels of the short convolution: values and two key-sized streams [elements]."""
        return self.inner + 2 * self.key_heads * self.key_dim

    def parameters(self, hidden: int) -> int:
        """Return one layer [parameters]: notes on memory, section 2, «Gated DeltaNet» and «Mamba2»."""
        if self.kind == "gdn":
            projections = hidden * (self.convolved + self.inner) + 2 * hidden * self.value_heads
            small = self.convolution * self.convolved + 2 * self.value_heads + self.value_dim
            return projections + small + self.inner * hidden
        projections = hidden * (self.inner + self.convolved + self.value_heads)
        small = self.convolved * (self.convolution + 1) + 3 * self.value_heads + self.inner
        return projections + small + self.inner * hidden

    def state_bytes(self) -> int:
        """Return the state of one sequence and layer: fp32 state, 16-bit convolution [bytes]."""
        state = self.key_dim * self.value_dim * self.value_heads
        return 4 * state + 2 * (self.convolution - 1) * self.convolved


@dataclass(frozen=True, slots=True, eq=False)
class Architecture:
    """A decoder as its configuration describes it. Sizes [elements], counts of layers.

    norms_per_layer: of hidden width; norm_vectors: 2 with a bias, 1 without, 0 without parameters.
    positions: learned position rows; embedding_width: of the token embedding, where it differs from `hidden`.
    """

    hidden: int
    layers: int
    vocabulary: int
    tied: bool
    attention: Attention
    feed_forward: FeedForward
    attention_layers: int
    linear_layers: int = 0
    linear: LinearAttention | None = None
    norms_per_layer: int = 2
    extra_norms: int = 0
    norm_vectors: int = 1
    final_norm: bool = True
    positions: int = 0
    embedding_width: int = 0
    head_bias: bool = False
    vision: int = 0


def count_parameters(model: Architecture) -> ParameterGroups:
    """Return the parameters of each tensor group [parameters]."""
    hidden, attention, feed_forward = model.hidden, model.attention, model.feed_forward
    width = model.embedding_width or hidden
    projection = 0 if width == hidden else 2 * hidden * width
    linear = model.linear.parameters(hidden) if model.linear else 0
    return ParameterGroups(
        embedding=model.vocabulary * width,
        lm_head=0 if model.tied else model.vocabulary * (width + int(model.head_bias)),
        attention=model.attention_layers * attention.parameters(hidden),
        linear_attention=model.linear_layers * linear,
        mlp=feed_forward.dense_parameters(hidden),
        experts=feed_forward.expert_parameters(hidden),
        shared_experts=feed_forward.shared_parameters(hidden),
        router=feed_forward.router_parameters(hidden),
        norm=_norm_parameters(model),
        vision=model.vision,
        other=model.positions * hidden
        + projection
        + model.attention_layers * attention.indexer_parameters(hidden),
    )


def _norm_parameters(model: Architecture) -> int:
    """Return all norms: those of the layers, of query and key, and the last one [parameters]."""
    of_hidden_width = model.layers * model.norms_per_layer + int(model.final_norm) + model.extra_norms
    inside = model.attention_layers * model.attention.norm_parameters()
    return of_hidden_width * model.norm_vectors * model.hidden + inside


def active_parameters(groups: ParameterGroups, feed_forward: FeedForward) -> int:
    """Return the parameters that act on one token: all but idle experts and the vision part [parameters]."""
    if not feed_forward.experts:
        return groups.total - groups.vision
    idle = groups.experts - groups.experts * feed_forward.experts_per_token // feed_forward.experts
    return groups.total - idle - groups.vision
