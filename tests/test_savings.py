"""Which single change saves most."""

import pytest

from advisor import Facts, Needs, Workload, rank
from advisor.savings import savings
from tests.conftest import TODAY


def test_each_saving_is_the_difference_of_two_rankings(facts: Facts) -> None:
    workload = Workload(task="serve", model="llama-3.1-8b", weights="bf16", context_tokens=8_192)
    needs = Needs(busy_share=0.3, countries=("BR",))
    ranking = rank(workload, needs, facts, TODAY)
    found = {saving.message.code: saving for saving in savings(ranking, TODAY)}
    assert {"save-anywhere", "save-switch-off"} <= set(found)
    before = ranking.offer(ranking.cards.value).total_usd
    anywhere = rank(workload, Needs(busy_share=0.3), facts, TODAY)
    after = anywhere.offer(anywhere.cards.value).total_usd
    assert found["save-anywhere"].saving_usd == pytest.approx(before - after)
    amounts = [saving.saving_usd for saving in savings(ranking, TODAY)]
    assert amounts == sorted(amounts, reverse=True)
    assert all(amount > 0 for amount in amounts)


def test_switching_off_saves_the_idle_hours_of_the_same_machine(facts: Facts) -> None:
    workload = Workload(task="serve", model="llama-3.1-8b")
    ranking = rank(workload, Needs(busy_share=0.25), facts, TODAY)
    off = next(saving for saving in savings(ranking, TODAY) if saving.message.code == "save-switch-off")
    before = ranking.offer(ranking.cards.value)
    if off.offer.instance_type == before.instance_type:
        assert off.saving_usd == pytest.approx(before.cost_parts["idle"], abs=0.01)


def test_nothing_is_proposed_where_nothing_fits(facts: Facts) -> None:
    assert (
        savings(rank(Workload(task="serve", model="llama-3.1-8b"), Needs(max_usd_per_hour=0.001), facts))
        == ()
    )
