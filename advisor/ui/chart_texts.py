"""Small helpers of the views that feed charts: number format, ticks, tooltips, sentences for alt texts."""

from advisor.ui.chart_views import NumberFormat, Tick, number_format
from advisor.ui.formatting import tokens
from advisor.ui.language import current_locale


def numbers() -> NumberFormat:
    """Return the number format of the reader's language."""
    return number_format(current_locale())


def doubling_ticks(low: float, high: float, most: int = 8) -> tuple[Tick, ...]:
    """Return ticks at powers of two between two bounds, thinned to `most`."""
    powers = [2**exponent for exponent in range(31) if low <= 2**exponent <= high]
    step = -(-len(powers) // most) if powers else 1
    return tuple(Tick(float(power), tokens(power)) for power in powers[::step])


def alt_text(*sentences: str) -> str:
    """Return the sentence of a chart for whoever does not see it, without the marks of Markdown."""
    return " ".join(sentence.replace("**", "").replace("\\", "") for sentence in sentences if sentence)
