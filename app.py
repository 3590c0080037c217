"""The page: `streamlit run app.py`."""

from pathlib import Path

import streamlit as st

ICON = Path(__file__).parent / "advisor" / "ui" / "icon.svg"
st.set_page_config(page_title="GPU advisor", page_icon=str(ICON), layout="wide")

# The page is configured before anything heavy is imported, so that a first visitor sees it at once.
from advisor.ui.preload import loaded_facts  # noqa: E402

facts = loaded_facts()

from advisor.ui.page import draw  # noqa: E402

draw(facts)
