"""Contrast of the palette, WCAG 2.2: 4.5 for text, 3 for graphics, in light, dark and print."""

import re
from importlib.resources import files

import pytest

CSS = (files("dpspin.public.report") / "templates" / "report.css").read_text(encoding="utf-8")
PALETTES = dict(
    zip(
        ("light", "dark", "print"),
        [
            dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", block))
            for block in re.findall(r":root \{(.*?)\}", CSS, re.DOTALL)
        ],
        strict=True,
    )
)
TEXT = [
    *((ink, ground) for ink in ("ink", "quiet", "accent") for ground in ("paper", "card", "tint")),
    ("quiet", "band"),
    ("on-banner", "banner"),
    ("alarm", "card"),
]
GRAPHICS = [
    ("bar", "paper"),
    ("bar", "band"),
    ("bar", "tint"),
    ("ink", "card"),
    ("card", "bar"),
    ("card", "area"),
    ("accent", "band"),
    ("alarm", "paper"),
]


def luminance(colour):
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(a, b):
    dark, light = sorted((luminance(a), luminance(b)))
    return (light + 0.05) / (dark + 0.05)


def test_black_on_white_is_twenty_one():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("palette", PALETTES)
@pytest.mark.parametrize(("ink", "ground"), TEXT)
def test_text_can_be_read(palette, ink, ground):
    assert contrast(PALETTES[palette][ink], PALETTES[palette][ground]) >= 4.5


@pytest.mark.parametrize("palette", PALETTES)
@pytest.mark.parametrize(("shape", "ground"), GRAPHICS)
def test_shapes_can_be_seen(palette, shape, ground):
    assert contrast(PALETTES[palette][shape], PALETTES[palette][ground]) >= 3


def test_every_colour_that_is_used_is_in_every_palette():
    used = set(re.findall(r"var\(--([a-z-]+)\)", CSS))
    assert all(used == set(palette) for palette in PALETTES.values())
