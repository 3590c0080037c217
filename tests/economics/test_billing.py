"""Bills against published examples, each with its provider's page."""

import numpy as np
import pytest

from advisor import Facts
from advisor.economics.billing import billed_seconds, billing_terms, compute_charge
from advisor.economics.bursty import (
    BurstyLoad,
    always_on_usd,
    break_even_bursts,
    break_even_utilization,
    scale_to_zero_usd,
)
from advisor.economics.commitment import break_even_utilization as reserved_break_even
from advisor.economics.commitment import (
    break_even_with_discount,
    early_cancel_refund_usd,
    mean_price_factor,
)
from advisor.economics.egress import egress_charge, egress_tariff
from advisor.economics.money import micro_usd, usd_of
from advisor.economics.storage import storage_charge, write_seconds
from advisor.economics.unit_costs import usd_per_image, usd_per_million_tokens, usd_per_video_second


def charge(usd_per_hour: float, seconds: float, step: float, minimum: float) -> float:
    billed = billed_seconds(np.array([seconds]), step, minimum)
    return float(usd_of(compute_charge(np.array([usd_per_hour]), billed))[0])


@pytest.mark.parametrize(
    ("usd_per_hour", "seconds", "step", "minimum", "usd"),
    [
        (5.5, 480, 900, 900, 1.375),  # FPT: 8 minutes in quarter hours
        (1.3, 9000, 3600, 3600, 3.9),  # Linode: 2.5 hours are 3
        (2.5, 600, 1, 60, 0.416667),
        (2.5, 600, 60, 60, 0.416667),
        (2.5, 600, 3600, 3600, 2.5),
        (24.0, 172_800, 86_400, 172_800, 1152.0),  # Voltage Park: 8 GPUs at 3.00, two days
        (2.0, 1800, 1, 1, 1.0),  # Nebius: half the hour's price
        (2.5, 0, 3600, 3600, 0.0),
    ],
)
def test_published_bills(
    usd_per_hour: float, seconds: float, step: float, minimum: float, usd: float
) -> None:
    assert charge(usd_per_hour, seconds, step, minimum) == pytest.approx(usd, abs=1e-6)


def test_65_seconds_billed_by_the_minute_are_120() -> None:
    assert billed_seconds(np.array([65.0]), 60, 60)[0] == 120


def test_twenty_ten_minute_jobs_cost_41_67_more_by_the_hour() -> None:
    assert 20 * (charge(2.5, 600, 3600, 3600) - charge(2.5, 600, 1, 60)) == pytest.approx(41.67, abs=0.01)


def test_a_whole_number_of_steps_is_not_rounded_up() -> None:
    assert billed_seconds(np.array([3 * 0.1 * 3600]), 360.0, 0.0)[0] == pytest.approx(1080.0)


def test_g16_ten_eight_minute_jobs(facts: Facts) -> None:
    """Guidance 16: hourly, per-minute and per-second billing of ten 8-minute jobs at 2.50 USD an hour."""
    assert 10 * charge(2.5, 480, 3600, 3600) == pytest.approx(25.0)
    assert 10 * charge(2.5, 480, 60, 60) == pytest.approx(3.33, abs=0.01)
    assert 10 * charge(2.5, 480, 1, 1) == pytest.approx(3.33, abs=0.01)
    assert billing_terms(facts.providers["ovh"]).step_seconds == 3600
    assert billing_terms(facts.providers["lambda"]).step_seconds == 60
    assert billing_terms(facts.providers["runpod"]).step_seconds == 1


def test_unread_terms_are_marked_unknown(facts: Facts) -> None:
    assert not billing_terms(facts.providers["novita"]).known
    assert billing_terms(facts.providers["aws"]).known


def test_parts_in_micro_dollars_add_up_exactly() -> None:
    parts = micro_usd(np.array([0.1, 0.2, 0.3, 1 / 3]))
    assert parts.dtype == np.int64
    assert int(parts.sum()) == sum(int(part) for part in parts)
    assert usd_of(micro_usd(1.234567)) == 1.234567


@pytest.mark.parametrize(
    ("provider", "gb", "usd"),
    [
        ("aws", 140, 3.6),
        ("aws", 1000, 81.0),
        ("aws", 30_000, 2591.5),
        ("azure", 140, 3.48),
        ("azure", 1000, 78.3),
        ("azure", 30_000, 2521.7),
        ("gcp", 140, 16.8),
        ("gcp", 1000, 120.0),
        ("gcp", 30_000, 2710.0),
        ("oci", 140, 0.0),
        ("oci", 1000, 0.0),
        ("oci", 30_000, 170.0),
        ("runpod", 30_000, 0.0),
    ],
)
def test_egress_in_tiers(provider: str, gb: float, usd: float, facts: Facts) -> None:
    tariff = egress_tariff(facts.providers[provider])
    assert tariff.known
    assert usd_of(egress_charge(np.array([gb * 1.0]), tariff))[0] == pytest.approx(usd)


def test_unread_egress_is_not_free(facts: Facts) -> None:
    assert not egress_tariff(facts.providers["novita"]).known


def test_storage() -> None:
    def usd(gb: float, rate: float, hours: float = 730, month: float = 730) -> float:
        return float(usd_of(storage_charge(np.array([gb]), np.array([rate]), np.array([hours]), month))[0])

    assert usd(1000, 0.20, 24, 720) == pytest.approx(6.67, abs=0.005)  # Lambda file system, one day
    assert usd(140, 0.07) == pytest.approx(9.80)
    assert usd(140, 0.023) == pytest.approx(3.22)
    assert usd(140, 0.20) == pytest.approx(28.0)
    assert usd(100, 0.20) == pytest.approx(20.0)  # a stopped RunPod volume
    assert usd(5 * 112.42, 0.06) == pytest.approx(33.726)  # five full checkpoints of an 8B model
    assert write_seconds(112.42, 0.3) == pytest.approx(374.7, abs=0.1)
    assert write_seconds(0.8, 0.3) == pytest.approx(2.67, abs=0.005)


def test_serverless_breaks_even_at_83_6_percent() -> None:
    assert break_even_utilization(3.49, 0.00116 * 3600) == pytest.approx(0.8357, abs=5e-5)
    assert break_even_utilization(2.69, 0.00116 * 3600) == pytest.approx(0.6442, abs=5e-5)


def test_a_day_of_bursts() -> None:
    load = BurstyLoad(7200, 50, 60, 5)
    assert scale_to_zero_usd(np.array([0.00116]), load)[0] == pytest.approx(12.122)
    assert always_on_usd(np.array([3.49]), 24)[0] == pytest.approx(83.76)
    assert break_even_bursts(83.76, 0.00116, load) == pytest.approx(1000.1, abs=0.05)
    assert always_on_usd(np.array([3.80]), 720)[0] == pytest.approx(2736)


@pytest.mark.parametrize(
    ("reserved", "on_demand", "share", "hours"),
    [(1.75, 2.5, 0.70, 511.0), (2.72, 3.2, 0.85, 620.5), (0.95, 1.35, 0.7037, 513.7)],
)
def test_a_reservation_pays_from_its_share_of_the_price(
    reserved: float, on_demand: float, share: float, hours: float
) -> None:
    assert reserved_break_even(reserved, on_demand) == pytest.approx(share, abs=5e-5)
    assert reserved_break_even(reserved, on_demand) * 730 == pytest.approx(hours, abs=0.05)


def test_discounts_and_an_early_end() -> None:
    assert break_even_with_discount(0.6) == pytest.approx(0.4)
    assert break_even_with_discount(0.32) == pytest.approx(0.68)
    assert early_cancel_refund_usd(720, 576, 0.5) == pytest.approx(212.40)
    assert mean_price_factor(0.0, 3) == 1.0
    assert mean_price_factor(0.3, 1) == pytest.approx(0.8411, abs=5e-5)


def test_unit_costs() -> None:
    assert usd_per_million_tokens(2.69, 7437.0) == pytest.approx(0.1004736, abs=1e-6)
    assert usd_per_million_tokens(2.69, 11921.0) == pytest.approx(0.0626812, abs=1e-6)
    assert usd_per_million_tokens(2.69, 11921.0, 0.3) == pytest.approx(0.2089372, abs=1e-6)
    assert usd_per_million_tokens(4.29, 11921.0) == pytest.approx(0.0999636, abs=1e-6)
    assert usd_per_million_tokens(6.88, 11921.0) == pytest.approx(0.1603147, abs=1e-6)
    assert usd_per_image(0.69, 4.0) == pytest.approx(0.000766667, abs=1e-8)
    assert usd_per_image(2.69, 4.0) == pytest.approx(0.002988889, abs=1e-8)
    assert usd_per_video_second(2.69, 600.0, 5) == pytest.approx(0.0896667, abs=1e-6)
