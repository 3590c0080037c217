"""Question 4: the ceiling, the share reached, causes in order, remedies with their factors."""

import pytest

from advisor import AdvisorError, Deployment, Facts, Observed, Workload, diagnose, estimate

CHAT = Workload(task="serve", model="llama-3.1-8b", weights="bf16", concurrency=1)
ONE_4090 = Deployment(gpu="rtx-4090", engine="vllm")


def ceiling(workload: Workload, deployment: Deployment, facts: Facts) -> float:
    throughput = estimate(workload, deployment, facts).throughput
    assert throughput is not None
    each = throughput.decode_tokens_per_second_per_request or 0.0
    return each * (workload.concurrency or 1)


def first_cause(workload: Workload, deployment: Deployment, facts: Facts, share: float, **seen: float) -> str:
    observed = Observed(tokens_per_second=ceiling(workload, deployment, facts) * share, **seen)
    return diagnose(workload, deployment, observed, facts).causes[0].message.code


def test_the_share_is_measured_over_estimated(facts: Facts) -> None:
    top = ceiling(CHAT, ONE_4090, facts)
    advice = diagnose(CHAT, ONE_4090, Observed(tokens_per_second=top / 2), facts)
    assert advice.share_reached == pytest.approx(0.5)
    assert advice.ceiling.decode_tokens_per_second_per_request == pytest.approx(top)


def test_a_speed_per_request_counts_too(facts: Facts) -> None:
    eight = Workload(task="serve", model="llama-3.1-8b", concurrency=8)
    advice = diagnose(
        eight, Deployment(gpu="h100-sxm-80gb"), Observed(tokens_per_second_per_request=10.0), facts
    )
    per_request = advice.ceiling.decode_tokens_per_second_per_request or 0.0
    assert advice.share_reached == pytest.approx(10.0 / per_request)


def test_at_the_estimate_the_hardware_is_the_ceiling(facts: Facts) -> None:
    assert first_cause(CHAT, ONE_4090, facts, 0.95) == "bandwidth-ceiling"


def test_an_idle_gpu_far_below_launches_kernels_one_by_one(facts: Facts) -> None:
    assert first_cause(CHAT, ONE_4090, facts, 0.35, gpu_utilization=0.3) == "eager-launches"


def test_launching_explains_only_what_launching_takes(facts: Facts) -> None:
    four_bit = Workload(task="serve", model="llama-3.1-8b", weights="int4-awq", concurrency=1)
    deployment = Deployment(gpu="rtx-3090", engine="vllm")
    advice = diagnose(four_bit, deployment, Observed(tokens_per_second=12.0), facts)
    causes = {cause.message.code: cause.message.values for cause in advice.causes}
    launching = causes["eager-launches"]["launch_percent"]
    assert launching == pytest.approx(100 * 32 * 1.2e-3 * 12, abs=0.5)
    assert causes["unexplained"]["gap_percent"] > 20  # type: ignore[operator]
    graphs = next(remedy for remedy in advice.remedies if remedy.message.code == "cuda-graphs")
    assert graphs.factor == pytest.approx(1 / (1 - 32 * 1.2e-3 * 12), rel=0.01)


def test_what_does_not_fit_is_read_from_the_host(facts: Facts) -> None:
    large = Workload(task="serve", model="llama-3.1-70b", weights="gguf-q4_k_m", concurrency=1)
    deployment = Deployment(gpu="rtx-4090", engine="llama.cpp")
    assert first_cause(large, deployment, facts, 0.05) == "host-offload"


def test_shards_over_pcie_wait_for_each_other(facts: Facts) -> None:
    large = Workload(task="serve", model="llama-3.1-70b", weights="int4-awq", concurrency=1)
    deployment = Deployment(gpu="rtx-4090", gpu_count=4, tensor_parallel=4, link="pcie", engine="vllm")
    assert first_cause(large, deployment, facts, 0.5, gpu_utilization=0.9) == "pcie-all-reduce"


def test_more_requests_than_the_cache_holds_wait(facts: Facts) -> None:
    many = Workload(task="serve", model="llama-3.1-8b", context_tokens=32_768, concurrency=64)
    assert first_cause(many, Deployment(gpu="l40s", engine="vllm"), facts, 0.3) == "cache-thrash"


def test_a_low_clock_is_named_first(facts: Facts) -> None:
    assert first_cause(CHAT, ONE_4090, facts, 0.4, sm_clock_mhz=600.0) == "throttling"


def test_above_the_ceiling_the_set_up_is_another_one(facts: Facts) -> None:
    assert first_cause(CHAT, ONE_4090, facts, 1.6) == "above-ceiling"


def test_remedies_come_with_their_factor_and_the_change(facts: Facts) -> None:
    advice = diagnose(CHAT, ONE_4090, Observed(tokens_per_second=30.0), facts)
    factors = [remedy.factor for remedy in advice.remedies]
    assert factors == sorted(factors, reverse=True)
    by_code = {remedy.message.code: remedy for remedy in advice.remedies}
    assert by_code["lower-precision"].change.keys() == {"weights"}
    assert 1.2 < by_code["lower-precision"].factor < 4.5
    assert by_code["faster-memory"].offers
    assert {offer.gpu_id for offer in by_code["faster-memory"].offers} == {
        by_code["faster-memory"].change["gpu"]
    }


def test_a_smaller_format_is_never_proposed_beside_a_smaller_one(facts: Facts) -> None:
    four_bit = Workload(task="serve", model="llama-3.1-8b", weights="int4-awq", concurrency=1)
    advice = diagnose(four_bit, ONE_4090, Observed(tokens_per_second=30.0), facts)
    assert "lower-precision" not in {remedy.message.code for remedy in advice.remedies}


@pytest.mark.parametrize(
    ("workload", "deployment", "observed", "code"),
    [
        (CHAT, ONE_4090, Observed(), "nothing-observed"),
        (CHAT, ONE_4090, Observed(gpu_utilization=0.5), "nothing-observed"),
        (CHAT, Deployment(), Observed(tokens_per_second=1.0), "missing-field"),
        (
            Workload(task="image", model="flux.1-dev"),
            ONE_4090,
            Observed(tokens_per_second=1.0),
            "unknown-value",
        ),
    ],
)
def test_what_cannot_be_diagnosed_is_said(
    workload: Workload, deployment: Deployment, observed: Observed, code: str, facts: Facts
) -> None:
    with pytest.raises(AdvisorError) as caught:
        diagnose(workload, deployment, observed, facts)
    assert caught.value.code == code
