"""The ranking: no offer is lost, filters have codes, order and cards hold."""

import datetime
import itertools

import numpy as np
import pytest

from advisor import Facts, Needs, Ranking, Workload, rank
from advisor.economics.bills import PARTS
from advisor.recommend.countries import EU
from advisor.recommend.ordering import FASTEST_COST_FACTOR, VALUE_COST_FACTOR
from advisor.recommend.ranking import RankedOffer
from tests.conftest import TODAY

CHAT_8B = Workload(task="serve", model="llama-3.1-8b")

QUESTIONS = [
    (CHAT_8B, Needs()),
    (Workload(task="serve", model="llama-3.1-70b", weights="fp8"), Needs(sort="value")),
    (Workload(task="serve", model="deepseek-v3"), Needs(countries=("EU",))),
    (Workload(task="serve", model="llama-3.1-8b", weights="gguf-q4_k_m"), Needs(max_usd_per_hour=0.5)),
    (Workload(task="serve", model="llama-3.1-8b", weights="nvfp4"), Needs(provider_kinds=("hyperscaler",))),
    (CHAT_8B, Needs(pricing="spot", sort="speed")),
    (CHAT_8B, Needs(pricing="serverless")),
    (CHAT_8B, Needs(pricing="reserved", term_months=12)),
    (CHAT_8B, Needs(tokens_per_second=20_000)),
    (CHAT_8B, Needs(units_per_month=5e9, sort="bandwidth-per-usd")),
    (Workload(task="finetune", model="llama-3.1-8b", method="qlora", dataset_tokens=1e7), Needs()),
    (Workload(task="pretrain", model="llama-3.1-8b", dataset_tokens=1e11), Needs(deadline_hours=720)),
    (Workload(task="image", model="flux.1-dev"), Needs(job_units=1000)),
    (Workload(task="video", model="wan-2.2-t2v-a14b"), Needs(gpu_classes=("datacenter",))),
    (Workload(task="audio", model="whisper-large-v3"), Needs(max_gpu_count=1)),
]


def ranked(workload: Workload, needs: Needs, facts: Facts) -> Ranking:
    return rank(workload, needs, facts, TODAY)


@pytest.mark.parametrize(("workload", "needs"), QUESTIONS)
def test_ranked_and_rejected_are_all_offers(workload: Workload, needs: Needs, facts: Facts) -> None:
    ranking = ranked(workload, needs, facts)
    assert ranking.total + sum(rejection.count for rejection in ranking.rejected) == len(facts.offers) == 2698
    assert all(rejection.code in ranking.codes for rejection in ranking.rejected)


def test_entries_are_one_instance_type_each_with_its_other_regions(facts: Facts) -> None:
    ranking = ranked(CHAT_8B, Needs(), facts)
    entries = [(offer.provider, offer.instance_type, offer.gpu.id) for offer in ranking]
    assert len(entries) == len(set(entries))
    assert ranking.total == sum(1 + offer.other_regions for offer in ranking)


def test_the_shown_region_is_the_cheapest_of_its_entry(facts: Facts) -> None:
    ranking = ranked(CHAT_8B, Needs(sort="speed"), facts)
    best = {(offer.provider, offer.instance_type): offer for offer in ranking}
    passing = np.flatnonzero(ranking.refusal == 0)
    for row in passing:
        offer = facts.offers.rows[row]
        shown = best[offer.provider, offer.instance_type]
        # An expired price may be lower; it never stands for a fresher one.
        if not shown.expired and ranking.prices.tier[row] == 0:
            assert shown.usd_per_hour <= offer.on_demand_usd_per_hour * 1.0101


@pytest.mark.parametrize(
    ("needs", "code"),
    [
        (Needs(providers=("aws",)), "filter-provider"),
        (Needs(provider_kinds=("hyperscaler",)), "filter-provider-kind"),
        (Needs(countries=("BR",)), "filter-country"),
        (Needs(countries=("BR",)), "filter-country-unknown"),
        (Needs(regions=("us-east-1",)), "filter-region"),
        (Needs(regions=("us-east-1",)), "filter-region-unknown"),
        (Needs(gpu_classes=("consumer",)), "filter-class"),
        (Needs(max_gpu_count=1), "filter-gpu-count"),
        (Needs(link="nvswitch"), "filter-link"),
        (Needs(link="nvswitch"), "filter-link-unknown"),
        (Needs(max_usd_per_hour=1.0), "over-budget-hour"),
        (Needs(max_usd_per_month=300.0), "over-budget-month"),
        (Needs(), "filter-commitment"),
        (Needs(), "no-price"),
    ],
)
def test_each_filter_refuses_under_its_own_code(needs: Needs, code: str, facts: Facts) -> None:
    assert code in {rejection.code for rejection in ranked(CHAT_8B, needs, facts).rejected}


def test_unknown_countries_never_satisfy_a_country_filter(facts: Facts) -> None:
    ranking = ranked(CHAT_8B, Needs(countries=("EU",)), facts)
    assert {offer.country for offer in ranking} <= EU


def test_spot_and_capacity_blocks_compete_only_when_asked(facts: Facts) -> None:
    default = ranked(CHAT_8B, Needs(), facts)
    assert {facts.offers.rows[row].commitment for row in default.rows} <= {
        "on-demand",
        "secure",
        "community",
        "marketplace",
    }
    blocks = ranked(CHAT_8B, Needs(commitments=("capacity-block",)), facts)
    assert {facts.offers.rows[row].commitment for row in blocks.rows} == {"capacity-block"}


def _key(sort: str, offer: RankedOffer) -> float:
    """Return what an order sorts by: less is better."""
    if sort == "cost":
        return offer.total_usd
    if sort == "speed":
        return -offer.speed
    if sort == "value":
        return offer.usd_per_unit_full_load or float("inf")
    machines = offer.gpu.memory_bandwidth * offer.gpu_count * offer.instances
    return float(offer.usd_per_hour / machines)


@pytest.mark.parametrize("sort", ["cost", "speed", "value", "bandwidth-per-usd"])
def test_the_order_is_the_asked_one_but_for_ties(sort: str, facts: Facts) -> None:
    offers = [offer for offer in ranked(CHAT_8B, Needs(sort=sort), facts) if not offer.expired]
    keys = [_key(sort, offer) for offer in offers]
    assert all(keys[i + 1] >= keys[i] - 0.0101 * abs(keys[i]) for i in range(len(keys) - 1))


def test_ties_go_to_the_machine_with_more_memory_bandwidth(facts: Facts) -> None:
    offers = ranked(CHAT_8B, Needs(), facts).offers
    tied = [
        (first, second)
        for first, second in itertools.pairwise(offers)
        if first.total_usd == second.total_usd and first.expired == second.expired
    ]
    assert tied, "the catalogue has offers of equal price"
    assert all(first.gpu.memory_bandwidth >= second.gpu.memory_bandwidth for first, second in tied)


@pytest.mark.parametrize(("workload", "needs"), QUESTIONS)
def test_the_three_cards_are_three_different_offers(workload: Workload, needs: Needs, facts: Facts) -> None:
    ranking = ranked(workload, needs, facts)
    shown = [
        entry for entry in (ranking.cards.value, ranking.cards.cheapest, ranking.cards.fastest) if entry >= 0
    ]
    assert len(shown) == len(set(shown))
    if len(ranking) == 0:
        assert shown == []
    else:
        assert ranking.cards.value >= 0


def test_cards_stay_within_reach_of_the_cheapest_firm_offer(facts: Facts) -> None:
    ranking = ranked(CHAT_8B, Needs(), facts)
    firm = [offer for offer in ranking if not (offer.price_is_floor or offer.expired)]
    least = min(offer.total_usd for offer in firm)
    assert ranking.offer(ranking.cards.value).total_usd <= VALUE_COST_FACTOR * least
    assert ranking.offer(ranking.cards.fastest).total_usd <= FASTEST_COST_FACTOR * least
    assert not ranking.offer(ranking.cards.value).price_is_floor


def test_r12_a_small_workload_never_gets_a_fleet(facts: Facts) -> None:
    """Requirement 12: eight readers of an 8B model are one card's work."""
    ranking = ranked(CHAT_8B, Needs(), facts)
    for entry in (ranking.cards.value, ranking.cards.cheapest, ranking.cards.fastest):
        offer = ranking.offer(entry)
        assert (offer.instances, offer.gpu_count) == (1, 1)
    assert all(offer.instances == 1 for offer in ranking)


def test_a_load_rents_as_many_machines_as_carry_it(facts: Facts) -> None:
    ranking = ranked(CHAT_8B, Needs(tokens_per_second=20_000), facts)
    for offer in ranking.offers[:50]:
        each = offer.throughput.decode_tokens_per_second or 0.0
        assert each * offer.instances >= 20_000 * 0.999
        assert each * (offer.instances - 1) < 20_000


def test_a_concurrency_that_no_machine_holds_is_split_over_several(facts: Facts) -> None:
    heavy = Workload(task="serve", model="llama-3.1-70b", concurrency=4_000)
    ranking = ranked(heavy, Needs(tokens_per_second_per_request=0.1, time_to_first_token_ms=1e7), facts)
    assert len(ranking) > 0
    assert all(offer.instances > 1 for offer in ranking)


def test_older_and_undated_prices_rank_behind_fresher_ones(facts: Facts) -> None:
    expired = [offer.expired for offer in ranked(CHAT_8B, Needs(), facts)]
    assert expired == sorted(expired)
    assert True in expired
    undated = [offer for offer in ranked(CHAT_8B, Needs(), facts) if offer.price_as_of is None]
    assert undated
    assert all(offer.expired and offer.stale and offer.age_days is None for offer in undated)


def test_ages_come_from_the_clock_that_is_passed(facts: Facts) -> None:
    day = datetime.date(2026, 8, 23)
    offer = next(
        offer
        for offer in rank(CHAT_8B, Needs(), facts, day)
        if offer.price_as_of == datetime.date(2026, 8, 22)
    )
    assert (offer.age_days, offer.stale, offer.expired) == (1, False, False)
    later = next(
        offer
        for offer in rank(CHAT_8B, Needs(), facts, TODAY)
        if offer.price_as_of == datetime.date(2026, 8, 22)
    )
    assert (later.age_days, later.stale, later.expired) == (101, False, False)
    old = next(
        offer
        for offer in rank(CHAT_8B, Needs(), facts, TODAY)
        if offer.price_as_of == datetime.date(2026, 7, 5)
    )
    assert (old.age_days, old.stale, old.expired) == (149, True, False)


def test_an_old_price_may_win_only_when_there_is_no_other(facts: Facts) -> None:
    far = datetime.date(2030, 1, 1)
    ranking = rank(CHAT_8B, Needs(), facts, far)
    assert all(offer.expired for offer in ranking)
    assert ranking.offer(ranking.cards.value).expired


def test_a_question_without_any_offer_names_the_nearest(facts: Facts) -> None:
    ranking = ranked(CHAT_8B, Needs(max_usd_per_hour=0.01), facts)
    assert (len(ranking), ranking.cards.value) == (0, -1)
    over = next(rejection for rejection in ranking.rejected if rejection.code == "over-budget-hour")
    assert over.limit == 0.01
    assert over.nearest is not None
    assert over.value == min(
        price
        for price, code in zip(facts.offers.on_demand_usd_per_hour, ranking.refusal, strict=True)
        if ranking.codes[code - 1] == "over-budget-hour"
    )


def test_the_answer_in_the_contracts_shape_is_plain_json(facts: Facts) -> None:
    import json

    answer = ranked(CHAT_8B, Needs(), facts).to_dict(limit=3)
    text = json.loads(json.dumps(answer, allow_nan=False))
    assert len(text["offers"]) == 3
    assert text["offers"][0]["memory"]["verdict"] in ("fits", "tight")
    assert text["ranked"] + sum(rejection["count"] for rejection in text["rejected"]) == 2698


def test_costs_are_price_times_hours(facts: Facts) -> None:
    offer = ranked(CHAT_8B, Needs(), facts).offer(0)
    machine = offer.cost_parts["compute"] + offer.cost_parts["idle"]
    assert machine == pytest.approx(offer.usd_per_hour * 730, abs=1e-5)
    rate = offer.throughput.decode_tokens_per_second or 0.0
    assert offer.usd_per_unit == pytest.approx(offer.total_usd / (rate * 3600 * 730) * 1e6)
    half = ranked(CHAT_8B, Needs(busy_share=0.5), facts)
    same = next(row for row in half if row.instance_type == offer.instance_type)
    assert same.usd_per_month == pytest.approx(offer.usd_per_month, abs=1e-5)
    assert same.cost_parts["idle"] == pytest.approx(machine / 2, abs=1e-5)
    assert same.usd_per_unit == pytest.approx(2 * offer.usd_per_unit)


def test_parts_add_up_exactly_in_micro_dollars_for_every_offer(facts: Facts) -> None:
    bill = ranked(CHAT_8B, Needs(storage_gb=500, egress_gb_per_month=2_000, busy_share=0.3), facts).costs.bill
    parts = np.stack([getattr(bill, part) for part in PARTS])
    assert parts.dtype == np.int64
    assert (parts.sum(axis=0) == bill.total).all()
    assert (parts >= 0).all()


@pytest.mark.parametrize(
    ("less", "more"),
    [
        (Needs(storage_gb=100), Needs(storage_gb=1_000)),
        (Needs(egress_gb_per_month=100), Needs(egress_gb_per_month=10_000)),
        (Needs(hours_per_month=200), Needs(hours_per_month=700)),
        (
            Needs(job_units=1e9, pricing="spot", mean_hours_between_interruptions=24),
            Needs(job_units=1e9, pricing="spot", mean_hours_between_interruptions=2),
        ),
    ],
)
def test_more_storage_egress_hours_or_interruptions_never_cost_less(
    less: Needs, more: Needs, facts: Facts
) -> None:
    before, after = (ranked(CHAT_8B, needs, facts).costs.bill.total for needs in (less, more))
    assert (after >= before).all()
    assert (after > before).any()


def test_g18_dear_egress_can_cost_a_cheap_gpu_its_place(facts: Facts) -> None:
    """Guidance 18: the total counts what leaves the cloud, and places change with it."""

    def place(needs: Needs, provider: str) -> int:
        return next(
            entry for entry, offer in enumerate(ranked(CHAT_8B, needs, facts)) if offer.provider == provider
        )

    little, much = Needs(egress_gb_per_month=0), Needs(egress_gb_per_month=20_000)
    assert place(little, "aws") < place(much, "aws")
    assert ranked(CHAT_8B, much, facts).offer(place(much, "aws")).cost_parts["egress"] == pytest.approx(
        1_741.5
    )


def test_what_a_provider_does_not_say_is_not_free(facts: Facts) -> None:
    offer = next(offer for offer in ranked(CHAT_8B, Needs(), facts) if offer.provider == "gpuhub")
    assert offer.unknown_parts == ("storage", "egress")


def test_bursts_take_the_cheapest_pattern(facts: Facts) -> None:
    bursty = Needs(busy_share=0.05, bursts_per_month=60)
    offers = ranked(CHAT_8B, bursty, facts).offers
    patterns = {offer.provider: offer.usage_pattern for offer in offers}
    assert patterns["runpod"] == "stopped-between"  # billed by the second, can be stopped
    assert patterns["lambda"] == "always-on"  # has no stopped state
    always_on = {
        (offer.provider, offer.instance_type, offer.gpu.id): offer.total_usd
        for offer in ranked(CHAT_8B, Needs(busy_share=0.05), facts)
    }
    for offer in offers:
        assert offer.total_usd <= always_on[offer.provider, offer.instance_type, offer.gpu.id] + 1e-6
    serverless = ranked(CHAT_8B, Needs(busy_share=0.05, bursts_per_month=60, pricing="serverless"), facts)
    assert {offer.usage_pattern for offer in serverless} == {"scale-to-zero"}


def test_a_job_costs_its_hours(facts: Facts) -> None:
    ranking = ranked(Workload(task="image", model="sdxl-base-1.0"), Needs(job_units=10_000), facts)
    offer = ranking.offer(0)
    rate = offer.throughput.images_per_second or 0.0
    assert offer.hours == pytest.approx(10_000 / rate / 3600 / offer.instances)
    assert offer.cost_parts["compute"] == pytest.approx(offer.usd_per_hour * (offer.hours or 0), abs=1e-5)
    assert offer.total_usd == pytest.approx(sum(offer.cost_parts.values()), abs=1e-9)
    assert offer.total_usd > offer.cost_parts["compute"], "boot, loading and rounding are paid"
    assert offer.usd_per_unit == pytest.approx(offer.total_usd / 10_000)


def test_provider_links_are_https_or_absent(facts: Facts) -> None:
    urls = {offer.provider_url for offer in ranked(CHAT_8B, Needs(), facts)}
    assert all(url == "" or url.startswith("https://") for url in urls)


def test_a_ranking_is_the_same_every_time(facts: Facts) -> None:
    first, second = ranked(CHAT_8B, Needs(), facts), ranked(CHAT_8B, Needs(), facts)
    assert first.rows.tolist() == second.rows.tolist()
    assert first.to_dict(5) == second.to_dict(5)
