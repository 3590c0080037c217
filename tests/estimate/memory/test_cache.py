"""The cache: literal sizes of every kind of attention, and how engines, ranks and prefixes hold it."""

import math

import numpy as np
import pytest

from advisor import Facts
from advisor.estimate.memory.cache import cache_bytes, cache_demand
from advisor.facts.formats import CACHE_BITS
from advisor.units import GIB
from tests.estimate.memory.serving_cases import known, memory


def one_token(facts: Facts, model: str, cache: str = "bf16") -> float:
    return cache_bytes(facts.language_models.by_id[model], CACHE_BITS[cache], 1, math.inf)


@pytest.mark.parametrize(
    ("model", "bytes_per_token"),
    [
        ("llama-3.1-8b", 131_072),
        ("llama-3.1-70b", 327_680),
        ("llama-3.1-405b", 516_096),
        ("llama-2-7b", 524_288),
        ("falcon-7b", 8_192),
        ("deepseek-v3", 70_272),
        ("kimi-k2-instruct", 70_272),
        ("qwen3.5-397b-a17b", 30_720),
    ],
)
def test_bytes_a_token_of_known_models(facts: Facts, model: str, bytes_per_token: int) -> None:
    assert one_token(facts, model) == bytes_per_token


def test_eight_requests_of_32768_tokens_of_an_8b_hold_32_gib(facts: Facts) -> None:
    answer = memory(
        facts, "llama-3.1-8b", weights="bf16", engine="vllm", context_tokens=32_768, concurrency=8
    )
    assert known(answer.kv_cache_gib) == 32.0
    assert 46.9 <= known(answer.weights_gib) + known(answer.kv_cache_gib) <= 47.1


def test_the_cache_of_an_8b_equals_its_weights_near_122_500_tokens(facts: Facts) -> None:
    tokens = 14.9575 * GIB / one_token(facts, "llama-3.1-8b")
    assert tokens == pytest.approx(122_500, rel=0.001)


def test_70b_in_fp8_with_32_requests_of_8192_tokens(facts: Facts) -> None:
    answer = memory(
        facts,
        "llama-3.1-70b",
        "b200",
        weights="fp8",
        kv_cache="bf16",
        context_tokens=8_192,
        concurrency=32,
        engine="vllm",
    )
    assert 145 <= known(answer.weights_gib) + known(answer.kv_cache_gib) <= 151


def test_a_latent_cache_is_the_same_on_every_rank(facts: Facts) -> None:
    work = {
        "weights": "fp8",
        "kv_cache": "bf16",
        "context_tokens": 32_768,
        "concurrency": 16,
        "engine": "vllm",
    }
    eight = memory(facts, "deepseek-v3", "h200", gpu_count=8, tensor_parallel=8, **work)
    assert known(eight.kv_cache_gib) == pytest.approx(16 * 32_768 * 70_272 / GIB)
    assert 33 <= known(eight.kv_cache_gib) <= 36
    apart = memory(
        facts, "deepseek-v3", "h200", gpu_count=8, tensor_parallel=8, attention_data_parallel=8, **work
    )
    assert known(apart.kv_cache_gib) == pytest.approx(known(eight.kv_cache_gib) / 8)


@pytest.mark.parametrize("tokens", [500, 1_024, 8_192, 131_072])
def test_gemma_3_27b_holds_a_window_on_most_layers(facts: Facts, tokens: int) -> None:
    answer = memory(
        facts, "gemma-3-27b", "h200", engine="vllm", weights="bf16", context_tokens=tokens, concurrency=1
    )
    expected = 81_920 * tokens + 425_984 * min(tokens, 1_024)
    assert known(answer.kv_cache_gib) * GIB == pytest.approx(expected)


def test_an_engine_that_manages_no_windows_holds_every_token(facts: Facts) -> None:
    work = {"engine": "vllm", "weights": "bf16", "context_tokens": 8_192, "concurrency": 1}
    older = memory(facts, "gemma-3-27b", "h200", engine_version="0.7.2", **work)
    assert known(older.kv_cache_gib) * GIB == pytest.approx((81_920 + 425_984) * 8_192)


@pytest.mark.parametrize(("slots", "cells"), [(1, 768), (2, 768), (4, 1_024), (5, 1_280)])
def test_window_cells_of_llama_cpp(facts: Facts, slots: int, cells: int) -> None:
    """Window x slots + micro-batch, rounded up to 256: 1,024 cells of gpt-oss with four slots."""
    answer = memory(
        facts,
        "gpt-oss-120b",
        "h100-nvl-94gb",
        engine="llama.cpp",
        weights="mxfp4",
        kv_cache="fp16",
        context_tokens=16_384,
        concurrency=slots,
    )
    assert known(answer.kv_cache_gib) * GIB == pytest.approx(36_864 * (16_384 * slots + cells))


@pytest.mark.parametrize(
    ("cache", "share"),
    [("fp16", 1.0), ("fp32", 2.0), ("fp8", 0.5), ("int8", 0.5), ("q8_0", 34 / 64), ("q4_0", 18 / 64)],
)
def test_cache_formats(facts: Facts, cache: str, share: float) -> None:
    assert one_token(facts, "llama-3.1-8b", cache) == pytest.approx(131_072 * share)


def test_linear_attention_has_a_state_that_does_not_grow(facts: Facts) -> None:
    def state_gib(tokens: int) -> float:
        answer = memory(
            facts,
            "qwen3.5-397b-a17b",
            "b300",
            gpu_count=8,
            tensor_parallel=8,
            weights="fp8",
            engine="vllm",
            context_tokens=tokens,
            concurrency=8,
        )
        return known(answer.state_gib)

    assert state_gib(1_024) == state_gib(131_072)
    # Eight sequences over eight ranks: what one sequence holds, 192 MB.
    assert state_gib(1_024) * GIB == pytest.approx(192_061_440)
    assert facts.language_models.by_id["qwen3.5-397b-a17b"].state_bytes_per_sequence == 192_061_440


def test_indexer_keys_are_132_bytes_a_layer(facts: Facts) -> None:
    shape = facts.language_models.by_id["hy4-preview"]
    assert shape.indexer_elements_per_token == 128 * 10
    assert one_token(facts, shape.id) == 39_168 + 132 * 10
    # Only the latent part shrinks with the format of the cache.
    assert one_token(facts, shape.id, "fp8") == 39_168 / 2 + 132 * 10


def test_key_value_heads_are_repeated_beyond_their_number(facts: Facts) -> None:
    def cache_gib(ranks: int) -> float:
        return known(
            memory(
                facts,
                "llama-3.1-70b",
                weights="bf16",
                engine="vllm",
                gpu_count=ranks,
                tensor_parallel=ranks,
                concurrency=4,
            ).kv_cache_gib
        )

    assert cache_gib(8) == pytest.approx(cache_gib(1) / 8)
    assert cache_gib(16) == cache_gib(8)


def test_context_parallel_splits_the_tokens(facts: Facts) -> None:
    work = {"weights": "fp8", "concurrency": 16, "engine": "vllm", "gpu_count": 8, "tensor_parallel": 8}
    whole = memory(facts, "deepseek-v3", "h200", **work)
    split = memory(facts, "deepseek-v3", "h200", context_parallel=8, **work)
    assert known(split.kv_cache_gib) == pytest.approx(known(whole.kv_cache_gib) / 8)


def test_a_shared_prefix_is_held_once(facts: Facts) -> None:
    shape = facts.language_models.by_id["llama-3.1-8b"]
    profile = facts.engine_memories.profile("vllm", "")
    demand = cache_demand(shape, 16.0, 8_192, 6_144, 0, profile)
    assert demand.total(np.array([1.0, 8.0])).tolist() == [
        131_072 * 8_192,
        131_072 * (6_144 + 8 * 2_048),
    ]


def test_pictures_are_cached_like_text(facts: Facts) -> None:
    work = {"weights": "bf16", "engine": "vllm", "context_tokens": 8_192, "concurrency": 4}
    plain = memory(facts, "gemma-3-27b", "h200", **work)
    pictured = memory(facts, "gemma-3-27b", "h200", images_per_request=4, **work)
    extra = known(pictured.kv_cache_gib) - known(plain.kv_cache_gib)
    assert extra * GIB == pytest.approx(4 * 4 * 256 * 81_920)
