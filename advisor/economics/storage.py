"""What keeping weights, checkpoints and data costs."""

from advisor.economics.money import micro_usd
from advisor.units import HOURS_PER_MONTH, FloatArray, IntArray

MONTH_HOURS_OF = {"lambda": 720}
"""Hours in a billed month where a provider says another number than 730 [h]."""


def storage_charge(
    stored_gb: FloatArray,
    usd_per_gb_month: FloatArray,
    hours: FloatArray,
    month_hours: float = HOURS_PER_MONTH,
) -> IntArray:
    """Return the charge of keeping data for some hours: GB x rate x hours / month [micro-dollars]."""
    return micro_usd(stored_gb * usd_per_gb_month * hours / month_hours)


def checkpoints_kept_gb(checkpoint_gb: float, kept: int) -> float:
    """Return the storage that the kept checkpoints take [GB]."""
    return checkpoint_gb * kept


def write_seconds(size_gb: float, gb_per_second: float) -> float:
    """Return the time to write or read a file [s]."""
    return size_gb / gb_per_second


def egress_from_store_gb(weights_gb: float, replicas: int, cold_starts: int) -> float:
    """Return what replicas pull from a store outside the cloud over their cold starts [GB]."""
    return weights_gb * replicas * cold_starts
