"""A language ships complete or not at all: what every catalogue owes the code and the template."""

import re
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import PoFileError

from tools.locales import (
    SHIPPED,
    TEMPLATE,
    content,
    extract_template,
    forms,
    lagging,
    read_catalogue,
    sentences,
    shipped_catalogues,
)

CATALOGUES = {language: read_catalogue(path, language) for language, path in shipped_catalogues().items()}
EVERY_LANGUAGE = pytest.mark.parametrize("language", CATALOGUES or ["none found"])

HTML_TAG = re.compile(r"</?[a-zA-Z][^>]*>")
MARKDOWN_LINK = re.compile(r"\]\([^)]*\)")
CLOSING = ".?!:;…"


def singular_and_plural(message: Message) -> tuple[str, ...]:
    """The source forms: one, or singular and plural."""
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def pairs(catalogue: Catalog) -> list[tuple[str, str]]:
    """Every translated form beside the source form that it stands for."""
    return [
        (singular_and_plural(message)[min(place, len(singular_and_plural(message)) - 1)], form)
        for message in sentences(catalogue)
        for place, form in enumerate(forms(message))
    ]


def field_names(text: str) -> list[str]:
    """The replacement fields of a str.format text, sorted, with conversion and format."""
    parts = Formatter().parse(text)
    return sorted(f"{name}!{turn}:{spec}" for _, name, spec, turn in parts if name is not None)


def outer_spaces(text: str) -> tuple[str, str]:
    """The spaces before and after a text."""
    return text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]


def closing_mark(text: str) -> str:
    """The last character when it closes a sentence; an ellipsis in either spelling is one mark."""
    end = text.rstrip().replace("...", "…")[-1:]
    return end if end in CLOSING else ""


def test_the_shipped_languages_are_there() -> None:
    assert set(SHIPPED) == {"it", "pt_BR"}
    assert set(SHIPPED) <= set(CATALOGUES)


def test_template_holds_the_sentences_of_the_code() -> None:
    stored = read_catalogue(TEMPLATE)
    assert content(stored) == content(extract_template()), "run `make locales`"
    assert len(list(sentences(stored))) > 30


def test_no_catalogue_lags() -> None:
    assert [str(path.name) for path in lagging(extract_template())] == []


@EVERY_LANGUAGE
def test_header_names_the_language_of_the_folder(language: str) -> None:
    path = shipped_catalogues()[language]
    header = dict(read_catalogue(path).mime_headers)
    assert header["Language"] == language
    assert header["Plural-Forms"] == dict(Catalog(locale=language).mime_headers)["Plural-Forms"]


@EVERY_LANGUAGE
def test_every_sentence_and_plural_form_is_translated(language: str) -> None:
    catalogue = CATALOGUES[language]
    for message in sentences(catalogue):
        expected = catalogue.num_plurals if message.pluralizable else 1
        assert len([form for form in forms(message) if form.strip()]) == expected, message.id


@EVERY_LANGUAGE
def test_nothing_is_fuzzy_or_obsolete(language: str) -> None:
    assert [message.id for message in sentences(CATALOGUES[language]) if message.fuzzy] == []
    assert list(CATALOGUES[language].obsolete) == []


@EVERY_LANGUAGE
def test_fields_are_kept(language: str) -> None:
    for source, form in pairs(CATALOGUES[language]):
        assert field_names(form) == field_names(source), form


@EVERY_LANGUAGE
def test_outer_spaces_and_closing_marks_are_kept(language: str) -> None:
    for source, form in pairs(CATALOGUES[language]):
        assert outer_spaces(form) == outer_spaces(source), form
        assert closing_mark(form) == closing_mark(source), form


@EVERY_LANGUAGE
def test_links_are_kept_and_nothing_is_html(language: str) -> None:
    for source, form in pairs(CATALOGUES[language]):
        assert len(MARKDOWN_LINK.findall(form)) == len(MARKDOWN_LINK.findall(source)), form
        assert not HTML_TAG.search(form), form


@pytest.mark.parametrize(
    ("text", "expected"),
    [("{a} of {b}", ["a!None:", "b!None:"]), ("{{plain}}", []), ("{x:.1f} {x}", ["x!None:", "x!None:.1f"])],
)
def test_field_names_of_known_texts(text: str, expected: list[str]) -> None:
    assert field_names(text) == expected


@pytest.mark.parametrize(("text", "mark"), [("Wait...", "…"), ("Why?", "?"), ("spot", ""), ("Done. ", ".")])
def test_closing_mark_of_known_texts(text: str, mark: str) -> None:
    assert closing_mark(text) == mark


def test_a_broken_catalogue_is_refused(tmp_path: Path) -> None:
    broken = tmp_path / "advisor.po"
    broken.write_text('msgid "a"\nmsgstr "b"\nthis is no catalogue line\n', "utf-8")
    with pytest.raises(PoFileError, match="Unknown or misformatted keyword"):
        read_catalogue(broken, "it")
