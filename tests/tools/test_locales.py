"""Catalogues follow the code without losing what still holds or keeping what does not."""

from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from tools import locales


@pytest.fixture
def template() -> Catalog:
    """A small template: one sentence, one with plural, one word in two meanings."""
    catalogue = locales.new_catalogue("Template")
    catalogue.add("It fits.", auto_comments=["a comment that is long enough to be broken over lines " * 3])
    catalogue.add(("{count} offer", "{count} offers"))
    catalogue.add("Open", context="verb")
    catalogue.add("Open", context="state")
    return catalogue


def italian(template: Catalog) -> Catalog:
    """A complete Italian catalogue of the small template."""
    catalogue = locales.brought_in_step(Catalog(locale="it"), template)
    translations: dict[tuple[str, str | None], str | tuple[str, ...]] = {
        ("It fits.", None): "Ci sta.",
        ("{count} offer", None): ("{count} offerta", "{count} di offerte", "{count} offerte"),
        ("Open", "verb"): "Apri",
        ("Open", "state"): "Aperto",
    }
    for (text, context), translation in translations.items():
        message = catalogue.get(text, context)
        assert message is not None
        message.string = translation
    return catalogue


def stored(catalogue: Catalog, folder: Path) -> Catalog:
    """Write a catalogue and read it back."""
    path = folder / "advisor.po"
    path.write_bytes(locales.to_bytes(catalogue))
    return locales.read_catalogue(path, "it")


def test_what_is_written_reads_back_the_same(template: Catalog, tmp_path: Path) -> None:
    catalogue = italian(template)
    assert locales.content(stored(catalogue, tmp_path)) == locales.content(catalogue)
    assert locales.to_bytes(catalogue) == locales.to_bytes(catalogue)


def test_translations_survive_an_update(template: Catalog, tmp_path: Path) -> None:
    before = stored(italian(template), tmp_path)
    after = locales.brought_in_step(before, template)
    assert locales.content(after) == locales.content(before)
    assert locales.untranslated(after) == 0
    word = after.get("Open", "state")
    assert word is not None
    assert word.string == "Aperto"


def test_a_changed_sentence_comes_back_empty(template: Catalog, tmp_path: Path) -> None:
    before = stored(italian(template), tmp_path)
    template.delete("It fits.")
    template.add("It fits well.")
    after = locales.brought_in_step(before, template)
    assert after.get("It fits.") is None
    assert locales.untranslated(after) == 1


def test_a_changed_plural_comes_back_empty(template: Catalog, tmp_path: Path) -> None:
    before = stored(italian(template), tmp_path)
    template.delete("{count} offer")
    template.add(("{count} offer", "{count} good offers"))
    assert locales.untranslated(locales.brought_in_step(before, template)) == 1


def test_a_missing_plural_form_counts_as_untranslated(template: Catalog) -> None:
    catalogue = italian(template)
    message = catalogue.get("{count} offer")
    assert message is not None
    message.string = ("{count} offerta", "", "{count} offerte")
    assert locales.untranslated(catalogue) == 1


def test_lagging_names_every_file_until_it_is_written(template: Catalog, tmp_path: Path) -> None:
    behind = locales.lagging(template, tmp_path)
    assert {path.relative_to(tmp_path).as_posix() for path in behind} == {
        "advisor.pot",
        "it/LC_MESSAGES/advisor.po",
        "pt_BR/LC_MESSAGES/advisor.po",
    }
    for path, catalogue in behind.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(locales.to_bytes(catalogue))
    assert locales.lagging(template, tmp_path) == {}


def test_extraction_finds_marked_sentences_and_their_comments(tmp_path: Path) -> None:
    (tmp_path / "babel.cfg").write_text("[python: **.py]\n", "utf-8")
    (tmp_path / "module.py").write_text(
        "# Translators: on a button\n"
        'a = _("Share")\n'
        'b = ngettext("{n} card", "{n} cards", n)\n'
        'c = pgettext("state", "Open")\n'
        'd = N_("later")\n'
        'e = other("not this")\n',
        "utf-8",
    )
    template = locales.extract_template(tmp_path)
    found = {(message.id, message.context) for message in locales.sentences(template)}
    assert found == {("Share", None), (("{n} card", "{n} cards"), None), ("Open", "state"), ("later", None)}
    share = template.get("Share")
    assert share is not None
    assert share.auto_comments == ["on a button"]
