"""Every pair of colours that carries meaning reaches WCAG AA, in both themes.

Floors: WCAG 2.2, 1.4.3 (4.5 for text) and 1.4.11 (3 for graphics). The expected ratios are those the
design was agreed on; a changed colour must bring its new ratio here.
"""

import itertools
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

CONFIG = Path(__file__).parent.parent / ".streamlit" / "config.toml"
THEMES: dict[str, dict[str, Any]] = tomllib.loads(CONFIG.read_text("utf-8"))["theme"]
BOTH = pytest.mark.parametrize("theme", ["light", "dark"])

TEXT_FLOOR = 4.5
GRAPHIC_FLOOR = 3.0
FADE = 0.6
"""Opacity at which Streamlit draws captions and compact expanders, whatever colour is set."""
SELECTION_TINT = 0.1
"""Opacity of the primary colour behind a selected option."""

ROLES = ("blue", "orange", "green", "grey", "ink", "mute", "line", "ground")
HUES = ("blue", "orange", "green", "grey")
NAMED = ("green", "blue", "orange", "yellow", "red", "gray")

Colour = npt.NDArray[np.float64]


def srgb(code: str) -> Colour:
    """Parse #RRGGBB into three shares between 0 and 1."""
    return np.array([int(code[start : start + 2], 16) / 255 for start in (1, 3, 5)])


def linear(colour: Colour) -> Colour:
    """Undo the sRGB transfer curve (IEC 61966-2-1)."""
    return np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)


def luminance(colour: Colour) -> float:
    """Relative luminance as WCAG 2.2 defines it."""
    return float(linear(colour) @ np.array([0.2126, 0.7152, 0.0722]))


def over(front: Colour, opacity: float, back: Colour) -> Colour:
    """Mix a translucent colour over an opaque one and round to 8 bits, as a browser does."""
    return np.rint(255 * (opacity * front + (1 - opacity) * back)) / 255


def contrast(one: Colour, other: Colour) -> float:
    """Contrast ratio of WCAG 2.2, from 1 to 21."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def colours(theme: str) -> dict[str, Colour]:
    """All single colours of a theme by their option name, and the chart colours by role."""
    options = THEMES[theme]
    single = {name: srgb(value) for name, value in options.items() if isinstance(value, str)}
    charts = dict(zip(ROLES, map(srgb, options["chartCategoricalColors"]), strict=True))
    return single | charts


def test_contrast_of_known_pairs() -> None:
    assert contrast(srgb("#000000"), srgb("#FFFFFF")) == pytest.approx(21.0)
    assert contrast(srgb("#767676"), srgb("#FFFFFF")) == pytest.approx(4.54, abs=0.005)


@BOTH
def test_body_text_on_page_and_fields(theme: str) -> None:
    palette = colours(theme)
    for ground in ("backgroundColor", "secondaryBackgroundColor"):
        assert contrast(palette["textColor"], palette[ground]) >= 7.0
        faded = over(palette["textColor"], FADE, palette[ground])
        assert contrast(faded, palette[ground]) >= TEXT_FLOOR
        assert contrast(palette["grayTextColor"], palette[ground]) >= TEXT_FLOOR


@BOTH
def test_links_and_selection(theme: str) -> None:
    palette = colours(theme)
    ground = palette["backgroundColor"]
    assert contrast(palette["linkColor"], ground) >= TEXT_FLOOR
    assert contrast(palette["primaryColor"], ground) >= TEXT_FLOOR
    tint = over(palette["primaryColor"], SELECTION_TINT, ground)
    assert contrast(palette["primaryColor"], tint) >= TEXT_FLOOR
    assert contrast(srgb("#FFFFFF"), palette["primaryColor"]) >= GRAPHIC_FLOOR, "tick in a box"


@BOTH
@pytest.mark.parametrize("name", NAMED)
def test_coloured_text_on_its_own_ground(theme: str, name: str) -> None:
    palette = colours(theme)
    text = palette[f"{name}TextColor"]
    assert contrast(text, palette[f"{name}BackgroundColor"]) >= TEXT_FLOOR
    assert contrast(text, palette["backgroundColor"]) >= TEXT_FLOOR


@BOTH
def test_chart_colours_on_the_page(theme: str) -> None:
    palette = colours(theme)
    ground = palette["backgroundColor"]
    assert np.array_equal(palette["ground"], ground), "the halo must vanish into the page"
    assert np.array_equal(palette["ink"], palette["textColor"])
    assert np.array_equal(palette["mute"], palette["grayTextColor"])
    for role in (*HUES, "line"):
        assert contrast(palette[role], ground) >= GRAPHIC_FLOOR, role
    for role in ("ink", "mute"):
        assert contrast(palette[role], ground) >= TEXT_FLOOR, role


@pytest.mark.parametrize(
    ("theme", "front", "back", "expected"),
    [
        ("light", "textColor", "backgroundColor", 17.87),
        ("light", "grayTextColor", "backgroundColor", 6.39),
        ("light", "primaryColor", "backgroundColor", 6.29),
        ("light", "greenTextColor", "greenBackgroundColor", 7.10),
        ("light", "orangeTextColor", "orangeBackgroundColor", 6.53),
        ("light", "redTextColor", "redBackgroundColor", 6.27),
        ("light", "orange", "backgroundColor", 3.63),
        ("light", "green", "backgroundColor", 3.24),
        ("light", "line", "backgroundColor", 3.04),
        ("dark", "textColor", "backgroundColor", 14.75),
        ("dark", "textColor", "secondaryBackgroundColor", 12.77),
        ("dark", "grayTextColor", "backgroundColor", 8.39),
        ("dark", "primaryColor", "backgroundColor", 5.53),
        ("dark", "linkColor", "backgroundColor", 9.58),
        ("dark", "blueTextColor", "blueBackgroundColor", 8.43),
        ("dark", "grey", "backgroundColor", 4.56),
        ("dark", "line", "backgroundColor", 3.90),
    ],
)
def test_ratio_is_the_designed_one(theme: str, front: str, back: str, expected: float) -> None:
    palette = colours(theme)
    assert contrast(palette[front], palette[back]) == pytest.approx(expected, abs=0.0051)


@pytest.mark.parametrize(
    ("theme", "on_page", "on_fields", "on_tint"), [("light", 4.71, 4.57, 5.43), ("dark", 5.99, 5.51, 4.87)]
)
def test_faded_text_and_tinted_selection_are_the_designed_ones(
    theme: str, on_page: float, on_fields: float, on_tint: float
) -> None:
    palette = colours(theme)
    ground, fields = palette["backgroundColor"], palette["secondaryBackgroundColor"]
    tint = over(palette["primaryColor"], SELECTION_TINT, ground)
    assert contrast(over(palette["textColor"], FADE, ground), ground) == pytest.approx(on_page, abs=0.0051)
    assert contrast(over(palette["textColor"], FADE, fields), fields) == pytest.approx(on_fields, abs=0.0051)
    assert contrast(palette["primaryColor"], tint) == pytest.approx(on_tint, abs=0.0051)


# Machado, Oliveira and Fernandes 2009, severity 1.0, on linear RGB.
COLOUR_BLINDNESS = {
    "protan": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deutan": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritan": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
RGB_TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
WHITE_D65 = np.array([0.95047, 1.0, 1.08883])


def lab(linear_rgb: Colour) -> Colour:
    """CIELAB of a linear RGB colour under D65."""
    ratio = RGB_TO_XYZ @ np.clip(linear_rgb, 0, 1) / WHITE_D65
    x, y, z = np.where(ratio > (6 / 29) ** 3, np.cbrt(ratio), ratio * (29 / 6) ** 2 / 3 + 4 / 29)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize(
    ("theme", "kind", "expected"),
    [
        ("light", "protan", 25),
        ("light", "deutan", 18),
        ("light", "tritan", 20),
        ("dark", "protan", 32),
        ("dark", "deutan", 29),
        ("dark", "tritan", 20),
    ],
)
def test_chart_hues_stay_apart_for_colour_blind_readers(theme: str, kind: str, expected: int) -> None:
    palette = colours(theme)
    seen = [lab(np.array(COLOUR_BLINDNESS[kind]) @ linear(palette[hue])) for hue in HUES]
    distances = [float(np.linalg.norm(one - other)) for one, other in itertools.combinations(seen, 2)]
    assert round(min(distances)) == expected, "CIE76 distance of the closest pair"
