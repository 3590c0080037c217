"""How an answer moves with one input: what the charts draw."""

import numpy as np
import pytest

from advisor import Facts, Needs, Workload, rank
from advisor.recommend.ranking import RankedOffer, Ranking
from advisor.resolve.works import ServeWork
from advisor.sweeps import card_classes, knee_of, memory_over_context, shrink_options, speed_over_concurrency
from tests.conftest import TODAY

CHAT = Workload(task="serve", model="llama-3.1-8b", weights="bf16", context_tokens=8_192)


@pytest.fixture(scope="module")
def ranking(facts: Facts) -> Ranking:
    return rank(CHAT, Needs(), facts, TODAY)


@pytest.fixture
def best(ranking: Ranking) -> RankedOffer:
    return ranking.offer(ranking.cards.value)


def test_speed_rises_with_concurrency_to_a_knee_and_every_point_names_what_binds(
    ranking: Ranking, best: RankedOffer, facts: Facts
) -> None:
    assert isinstance(ranking.work, ServeWork)
    sweep = speed_over_concurrency(ranking.work, best, facts)
    assert np.all(np.diff(sweep.tokens_per_second) > -1e-9)
    assert np.all(np.diff(sweep.tokens_per_second_per_request) < 1e-9)
    assert 1 <= sweep.knee <= sweep.concurrency[-1]
    assert set(sweep.bound) <= {"bandwidth", "compute", "communication", "launch", "capacity", "offload"}
    assert sweep.concurrency[-1] <= sweep.capacity


def test_the_knee_is_where_doubling_stops_paying() -> None:
    in_flight = np.array([1.0, 2.0, 4.0, 8.0, 16.0, 32.0])
    assert knee_of(in_flight, np.array([10.0, 20.0, 40.0, 44.0, 46.0, 47.0])) == 4.0
    assert knee_of(in_flight, 10.0 * in_flight) == 32.0


def test_the_cache_reaches_the_weights_near_122500_tokens(facts: Facts) -> None:
    one = Workload(task="serve", model="llama-3.1-8b", weights="bf16", context_tokens=8_192, concurrency=1)
    patient = rank(one, Needs(), facts, TODAY)
    assert isinstance(patient.work, ServeWork)
    sweep = memory_over_context(patient.work, patient.offer(patient.cards.value), facts)
    assert np.all(np.diff(sweep.cache_gib) >= 0)
    assert np.all(np.diff(sweep.needed_gib) >= 0)
    assert sweep.crossing_tokens == pytest.approx(122_500, rel=0.01)


def test_what_would_make_it_smaller_comes_with_its_saving(
    ranking: Ranking, best: RankedOffer, facts: Facts
) -> None:
    options = shrink_options(ranking.workload, best, facts)
    savings = [option.saving_gib for option in options]
    assert savings == sorted(savings, reverse=True)
    by_change = {tuple(option.change.items()): option for option in options}
    four_bit = by_change[(("weights", "int4-awq"),)]
    assert four_bit.saving_gib == pytest.approx(9.6, abs=0.5)
    assert four_bit.needed_gib == pytest.approx((best.memory.needed_gib or 0) - four_bit.saving_gib)
    fp8_cache = by_change[(("kv_cache", "fp8"),)]
    assert fp8_cache.saving_gib == pytest.approx(4.0, abs=0.05)


@pytest.mark.parametrize("task", ["finetune", "image", "video"])
def test_other_work_has_its_own_changes(task: str, facts: Facts) -> None:
    model = {"finetune": "llama-3.1-8b", "image": "flux.1-dev", "video": "wan-2.2-ti2v-5b"}[task]
    workload = Workload(task=task, model=model, method="full" if task == "finetune" else None)
    found = rank(workload, Needs(), facts, TODAY)
    options = shrink_options(found.workload, found.offer(found.cards.value), facts)
    assert options
    assert all(option.saving_gib > 0 for option in options)


def test_card_classes_come_from_the_catalogue(facts: Facts) -> None:
    classes = {row.memory_gb: row.allocatable_gib for row in card_classes(facts)}
    assert {16, 24, 32, 48, 80, 141, 180, 192, 288} <= set(classes)
    assert classes[80] == pytest.approx(79.2)
    assert classes[180] == pytest.approx(178.56)
