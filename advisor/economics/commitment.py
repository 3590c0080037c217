"""Reserved and committed prices: from which use they pay, and what falling prices do to them."""

import math


def break_even_utilization(reserved_usd_per_hour: float, on_demand_usd_per_hour: float) -> float:
    """Return the share of the hours from which a reservation, billed around the clock, is cheaper [0 to 1]."""
    return reserved_usd_per_hour / on_demand_usd_per_hour


def break_even_with_discount(discount: float) -> float:
    """Return the same from the discount: 1 - discount [0 to 1]."""
    return 1 - discount


def mean_price_factor(yearly_decline: float, years: float) -> float:
    """Return the mean on-demand price over a term, if prices fall by a share each year, over today's.

    (1 - (1 - g)^T) / (-ln(1 - g) T), the mean of an exponential decline.
    """
    if yearly_decline == 0 or years == 0:
        return 1.0
    return float((1 - (1 - yearly_decline) ** years) / (-math.log(1 - yearly_decline) * years))


def break_even_against_falling_prices(
    reserved_usd_per_hour: float, on_demand_usd_per_hour: float, yearly_decline: float, years: float
) -> float:
    """Return the share of the hours from which a reservation pays although on-demand prices fall [may exceed 1]."""
    mean_on_demand = on_demand_usd_per_hour * mean_price_factor(yearly_decline, years)
    return reserved_usd_per_hour / mean_on_demand


def early_cancel_refund_usd(
    full_usd: float, paid_usd: float, used_share: float, fee_share: float = 0.05
) -> float:
    """Return what comes back when a prepaid, discounted rental is cancelled [USD].

    The rest of what was paid, less the discount already used, less a fee on that discount.
    """
    discount_used = (full_usd - paid_usd) * used_share
    return paid_usd * (1 - used_share) - discount_used * (1 + fee_share)
