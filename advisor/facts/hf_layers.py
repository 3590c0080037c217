"""Which layers of a configuration see everything, a window, or keep a fixed state; which are mixtures."""

from dataclasses import dataclass

from advisor.facts.hf_keys import MOST_LAYERS, ConfigKeys
from advisor.facts.hf_traits import Traits
from advisor.facts.parameter_counts import LinearAttention

LINEAR_WORDS = ("linear_attention", "mamba", "mamba2", "linear")
SLIDING_WORDS = ("sliding_attention", "chunked_attention", "sliding", "local")


@dataclass(frozen=True, slots=True, eq=False)
class Layers:
    """Counts of layers by kind; `window` is that of the sliding ones [tokens].

    feed_forward: layers with a feed-forward part; moe: those of them that route over experts.
    """

    count: int
    full: int
    sliding: int
    linear: int
    window: int
    feed_forward: int
    moe: int
    experts: int
    linear_attention: LinearAttention | None

    def has_shared(self, text: ConfigKeys) -> bool:
        """Whether every token also passes a shared expert."""
        return self.moe > 0 and bool(
            text.optional("shared_experts") or text.optional("shared_intermediate_size")
        )


def read_layers(text: ConfigKeys, traits: Traits) -> Layers:
    """Return the layers by kind."""
    count = text.size("num_hidden_layers", MOST_LAYERS)
    window = text.optional("sliding_window")
    kinds = _kinds(text, traits, count, window)
    linear = sum(kind in LINEAR_WORDS for kind in kinds)
    sliding = sum(kind in SLIDING_WORDS for kind in kinds) if window else 0
    experts = text.optional("experts", 0, 100_000)
    return Layers(
        count=count,
        full=count - sliding - linear,
        sliding=sliding,
        linear=linear,
        window=window,
        feed_forward=count,
        moe=_moe_layers(text, count) if experts > 1 else 0,
        experts=experts if experts > 1 else 0,
        linear_attention=_read_linear(text) if linear else None,
    )


def _kinds(text: ConfigKeys, traits: Traits, count: int, window: int) -> tuple[str, ...]:
    """Return the kind of every layer, as listed or by the type's pattern."""
    listed = text.words("layer_types") or text.words("layers_block_type") or text.words("attention_layers")
    if len(listed) == count:
        return listed
    interval = text.optional("full_attention_interval")
    if interval and text.value("linear_num_value_heads") is not None:
        return tuple("full" if (layer + 1) % interval == 0 else "linear" for layer in range(count))
    if not window or not traits.has_window or not text.flag("use_sliding_window", traits.family != "Qwen"):
        return ("full",) * count
    every = text.optional("window_every") or traits.window_every
    if every > 1:
        return tuple("full" if (layer + 1) % every == 0 else "sliding" for layer in range(count))
    return ("sliding",) * count


def _moe_layers(text: ConfigKeys, count: int) -> int:
    """Return how many layers route over experts: all but the first, every so many, or as listed."""
    frequency = text.value("moe_layer_freq")
    if isinstance(frequency, list | tuple) and len(frequency) == count:
        return sum(bool(entry) for entry in frequency)
    step = max(
        text.optional("decoder_sparse_step", 1),
        text.optional("interleave_moe_layer_step", 1),
        text.optional("moe_layer_interval", 1),
        frequency if isinstance(frequency, int) and not isinstance(frequency, bool) else 1,
    )
    first = text.optional("dense_layers_first")
    listed_dense = len(text.words("mlp_only_layers"))
    sparse = sum(
        1 for layer in range(count) if layer >= first and (layer + 1 - first * (step > 1)) % step == 0
    )
    return max(0, sparse - listed_dense)


def _read_linear(text: ConfigKeys) -> LinearAttention:
    """Return the fixed-state layer: a gated delta net, or Mamba 2."""
    if text.value("mamba_n_heads") is not None:
        return LinearAttention(
            kind="mamba2",
            key_heads=text.optional("mamba_n_groups", 1),
            key_dim=text.size("mamba_d_state"),
            value_heads=text.size("mamba_n_heads"),
            value_dim=text.size("mamba_d_head"),
            convolution=text.optional("mamba_d_conv", 4),
        )
    return LinearAttention(
        kind="gdn",
        key_heads=text.size("linear_num_key_heads"),
        key_dim=text.size("linear_key_head_dim"),
        value_heads=text.size("linear_num_value_heads"),
        value_dim=text.size("linear_value_head_dim"),
        convolution=text.optional("linear_conv_kernel_dim", 4),
    )
