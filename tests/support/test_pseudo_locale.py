"""The made-up translation changes every word and nothing that is not a word."""

from pathlib import Path

import pytest

from tests.support.pseudo_locale import LANGUAGE, pseudo, write_pseudo_locale
from tests.test_locales import field_names
from tools.locales import extract_template, forms, read_catalogue, sentences


def test_known_sentence() -> None:
    assert pseudo("Rent one {gpu}.") == "Řééñţ øøñéé {gpu}."


def test_links_icons_and_code_are_kept() -> None:
    assert (
        pseudo("See [it](#p1) :material/memory: `nvidia-smi`")
        == "Šéééé [îîţ](#p1) :material/memory: `nvidia-smi`"
    )


@pytest.mark.parametrize(
    "text", ["Every generated token reads all the weights again.", "Nothing fits, by a little"]
)
def test_is_a_third_longer(text: str) -> None:
    assert 1.3 <= len(pseudo(text)) / len(text) <= 1.35


def test_catalogue_covers_every_sentence(tmp_path: Path) -> None:
    catalogue = read_catalogue(write_pseudo_locale(tmp_path), LANGUAGE)
    assert {message.id for message in sentences(catalogue)} == {
        message.id for message in sentences(extract_template())
    }
    for message in sentences(catalogue):
        singular = message.id if isinstance(message.id, str) else message.id[0]
        assert field_names(forms(message)[0]) == field_names(singular)
        assert forms(message)[0] != singular
