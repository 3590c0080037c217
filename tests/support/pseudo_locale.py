"""A made-up translation of every sentence: accented, 30 % longer, fields, links and icons untouched.

A page drawn in it shows two faults at a glance: plain English is text that never reaches the translators,
and a broken line or a cut label is a layout that only English fits.
"""

import math
import re
from pathlib import Path

from babel.messages.catalog import Catalog

from tools.locales import catalogue_path, extract_template, new_catalogue, sentences, to_bytes

LANGUAGE = "eo"
"""Esperanto: a language that Babel knows numbers, dates and plurals for and that is not shipped."""

LENGTHENING = 0.3
PLAIN = "abcdefghijklmnopqrstuvwxyz"
ACCENTS = "åƀçđéƒĝĥîĵķļɱñøþɋřšţüṽŵẋýž"
ACCENTED = str.maketrans(PLAIN + PLAIN.upper(), ACCENTS + ACCENTS.upper())
"""No plain letter is left: whatever still shows one never went through the translation."""
VOWELS = "åéîøü"
# Format fields, escaped braces, markdown link targets, icons and colour names, code, addresses.
KEPT = re.compile(r"(\{\{|\}\}|\{[^{}]*\}|\]\([^)]*\)|:[a-z_/]+(?::|\[)|`[^`]*`|https?://\S+)")


def pseudo(text: str) -> str:
    """Return the text accented and 30 % longer, everything that is not language left as it was."""
    pieces = KEPT.split(text)
    prose = "".join(pieces[::2]).translate(ACCENTED)
    missing = math.ceil(len(prose.strip()) * LENGTHENING)
    vowels = sum(letter in VOWELS for letter in prose.lower())
    share = math.ceil(missing / max(vowels, 1))
    for place in range(0, len(pieces), 2):
        pieces[place], missing = lengthened(pieces[place].translate(ACCENTED), missing, share)
    return "".join(pieces)


def lengthened(text: str, missing: int, share: int) -> tuple[str, int]:
    """Repeat vowels, each `share` times more, until nothing is missing; returns text and what still is."""
    letters = []
    for letter in text:
        more = min(missing, share) if letter.lower() in VOWELS else 0
        letters.append(letter + letter.lower() * more)
        missing -= more
    return "".join(letters), missing


def pseudo_catalogue(template: Catalog) -> Catalog:
    """Return the catalogue of the made-up language for every sentence of a template."""
    catalogue = new_catalogue("Pseudo-translation", LANGUAGE)
    for message in sentences(template):
        plural = not isinstance(message.id, str)
        string = tuple(pseudo(form) for form in message.id) if plural else pseudo(str(message.id))
        catalogue.add(message.id, string, context=message.context)
    return catalogue


def write_pseudo_locale(folder: Path) -> Path:
    """Write the catalogue below a locales folder as a shipped language has it; returns its path."""
    path = catalogue_path(LANGUAGE, folder)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(to_bytes(pseudo_catalogue(extract_template())))
    return path
