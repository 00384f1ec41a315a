import itertools
import math
import re
from pathlib import Path

import pytest
from tinkerformer.theme import COLORS, FADING, HEADS, HEATMAPS, PALETTES, THEMES

APP = Path(__file__).parents[2] / "app"
STEPS = 160  # as in board/paint/color.js

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
    share = math.sin(math.pi / 2 * math.sqrt(1 / 10))  # for the value 1 on the scale up to 10
    for end in ("positive", "negative"):
        ground = mixed(rgb(ends["zero"]), rgb(ends[end]), share ** FADING[theme])
        assert contrast(ground, rgb(COLORS[theme]["paper"])) >= 2, end


@pytest.mark.parametrize("palette", PALETTES)
def test_strong_weights_are_visible_in_the_dark_beside_a_row_in_focus(palette: str) -> None:
    ends, paper = HEATMAPS[palette]["dark"], rgb(COLORS["dark"]["paper"])
    share = math.sin(math.pi / 2 * math.sqrt(2.5 / 10))  # for the value 2.5 on the scale up to 10
    shown = 0.55 ** FADING["dark"]  # the opacity of a weight: WEIGHTS in board/focus/emphasis.js
    for end in ("positive", "negative"):
        ground = mixed(rgb(ends["zero"]), rgb(ends[end]), share ** FADING["dark"])
        assert contrast(mixed(paper, ground, shown), paper) >= 2.6, end
        faint = contrast(mixed(paper, ground, 0.2 ** FADING["dark"]), paper)
        assert faint >= 1.6, end
        assert contrast(ground, paper) >= 2.4 * faint, "what is in focus stands out"
        assert contrast(ground, paper) >= 4, end


@pytest.mark.parametrize("end", ["positive", "negative"])
def test_an_ordinary_number_is_as_colorful_in_the_dark_as_in_the_light(end: str) -> None:
    """By the distance from gray; the strongest blue of a screen is too dark for a dark page."""
    share = math.sin(math.pi / 2 * math.sqrt(0.3 / 10))
    light, dark = (HEATMAPS["blue-red"][theme] for theme in THEMES)
    of_light = seen(mixed(rgb(light["zero"]), rgb(light[end]), share), IDENTITY)
    of_dark = seen(mixed(rgb(dark["zero"]), rgb(dark[end]), share ** FADING["dark"]), IDENTITY)
    assert math.hypot(*of_dark[1:]) >= 0.9 * math.hypot(*of_light[1:])


@pytest.mark.parametrize("theme", THEMES)
def test_text_can_be_read_on_every_ground(theme: str) -> None:
    colors = COLORS[theme]
    for ground in ("paper", "card", "soft"):
        for ink in ("ink", "muted", "operand-ink", "warning"):
            assert contrast(rgb(colors[ground]), rgb(colors[ink])) >= 4.5, (ground, ink)
    # The digits of numbers that are rounded to 0, and the cross of masked cells.
    for palette in PALETTES:
        zero = rgb(HEATMAPS[palette][theme]["zero"])
        assert contrast(zero, rgb(colors["muted"])) >= 4.5
        assert contrast(mixed(zero, rgb(colors["muted"]), 0.3), rgb(colors["muted"])) >= 2.9


def test_the_fixed_scale_ends_in_pure_blue_and_red() -> None:
    light = HEATMAPS["blue-red"]["light"]
    assert (light["positive"], light["negative"]) == ("#0000ff", "#ff0000")


# The red, green and blue (linear light) that eyes without one kind of cone cells see: Machado,
# Oliveira and Fernandes (2009), "A Physiologically-based Model for Simulation of Color Vision
# Deficiency", severity 1.
SEEN_WITHOUT = {
    "red cones": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "green cones": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "blue cones": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def seen(color: Rgb, matrix: tuple[Rgb, ...]) -> Rgb:
    """Return a color in CIE Lab, as eyes with this matrix see it."""
    linear = [_linear(x / 255) for x in color]
    red, green, blue = (
        min(1.0, max(0.0, sum(m * x for m, x in zip(row, linear, strict=True)))) for row in matrix
    )
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    a, b, c = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in (x, y, z))
    return 116 * b - 16, 500 * (a - b), 200 * (b - c)


def _linear(x: float) -> float:
    return x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4


@pytest.mark.parametrize("without", SEEN_WITHOUT)
@pytest.mark.parametrize("theme", THEMES)
def test_the_safe_palette_distinguishes_signs_for_every_eye(theme: str, without: str) -> None:
    ends = HEATMAPS["safe"][theme]
    for step in range(STEPS // 4, STEPS + 1):  # nearer to zero, both signs look alike on purpose
        positive, negative = (
            seen(mixed(rgb(ends["zero"]), rgb(ends[end]), step / STEPS), SEEN_WITHOUT[without])
            for end in ("positive", "negative")
        )
        assert math.dist(positive, negative) >= 15, step


IDENTITY = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@pytest.mark.parametrize(("palette", "theme"), [*itertools.product(PALETTES, THEMES)])
def test_heads_have_hues_that_every_eye_distinguishes(palette: str, theme: str) -> None:
    """They differ from the colors of signs and the accent, and are visible on every background."""
    heads, colors = [rgb(color) for color in HEADS[palette][theme]], COLORS[theme]
    ends = HEATMAPS[palette][theme]
    others = (ends["positive"], ends["negative"], colors["accent"])
    for head in heads:
        for ground in ("paper", "card", "soft", "block-attention"):
            assert contrast(head, rgb(colors[ground])) >= 3, (head, ground)
        for other in others:
            assert math.dist(seen(head, IDENTITY), seen(rgb(other), IDENTITY)) >= 30, (head, other)
    assert len(heads) == 8
    for eyes, least in ((IDENTITY, 12), *((eyes, 8) for eyes in SEEN_WITHOUT.values())):
        found = [seen(head, eyes) for head in heads]
        apart = [math.dist(a, b) for a, b in itertools.combinations(found, 2)]
        assert min(apart) >= least, eyes
        assert math.dist(*found[:2]) >= 2 * least, "most models have two"


@pytest.mark.parametrize(("palette", "theme"), [*itertools.product(PALETTES, THEMES)])
def test_the_hues_of_eight_heads_differ_and_none_is_gray(palette: str, theme: str) -> None:
    labs = [seen(rgb(color), IDENTITY) for color in HEADS[palette][theme]]
    hues = sorted(math.degrees(math.atan2(b, a)) % 360 for _, a, b in labs)
    apart = [(b - a) % 360 for a, b in itertools.pairwise([*hues, hues[0]])]
    assert min(apart) >= 18, hues
    assert min(math.hypot(a, b) for _, a, b in labs) >= 24, "gray would be no hue"


@pytest.mark.parametrize(("palette", "theme"), [*itertools.product(PALETTES, THEMES)])
def test_digits_can_be_read_in_a_row_that_is_not_in_focus(palette: str, theme: str) -> None:
    source = (APP / "board/paint/color.js").read_text(encoding="utf-8")
    least = re.search(r"export const READABLE = ([0-9.]+);", source)
    assert least
    left = float(least[1]) ** FADING[theme]  # the opacity of a cell over the paper
    ends, paper = HEATMAPS[palette][theme], rgb(COLORS[theme]["paper"])
    inks = [rgb(COLORS[theme][ink]) for ink in ("cell-ink", "cell-ink-inverse")]
    for end in ("positive", "negative", "share"):
        for step in range(STEPS + 1):
            ground = mixed(rgb(ends["zero"]), rgb(ends[end]), step / STEPS)
            shown = max(contrast(mixed(paper, ground, left), ink) for ink in inks)
            assert shown >= 4.5, (end, step)


def test_the_simulation_confuses_red_and_green_of_the_same_lightness() -> None:
    """If it did not, the test of the safe palette would prove nothing."""
    red, green = rgb("#b35c44"), rgb("#7d7a3e")
    without = SEEN_WITHOUT["green cones"]
    assert math.dist(seen(red, IDENTITY), seen(green, IDENTITY)) > 30
    assert math.dist(seen(red, without), seen(green, without)) < 15


@pytest.mark.parametrize("sheet", sorted(str(each.relative_to(APP)) for each in APP.rglob("*.css")))
def test_a_style_sheet_has_only_colors_of_the_theme(sheet: str) -> None:
    declarations = re.split("[;{}]", (APP / sheet).read_text(encoding="utf-8"))
    # The color of a mask is its opacity.
    drawn = [each for each in declarations if not each.strip().startswith("mask")]
    assert [each for each in drawn if re.search(r":[^#]*#[0-9a-fA-F]{3,8}\b", each)] == []
