"""The colors of the page."""

from __future__ import annotations

import itertools
import math
import re

import pytest
from tinkerformer.theme import COLORS, HEATMAPS, PALETTES, THEMES

STEPS = 160  # as in components/board/paint/color.js

Rgb = tuple[float, float, float]


def rgb(color: str) -> Rgb:
    found = re.fullmatch("#(..)(..)(..)", color)
    assert found
    red, green, blue = (int(part, 16) for part in found.groups())
    return red, green, blue


def mixed(a: Rgb, b: Rgb, share: float) -> Rgb:
    red, green, blue = (round(x + (y - x) * share) for x, y in zip(a, b, strict=True))
    return red, green, blue


def luminance(color: Rgb) -> float:
    """The relative luminance of WCAG 2.2."""
    parts = (x / 255 for x in color)
    linear = [x / 12.92 if x <= 0.03928 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: Rgb, b: Rgb) -> float:
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(("palette", "theme"), [*itertools.product(PALETTES, THEMES)])
def test_every_shade_of_a_cell_has_an_ink_that_can_be_read(palette: str, theme: str) -> None:
    ends, inks = HEATMAPS[palette][theme], ("cell-ink", "cell-ink-inverse")
    for end in ("positive", "negative", "share"):
        for step in range(STEPS + 1):
            ground = mixed(rgb(ends["zero"]), rgb(ends[end]), step / STEPS)
            best = max(contrast(ground, rgb(COLORS[theme][ink])) for ink in inks)
            assert best >= 4.5, (end, step)


@pytest.mark.parametrize(("palette", "theme"), [*itertools.product(PALETTES, THEMES)])
def test_an_ordinary_weight_stands_out_from_the_page(palette: str, theme: str) -> None:
    ends = HEATMAPS[palette][theme]
    share = math.sin(math.pi / 2 * math.sqrt(1 / 10))  # of a 1 on the scale up to 10
    for end in ("positive", "negative"):
        ground = mixed(rgb(ends["zero"]), rgb(ends[end]), share)
        assert contrast(ground, rgb(COLORS[theme]["paper"])) >= 2, end


@pytest.mark.parametrize("theme", THEMES)
def test_text_can_be_read_on_every_ground(theme: str) -> None:
    colors = COLORS[theme]
    for ground in ("paper", "card", "soft"):
        for ink in ("ink", "muted", "operand-ink", "warning"):
            assert contrast(rgb(colors[ground]), rgb(colors[ink])) >= 4.5, (ground, ink)
    # the digits of what is too small for them, and the cross of what is masked
    for palette in PALETTES:
        zero = rgb(HEATMAPS[palette][theme]["zero"])
        assert contrast(zero, rgb(colors["muted"])) >= 4.5
        assert contrast(mixed(zero, rgb(colors["muted"]), 0.3), rgb(colors["muted"])) >= 2.9


def test_the_fixed_scale_ends_in_pure_blue_and_red() -> None:
    light = HEATMAPS["blue-red"]["light"]
    assert (light["positive"], light["negative"]) == ("#0000ff", "#ff0000")
