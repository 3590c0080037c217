"""Serving engines: the budget identity, activations, what is reserved, capacity, drafts, and intervals."""

import math
from typing import Any

import pytest

from advisor import Facts
from advisor.estimate.memory.serving import interval_groups
from advisor.estimate.results import verdict
from advisor.facts.engine_memory import ENGINE_CONSTANTS, load_engine_memories
from advisor.paths import data_folder
from advisor.resolve import resolve
from advisor.resolve.works import ServeWork
from advisor.workload import Deployment, Workload
from tests.estimate.memory.serving_cases import known, memory, serve

SERVER: dict[str, Any] = {"max_concurrent_sequences": 1_024, "max_batched_tokens": 8_192}


@pytest.mark.parametrize(
    ("model", "version", "share", "weights_gib", "activations_gib", "pool_gib", "non_torch_gib"),
    [
        ("llama-3.1-8b", "0.19.0", 0.95, 14.99, 1.89, 58.11, 0.25),
        ("qwen2.5-7b", "0.19.0", 0.95, 14.25, 2.21, 58.53, 0.25),
        ("qwen3-14b", "0.18.0", 0.95, 27.52, 2.23, 45.23, 0.25),
        ("qwen3-14b", "0.17.0", 0.95, 27.52, 2.23, 45.34, 0.13),
        ("qwen3-14b", "0.16.0", 0.95, 27.52, 5.64, 41.94, 0.13),
        ("qwen3-32b", "0.16", 0.90, 61.03, 5.64, 4.45, 0.13),
        ("qwen3-0.6b", "0.16", 0.90, 1.12, 5.56, 64.45, 0.13),
        ("llama-3.1-8b", "0.16", 0.90, 14.99, 4.76, 51.38, 0.13),
    ],
)
def test_vllms_budget_closes_on_complete_logs(
    facts: Facts,
    model: str,
    version: str,
    share: float,
    weights_gib: float,
    activations_gib: float,
    pool_gib: float,
    non_torch_gib: float,
) -> None:
    """KV = allocatable x utilization - weights - activations - non-torch, with the figures that the log printed."""
    allocatable = facts.gpus["h100-sxm-80gb"].memory_bytes_allocatable / 2**30
    assert allocatable * share - weights_gib - activations_gib - non_torch_gib == pytest.approx(
        pool_gib, abs=0.1
    )
    answer = memory(
        facts,
        model,
        engine="vllm",
        engine_version=version,
        weights="bf16",
        memory_utilization=share,
        **SERVER,
    )
    assert known(answer.kv_cache_gib) == pytest.approx(pool_gib, abs=0.15)
    assert known(answer.overhead_gib) == pytest.approx(non_torch_gib)
    parts = (answer.weights_gib, answer.activations_gib, answer.overhead_gib, answer.kv_cache_gib)
    assert sum(known(part) for part in parts) == pytest.approx(known(answer.budget_gib))


@pytest.mark.parametrize(
    ("model", "version", "ranks", "weights", "measured_gib"),
    [
        ("llama-3.1-8b", "0.19", 4, "bf16", 1.89),
        ("gemma-2-9b", "0.19", 1, "bf16", 3.65),
        ("gemma-3-27b", "0.19", 1, "bf16", 3.99),
        ("phi-4-14b", "0.19", 1, "bf16", 1.52),
        ("codellama-7b", "0.19", 1, "bf16", 0.77),
        ("mixtral-8x7b", "0.19", 2, "bf16", 1.21),
        ("deepseek-v2-lite", "0.19", 1, "bf16", 1.93),
        ("qwen1.5-moe-a2.7b", "0.19", 1, "bf16", 2.47),
        ("llama-4-scout", "0.19", 4, "bf16", 3.19),
        ("gpt-oss-20b", "0.19", 2, "mxfp4", 2.87),
        ("gpt-oss-120b", "0.16", 1, "mxfp4", 7.38),
    ],
)
def test_vllms_profiled_peak(
    facts: Facts, model: str, version: str, ranks: int, weights: str, measured_gib: float
) -> None:
    answer = memory(
        facts,
        model,
        gpu_count=ranks,
        tensor_parallel=ranks,
        engine="vllm",
        engine_version=version,
        weights=weights,
        **SERVER,
    )
    assert known(answer.activations_gib) == pytest.approx(measured_gib, rel=0.05)


def test_a_profile_run_of_v0_takes_the_whole_context_up_to_32k(facts: Facts) -> None:
    def activations(context: int) -> float:
        answer = memory(
            facts,
            "llama-3.1-8b",
            engine="vllm",
            engine_version="0.6.5",
            weights="bf16",
            context_tokens=context,
            max_batched_tokens=512,
        )
        return known(answer.activations_gib)

    assert activations(20_000) == pytest.approx(2.07, rel=0.06)
    assert activations(29_000) == pytest.approx(2.99, rel=0.06)
    assert activations(40_000) < 0.3


def test_the_pool_does_not_depend_on_the_context(facts: Facts) -> None:
    pools = {
        memory(facts, "llama-3.1-8b", engine="vllm", weights="bf16", context_tokens=tokens).kv_cache_gib
        for tokens in (2_048, 8_192, 32_768)
    }
    assert len(pools) == 1


def test_graphs_lie_outside_the_budget_until_0_21(facts: Facts) -> None:
    def pool(version: str, graphs: bool) -> float:
        answer = memory(
            facts, "llama-3.1-8b", engine="vllm", engine_version=version, weights="bf16", cuda_graphs=graphs
        )
        return known(answer.kv_cache_gib)

    assert pool("0.19", True) == pool("0.19", False)
    assert pool("0.21", False) - pool("0.21", True) == pytest.approx(0.73, abs=0.02)


def test_a_process_of_vllm_holds_its_share_whatever_it_needs(facts: Facts) -> None:
    """Yi 34B on four RTX 4090: 23.30 GiB with graphs, 20.89 eager, at 0.9 of the card."""
    work = {
        "gpu_count": 4,
        "tensor_parallel": 4,
        "engine": "vllm",
        "engine_version": "0.5.4",
        "weights": "bf16",
    }
    graphs = memory(facts, "yi-34b", "rtx-4090", concurrency=1, context_tokens=512, **work)
    eager = memory(facts, "yi-34b", "rtx-4090", concurrency=1, context_tokens=512, cuda_graphs=False, **work)
    assert known(graphs.reserved_gib) == pytest.approx(23.30, rel=0.02)
    assert known(eager.reserved_gib) == pytest.approx(20.89, rel=0.02)
    assert known(eager.reserved_gib) == pytest.approx(known(eager.needed_gib) + known(eager.leftover_gib))


@pytest.mark.parametrize(
    ("weights", "prompt", "measured_gib"),
    [
        ("bf16", 6_144, 16.417),
        ("bf16", 30_720, 19.792),
        ("fp8", 30_720, 13.3242),
        ("int4-awq", 30_720, 10.7432),
    ],
)
def test_the_peak_of_transformers_is_weights_and_cache(
    facts: Facts, weights: str, prompt: int, measured_gib: float
) -> None:
    answer = memory(
        facts,
        "qwen3-8b",
        "h20-96gb",
        engine="transformers",
        weights=weights,
        kv_cache="bf16",
        prompt_tokens=prompt,
        output_tokens=2_048,
        concurrency=1,
    )
    assert known(answer.peak_gib) == pytest.approx(measured_gib, rel=0.005)
    assert known(answer.needed_gib) > known(answer.peak_gib)


def test_litgpt_quantizes_the_head_from_a_wide_copy(facts: Facts) -> None:
    for weights, measured_gib in (("nf4", 5.3272), ("nf4-dq", 5.0105), ("int8", 8.1025), ("bf16", 13.5042)):
        answer = memory(
            facts,
            "falcon-7b",
            "a100-sxm-40gb",
            engine="litgpt",
            weights=weights,
            context_tokens=256,
            concurrency=1,
        )
        assert known(answer.peak_gib) == pytest.approx(measured_gib, rel=0.01)


def test_the_compute_buffer_of_llama_cpp(facts: Facts) -> None:
    """421 MiB for gpt-oss 20B with four slots of 32,768 tokens."""
    answer = memory(
        facts,
        "gpt-oss-20b",
        engine="llama.cpp",
        weights="mxfp4",
        kv_cache="fp16",
        context_tokens=32_768,
        concurrency=4,
    )
    assert known(answer.activations_gib) == pytest.approx(0.411, rel=0.05)
    assert known(answer.kv_cache_gib) == pytest.approx(3.0234, rel=0.001)


@pytest.mark.parametrize(
    ("model", "cache", "pool_gib", "tokens"),
    [
        ("llama-3.1-8b", "bf16", 58.11, 476_016),
        ("llama-3.1-8b", "fp8", 58.11, 952_032),
        ("qwen2.5-7b", "bf16", 58.53, 1_096_000),
    ],
)
def test_capacity_in_tokens_and_in_requests(
    facts: Facts, model: str, cache: str, pool_gib: float, tokens: int
) -> None:
    answer = memory(
        facts,
        model,
        engine="vllm",
        engine_version="0.19.0",
        weights="bf16",
        kv_cache=cache,
        memory_utilization=0.95,
        context_tokens=8_192,
        **SERVER,
    )
    assert known(answer.kv_cache_tokens) == pytest.approx(tokens, rel=0.002)
    assert known(answer.max_concurrency) == math.floor(known(answer.kv_cache_tokens) / 8_192)


def test_capacity_grows_with_every_attention_side_by_side(facts: Facts) -> None:
    work = {"gpu_count": 8, "tensor_parallel": 8, "weights": "fp8", "kv_cache": "bf16", "engine": "sglang"}
    together = memory(facts, "deepseek-v3", "h200", **work)
    apart = memory(facts, "deepseek-v3", "h200", attention_data_parallel=8, **work)
    assert 5 < known(apart.max_concurrency) / known(together.max_concurrency) < 8


@pytest.mark.parametrize("engine", ["tensorrt-llm", "lmdeploy"])
def test_a_pool_of_a_share_of_what_is_free(facts: Facts, engine: str) -> None:
    answer = memory(facts, "llama-3.1-8b", engine=engine, weights="bf16", memory_utilization=0.5)
    free = known(answer.allocatable_gib) - known(answer.weights_gib) - known(answer.activations_gib)
    pool = known(answer.kv_cache_gib)
    assert pool == pytest.approx(0.5 * (free - known(answer.overhead_gib)), rel=0.03)


def test_what_does_not_fit_beside_the_budget_is_charged_to_it(facts: Facts) -> None:
    def needed(share: float) -> float:
        answer = memory(
            facts,
            "qwen2.5-32b",
            "rtx-4090",
            gpu_count=8,
            tensor_parallel=8,
            engine="vllm",
            engine_version="0.19",
            weights="bf16",
            concurrency=1,
            memory_utilization=share,
        )
        return known(answer.needed_gib)

    assert needed(0.9) == needed(0.8)
    assert needed(0.99) > needed(0.9) + 0.5


def test_a_draft_has_weights_and_a_cache(facts: Facts) -> None:
    work = {"engine": "vllm", "weights": "bf16", "context_tokens": 8_192, "concurrency": 4}
    plain = memory(facts, "llama-3.1-70b", "h200", gpu_count=2, tensor_parallel=2, **work)
    draft = memory(
        facts,
        "llama-3.1-70b",
        "h200",
        gpu_count=2,
        tensor_parallel=2,
        speculative={"draft": "llama-3.2-1b", "tokens": 4},
        **work,
    )
    shape = facts.language_models.by_id["llama-3.2-1b"]
    assert known(draft.draft_gib) == pytest.approx(shape.parameters_total * 2 / 2 / 2**30, rel=0.01)
    cache = 4 * 8_192 * shape.kv_bytes_per_token_full_bf16 / 2 / 2**30
    assert known(draft.kv_cache_gib) - known(plain.kv_cache_gib) == pytest.approx(cache, rel=0.01)
    for kind, larger in (("mtp", True), ("ngram", False)):
        answer = memory(
            facts,
            "llama-3.1-70b",
            "h200",
            gpu_count=2,
            tensor_parallel=2,
            speculative={"draft": kind, "tokens": 2},
            **work,
        )
        assert (known(answer.draft_gib) > 0) is larger


def test_the_fields_of_the_card_are_unknown_without_one(facts: Facts) -> None:
    answer = memory(facts, "llama-3.1-8b", None, engine="vllm", weights="bf16", concurrency=8)
    assert answer.budget_gib is None
    assert answer.max_concurrency is None
    assert verdict(answer) is None
    assert known(answer.weights_gib) == pytest.approx(14.99, abs=0.01)
    assert known(answer.needed_gib) > 15


def test_without_a_concurrency_the_need_is_that_of_one_request(facts: Facts) -> None:
    many = serve(facts, "llama-3.1-8b", engine="vllm", weights="bf16")
    one = serve(facts, "llama-3.1-8b", engine="vllm", weights="bf16", concurrency=1)
    assert many.memory.needed_gib == one.memory.needed_gib
    assert known(many.memory.kv_cache_gib) > known(one.memory.kv_cache_gib)
    assert "concurrency" in {assumption.field for assumption in many.assumed}


def test_every_constant_is_stated_for_every_engine_and_version(facts: Facts) -> None:
    constants, refused = load_engine_memories(data_folder())
    assert refused == []
    for engine in facts.engines.rows:
        for version in ("", "0.6", "0.8.4", "0.16", "0.19.0", "0.22"):
            profile = constants.profile(engine, version)
            assert all(getattr(profile, name) >= 0 for name in ENGINE_CONSTANTS)


def test_versions_choose_their_constants(facts: Facts) -> None:
    profile = facts.engine_memories.profile
    assert profile("vllm", "0.16.0").sampler_bytes == 38.8
    assert profile("vllm", "0.17.0").sampler_bytes == 14.3
    assert profile("vllm", "").sampler_bytes == 14.3
    assert profile("vllm", "0.7.2").profiles_context == 32_768
    assert profile("an engine without rows", "").utilization == 0


def test_a_cache_that_is_only_derived_has_a_wide_interval_and_is_not_called_measured(facts: Facts) -> None:
    def groups(model: str) -> tuple[str, str]:
        work = resolve(Workload(model=model), Deployment(engine="vllm"), facts).work
        assert isinstance(work, ServeWork)
        return interval_groups(work)

    assert groups("llama-3.1-8b") == ("serve/vllm/need", "serve/vllm/process")
    assert groups("deepseek-v4-flash") == ("serve/unverified-cache",) * 2
    assert not facts.memory_intervals.find("serve/unverified-cache").measured
