"""What a decode step reads and multiplies, with literal values."""

import numpy as np
import pytest

from advisor import Facts, Workload
from advisor.estimate.speed.traffic import (
    attention_flops,
    cache_bytes_at,
    cache_bytes_read,
    cache_split,
    decode_attention_flops,
    distinct_expert_share,
    weight_traffic,
)
from advisor.resolve import resolve
from advisor.resolve.works import ServeWork
from advisor.workload import Deployment
from tests.estimate.speed.serving_cases import shape


def work(facts: Facts, model: str, weights: str = "bf16") -> ServeWork:
    resolved = resolve(Workload(task="serve", model=model, weights=weights), Deployment(), facts).work
    assert isinstance(resolved, ServeWork)
    return resolved


def test_the_input_embedding_is_looked_up_and_a_tied_head_read_once(facts: Facts) -> None:
    untied = weight_traffic(shape(facts, "llama-3.1-8b"), work(facts, "llama-3.1-8b").weights)
    # 128,256 x 4,096 parameters of the head are read; as many of the embedding are not.
    assert untied.head_bytes == 2 * 128_256 * 4_096
    assert untied.attention_bytes + untied.dense_bytes + untied.head_bytes == 2 * (
        8_030_261_248 - 525_336_576
    )
    tied = weight_traffic(shape(facts, "llama-3.2-1b"), work(facts, "llama-3.2-1b").weights)
    assert tied.head_bytes == 2 * 128_256 * 2_048
    assert tied.attention_bytes + tied.dense_bytes + tied.head_bytes == 2 * 1_235_814_400


def test_a_mixture_multiplies_its_active_experts_alone(facts: Facts) -> None:
    mixtral = weight_traffic(shape(facts, "mixtral-8x7b"), work(facts, "mixtral-8x7b").weights)
    experts = 32 * 8 * 3 * 4_096 * 14_336
    assert mixtral.experts_bytes == 2 * experts
    assert mixtral.experts_parameters == experts * 2 / 8
    assert (
        weight_traffic(shape(facts, "llama-3.1-8b"), work(facts, "llama-3.1-8b").weights).experts_bytes == 0
    )


@pytest.mark.parametrize(
    ("tokens", "variety", "share"),
    [(1, 1.0, 0.25), (2, 1.0, 1 - 0.75**2), (8, 1.0, 1 - 0.75**8), (16, 0.5, 1 - 0.75**4), (1, 0.5, 0.25)],
)
def test_the_expected_share_of_distinct_experts(tokens: int, variety: float, share: float) -> None:
    found = distinct_expert_share(np.array([0.25]), np.array([float(tokens)]), np.array([variety]))
    assert found[0] == pytest.approx(share)


def test_a_dense_model_reads_everything_however_few_tokens() -> None:
    assert distinct_expert_share(np.array([1.0]), np.array([1.0]), np.array([1.0]))[0] == 1


def test_grouped_attention_reads_its_whole_cache(facts: Facts) -> None:
    assert cache_bytes_read(work(facts, "llama-3.1-8b"), 1_000.0) == 131_072 * 1_000


def test_a_window_bounds_what_is_read(facts: Facts) -> None:
    gemma = work(facts, "gemma-3-27b")
    # 81,920 bytes a token of full layers, 425,984 of windowed ones.
    assert cache_bytes_read(gemma, 500.0) == (81_920 + 425_984) * 500
    assert cache_bytes_read(gemma, 8_000.0) == 81_920 * 8_000 + 425_984 * 1_024


def test_sparse_attention_reads_less_than_it_stores(facts: Facts) -> None:
    sparse = work(facts, "deepseek-v3.2")
    keys = 61 * 128
    assert cache_bytes_at(sparse, 100_000.0) == (70_272 + keys) * 100_000
    assert cache_bytes_read(sparse, 100_000.0) == 70_272 * 2_048 + keys * 100_000


def test_the_state_of_linear_attention_is_read_and_written(facts: Facts) -> None:
    hybrid = work(facts, "qwen3.5-397b-a17b")
    state = hybrid.model.state_bytes_per_sequence
    assert state == pytest.approx(192e6, rel=0.02)
    stored, read = cache_bytes_at(hybrid, 1.0), cache_bytes_read(hybrid, 1.0)
    assert read - stored == pytest.approx(state)


def test_a_latent_cache_is_the_same_on_every_rank_and_heads_are_repeated(facts: Facts) -> None:
    ranks = np.array([1.0, 2.0, 8.0, 16.0])
    assert cache_split(shape(facts, "deepseek-v3"), ranks).tolist() == [1, 1, 1, 1]
    assert cache_split(shape(facts, "llama-3.1-70b"), ranks).tolist() == [1, 2, 8, 8]


def test_attention_of_a_prompt_is_quadratic_and_causal(facts: Facts) -> None:
    model = shape(facts, "llama-3.1-8b")
    # 2 x (128 + 128) FLOPs for each of s^2/2 pairs, 32 heads, 32 layers.
    assert attention_flops(model, 4_096.0, 0.0) == 2 * 256 * 4_096**2 / 2 * 32 * 32
    whole, cached = attention_flops(model, 4_096.0, 0.0), attention_flops(model, 4_096.0, 2_048.0)
    assert cached == whole * 3 / 4


def test_attention_of_one_token_over_the_cache(facts: Facts) -> None:
    assert decode_attention_flops(shape(facts, "llama-3.1-8b"), 1_000.0) == 2 * 256 * 1_000 * 32 * 32
    # A latent cache: 128 heads meet 512 + 512 + 64 elements of each token, 61 layers.
    assert decode_attention_flops(shape(facts, "deepseek-v3"), 1_000.0) == 2 * 1_088 * 1_000 * 128 * 61
