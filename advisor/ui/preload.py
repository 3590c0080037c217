"""What is done once per process, so that the first visitor waits little and a rerun costs little.

Heavy imports, the facts and one throw-away chart; then everything made so far is frozen out of the garbage collector,
which Streamlit runs after every script run (about 80 ms over pandas and Altair, nothing over frozen objects).
"""

import gc
import importlib

import streamlit as st

from advisor.facts import Facts, load_facts
from advisor.ui.language import shipped_languages, translator

HEAVY = (
    "pandas",
    "altair",
    "pyarrow",
    "streamlit.elements.vega_charts",
    "streamlit.elements.arrow",
    "streamlit.dataframe_util",
    "jinja2",
)


_loaded: list[str] = []


def is_loaded() -> bool:
    """Whether this process has its facts; until then a visitor sees where the answer will stand."""
    return bool(_loaded)


@st.cache_resource(show_spinner=False)
def loaded_facts() -> Facts:
    """Return the facts of this process, with everything heavy loaded and frozen before."""
    for name in HEAVY:
        importlib.import_module(name)
    facts = load_facts()
    for language in shipped_languages():
        translator(language)
    _draw_once()
    gc.collect()
    gc.freeze()
    _loaded.append(facts.version)
    return facts


def _draw_once() -> None:
    """Build and throw away one chart and one styled table: Altair and pandas fill their caches on first use."""
    import altair as alt
    import pandas as pd

    frame = pd.DataFrame({"x": [1.0, 2.0], "y": [1.0, 2.0]})
    chart = (
        alt.Chart(frame)
        .mark_line()
        .encode(x=alt.X("x", type="quantitative"), y=alt.Y("y", type="quantitative"))
    )
    chart.to_dict()
    frame.style.format("{:.1f}").to_html()
