"""A model from its Hugging Face `config.json`: exact parameter counts by tensor group, cache and state.

A type that is not listed in `hf_traits` is read as a Llama-like decoder. The vision tower of a
vision-language model is counted from its own block, exact only to a few per cent.
"""

from collections.abc import Mapping
from dataclasses import replace

from advisor.errors import AdvisorError
from advisor.facts.hf_keys import WHERE, ConfigKeys
from advisor.facts.hf_layers import Layers, read_layers
from advisor.facts.hf_traits import NOT_DECODERS, Traits, traits_of
from advisor.facts.hf_vision import vision_parameters
from advisor.facts.models import ModelShape, ParameterGroups
from advisor.facts.parameter_counts import (
    Architecture,
    Attention,
    FeedForward,
    active_parameters,
    count_parameters,
)

TEXT_PARTS = ("text_config", "language_config", "llm_config", "thinker_config")

TYPE_DEFAULTS: dict[str, dict[str, object]] = {
    "gemma3_text": {
        "vocab_size": 262_208,
        "num_attention_heads": 8,
        "num_key_value_heads": 4,
        "head_dim": 256,
        "max_position_embeddings": 131_072,
        "sliding_window": 1_024,
    },
}
"""Sizes that published configurations of a type leave out, as its class in transformers fills them."""

TORCH_FORMATS = {
    "bfloat16": "bf16",
    "float16": "fp16",
    "float32": "fp32",
    "half": "fp16",
    "float8_e4m3fn": "fp8",
}


def shape_from_config(config: Mapping[str, object]) -> ModelShape:
    """Return the model that a configuration describes.

    Raises AdvisorError: bad-config naming every missing size, out-of-range or wrong-type for an impossible
    one, unknown-architecture for a model that is no decoder or whose layers have a form of their own.
    """
    model_type, text = _text_config(config)
    traits = traits_of(model_type)
    text = text.merged("attn_config", "ffn_config") if model_type in ("mpt", "dbrx") else text
    layers = read_layers(text, traits)
    architecture = _read_architecture(text, traits, model_type, layers, config)
    text.check()
    _check_consistent(architecture)
    return _shape(architecture, layers, text, traits, config)


def _text_config(config: Mapping[str, object]) -> tuple[str, ConfigKeys]:
    """Return the model type and the keys of the decoder, unwrapped from a vision-language configuration."""
    nested: Mapping[str, object] = config
    for _ in range(2):
        inner = next((nested[part] for part in TEXT_PARTS if isinstance(nested.get(part), Mapping)), None)
        nested = inner if isinstance(inner, Mapping) else nested
    model_type = str(nested.get("model_type") or config.get("model_type") or "").lower()
    if model_type in NOT_DECODERS or config.get("is_encoder_decoder") is True:
        raise AdvisorError("unknown-architecture", f"{WHERE}.model_type", (), {"given": model_type})
    outer_ties = {key: config[key] for key in ("tie_word_embeddings", "vocab_size") if key in config}
    return model_type, ConfigKeys(nested, {**TYPE_DEFAULTS.get(model_type, {}), **outer_ties})


def _read_architecture(
    text: ConfigKeys, traits: Traits, model_type: str, layers: Layers, config: Mapping[str, object]
) -> Architecture:
    hidden = text.size("hidden_size")
    biased = _mpt_biases(text, traits) if model_type == "mpt" else traits
    learned = traits.learned_positions
    positions = text.optional("max_position_embeddings") + traits.position_offset if learned else 0
    parallel_norms = _parallel_norms(text, biased, model_type)
    return Architecture(
        hidden=hidden,
        layers=layers.count,
        vocabulary=text.size("vocab_size"),
        tied=text.flag("tie_word_embeddings", traits.tied),
        attention=_read_attention(text, biased, hidden),
        feed_forward=_read_feed_forward(text, biased, hidden, layers),
        attention_layers=layers.full + layers.sliding,
        linear_layers=layers.linear,
        linear=layers.linear_attention,
        norms_per_layer=parallel_norms,
        extra_norms=int(traits.embedding_norm),
        norm_vectors=biased.norm_vectors,
        final_norm=text.flag("do_layer_norm_before", True),
        positions=positions,
        embedding_width=text.optional("word_embed_proj_dim"),
        head_bias=text.flag("lm_head_bias", traits.head_bias),
        vision=vision_parameters(config, hidden),
    )


def _mpt_biases(text: ConfigKeys, traits: Traits) -> Traits:
    """Return the traits of an MPT configuration, which has biases everywhere or nowhere."""
    if text.flag("no_bias", False):
        return traits
    return replace(traits, qkv_bias=True, output_bias=True, mlp_bias=True, norm_vectors=2)


def _parallel_norms(text: ConfigKeys, traits: Traits, model_type: str) -> int:
    """Return the norms of a layer; Falcon has one where attention and feed-forward run side by side."""
    if model_type == "falcon" and not text.flag("new_decoder_architecture"):
        return 1 if text.flag("parallel_attn", True) else 2
    return traits.norms_per_layer


def _read_attention(text: ConfigKeys, traits: Traits, hidden: int) -> Attention:
    heads = text.size("num_attention_heads")
    stated = _stated_bias(text)
    qk_norm = traits.qk_norm if text.flag("use_qk_norm", bool(traits.qk_norm)) else ""
    if not traits.qk_norm and text.flag("use_qk_norm"):
        qk_norm = "all" if traits.family == "Command" else "head"
    return Attention(
        heads=heads,
        kv_heads=_read_kv_heads(text, heads),
        head_dim=text.optional("head_dim") or max(1, hidden // heads),
        qkv_bias=traits.qkv_bias if stated is None else stated,
        output_bias=_output_bias(text, traits, stated),
        qk_norm=qk_norm,
        output_gate=text.flag("attn_output_gate", traits.output_gate),
        sinks=traits.sinks,
        q_lora_rank=text.optional("q_lora_rank"),
        kv_lora_rank=text.optional("kv_lora_rank"),
        rope_head_dim=text.optional("qk_rope_head_dim"),
        nope_head_dim=text.optional("qk_nope_head_dim"),
        v_head_dim=text.optional("v_head_dim"),
        indexer_heads=text.optional("index_n_heads"),
        indexer_head_dim=text.optional("index_head_dim"),
    )


def _stated_bias(text: ConfigKeys) -> bool | None:
    """Return what the configuration says of biases on queries, keys and values; None where it is silent."""
    for key in ("attention_bias", "qkv_bias", "use_qkv_bias", "add_qkv_bias", "use_bias", "bias"):
        value = text.value(key)
        if isinstance(value, bool):
            return value
    return None


def _output_bias(text: ConfigKeys, traits: Traits, stated: bool | None) -> bool:
    explicit = text.value("attention_out_bias")
    if isinstance(explicit, bool):
        return explicit
    only_queries = any(text.value(key) is not None for key in ("qkv_bias", "use_qkv_bias", "add_qkv_bias"))
    if stated is None or only_queries:
        return traits.output_bias
    return stated and traits.bias_reaches_output


def _read_kv_heads(text: ConfigKeys, heads: int) -> int:
    """Return the key and value heads: one where the configuration says multi-query."""
    if text.flag("multi_query") and not text.flag("new_decoder_architecture"):
        return 1
    return text.optional("num_key_value_heads") or heads


def _read_feed_forward(text: ConfigKeys, traits: Traits, hidden: int, layers: Layers) -> FeedForward:
    moe = layers.moe
    dense = layers.feed_forward - moe
    intermediate = _intermediate_size(text, traits, hidden, needed=dense > 0)
    expert = text.optional("expert_intermediate_size") or text.optional("intermediate_size") if moe else 0
    if moe and not expert:
        expert = text.size("expert_intermediate_size")
    shared_count = text.optional("shared_experts") if moe else 0
    shared = (
        text.optional("shared_intermediate_size") or shared_count * expert if layers.has_shared(text) else 0
    )
    return FeedForward(
        matrices=traits.matrices,
        dense_layers=dense,
        intermediate=intermediate,
        bias=_mlp_bias(text, traits),
        moe_layers=moe,
        experts=layers.experts,
        experts_per_token=text.size("experts_per_token") if moe else 0,
        expert_intermediate=expert,
        expert_bias=traits.expert_bias,
        router_bias=traits.router_bias,
        shared_experts=max(1, shared_count) if shared else 0,
        shared_intermediate=shared,
        shared_gate=traits.shared_gate and bool(shared),
    )


def _intermediate_size(text: ConfigKeys, traits: Traits, hidden: int, needed: bool) -> int:
    stated = text.optional("intermediate_size_mlp") or text.optional("intermediate_size")
    if stated or not needed:
        return stated
    if traits.four_times:
        return int(hidden * text.number("expansion_ratio", 4.0))
    return text.optional("shared_intermediate_size") or text.size("intermediate_size")


def _mlp_bias(text: ConfigKeys, traits: Traits) -> bool:
    for key in ("mlp_bias", "use_bias", "bias", "add_bias_linear"):
        value = text.value(key)
        if isinstance(value, bool):
            return value
    return traits.mlp_bias


def _check_consistent(model: Architecture) -> None:
    """Refuse sizes that no model can have together."""
    attention, feed_forward = model.attention, model.feed_forward
    if attention.heads % attention.kv_heads and not attention.kv_lora_rank:
        _refuse("num_key_value_heads", attention.kv_heads, 1, attention.heads)
    if attention.kv_lora_rank and not (attention.nope_head_dim and attention.v_head_dim):
        missing = ("qk_nope_head_dim", "v_head_dim")
        raise AdvisorError("bad-config", WHERE, missing, {"missing": ", ".join(missing)})
    if feed_forward.experts_per_token > feed_forward.experts:
        _refuse("num_experts_per_tok", feed_forward.experts_per_token, 1, feed_forward.experts)


def _refuse(key: str, given: int, low: int, high: int) -> None:
    bounds = {"given": given, "low": low, "high": high}
    raise AdvisorError("out-of-range", f"{WHERE}.{key}", [f"{low} to {high}"], bounds)


def _shape(
    model: Architecture, layers: Layers, text: ConfigKeys, traits: Traits, config: Mapping[str, object]
) -> ModelShape:
    groups = count_parameters(model)
    attention, feed_forward, linear = model.attention, model.feed_forward, model.linear
    name = _name_of(config, groups)
    cached = _cached_elements(attention)
    return ModelShape(
        id=name,
        name=name,
        aliases=(),
        hf_id="",
        family=traits.family,
        parameters_total=groups.total,
        parameters_active=active_parameters(groups, feed_forward),
        groups=groups,
        layers=model.layers,
        hidden_size=model.hidden,
        intermediate_size=feed_forward.intermediate,
        expert_intermediate_size=feed_forward.expert_intermediate,
        experts=feed_forward.experts,
        experts_per_token=feed_forward.experts_per_token,
        shared_experts=feed_forward.shared_experts,
        shared_intermediate_size=feed_forward.shared_intermediate,
        moe_layers=feed_forward.moe_layers,
        mlp_layers=feed_forward.dense_layers,
        mlp_matrices=feed_forward.matrices,
        attention_heads=attention.heads,
        kv_heads=attention.kv_heads,
        head_dim=attention.head_dim,
        q_lora_rank=attention.q_lora_rank,
        kv_lora_rank=attention.kv_lora_rank,
        qk_rope_head_dim=attention.rope_head_dim,
        qk_nope_head_dim=attention.nope_head_dim,
        v_head_dim=attention.v_head_dim,
        sliding_window=layers.window if layers.sliding else 0,
        full_attention_layers=layers.full,
        sliding_attention_layers=layers.sliding,
        linear_attention_layers=layers.linear,
        linear_kind=linear.kind if linear else "",
        vocabulary=model.vocabulary,
        tied_embeddings=model.tied,
        max_context=text.optional("max_position_embeddings"),
        native_format=native_format(config, text),
        kv_bytes_per_token_full_bf16=2.0 * layers.full * cached,
        kv_bytes_per_token_sliding_bf16=2.0 * layers.sliding * cached,
        state_bytes_per_sequence=float(layers.linear * linear.state_bytes()) if linear else 0.0,
        indexer_elements_per_token=model.attention_layers * attention.indexer_head_dim,
        kv_note="",
        license="",
        released="",
        source="config.json",
        notes="",
    )


def _cached_elements(attention: Attention) -> int:
    """Return what one layer caches a token: keys and values, or one latent vector [elements]."""
    if attention.kv_lora_rank:
        return attention.kv_lora_rank + attention.rope_head_dim
    return 2 * attention.kv_heads * attention.head_dim


def _name_of(config: Mapping[str, object], groups: ParameterGroups) -> str:
    """Return the name a configuration carries, else its type and size."""
    stated = config.get("_name_or_path") or config.get("name_or_path")
    if isinstance(stated, str) and 0 < len(stated) <= 100:
        return stated
    return f"{config.get('model_type') or 'model'} {groups.total / 1e9:.1f}B"


def native_format(config: Mapping[str, object], text: ConfigKeys) -> str:
    """Return the format a checkpoint is published in: its quantization, else its 16- or 32-bit type."""
    quantization = config.get("quantization_config")
    if isinstance(quantization, Mapping):
        return _quantized_format(ConfigKeys(quantization))
    for value in (
        config.get("dtype"),
        config.get("torch_dtype"),
        text.value("dtype"),
        text.value("torch_dtype"),
    ):
        if isinstance(value, str):
            return TORCH_FORMATS.get(value.removeprefix("torch."), "bf16")
    return "bf16"


def _quantized_format(quantization: ConfigKeys) -> str:
    method = str(quantization.value("quant_method") or "").lower()
    bits = quantization.optional("bits", 0, 64)
    if method == "bitsandbytes":
        return "int8" if quantization.flag("load_in_8bit") else "nf4"
    if method == "gptq":
        return "int8-gptq" if bits == 8 else "int4-gptq"
    named = {
        "fp8": "fp8",
        "fbgemm_fp8": "fp8",
        "mxfp4": "mxfp4",
        "awq": "int4-awq",
        "compressed-tensors": "fp8",
    }
    return named.get(method, "bf16")
