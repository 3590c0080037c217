"""The building blocks of a section: kicker over headline over reason, the badge, two columns, folded detail."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from advisor.ui.charts.base import Figure
from advisor.ui.context import Page
from advisor.ui.language import _
from advisor.ui.markdown import money_safe

COLUMN_WIDTH = 1080
INPUTS_TO_EVIDENCE = (2, 3)


def kicker(question: str, anchor: str | Literal[False] = False) -> None:
    """Draw the question of a section: small, grey, h2."""
    st.header(f":gray[{money_safe(question)}]", anchor=anchor)


def headline(answer: str) -> None:
    """Draw the answer of a section, h3."""
    st.subheader(money_safe(answer), anchor=False)


def block_title(title: str) -> None:
    """Draw the title of a block inside a section, h4."""
    st.markdown(f"#### {money_safe(title)}", anchors=False)


def prose(*sentences: str) -> None:
    """Draw sentences of ours as one paragraph."""
    st.markdown(money_safe(" ".join(sentence for sentence in sentences if sentence)), anchors=False)


def small(text: str) -> None:
    """Draw a small grey line: never faded below the contrast that Streamlit's own caption would lose."""
    st.markdown(f":gray[:small[{money_safe(text)}]]", anchors=False)


def opening(question: str, answer: str, reason: str, anchor: str) -> None:
    """Draw kicker, headline and reason close together."""
    st.space("medium")
    with st.container(gap="xxsmall"):
        kicker(question, anchor)
        headline(answer)
        prose(reason)


def badge(page: Page, step: int) -> None:
    """Say whether the answers of a section are suggested or set."""
    if step in page.steps_set():
        st.badge(_("Set by you"), color="blue")
    else:
        st.badge(_("Suggested values"), color="gray")


@contextmanager
def inputs_and_evidence() -> Iterator[tuple[DeltaGenerator, DeltaGenerator]]:
    """Two columns, inputs 2 : evidence 3; on a phone they stack."""
    left, right = st.columns(INPUTS_TO_EVIDENCE, gap="medium")
    yield left, right


def chart(figure: Figure) -> None:
    """Draw a chart; its description is the sentence for whoever does not see it."""
    st.altair_chart(figure, width="stretch")


@contextmanager
def folded(label: str, key: str) -> Iterator[bool]:
    """A closed expander; its body is computed only once it is open."""
    box = st.expander(label, type="compact", key=key, on_change="rerun")
    with box:
        yield bool(box.open)
