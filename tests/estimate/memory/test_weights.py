"""Weights: exact sizes of known models, and what each way of splitting leaves on a GPU."""

import numpy as np
import pytest

from advisor import Facts
from advisor.estimate.layouts import uniform_layout
from advisor.estimate.memory.weights import (
    expert_padding,
    key_value_parameters,
    latent_parameters,
    rotary_bytes,
    weight_parts,
    weights_per_gpu,
)
from advisor.estimate.split import split_of
from advisor.units import GIB
from tests.estimate.memory.serving_cases import known, memory


def parts_gb(facts: Facts, model: str, weights: str, engine: str = "exllamav2", version: str = "") -> float:
    shape = facts.language_models.by_id[model]
    profile = facts.engine_memories.profile(engine, version)
    return weight_parts(shape, facts.formats.weight_format(weights, shape), profile).total / 1e9


@pytest.mark.parametrize(
    ("model", "weights", "gigabytes", "tolerance"),
    [
        ("llama-3.1-8b", "bf16", 16.0605, 0.0001),
        ("gpt-oss-120b", "mxfp4", 65.2, 0.1),
        ("llama-3.1-70b", "nf4-dq", 39.5, 0.1),
        ("llama-3.1-70b", "int4-awq", 39.8, 0.1),
        ("deepseek-v3", "fp8", 673.2, 0.5),
    ],
)
def test_weights_of_known_models(
    facts: Facts, model: str, weights: str, gigabytes: float, tolerance: float
) -> None:
    assert parts_gb(facts, model, weights) == pytest.approx(gigabytes, abs=tolerance)


def test_llama_3_1_8b_in_bf16_is_14_96_gib(facts: Facts) -> None:
    assert parts_gb(facts, "llama-3.1-8b", "bf16") * 1e9 / GIB == pytest.approx(14.9575, abs=0.0005)


@pytest.mark.parametrize(
    ("ranks", "measured_gib"), [(1, 14.99), (2, 7.51), (4, 3.77)], ids=["one", "two", "four"]
)
def test_vllm_keeps_its_rotary_table_on_every_rank(facts: Facts, ranks: int, measured_gib: float) -> None:
    answer = memory(
        facts, "llama-3.1-8b", gpu_count=ranks, tensor_parallel=ranks, engine="vllm", weights="bf16"
    )
    assert known(answer.weights_gib) == pytest.approx(measured_gib, abs=0.006)


def test_the_rotary_table_of_131072_positions_of_128_elements_is_32_mib(facts: Facts) -> None:
    shape = facts.language_models.by_id["llama-3.1-8b"]
    assert rotary_bytes(shape, facts.formats.weight_format("bf16", shape)) == 32 * 2**20


@pytest.mark.parametrize(
    ("model", "stages", "measured_gib"),
    [("llama-3.1-8b", 2, 7.51), ("llama-3.1-8b", 4, 4.26), ("qwen3-8b", 3, 5.48)],
)
def test_the_fullest_stage_of_a_pipeline_has_one_end_of_the_vocabulary(
    facts: Facts, model: str, stages: int, measured_gib: float
) -> None:
    answer = memory(facts, model, gpu_count=stages, pipeline_parallel=stages, engine="vllm", weights="bf16")
    assert known(answer.weights_gib) == pytest.approx(measured_gib, abs=0.01)


def test_a_tied_matrix_is_at_both_ends_of_a_pipeline(facts: Facts) -> None:
    shape = facts.language_models.by_id["qwen3-0.6b"]
    assert shape.tied_embeddings
    whole = known(memory(facts, "qwen3-0.6b", weights="bf16", engine="exllamav2").weights_gib)
    split = memory(facts, "qwen3-0.6b", weights="bf16", engine="exllamav2", gpu_count=2, pipeline_parallel=2)
    matrix = shape.groups.embedding * 2 / GIB
    assert known(split.weights_gib) == pytest.approx((whole - matrix) / 2 + matrix, rel=1e-6)


def test_key_and_value_projections_are_repeated_beyond_their_heads(facts: Facts) -> None:
    shape = facts.language_models.by_id["llama-3.1-8b"]
    assert key_value_parameters(shape) == 2 * 4096 * 8 * 128 * 32
    profile = facts.engine_memories.profile("vllm", "0.19")
    parts = weight_parts(shape, facts.formats.weight_format("bf16", shape), profile)
    eight, sixteen = (
        weights_per_gpu(parts, shape, profile, split_of(uniform_layout(1, ranks)))[0] for ranks in (8, 16)
    )
    whole = parts.rotary + parts.whole
    assert sixteen - whole == pytest.approx((eight - whole) / 2 + parts.key_value / 16)


def test_latent_projections_stay_whole_on_every_rank(facts: Facts) -> None:
    shape = facts.language_models.by_id["deepseek-v3"]
    assert latent_parameters(shape) == 7168 * (512 + 64 + 1536) * 61
    profile = facts.engine_memories.profile("vllm", "0.19")
    parts = weight_parts(shape, facts.formats.weight_format("fp8", shape), profile)
    on_one_of_many = weights_per_gpu(parts, shape, profile, split_of(uniform_layout(1, 10**9)))[0]
    assert on_one_of_many == pytest.approx(parts.latent + parts.whole + parts.rotary, rel=0.01)


def test_experts_are_spread_while_attention_is_repeated(facts: Facts) -> None:
    shape = facts.language_models.by_id["deepseek-v3"]
    profile = facts.engine_memories.profile("sglang", "")
    parts = weight_parts(shape, facts.formats.weight_format("fp8", shape), profile)
    layout = uniform_layout(1, 8, expert_parallel=8, attention_data_parallel=8)
    beside = uniform_layout(1, 8)
    apart, together = (weights_per_gpu(parts, shape, profile, split_of(one))[0] for one in (layout, beside))
    assert apart - together == pytest.approx(parts.attention * 7 / 8)


@pytest.mark.parametrize(("ranks", "measured_gib"), [(1, 23.94), (2, 12.23), (4, 6.36)])
def test_deepspeed_keeps_the_embedding_whole(facts: Facts, ranks: int, measured_gib: float) -> None:
    answer = memory(
        facts,
        "opt-13b",
        "v100-sxm-32gb",
        gpu_count=ranks,
        tensor_parallel=ranks,
        engine="deepspeed",
        weights="fp16",
    )
    assert known(answer.weights_gib) == pytest.approx(measured_gib, rel=0.005)


def test_an_fp8_checkpoint_holds_a_tied_head_apart_in_transformers_alone(facts: Facts) -> None:
    shape = facts.language_models.by_id["qwen3-1.7b"]
    head = shape.groups.embedding * 2 / 1e9
    assert parts_gb(facts, shape.id, "fp8", "transformers") == pytest.approx(
        parts_gb(facts, shape.id, "fp8", "vllm") + head
    )
    assert parts_gb(facts, shape.id, "bf16", "transformers") == parts_gb(facts, shape.id, "bf16", "vllm")


def test_gpt_oss_experts_are_padded_to_3072(facts: Facts) -> None:
    shape = facts.language_models.by_id["gpt-oss-120b"]
    weights = facts.formats.weight_format("mxfp4", shape)
    newest, older = (facts.engine_memories.profile("vllm", version) for version in ("0.19", "0.11"))
    assert expert_padding(shape, weights, newest) == pytest.approx(3072 / 2880)
    assert expert_padding(shape, weights, older) == pytest.approx(1.09, abs=0.001)
    assert known(memory(facts, shape.id, engine="vllm", weights="mxfp4").weights_gib) == pytest.approx(
        64.4, abs=0.3
    )


def test_llama_cpp_keeps_an_untied_embedding_on_the_host(facts: Facts) -> None:
    shape = facts.language_models.by_id["llama-3.1-8b"]
    answer = memory(facts, shape.id, engine="llama.cpp", weights="gguf-q8_0", concurrency=1)
    embedding = shape.groups.embedding * 8.5 / 8 / GIB
    assert known(answer.host_gib) == pytest.approx(embedding)
    tied = memory(facts, "qwen3-0.6b", engine="llama.cpp", weights="gguf-q8_0", concurrency=1)
    assert known(tied.host_gib) == 0


def test_layers_left_to_the_host_are_not_on_the_gpu(facts: Facts) -> None:
    def on_gpu(layers: int) -> tuple[float, float, float]:
        answer = memory(
            facts, "llama-3.1-8b", engine="llama.cpp", weights="gguf-q4_k_m", concurrency=1, gpu_layers=layers
        )
        return known(answer.weights_gib), known(answer.kv_cache_gib), known(answer.host_gib)

    all_layers, half, none = on_gpu(32), on_gpu(16), on_gpu(0)
    assert half[0] == pytest.approx(all_layers[0] / 2)
    assert half[1] == pytest.approx(all_layers[1] / 2)
    assert none[:2] == (0, 0)
    assert none[2] == pytest.approx(all_layers[0] + all_layers[2])


def test_offloaded_weights_move_to_the_host(facts: Facts) -> None:
    kept = memory(facts, "llama-3.1-8b", engine="vllm", weights="bf16", concurrency=1)
    moved = memory(
        facts, "llama-3.1-8b", engine="vllm", weights="bf16", concurrency=1, offload="weights", offload_gib=4
    )
    assert known(kept.weights_gib) - known(moved.weights_gib) == pytest.approx(4)
    assert known(moved.host_gib) == pytest.approx(4)


def test_columns_agree_with_single_layouts(facts: Facts) -> None:
    shape = facts.language_models.by_id["qwen3-30b-a3b"]
    profile = facts.engine_memories.profile("vllm", "")
    parts = weight_parts(shape, facts.formats.weight_format("bf16", shape), profile)
    degrees = np.array([1, 2, 4, 8])
    together = weights_per_gpu(parts, shape, profile, split_of(uniform_layout(4, degrees)))
    alone = [
        weights_per_gpu(parts, shape, profile, split_of(uniform_layout(1, int(one))))[0] for one in degrees
    ]
    assert together.tolist() == alone
