"""A page of every chart and nothing else, for the browser: `?lang=pt_BR`."""

import streamlit as st

import advisor.ui.charts as charts
from tests.support.chart_samples import VIEWS, sample

st.set_page_config(layout="wide")
st.title("Charts")
language = st.query_params.get("lang", "en")
for name in VIEWS:
    with st.container(key=name):
        st.altair_chart(getattr(charts, name)(sample(name, language)), width="stretch")
