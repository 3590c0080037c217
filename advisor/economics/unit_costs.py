"""What one unit of output costs: a million tokens, an image, a second of video."""

from advisor.units import SECONDS_PER_HOUR, Amount

MILLION = 1e6


def usd_per_million_tokens(
    usd_per_hour: Amount, tokens_per_second: Amount, utilization: float = 1.0
) -> Amount:
    """Return price / (3600 x tokens/s x utilization) x 10^6 [USD]."""
    return usd_per_hour / (SECONDS_PER_HOUR * tokens_per_second * utilization) * MILLION


def usd_per_image(usd_per_hour: Amount, seconds: Amount, images: int = 1) -> Amount:
    """Return price x seconds / 3600 / images made together [USD]."""
    return usd_per_hour * seconds / SECONDS_PER_HOUR / images


def usd_per_video_second(usd_per_hour: Amount, wall_seconds: Amount, clip_seconds: float) -> Amount:
    """Return price x wall seconds / 3600 / seconds of the clip [USD]."""
    return usd_per_hour * wall_seconds / SECONDS_PER_HOUR / clip_seconds
