"""The reader's language: which catalogues exist, which one a reader gets, and the translator of the running page.

English is the source text. Catalogues are `.po` files, compiled in memory once per language. The translator of a page
run is held in a context variable, because visitors run in threads: nothing is installed globally.
"""

import functools
import gettext as gettext_module
import io
from collections.abc import Iterable
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

from babel import Locale, UnknownLocaleError
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from advisor.paths import locales_folder

SOURCE = "en"
CATALOGUE = Path("LC_MESSAGES") / "advisor.po"


@dataclass(frozen=True)
class Language:
    """One language of the page: its tag in the address, its locale, its own name, its catalogue (None for English)."""

    tag: str
    locale: Locale
    own_name: str
    catalogue: Path | None


@dataclass(frozen=True)
class Translator:
    """Sentences of one language."""

    language: Language
    catalogue: gettext_module.NullTranslations

    def gettext(self, text: str) -> str:
        """Return the sentence in the reader's language; the empty string stays empty."""
        return self.catalogue.gettext(text) if text else text

    def ngettext(self, singular: str, plural: str, number: float) -> str:
        """Return the form for a number; a fraction takes the plural."""
        whole = int(number) if number == int(number) else 2
        return self.catalogue.ngettext(singular, plural, whole)

    def pgettext(self, context: str, text: str) -> str:
        """Return a short word whose meaning the context tells apart."""
        return self.catalogue.pgettext(context, text)


@functools.lru_cache(maxsize=4)
def shipped_languages(folder: Path | None = None) -> tuple[Language, ...]:
    """Return English and every language with a catalogue, by own name; folder: by default the product's."""
    folder = folder or locales_folder()
    languages = [_language(SOURCE, None)]
    for path in sorted(folder.glob(f"*/{CATALOGUE}")):
        languages.append(_language(path.parent.parent.name, path))
    return tuple(sorted(languages, key=lambda language: language.own_name))


def _language(folder_name: str, catalogue: Path | None) -> Language:
    locale = Locale.parse(folder_name)
    own_name = (locale.get_language_name(locale) or folder_name).capitalize()
    return Language(folder_name.replace("_", "-"), locale, own_name, catalogue)


def negotiate(wanted: Iterable[str | None]) -> Language:
    """Return the language for the first wish that can be met: the exact tag, else the same language; else English.

    wanted: tags as browsers and people write them, best first; unknown and hostile ones are passed over.
    """
    languages = shipped_languages()
    for tag in wanted:
        found = _closest(tag, languages) if tag else None
        if found is not None:
            return found
    return next(language for language in languages if language.tag == SOURCE)


def _closest(tag: str, languages: tuple[Language, ...]) -> Language | None:
    try:
        wish = Locale.parse(tag.strip().replace("-", "_"))
    except (ValueError, UnknownLocaleError, TypeError):
        return None
    same = [language for language in languages if language.locale.language == wish.language]
    exact = [language for language in same if language.locale.territory == wish.territory]
    return next(iter(exact + same), None)


def accepted_tags(header: str | None) -> list[str]:
    """Return the tags of an Accept-Language header, best first; q=0 means not wanted."""
    weighted = []
    for place, part in enumerate((header or "")[:1_000].split(",")):
        tag, _, quality = part.partition(";")
        weight = _quality(quality)
        if tag.strip() and weight > 0:
            weighted.append((-weight, place, tag.strip()))
    return [tag for _, _, tag in sorted(weighted)]


def _quality(text: str) -> float:
    _, _, number = text.strip().partition("=")
    try:
        return float(number) if number else 1.0
    except ValueError:
        return 0.0


@functools.lru_cache(maxsize=32)
def translator(language: Language) -> Translator:
    """Return the sentences of a language, compiled from its catalogue once per process."""
    if language.catalogue is None:
        return Translator(language, gettext_module.NullTranslations())
    with language.catalogue.open("rb") as file:
        catalogue = read_po(file, locale=str(language.locale))
    compiled = io.BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return Translator(language, gettext_module.GNUTranslations(compiled))


_current: ContextVar[Translator] = ContextVar("translator")


def use(language: Language) -> None:
    """Make a language that of this page run."""
    _current.set(translator(language))


def current() -> Translator:
    """Return the translator of this page run; English where none was chosen."""
    return _current.get(None) or translator(negotiate(()))


def current_locale() -> Locale:
    """Return the locale of this page run."""
    return current().language.locale


def _(text: str) -> str:
    """Return a sentence in the reader's language."""
    return current().gettext(text)


def ngettext(singular: str, plural: str, number: float) -> str:
    """Return the sentence for a number in the reader's language."""
    return current().ngettext(singular, plural, number)


def pgettext(context: str, text: str) -> str:
    """Return a short word, told apart by its context, in the reader's language."""
    return current().pgettext(context, text)
