"""Spot formulas against published and worked values (J. T. Daly 2006; docs/method/cost.md)."""

import itertools
import math

import numpy as np
import pytest

from advisor.economics.spot import (
    SpotTerms,
    break_even_interruptions_per_day,
    daly_active_hours,
    daly_interval_hours,
    expected_spot_cost,
    first_order_waste,
    hazard_per_hour,
    spot_verdict,
    verdict_over_range,
    warned_active_hours,
    young_interval_hours,
)

MINUTE = 1 / 60


@pytest.mark.parametrize(
    ("probability", "period_hours", "hazard"),
    [
        (0.025, 730, 3.46819287456026e-05),
        (0.075, 730, 0.00010679663215029015),
        (0.125, 730, 0.0001829197159240036),
        (0.175, 730, 0.0002635231406129536),
        (0.2, 730, 0.00030567609769069826),
        (0.3, 730, 0.000488595813614702),
        (0.05, 1, 0.05129329438755058),
        (0.025, 1, 0.025317807984289897),
        (0.2, 1, 0.2231435513142097),
        (0.1, 24, 0.004390021485742762),
    ],
)
def test_hazard_behind_a_published_probability(
    probability: float, period_hours: float, hazard: float
) -> None:
    assert hazard_per_hour(probability, period_hours) == pytest.approx(hazard, rel=1e-12)


@pytest.mark.parametrize(
    ("mean_minutes", "young", "daly", "published"),
    [(1440, 120.0, 116.69, 117), (360, 60.0, 56.71, 57), (15, 12.25, 9.14, 9.1)],
)
def test_checkpoint_intervals_of_young_and_daly(
    mean_minutes: float, young: float, daly: float, published: float
) -> None:
    mean = np.array([mean_minutes * MINUTE])
    assert young_interval_hours(mean, 5 * MINUTE)[0] / MINUTE == pytest.approx(young, abs=0.005)
    interval = daly_interval_hours(mean, 5 * MINUTE)[0] / MINUTE
    assert interval == pytest.approx(daly, abs=0.005)
    assert interval == pytest.approx(published, abs=0.5)


@pytest.mark.parametrize(
    ("mean_hours", "interval", "wall", "waste"),
    [(24, 1.9448, 547.88, 0.0903), (6, 0.9452, 610.22, 0.1947), (0.25, 0.1523, 2504.17, 1.5184)],
)
def test_expected_hours_of_daly(mean_hours: float, interval: float, wall: float, waste: float) -> None:
    mean = np.array([mean_hours])
    best = daly_interval_hours(mean, 5 * MINUTE)
    assert best[0] == pytest.approx(interval, abs=5e-5)
    assert daly_active_hours(500, mean, best, 5 * MINUTE, 10 * MINUTE)[0] == pytest.approx(wall, abs=0.005)
    assert first_order_waste(mean_hours, best[0], 5 * MINUTE, 10 * MINUTE) == pytest.approx(waste, abs=5e-5)


@pytest.mark.parametrize(
    ("mean", "wait", "spot", "on_demand", "active", "interruptions", "wall", "usd", "on_demand_usd"),
    [
        (10.4, 1.1, 2.0, 2.5, 52.56, 5.05, 58.12, 105.12, 120.0),
        (1.48, 1.69, 19.71, 49.24, 63.99, 43.24, 137.07, 1261.32, 2363.52),
    ],
)
def test_a_48_hour_job_on_spot(
    mean: float,
    wait: float,
    spot: float,
    on_demand: float,
    active: float,
    interruptions: float,
    wall: float,
    usd: float,
    on_demand_usd: float,
) -> None:
    terms = SpotTerms(48, on_demand, spot, checkpoint_hours=2 * MINUTE, restart_hours=0.1, wait_hours=wait)
    cost = expected_spot_cost(terms, np.array([mean]))
    assert cost.active_hours[0] == pytest.approx(active, abs=0.006)
    assert cost.interruptions[0] == pytest.approx(interruptions, abs=0.006)
    assert cost.wall_hours[0] == pytest.approx(wall, abs=0.01)
    assert cost.usd[0] == pytest.approx(usd, abs=0.1)
    assert cost.on_demand_usd == pytest.approx(on_demand_usd)


def test_a_usable_notice_loses_no_work() -> None:
    active = warned_active_hours(48, np.array([1.48]), 2 * MINUTE, 0.1)[0]
    assert active == pytest.approx(52.32, abs=0.006)
    assert active * 19.71 == pytest.approx(1031.31, abs=0.1)


def test_spot_that_is_never_interrupted_costs_its_price() -> None:
    for checkpoint in (2 * MINUTE, math.nan):
        terms = SpotTerms(48, 2.5, 2.0, checkpoint_hours=checkpoint, unit_hours=0.1)
        assert expected_spot_cost(terms, np.array([1e9])).usd[0] == pytest.approx(96.0, rel=1e-3)


def test_more_interruptions_never_cost_less() -> None:
    rates = np.geomspace(0.01, 48, 200)
    for checkpoint in (2 * MINUTE, math.nan):
        terms = SpotTerms(48, 2.5, 2.0, checkpoint_hours=checkpoint, unit_hours=0.5)
        cost = expected_spot_cost(terms, 24 / rates)
        assert np.all(np.diff(cost.usd) >= -1e-9)


def test_spot_pays_up_to_the_break_even_rate() -> None:
    terms = SpotTerms(48, 2.5, 2.0, checkpoint_hours=2 * MINUTE, restart_hours=0.1)
    per_day = break_even_interruptions_per_day(terms)
    below, above = (
        expected_spot_cost(terms, np.array([24 / (per_day * factor)])).usd[0] for factor in (0.95, 1.05)
    )
    assert below < 120 < above


@pytest.mark.parametrize("deadline", [math.inf, 60.0])
def test_the_verdict_flips_at_most_once_along_the_rate(deadline: float) -> None:
    terms = SpotTerms(48, 2.5, 2.0)
    verdicts = [spot_verdict(terms, False, deadline, 24 / rate) for rate in np.geomspace(0.01, 48, 300)]
    pays = [verdict not in ("spot-unsuitable", "spot-only-with-fallback") for verdict in verdicts]
    assert sum(first != second for first, second in itertools.pairwise(pays)) <= 1


def test_where_the_observed_range_disagrees_the_verdict_depends_on_the_rate() -> None:
    shallow = SpotTerms(48, 2.2, 2.0)
    assert verdict_over_range(shallow, False, math.inf, None) == "spot-depends-on-rate"
    assert verdict_over_range(shallow, False, math.inf, 1000.0) == "spot-with-checkpoints"
    assert verdict_over_range(shallow, False, math.inf, 0.5) == "spot-unsuitable"


def test_a_simulation_of_interruptions_agrees_with_daly() -> None:
    """Restart-and-checkpoint work played out 400 times against exponential interruptions, seeded."""
    random = np.random.default_rng(7)
    mean, interval, checkpoint, restart, work = 4.0, 0.5, 0.05, 0.1, 40.0
    hours = [_played(random, mean, interval, checkpoint, restart, work) for _ in range(400)]
    expected = daly_active_hours(work, np.array([mean]), np.array([interval]), checkpoint, restart)[0]
    assert np.mean(hours) == pytest.approx(expected, rel=0.02)


def _played(
    random: np.random.Generator, mean: float, interval: float, checkpoint: float, restart: float, work: float
) -> float:
    """Return the hours one run takes; a restart that is interrupted starts over, as Daly assumes."""
    elapsed, done, ready = 0.0, 0.0, 0.0
    until = random.exponential(mean)
    while done < work - 1e-9:
        needed = ready + interval + checkpoint
        if until >= needed:
            elapsed, until, done, ready = elapsed + needed, until - needed, done + interval, 0.0
        else:
            elapsed, until, ready = elapsed + until, random.exponential(mean), restart
    return elapsed
