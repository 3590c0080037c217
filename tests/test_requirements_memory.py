"""Requirements 1 to 14 of users of comparable tools: what the memory of serving must count, a test each."""

import datetime
from dataclasses import fields
from typing import Any

import pytest

from advisor import Facts, Needs, Workload, rank
from advisor.estimate.results import Memory
from advisor.units import GIB
from tests.estimate.memory.serving_cases import assumed, known, memory, serve


def test_r1_a_latent_cache_has_its_own_width_and_lies_on_every_rank(facts: Facts) -> None:
    """DeepSeek V3.1 at 163,840 tokens: 10.72 GiB, where a tool said 2.08."""
    shape = facts.language_models.by_id["deepseek-v3"]
    assert shape.kv_bytes_per_token_full_bf16 == 61 * (512 + 64) * 2
    work = {
        "weights": "fp8",
        "kv_cache": "bf16",
        "context_tokens": 163_840,
        "concurrency": 1,
        "engine": "vllm",
    }
    caches = [
        known(memory(facts, shape.id, "h200", gpu_count=ranks, tensor_parallel=ranks, **work).kv_cache_gib)
        for ranks in (1, 2, 8)
    ]
    assert caches == [pytest.approx(10.72, abs=0.01)] * 3
    apart = memory(
        facts,
        shape.id,
        "h200",
        gpu_count=8,
        tensor_parallel=8,
        attention_data_parallel=8,
        **work | {"concurrency": 8},
    )
    assert known(apart.kv_cache_gib) == pytest.approx(caches[0])


def test_r2_sliding_layers_cache_at_most_their_window(facts: Facts) -> None:
    """Gemma 3 27B at 131,072 tokens: 10.41 GiB, where a tool said 81.38."""
    answer = memory(
        facts, "gemma-3-27b", "h200", weights="bf16", engine="vllm", context_tokens=131_072, concurrency=1
    )
    assert known(answer.kv_cache_gib) == pytest.approx(10.41, abs=0.01)


def test_r3_linear_attention_has_a_fixed_state(facts: Facts) -> None:
    def of(tokens: int) -> Memory[float | None]:
        return memory(
            facts, "qwen3.5-9b", weights="bf16", engine="vllm", context_tokens=tokens, concurrency=1
        )

    short, long = of(1_024), of(65_536)
    assert short.state_gib == long.state_gib
    assert known(short.state_gib) * GIB == facts.language_models.by_id["qwen3.5-9b"].state_bytes_per_sequence
    # Only eight of the 32 layers grow: 8 x 2 x 4 heads x 256 x 2 B a token.
    grown = known(long.kv_cache_gib) - known(short.kv_cache_gib)
    assert grown * GIB == pytest.approx((65_536 - 1_024) * 8 * 2 * 4 * 256 * 2)


def test_r4_the_cache_is_not_guessed_from_the_parameter_count(facts: Facts) -> None:
    """Two models of 7 and 8 billion parameters: four times apart."""
    caches = [
        known(memory(facts, model, weights="bf16", engine="vllm", concurrency=1).kv_cache_gib)
        for model in ("llama-2-7b", "llama-3.1-8b")
    ]
    assert caches[0] == 4 * caches[1]


@pytest.mark.parametrize(
    ("model", "layers", "kv_heads", "head_dim"),
    [
        ("llama-3.1-70b", 80, 8, 128),
        ("qwen3-0.6b", 28, 8, 128),
        ("qwen2.5-7b", 28, 4, 128),
        ("gemma-7b", 28, 16, 256),
    ],
)
def test_r5_grouped_heads_and_their_own_width_count(
    facts: Facts, model: str, layers: int, kv_heads: int, head_dim: int
) -> None:
    answer = memory(
        facts, model, "h200", weights="bf16", engine="vllm", context_tokens=1_000, concurrency=1, gpu_count=1
    )
    assert known(answer.kv_cache_gib) * GIB == pytest.approx(1_000 * layers * 2 * kv_heads * head_dim * 2)


def test_r6_compute_and_graph_buffers_are_terms_of_their_own(facts: Facts) -> None:
    vllm = memory(facts, "llama-3.1-8b", weights="bf16", engine="vllm", concurrency=1)
    llama = memory(
        facts,
        "deepseek-v2-lite",
        weights="gguf-q4_k_m",
        engine="llama.cpp",
        context_tokens=32_768,
        concurrency=1,
    )
    for figure in (vllm.activations_gib, vllm.cuda_graphs_gib, vllm.overhead_gib, llama.activations_gib):
        assert known(figure) > 0.1
    total = sum(
        known(part)
        for part in (llama.weights_gib, llama.kv_cache_gib, llama.activations_gib, llama.overhead_gib)
    )
    assert total == pytest.approx(known(llama.needed_gib))


def test_r7_the_precision_of_the_cache_is_its_own_choice_and_its_default_is_stated(facts: Facts) -> None:
    work: dict[str, Any] = {"weights": "fp8", "engine": "vllm", "concurrency": 4}
    default, stated = (
        serve(facts, "llama-3.1-8b", **work),
        serve(facts, "llama-3.1-8b", kv_cache="fp8", **work),
    )
    assert assumed(default)["kv_cache"].value == "bf16"
    assert "kv_cache" not in assumed(stated)
    assert known(stated.memory.kv_cache_gib) == known(default.memory.kv_cache_gib) / 2
    assert stated.memory.weights_gib == default.memory.weights_gib


def test_r8_need_reservation_and_leftover_are_three_numbers(facts: Facts) -> None:
    """A 1.7B model whose server fills an 80 GB card: it needs 6 to 8 GiB."""
    answer = memory(
        facts,
        "qwen3-1.7b",
        weights="bf16",
        engine="vllm",
        engine_version="0.19",
        concurrency=1,
        cuda_graphs=False,
    )
    assert 5 < known(answer.needed_gib) < 8
    assert known(answer.reserved_gib) == pytest.approx(0.9 * known(answer.allocatable_gib))
    assert known(answer.leftover_gib) == pytest.approx(known(answer.reserved_gib) - known(answer.needed_gib))


def test_r9_the_default_context_is_a_sensible_one(facts: Facts) -> None:
    open_context = serve(facts, "llama-3.1-8b", weights="bf16", engine="vllm", concurrency=1)
    stated = serve(facts, "llama-3.1-8b", weights="bf16", engine="vllm", concurrency=1, context_tokens=8_192)
    assert open_context.memory.kv_cache_gib == stated.memory.kv_cache_gib == 1.0
    assert {"prompt_tokens", "output_tokens"} <= set(assumed(open_context))
    assert facts.language_models.by_id["llama-3.1-8b"].max_context == 131_072


def test_r10_capacity_says_of_what_it_is(facts: Facts) -> None:
    answer = memory(facts, "llama-3.1-8b", weights="bf16", engine="vllm", context_tokens=4_096)
    assert known(answer.max_concurrency) == known(answer.kv_cache_tokens) // 4_096
    assert known(answer.kv_cache_tokens) * 131_072 / GIB == pytest.approx(
        known(answer.kv_cache_gib), rel=1e-4
    )
    names = {spec.name for spec in fields(Memory)}
    assert {"kv_cache_gib", "kv_cache_tokens", "max_concurrency"} <= names
    assert "capacity of the pool" in (Memory.__doc__ or "")


def test_r11_tiers_of_context_can_be_set_side_by_side(facts: Facts) -> None:
    answers = [
        memory(facts, "qwen3-8b", "b200", weights="bf16", engine="vllm", context_tokens=tokens, concurrency=1)
        for tokens in (65_536, 1_048_576)
    ]
    assert known(answers[1].kv_cache_gib) == pytest.approx(16 * known(answers[0].kv_cache_gib))
    assert answers[0].weights_gib == answers[1].weights_gib


def test_r12_a_small_workload_never_gets_a_fleet(facts: Facts) -> None:
    ranking = rank(
        Workload(model="llama-3.1-8b", weights="bf16", concurrency=4),
        Needs(),
        facts,
        today=datetime.date(2026, 12, 1),
    )
    best = ranking.offer(0)
    assert best.gpu_count * best.instances == 1


def test_r13_a_shared_prefix_is_counted_once(facts: Facts) -> None:
    work: dict[str, Any] = {"weights": "bf16", "engine": "vllm", "context_tokens": 8_192, "concurrency": 8}
    alone = memory(facts, "llama-3.1-8b", **work)
    shared = memory(facts, "llama-3.1-8b", shared_prefix_tokens=4_096, **work)
    assert (known(alone.kv_cache_gib), known(shared.kv_cache_gib)) == (8.0, 4.5)
    # Prefill activations are a term of their own and no part of the cache.
    assert alone.activations_gib == shared.activations_gib


def test_r14_what_cannot_hold_the_model_is_not_offered(facts: Facts) -> None:
    ranking = rank(
        Workload(model="llama-3.1-70b", weights="bf16", concurrency=1),
        Needs(max_gpu_count=1),
        facts,
        today=datetime.date(2026, 12, 1),
    )
    for entry in range(len(ranking)):
        offered = ranking.offer(entry)
        assert known(offered.memory.needed_gib) <= known(offered.memory.budget_gib)
        assert offered.gpu.memory_gb * offered.gpu_count > 141
    assert any(rejection.code == "does-not-fit" for rejection in ranking.rejected)
