"""The charts of the page: each function takes one view and returns one Altair chart."""

from advisor.ui.charts.bars import comparison_chart, diagnosis_chart
from advisor.ui.charts.concurrency import concurrency_chart
from advisor.ui.charts.cost import cost_chart
from advisor.ui.charts.growth import cache_growth_chart
from advisor.ui.charts.memory import memory_chart
from advisor.ui.charts.price_speed import price_speed_chart
from advisor.ui.charts.spot import spot_chart

__all__ = [
    "cache_growth_chart",
    "comparison_chart",
    "concurrency_chart",
    "cost_chart",
    "diagnosis_chart",
    "memory_chart",
    "price_speed_chart",
    "spot_chart",
]
