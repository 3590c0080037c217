"""Constants and conversions of units; the one place where GiB and GB meet.

Inside the package: bytes, seconds, tokens, FLOP, USD per hour. The GB printed on a card is a name, not a size.
"""

from typing import TypeVar

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

Amount = TypeVar("Amount", float, FloatArray)

KIB = 2**10
MIB = 2**20
GIB = 2**30
GB = 10**9
TERA = 10**12
BITS_PER_BYTE = 8
SECONDS_PER_HOUR = 3600
SECONDS_PER_MINUTE = 60
MICROSECOND = 1e-6
MILLISECOND = 1e-3
HOURS_PER_DAY = 24
HOURS_PER_MONTH = 730
"""Mean hours of a month: 8,760 / 12 [h]; providers bill a month of storage as 730 hours."""


def gib(size_bytes: Amount) -> Amount:
    """Convert bytes to GiB."""
    return size_bytes / GIB


def bytes_from_gib(size_gib: Amount) -> Amount:
    """Convert GiB to bytes."""
    return size_gib * GIB


def gb(size_bytes: Amount) -> Amount:
    """Convert bytes to decimal GB, the unit of storage bills and of bandwidth."""
    return size_bytes / GB


def read_only(array: npt.NDArray[np.generic]) -> None:
    """Make an array immutable, so that facts can be shared by all sessions."""
    array.setflags(write=False)
