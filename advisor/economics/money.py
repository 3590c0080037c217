"""Money as whole micro-dollars, so that the parts of a bill add up exactly; rounding to cents happens at display."""

from typing import overload

import numpy as np

from advisor.units import FloatArray, IntArray

MOST_MICRO_USD = 1e18
"""A million millions of dollars: what is dearer is counted as this, so that no sum of parts overflows into a gain."""

MICRO = 1_000_000
"""Micro-dollars in a dollar."""


@overload
def micro_usd(usd: float) -> int: ...
@overload
def micro_usd(usd: FloatArray) -> IntArray: ...
def micro_usd(usd: float | FloatArray) -> int | IntArray:
    """Return dollars as whole micro-dollars, nearest."""
    if isinstance(usd, np.ndarray):
        return np.rint(np.clip(usd * MICRO, -MOST_MICRO_USD, MOST_MICRO_USD)).astype(np.int64)
    return round(usd * MICRO)


@overload
def usd_of(amount_micro_usd: int) -> float: ...
@overload
def usd_of(amount_micro_usd: IntArray) -> FloatArray: ...
def usd_of(amount_micro_usd: int | IntArray) -> float | FloatArray:
    """Return micro-dollars as dollars."""
    return amount_micro_usd / MICRO
