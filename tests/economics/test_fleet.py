"""Fleets over spot replicas and work with a deadline, against worked values."""

import pytest

from advisor.economics.fleet import (
    deadline_plan,
    enough_up_probability,
    fleet_cost,
    latest_switch_hours,
    losses_within_probability,
)


@pytest.mark.parametrize(
    ("needed", "extra", "availability", "probability"),
    [
        (4, 0, 0.85, 0.522),
        (4, 1, 0.85, 0.8352),
        (4, 2, 0.85, 0.9527),
        (4, 3, 0.85, 0.9879),
        (1, 0, 0.75, 0.75),
        (1, 1, 0.75, 0.9375),
    ],
)
def test_enough_replicas_are_up(needed: int, extra: int, availability: float, probability: float) -> None:
    assert enough_up_probability(needed, extra, availability) == pytest.approx(probability, abs=5e-5)


@pytest.mark.parametrize(
    ("extra", "spot", "on_demand", "usd_per_hour", "saving"),
    [
        (0, 1.6, 3.9, 7.78, 0.5013),
        (2, 1.6, 3.9, 8.369, 0.4635),
        (1, 2.0, 2.5, 8.984, 0.1016),
        (2, 2.0, 2.5, 10.334, -0.0334),
    ],
)
def test_over_provisioning_kills_shallow_discounts(
    extra: int, spot: float, on_demand: float, usd_per_hour: float, saving: float
) -> None:
    cost = fleet_cost(4, extra, 0.85, spot, on_demand)
    assert cost.usd_per_hour == pytest.approx(usd_per_hour, abs=5e-4)
    assert cost.saving == pytest.approx(saving, abs=5e-5)


def test_losses_while_a_replacement_boots() -> None:
    assert losses_within_probability(4, 1, 0.1, 5 / 60) == pytest.approx(0.0327838995, abs=1e-9)
    assert losses_within_probability(5, 2, 0.1, 5 / 60) == pytest.approx(0.00084431551, abs=1e-9)


def test_the_last_moment_to_go_on_demand() -> None:
    assert latest_switch_hours(48, 52, 0.2) == pytest.approx(3.6)


@pytest.mark.parametrize(
    ("deadline", "availability", "spot_hours", "on_demand_hours", "relative"),
    [
        (70.0, 0.43, 30.1, 17.9, 0.6238),
        (52.0, 0.43, 22.36, 25.64, 0.7205),
        (70.0, 0.78, 48, 0, 0.4),
        (52.0, 0.20, 10.4, 37.6, 0.87),
    ],
)
def test_deadline_plans(
    deadline: float, availability: float, spot_hours: float, on_demand_hours: float, relative: float
) -> None:
    plan = deadline_plan(48, deadline, availability, 0.4)
    assert plan.spot_hours == pytest.approx(spot_hours)
    assert plan.on_demand_hours == pytest.approx(on_demand_hours, abs=1e-9)
    assert plan.relative_cost == pytest.approx(relative, abs=5e-5)
