"""Keep the language catalogues in step with the code.

    python -m tools.locales update     collect the marked sentences, bring template and catalogues in step
    python -m tools.locales check      the same without writing; exit status 1 when something lags
    python -m tools.locales add es     begin the catalogue of one more language

Only .po files exist: the product reads them itself, so nothing is compiled. A sentence that changed comes
back empty and is translated anew: no fuzzy matches, no obsolete entries (the history has the old wording).
"""

import argparse
import io
import sys
from collections.abc import Iterator
from pathlib import Path

from babel import Locale
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
LOCALES = ROOT / "locales"
TEMPLATE = LOCALES / "advisor.pot"
SHIPPED = ("it", "pt_BR")

KEYWORDS: dict[str, tuple[int | tuple[int, str], ...] | None] = {
    "_": None,
    "N_": None,
    "gettext": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
}
TRANSLATOR_COMMENTS = ("Translators:",)
HEADER = "# {title} of the GPU advisor.\n# Distributed under the licence of the project, Apache-2.0."


def catalogue_path(language: str, folder: Path = LOCALES) -> Path:
    """Return where the catalogue of a language lies; language: a folder name such as pt_BR."""
    return folder / language / "LC_MESSAGES" / "advisor.po"


def shipped_catalogues(folder: Path = LOCALES) -> dict[str, Path]:
    """Return the path of every catalogue by its folder name."""
    return {path.parent.parent.name: path for path in sorted(folder.glob("*/LC_MESSAGES/advisor.po"))}


def read_catalogue(path: Path, language: str | None = None) -> Catalog:
    """Read a .po or .pot file; raises babel.messages.pofile.PoFileError for a broken line."""
    with path.open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


def new_catalogue(title: str, language: str | None = None) -> Catalog:
    """Return an empty catalogue with the project's own header."""
    return Catalog(
        locale=language,
        project="gpu-advisor",
        version="0.1",
        header_comment=HEADER.format(title=title),
        last_translator="the contributors",
        language_team="the contributors",
        msgid_bugs_address="the issue tracker of the project",
        fuzzy=False,
    )


def extract_template(root: Path = ROOT) -> Catalog:
    """Collect every marked sentence of the code."""
    with (root / "babel.cfg").open(encoding="utf-8") as file:
        methods, options = parse_mapping_cfg(file)  # type: ignore[no-untyped-call]
    template = new_catalogue("Template for translations")
    for _, _, text, comments, context in extract_from_dir(
        root, methods, options, KEYWORDS, TRANSLATOR_COMMENTS, strip_comment_tags=True
    ):
        template.add(text, auto_comments=comments, context=context)
    return template


def sentences(catalogue: Catalog) -> Iterator[Message]:
    """Yield the messages without the header."""
    return (message for message in catalogue if message.id)


def forms(message: Message) -> tuple[str, ...]:
    """Return the translation, one string for each plural form; nothing when none is filled."""
    strings = tuple(message.string) if isinstance(message.string, (list, tuple)) else (message.string or "",)
    return strings if any(strings) else ()


def content(catalogue: Catalog) -> list[tuple[object, ...]]:
    """Return everything that counts for a comparison; dates of the header and line breaks do not."""
    entries = (
        (m.context or "", m.id, forms(m), m.fuzzy, " ".join(" ".join(m.auto_comments).split()))
        for m in sentences(catalogue)
    )
    return sorted(entries, key=str)


def brought_in_step(catalogue: Catalog, template: Catalog) -> Catalog:
    """Return the template's sentences with the translations of the catalogue that still belong to them."""
    language = catalogue.locale_identifier or ""
    result = new_catalogue(f"Translation into {Locale.parse(language).english_name}", language)
    for message in sentences(template):
        known = catalogue.get(message.id, message.context)
        kept = known if known and known.id == message.id else message
        result.add(
            message.id,
            kept.string,
            auto_comments=message.auto_comments,
            user_comments=kept.user_comments,
            context=message.context,
        )
    return result


def to_bytes(catalogue: Catalog) -> bytes:
    """Return the text of a .po file, sorted and without line numbers: a difference is about a sentence."""
    buffer = io.BytesIO()
    write_po(buffer, catalogue, no_location=True, sort_output=True, width=110)
    return buffer.getvalue()


def lagging(template: Catalog, folder: Path = LOCALES) -> dict[Path, Catalog]:
    """Return what each file that is out of step should hold."""
    stored = folder / TEMPLATE.name
    found = (
        {} if stored.exists() and content(read_catalogue(stored)) == content(template) else {stored: template}
    )
    for language in sorted({*SHIPPED, *shipped_catalogues(folder)}):
        path = catalogue_path(language, folder)
        old = read_catalogue(path, language) if path.exists() else Catalog(locale=language)
        new = brought_in_step(old, template)
        if not path.exists() or old.obsolete or content(old) != content(new):
            found[path] = new
    return found


def untranslated(catalogue: Catalog) -> int:
    """Count the sentences that lack a translation or one of its plural forms."""
    return sum(not forms(message) or not all(forms(message)) for message in sentences(catalogue))


def update(folder: Path = LOCALES) -> None:
    """Write every file that is out of step and say how much is left to translate."""
    for path, catalogue in lagging(extract_template(), folder).items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(to_bytes(catalogue))
        print(f"written: {path.relative_to(folder.parent)}")
    for language, path in shipped_catalogues(folder).items():
        print(f"{language}: {untranslated(read_catalogue(path, language))} sentences to translate")


def check(folder: Path = LOCALES) -> bool:
    """Say which files are out of step; true when none is."""
    behind = lagging(extract_template(), folder)
    for path in behind:
        print(
            f"out of step with the code: {path.relative_to(folder.parent)}; run `make locales`",
            file=sys.stderr,
        )
    return not behind


def main(arguments: list[str] | None = None) -> int:
    """Run one of the three commands; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.locales", description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("update", help="bring template and catalogues in step with the code")
    commands.add_parser("check", help="exit with 1 when something is out of step")
    commands.add_parser("add", help="begin a language").add_argument("language", help="such as es or pt_PT")
    chosen = parser.parse_args(arguments)
    if chosen.command == "check":
        return 0 if check() else 1
    if chosen.command == "add":
        catalogue_path(chosen.language).parent.mkdir(parents=True, exist_ok=True)
        catalogue_path(chosen.language).write_bytes(to_bytes(new_catalogue("", chosen.language)))
    update()
    return 0


if __name__ == "__main__":
    sys.exit(main())
