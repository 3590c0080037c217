"""The link that restores this page."""

from urllib.parse import urlencode, urlsplit

import streamlit as st

from advisor.ui.address import full_address
from advisor.ui.context import Page


def page_link(page: Page) -> str:
    """Return the full address of this page with every answer; relative where the host is not known."""
    query = urlencode(full_address(page.reading))
    parts = urlsplit(st.context.url or "")
    base = f"{parts.scheme}://{parts.netloc}{parts.path}" if parts.scheme in ("http", "https") else ""
    return f"{base}?{query}"
