"""The columns of the model and format tables."""

import datetime

from advisor.facts.checks.cells import (
    above_zero,
    any_text,
    each,
    number,
    one_of,
    partial_date,
    pattern,
    slug,
    whole,
)
from advisor.facts.checks.schema import Schema

_COUNT = whole(0, 10**8)
_PARAMETERS = whole(0, 10**13)
_YES_NO = one_of("yes", "no")
_TRUE_FALSE = one_of("true", "false")
TENSOR_GROUPS = ("embed", "lm_head", "attn", "mlp", "experts", "router", "norm", "vision")
PARAMETER_GROUPS = (
    "p_embed",
    "p_lm_head",
    "p_attn",
    "p_linear",
    "p_mlp_dense",
    "p_experts",
    "p_shared",
    "p_router",
    "p_norm",
    "vision_params",
    "other_params",
    "learned_positions",
)
_LANGUAGE_SIZES = (
    "layers hidden_size intermediate_size moe_intermediate_size n_experts n_experts_per_token "
    "n_shared_experts shared_intermediate_size first_dense_layers moe_layers moe_width mlp_layers "
    "attention_heads kv_heads head_dim q_lora_rank kv_lora_rank qk_rope_head_dim qk_nope_head_dim v_head_dim "
    "sliding_window full_attention_layers sliding_attention_layers linear_attention_layers "
    "vocab_size max_context"
)
NATIVE_DTYPES = (
    "bf16",
    "fp16",
    "fp32",
    "fp8",
    "int8",
    "mxfp4",
    "mxfp8",
    "int4 experts (QAT)",
    "mxfp4 experts",
    "fp4 experts + fp8",
)


def model_schemas(today: datetime.date) -> dict[str, Schema]:
    """Return the schemas of the model and format tables by name."""
    return {
        "models_llm": _language_models(today),
        "models_diffusion": _diffusion_models(),
        "models_audio": _audio_models(),
        "formats": _formats(),
        "gguf_blocks": _gguf_blocks(),
        "gguf_mixing": _gguf_mixing(),
    }


def _language_models(today: datetime.date) -> Schema:
    bytes_of_state = whole(0, 10**11)
    return Schema(
        key=("id",),
        required={
            "id": slug,
            "name": any_text,
            "hf_id": any_text,
            "family": any_text,
            "native_dtype": one_of(*NATIVE_DTYPES),
            "source": any_text,
        },
        optional={
            "aliases": each(any_text),
            **dict.fromkeys(("params_total", "params_active", *PARAMETER_GROUPS), _PARAMETERS),
            **dict.fromkeys(("params_declared", "params_active_declared"), number(1e6, 1e13)),
            **dict.fromkeys(_LANGUAGE_SIZES.split(), _COUNT),
            "attn_bias": one_of("none", "qkv", "all"),
            "attn_output_gate": _YES_NO,
            "mlp_matrices": whole(2, 3),
            "sliding_window_pattern": any_text,
            "linear_spec": any_text,
            "tie_word_embeddings": _TRUE_FALSE,
            "kv_bytes_per_token_full_bf16": bytes_of_state,
            "kv_bytes_per_token_sliding_bf16": bytes_of_state,
            "state_bytes_per_sequence": bytes_of_state,
            "kv_note": any_text,
            "license": any_text,
            "released": partial_date(today),
            "notes": any_text,
        },
        wanted=("params_total", "max_context", "license"),
    )


def _diffusion_models() -> Schema:
    return Schema(
        key=("id",),
        required={
            "id": slug,
            "name": any_text,
            "kind": one_of("image", "video"),
            "backbone": any_text,
            "backbone_params": whole(10**6, 10**13),
            "source": any_text,
        },
        optional={
            "aliases": each(any_text),
            "hf_id": any_text,
            "backbone_params_per_token": whole(10**6, 10**13),
            "text_encoder_params": _PARAMETERS,
            "text_encoders": any_text,
            "vae_params": _PARAMETERS,
            "default_steps": pattern(r"\d.*", "a count of steps"),
            "cfg_doubles_passes": pattern(r"(yes|no|distilled).*", "yes or no, with the scale in brackets"),
            "default_resolution": pattern(r"\d+x\d+.*", "a size, width x height"),
            "frames": whole(1, 10_000),
            "fps": above_zero(240),
            "latent_downsample": pattern(r"\d+(x\d+x\d+)?.*", "a factor, or height x width x time"),
            "patch": pattern(r"\d(x\d){0,2}", "a size, or time x height x width"),
            "layers": any_text,
            "hidden": any_text,
            "license": any_text,
            "notes": any_text,
        },
        wanted=("license", "text_encoder_params", "vae_params", "default_steps", "default_resolution"),
    )


def _audio_models() -> Schema:
    return Schema(
        key=("id",),
        required={
            "id": slug,
            "name": any_text,
            "kind": one_of("music", "tts", "stt"),
            "architecture": any_text,
            "native_dtype": one_of("bf16", "fp16", "fp32"),
            "source": any_text,
        },
        optional={
            **dict.fromkeys(
                ("hf_id", "params_detail", "layers", "hidden", "codebooks", "license", "notes"), any_text
            ),
            "aliases": each(any_text),
            "params": whole(10**6, 10**13),
            **dict.fromkeys(("heads", "kv_heads"), whole(1, 1_000)),
            "frame_rate_hz": above_zero(1_000),
            "tokens_per_audio_second": any_text,
            "steps": whole(1, 10_000),
            "sample_rate": whole(8_000, 192_000),
            "max_seconds": above_zero(100_000),
        },
        wanted=("params", "license"),
    )


def _formats() -> Schema:
    kept = pattern(
        r"quantized|base type|(16|6)( \(.*\))?|f32|f16( \(.*\))?|i?q\d_\w+", "quantized or a kept format"
    )
    return Schema(
        key=("id",),
        required={
            "id": slug,
            "bits_per_quantized_weight": number(1, 32),
            **dict.fromkeys(TENSOR_GROUPS, kept),
            "compute_dtype": any_text,
            "activation_dtype": any_text,
            "needs": any_text,
            "kv_default": one_of("bf16", "fp16", "fp32", "f16"),
            "source": any_text,
        },
        optional=dict.fromkeys(("bits_detail", "storage_block", "other", "note"), any_text),
    )


def _gguf_blocks() -> Schema:
    block = pattern(r"[A-Z0-9_]+", "a block type in capitals")
    return Schema(
        ("block_type",), {"block_type": block, "bits_per_weight": above_zero(32), "source": any_text}
    )


def _gguf_mixing() -> Schema:
    required = dict.fromkeys(("file_type", "tensor", "layers", "block_type"), any_text)
    return Schema(("file_type", "tensor", "layers", "condition"), required, {"condition": any_text})
