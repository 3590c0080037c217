"""The page: `streamlit run app.py`."""

from pathlib import Path

import streamlit as st

ICON = Path(__file__).parent / "advisor" / "ui" / "icon.svg"
st.set_page_config(page_title="GPU advisor", page_icon=str(ICON), layout="wide")

# The page is configured before anything heavy is imported, so that a first visitor sees it at once.
from advisor.ui.preload import is_loaded, loaded_facts  # noqa: E402

waiting = st.empty()
if not is_loaded():
    waiting.skeleton(height=300)
facts = loaded_facts()
waiting.empty()

from advisor.ui.page import draw  # noqa: E402

draw(facts)
