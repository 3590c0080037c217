"""Configurations as published give the exact counts of the model table; wrong ones are refused by name."""

import csv
from dataclasses import asdict
from typing import Any

import pytest

from advisor.errors import AdvisorError
from advisor.facts.hf_config import shape_from_config
from advisor.paths import data_folder

Row = dict[str, str]
Table = dict[str, Row]
Config = dict[str, Any]

LLAMA_8B: Config = {
    "architectures": ["LlamaForCausalLM"],
    "hidden_size": 4096,
    "intermediate_size": 14336,
    "max_position_embeddings": 131072,
    "model_type": "llama",
    "num_attention_heads": 32,
    "num_hidden_layers": 32,
    "num_key_value_heads": 8,
    "tie_word_embeddings": False,
    "torch_dtype": "bfloat16",
    "vocab_size": 128256,
}

QWEN3_NEXT: Config = {
    "decoder_sparse_step": 1,
    "full_attention_interval": 4,
    "head_dim": 256,
    "hidden_size": 2048,
    "intermediate_size": 5120,
    "linear_conv_kernel_dim": 4,
    "linear_key_head_dim": 128,
    "linear_num_key_heads": 16,
    "linear_num_value_heads": 32,
    "linear_value_head_dim": 128,
    "max_position_embeddings": 262144,
    "mlp_only_layers": [],
    "model_type": "qwen3_next",
    "moe_intermediate_size": 512,
    "num_attention_heads": 16,
    "num_experts": 512,
    "num_experts_per_tok": 10,
    "num_hidden_layers": 48,
    "num_key_value_heads": 2,
    "shared_expert_intermediate_size": 512,
    "tie_word_embeddings": False,
    "vocab_size": 151936,
}

DEEPSEEK_V3: Config = {
    "first_k_dense_replace": 3,
    "hidden_size": 7168,
    "intermediate_size": 18432,
    "kv_lora_rank": 512,
    "max_position_embeddings": 163840,
    "model_type": "deepseek_v3",
    "moe_intermediate_size": 2048,
    "moe_layer_freq": 1,
    "n_routed_experts": 256,
    "n_shared_experts": 1,
    "num_attention_heads": 128,
    "num_experts_per_tok": 8,
    "num_hidden_layers": 61,
    "num_key_value_heads": 128,
    "q_lora_rank": 1536,
    "qk_nope_head_dim": 128,
    "qk_rope_head_dim": 64,
    "quantization_config": {"quant_method": "fp8"},
    "tie_word_embeddings": False,
    "torch_dtype": "bfloat16",
    "v_head_dim": 128,
    "vocab_size": 129280,
}

PUBLISHED: dict[str, Config] = {
    "llama-3.1-8b": LLAMA_8B,
    "mistral-7b-v0.1": {
        "model_type": "mistral",
        "hidden_size": 4096,
        "intermediate_size": 14336,
        "num_attention_heads": 32,
        "num_hidden_layers": 32,
        "num_key_value_heads": 8,
        "sliding_window": 4096,
        "max_position_embeddings": 32768,
        "tie_word_embeddings": False,
        "torch_dtype": "bfloat16",
        "vocab_size": 32000,
    },
    "qwen2.5-7b": {
        "model_type": "qwen2",
        "hidden_size": 3584,
        "intermediate_size": 18944,
        "num_attention_heads": 28,
        "num_hidden_layers": 28,
        "num_key_value_heads": 4,
        "sliding_window": 131072,
        "use_sliding_window": False,
        "max_window_layers": 28,
        "max_position_embeddings": 131072,
        "tie_word_embeddings": False,
        "torch_dtype": "bfloat16",
        "vocab_size": 152064,
    },
    "qwen3-8b": {
        "model_type": "qwen3",
        "attention_bias": False,
        "head_dim": 128,
        "hidden_size": 4096,
        "intermediate_size": 12288,
        "num_attention_heads": 32,
        "num_hidden_layers": 36,
        "num_key_value_heads": 8,
        "max_position_embeddings": 40960,
        "tie_word_embeddings": False,
        "torch_dtype": "bfloat16",
        "vocab_size": 151936,
    },
    "qwen3-30b-a3b": {
        "model_type": "qwen3_moe",
        "attention_bias": False,
        "decoder_sparse_step": 1,
        "head_dim": 128,
        "hidden_size": 2048,
        "intermediate_size": 6144,
        "mlp_only_layers": [],
        "moe_intermediate_size": 768,
        "num_attention_heads": 32,
        "num_experts": 128,
        "num_experts_per_tok": 8,
        "num_hidden_layers": 48,
        "num_key_value_heads": 4,
        "max_position_embeddings": 40960,
        "tie_word_embeddings": False,
        "torch_dtype": "bfloat16",
        "vocab_size": 151936,
    },
    "qwen1.5-moe-a2.7b": {
        "model_type": "qwen2_moe",
        "decoder_sparse_step": 1,
        "hidden_size": 2048,
        "intermediate_size": 5632,
        "moe_intermediate_size": 1408,
        "num_attention_heads": 16,
        "num_experts": 60,
        "num_experts_per_tok": 4,
        "num_hidden_layers": 24,
        "num_key_value_heads": 16,
        "shared_expert_intermediate_size": 5632,
        "max_position_embeddings": 32768,
        "tie_word_embeddings": False,
        "torch_dtype": "bfloat16",
        "vocab_size": 151936,
    },
    "qwen3-next-80b-a3b": QWEN3_NEXT,
    "mixtral-8x7b": {
        "model_type": "mixtral",
        "hidden_size": 4096,
        "intermediate_size": 14336,
        "num_attention_heads": 32,
        "num_experts_per_tok": 2,
        "num_hidden_layers": 32,
        "num_key_value_heads": 8,
        "num_local_experts": 8,
        "sliding_window": None,
        "max_position_embeddings": 32768,
        "tie_word_embeddings": False,
        "torch_dtype": "bfloat16",
        "vocab_size": 32000,
    },
    "gemma-7b": {
        "model_type": "gemma",
        "head_dim": 256,
        "hidden_size": 3072,
        "intermediate_size": 24576,
        "num_attention_heads": 16,
        "num_hidden_layers": 28,
        "num_key_value_heads": 16,
        "max_position_embeddings": 8192,
        "torch_dtype": "bfloat16",
        "vocab_size": 256000,
    },
    "gemma-2-9b": {
        "model_type": "gemma2",
        "head_dim": 256,
        "hidden_size": 3584,
        "intermediate_size": 14336,
        "num_attention_heads": 16,
        "num_hidden_layers": 42,
        "num_key_value_heads": 8,
        "sliding_window": 4096,
        "max_position_embeddings": 8192,
        "torch_dtype": "bfloat16",
        "vocab_size": 256000,
    },
    "gemma-3-1b": {
        "model_type": "gemma3_text",
        "head_dim": 256,
        "hidden_size": 1152,
        "intermediate_size": 6912,
        "num_attention_heads": 4,
        "num_hidden_layers": 26,
        "num_key_value_heads": 1,
        "sliding_window": 512,
        "sliding_window_pattern": 6,
        "max_position_embeddings": 32768,
        "torch_dtype": "bfloat16",
        "vocab_size": 262144,
    },
    "phi-2": {
        "model_type": "phi",
        "hidden_size": 2560,
        "intermediate_size": 10240,
        "num_attention_heads": 32,
        "num_hidden_layers": 32,
        "num_key_value_heads": None,
        "max_position_embeddings": 2048,
        "tie_word_embeddings": False,
        "torch_dtype": "float16",
        "vocab_size": 51200,
    },
    "phi-4-14b": {
        "model_type": "phi3",
        "attention_bias": False,
        "hidden_size": 5120,
        "intermediate_size": 17920,
        "num_attention_heads": 40,
        "num_hidden_layers": 40,
        "num_key_value_heads": 10,
        "sliding_window": None,
        "max_position_embeddings": 16384,
        "tie_word_embeddings": False,
        "torch_dtype": "bfloat16",
        "vocab_size": 100352,
    },
    "phi-3.5-moe": {
        "model_type": "phimoe",
        "attention_bias": False,
        "hidden_size": 4096,
        "intermediate_size": 6400,
        "num_attention_heads": 32,
        "num_experts_per_tok": 2,
        "num_hidden_layers": 32,
        "num_key_value_heads": 8,
        "num_local_experts": 16,
        "max_position_embeddings": 131072,
        "tie_word_embeddings": False,
        "torch_dtype": "bfloat16",
        "vocab_size": 32064,
    },
    "gpt-2-small": {
        "model_type": "gpt2",
        "n_embd": 768,
        "n_head": 12,
        "n_layer": 12,
        "n_positions": 1024,
        "vocab_size": 50257,
    },
    "gpt-j-6b": {
        "model_type": "gptj",
        "n_embd": 4096,
        "n_head": 16,
        "n_layer": 28,
        "n_positions": 2048,
        "n_inner": None,
        "tie_word_embeddings": False,
        "vocab_size": 50400,
    },
    "gpt-neo-2.7b": {
        "model_type": "gpt_neo",
        "hidden_size": 2560,
        "num_heads": 20,
        "num_attention_heads": 20,
        "num_layers": 32,
        "window_size": 256,
        "max_position_embeddings": 2048,
        "vocab_size": 50257,
    },
    "pythia-6.9b": {
        "model_type": "gpt_neox",
        "hidden_size": 4096,
        "intermediate_size": 16384,
        "num_attention_heads": 32,
        "num_hidden_layers": 32,
        "max_position_embeddings": 2048,
        "tie_word_embeddings": False,
        "torch_dtype": "float16",
        "vocab_size": 50432,
    },
    "opt-350m": {
        "model_type": "opt",
        "do_layer_norm_before": False,
        "ffn_dim": 4096,
        "hidden_size": 1024,
        "num_attention_heads": 16,
        "num_hidden_layers": 24,
        "word_embed_proj_dim": 512,
        "max_position_embeddings": 2048,
        "vocab_size": 50272,
    },
    "opt-6.7b": {
        "model_type": "opt",
        "do_layer_norm_before": True,
        "ffn_dim": 16384,
        "hidden_size": 4096,
        "num_attention_heads": 32,
        "num_hidden_layers": 32,
        "word_embed_proj_dim": 4096,
        "max_position_embeddings": 2048,
        "vocab_size": 50272,
    },
    "bloom-7b1": {
        "model_type": "bloom",
        "n_embed": 4096,
        "hidden_size": 4096,
        "n_head": 32,
        "n_layer": 30,
        "vocab_size": 250880,
    },
    "falcon-7b": {
        "model_type": "falcon",
        "bias": False,
        "hidden_size": 4544,
        "multi_query": True,
        "new_decoder_architecture": False,
        "num_attention_heads": 71,
        "num_hidden_layers": 32,
        "parallel_attn": True,
        "vocab_size": 65024,
    },
    "falcon-40b": {
        "model_type": "falcon",
        "bias": False,
        "hidden_size": 8192,
        "multi_query": True,
        "new_decoder_architecture": True,
        "num_attention_heads": 128,
        "num_hidden_layers": 60,
        "num_kv_heads": 8,
        "parallel_attn": True,
        "vocab_size": 65024,
    },
    "mpt-7b": {
        "model_type": "mpt",
        "attn_config": {"alibi": True, "attn_type": "multihead_attention"},
        "d_model": 4096,
        "expansion_ratio": 4,
        "max_seq_len": 2048,
        "n_heads": 32,
        "n_layers": 32,
        "no_bias": True,
        "vocab_size": 50432,
    },
    "deepseek-v3": DEEPSEEK_V3,
    "deepseek-v3.2": DEEPSEEK_V3
    | {"model_type": "deepseek_v32", "index_head_dim": 128, "index_n_heads": 64, "index_topk": 2048},
    "deepseek-v2-lite": {
        "model_type": "deepseek_v2",
        "first_k_dense_replace": 1,
        "hidden_size": 2048,
        "intermediate_size": 10944,
        "kv_lora_rank": 512,
        "moe_intermediate_size": 1408,
        "moe_layer_freq": 1,
        "n_routed_experts": 64,
        "n_shared_experts": 2,
        "num_attention_heads": 16,
        "num_experts_per_tok": 6,
        "num_hidden_layers": 27,
        "num_key_value_heads": 16,
        "q_lora_rank": None,
        "qk_nope_head_dim": 128,
        "qk_rope_head_dim": 64,
        "v_head_dim": 128,
        "max_position_embeddings": 163840,
        "tie_word_embeddings": False,
        "torch_dtype": "bfloat16",
        "vocab_size": 102400,
    },
    "starcoder-15.5b": {
        "model_type": "gpt_bigcode",
        "multi_query": True,
        "n_embd": 6144,
        "n_head": 48,
        "n_inner": 24576,
        "n_layer": 40,
        "n_positions": 8192,
        "vocab_size": 49152,
    },
    "starcoder2-15b": {
        "model_type": "starcoder2",
        "hidden_size": 6144,
        "intermediate_size": 24576,
        "num_attention_heads": 48,
        "num_hidden_layers": 40,
        "num_key_value_heads": 4,
        "sliding_window": 4096,
        "use_bias": True,
        "max_position_embeddings": 16384,
        "tie_word_embeddings": False,
        "vocab_size": 49152,
    },
    "command-r-104b": {
        "model_type": "cohere",
        "attention_bias": False,
        "hidden_size": 12288,
        "intermediate_size": 33792,
        "num_attention_heads": 96,
        "num_hidden_layers": 64,
        "num_key_value_heads": 8,
        "use_qk_norm": True,
        "max_position_embeddings": 8192,
        "vocab_size": 256000,
    },
    "command-r7b": {
        "model_type": "cohere2",
        "attention_bias": False,
        "head_dim": 128,
        "hidden_size": 4096,
        "intermediate_size": 14336,
        "num_attention_heads": 32,
        "num_hidden_layers": 32,
        "num_key_value_heads": 8,
        "sliding_window": 4096,
        "sliding_window_pattern": 4,
        "vocab_size": 256000,
    },
    "olmo-7b": {
        "model_type": "olmo",
        "hidden_size": 4096,
        "intermediate_size": 11008,
        "num_attention_heads": 32,
        "num_hidden_layers": 32,
        "num_key_value_heads": 32,
        "tie_word_embeddings": False,
        "vocab_size": 50304,
    },
    "olmo-2-7b": {
        "model_type": "olmo2",
        "hidden_size": 4096,
        "intermediate_size": 11008,
        "num_attention_heads": 32,
        "num_hidden_layers": 32,
        "num_key_value_heads": 32,
        "tie_word_embeddings": False,
        "vocab_size": 100352,
    },
    "olmoe-1b-7b": {
        "model_type": "olmoe",
        "hidden_size": 2048,
        "intermediate_size": 1024,
        "num_attention_heads": 16,
        "num_experts": 64,
        "num_experts_per_tok": 8,
        "num_hidden_layers": 16,
        "num_key_value_heads": 16,
        "tie_word_embeddings": False,
        "vocab_size": 50304,
    },
    "glm-4-9b": {
        "model_type": "chatglm",
        "add_bias_linear": False,
        "add_qkv_bias": True,
        "ffn_hidden_size": 13696,
        "hidden_size": 4096,
        "kv_channels": 128,
        "multi_query_attention": True,
        "multi_query_group_num": 2,
        "num_attention_heads": 32,
        "num_layers": 40,
        "padded_vocab_size": 151552,
        "seq_length": 131072,
        "tie_word_embeddings": False,
    },
    "glm-4-32b-0414": {
        "model_type": "glm4",
        "attention_bias": True,
        "head_dim": 128,
        "hidden_size": 6144,
        "intermediate_size": 23040,
        "num_attention_heads": 48,
        "num_hidden_layers": 61,
        "num_key_value_heads": 2,
        "tie_word_embeddings": False,
        "vocab_size": 151552,
    },
    "gpt-oss-20b": {
        "model_type": "gpt_oss",
        "attention_bias": True,
        "head_dim": 64,
        "hidden_size": 2880,
        "intermediate_size": 2880,
        "layer_types": ["sliding_attention", "full_attention"] * 12,
        "num_attention_heads": 64,
        "num_experts_per_tok": 4,
        "num_hidden_layers": 24,
        "num_key_value_heads": 8,
        "num_local_experts": 32,
        "quantization_config": {"quant_method": "mxfp4"},
        "sliding_window": 128,
        "max_position_embeddings": 131072,
        "tie_word_embeddings": False,
        "vocab_size": 201088,
    },
    "dbrx-132b": {
        "model_type": "dbrx",
        "attn_config": {"clip_qkv": 8, "kv_n_heads": 8, "rope_theta": 500000},
        "d_model": 6144,
        "ffn_config": {"ffn_hidden_size": 10752, "moe_num_experts": 16, "moe_top_k": 4},
        "max_seq_len": 32768,
        "n_heads": 48,
        "n_layers": 40,
        "tie_word_embeddings": False,
        "vocab_size": 100352,
    },
    "stablelm-3b-4e1t": {
        "model_type": "stablelm",
        "hidden_size": 2560,
        "intermediate_size": 6912,
        "num_attention_heads": 32,
        "num_hidden_layers": 32,
        "num_key_value_heads": 32,
        "use_qkv_bias": False,
        "tie_word_embeddings": False,
        "vocab_size": 50304,
    },
    "granite-4.0-h-tiny-7b-a1b": {
        "model_type": "granitemoehybrid",
        "attention_bias": False,
        "hidden_size": 1536,
        "intermediate_size": 512,
        "layer_types": (["mamba"] * 9 + ["attention"]) * 4,
        "mamba_d_conv": 4,
        "mamba_d_head": 64,
        "mamba_d_state": 128,
        "mamba_n_groups": 1,
        "mamba_n_heads": 48,
        "num_attention_heads": 12,
        "num_experts_per_tok": 6,
        "num_hidden_layers": 40,
        "num_key_value_heads": 4,
        "num_local_experts": 64,
        "shared_intermediate_size": 1024,
        "tie_word_embeddings": True,
        "vocab_size": 100352,
    },
    "ernie-4.5-21b-a3b": {
        "model_type": "ernie4_5_moe",
        "head_dim": 128,
        "hidden_size": 2560,
        "intermediate_size": 12288,
        "moe_intermediate_size": 1536,
        "moe_k": 6,
        "moe_layer_interval": 1,
        "moe_layer_start_index": 1,
        "moe_num_experts": 64,
        "moe_num_shared_experts": 2,
        "num_attention_heads": 20,
        "num_hidden_layers": 28,
        "num_key_value_heads": 4,
        "tie_word_embeddings": True,
        "use_bias": False,
        "vocab_size": 103424,
    },
    "seed-oss-36b": {
        "model_type": "seed_oss",
        "attention_bias": True,
        "attention_out_bias": False,
        "head_dim": 128,
        "hidden_size": 5120,
        "intermediate_size": 27648,
        "num_attention_heads": 80,
        "num_hidden_layers": 64,
        "num_key_value_heads": 8,
        "tie_word_embeddings": False,
        "vocab_size": 155136,
    },
}


@pytest.fixture(scope="module")
def table() -> Table:
    with (data_folder() / "models_llm.csv").open(encoding="utf-8", newline="") as file:
        return {row["id"]: row for row in csv.DictReader(file)}


def count(row: Row, column: str) -> int:
    return int(row[column] or 0)


@pytest.mark.parametrize("model_id", PUBLISHED)
def test_a_published_config_gives_the_exact_count_of_the_table(model_id: str, table: Table) -> None:
    assert shape_from_config(PUBLISHED[model_id]).parameters_total == count(table[model_id], "params_total")


@pytest.mark.parametrize("model_id", PUBLISHED)
def test_the_tensor_groups_are_those_of_the_table(model_id: str, table: Table) -> None:
    groups, row = shape_from_config(PUBLISHED[model_id]).groups, table[model_id]
    assert groups.lm_head == count(row, "p_lm_head")
    assert groups.experts == count(row, "p_experts")
    assert groups.router == count(row, "p_router")
    assert groups.shared_experts == count(row, "p_shared")
    # The table counts a norm with the matrices whose name it shares.
    assert abs(groups.linear_attention - count(row, "p_linear")) <= groups.norm
    assert abs(groups.attention - count(row, "p_attn")) <= groups.norm
    assert abs(groups.mlp - count(row, "p_mlp_dense")) <= groups.norm
    assert abs(groups.embedding - count(row, "p_embed")) <= groups.norm


@pytest.mark.parametrize("model_id", PUBLISHED)
def test_cache_and_state_are_those_of_the_table(model_id: str, table: Table) -> None:
    shape, row = shape_from_config(PUBLISHED[model_id]), table[model_id]
    assert shape.kv_bytes_per_token_full_bf16 == float(row["kv_bytes_per_token_full_bf16"])
    assert shape.kv_bytes_per_token_sliding_bf16 == float(row["kv_bytes_per_token_sliding_bf16"])
    assert shape.state_bytes_per_sequence == float(row["state_bytes_per_sequence"] or 0)
    assert shape.parameters_active == pytest.approx(count(row, "params_active"), rel=1e-6)


def test_llama_8b_counts_are_literal() -> None:
    shape = shape_from_config(LLAMA_8B)
    assert asdict(shape.groups) == {
        "embedding": 525_336_576,
        "lm_head": 525_336_576,
        "attention": 1_342_177_280,
        "linear_attention": 0,
        "mlp": 5_637_144_576,
        "experts": 0,
        "shared_experts": 0,
        "router": 0,
        "norm": 266_240,
        "vision": 0,
        "other": 0,
    }
    assert shape.parameters_total == 8_030_261_248
    assert shape.kv_bytes_per_token_full_bf16 == 131_072
    assert shape.native_format == "bf16"


def test_a_text_model_inside_a_vision_model_is_unwrapped(table: Table) -> None:
    config: Config = {
        "model_type": "gemma3",
        "text_config": {
            "model_type": "gemma3_text",
            "hidden_size": 5376,
            "intermediate_size": 21504,
            "num_attention_heads": 32,
            "num_hidden_layers": 62,
            "num_key_value_heads": 16,
            "head_dim": 128,
            "sliding_window": 1024,
        },
        "vision_config": {
            "model_type": "siglip_vision_model",
            "hidden_size": 1152,
            "image_size": 896,
            "intermediate_size": 4304,
            "num_hidden_layers": 27,
            "patch_size": 14,
        },
        "torch_dtype": "bfloat16",
    }
    shape = shape_from_config(config)
    assert shape.parameters_active == count(table["gemma-3-27b"], "params_active")
    assert shape.groups.vision == pytest.approx(423_060_336, rel=0.03)
    assert shape.kv_bytes_per_token_full_bf16 == 81_920
    assert shape.kv_bytes_per_token_sliding_bf16 == 425_984


def test_a_merged_vision_tower_is_counted_to_a_few_per_cent() -> None:
    config = PUBLISHED["qwen2.5-7b"] | {
        "model_type": "qwen2_5_vl",
        "vision_config": {
            "model_type": "qwen2_5_vl",
            "depth": 32,
            "hidden_size": 1280,
            "intermediate_size": 3420,
            "patch_size": 14,
            "spatial_merge_size": 2,
            "temporal_patch_size": 2,
        },
    }
    assert shape_from_config(config).groups.vision == pytest.approx(676_550_144, rel=0.03)


def test_an_unknown_type_with_the_usual_keys_is_read_the_usual_way() -> None:
    shape = shape_from_config(LLAMA_8B | {"model_type": "brand_new_decoder"})
    assert shape.parameters_total == 8_030_261_248


@pytest.mark.parametrize("key", ["hidden_size", "num_hidden_layers", "num_attention_heads", "vocab_size"])
def test_a_missing_size_is_named(key: str) -> None:
    config = {name: value for name, value in LLAMA_8B.items() if name != key}
    with pytest.raises(AdvisorError) as caught:
        shape_from_config(config)
    assert caught.value.code == "bad-config"
    assert key in str(caught.value.values["missing"])


def test_all_missing_sizes_are_named_together() -> None:
    with pytest.raises(AdvisorError) as caught:
        shape_from_config({"model_type": "llama"})
    assert caught.value.code == "bad-config"
    for key in ("hidden_size", "num_hidden_layers", "num_attention_heads", "vocab_size", "intermediate_size"):
        assert key in caught.value.accepted


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"hidden_size": -4096}, "out-of-range"),
        ({"hidden_size": 10**12}, "out-of-range"),
        ({"num_hidden_layers": 10**6}, "out-of-range"),
        ({"vocab_size": 0}, "out-of-range"),
        ({"num_attention_heads": "many"}, "wrong-type"),
        ({"num_attention_heads": 32.5}, "wrong-type"),
        ({"num_key_value_heads": 5}, "out-of-range"),
        ({"tie_word_embeddings": "yes"}, "wrong-type"),
        ({"num_local_experts": 8, "num_experts_per_tok": 9}, "out-of-range"),
        ({"kv_lora_rank": 512}, "bad-config"),
        ({"is_encoder_decoder": True}, "unknown-architecture"),
        ({"model_type": "t5"}, "unknown-architecture"),
    ],
)
def test_impossible_values_are_refused_with_a_code(change: dict[str, object], code: str) -> None:
    with pytest.raises(AdvisorError) as caught:
        shape_from_config(LLAMA_8B | change)
    assert caught.value.code == code


@pytest.mark.parametrize("value", [float("nan"), float("inf"), [], {}, "", True])
def test_no_value_of_a_size_crashes(value: object) -> None:
    with pytest.raises(AdvisorError):
        shape_from_config(LLAMA_8B | {"hidden_size": value})
