"""Defines all colors and fonts of the page.

All colors on the page, also in canvases, are CSS custom properties that are named here. Shadow
roots inherit custom properties, so components need no separate palette; charts use `COLORS`.

Each mark has one meaning, in both themes and in all views:

* ``accent``: the user's choices: the followed word with the word that its row writes and the bar
  of that word, the selected number, the present tab or place of a slider; and the one button that
  the page suggests.
* A frame in ``line-strong``: the word that the followed word attends to most.
* Bold: the likeliest word; bars of other words are in ``line-strong``.
* A dotted underline: a word that a change made new; in italics if it is not written yet.
* A bar in ``ink`` beside a row or a title: the size of a change there.
* A solid underline: the word whose next words are listed.
* ``operand``: numbers that were set or requested, and the operands of a shown number.

Every text color has a contrast of at least 4.5:1 on `paper`, `card` and `soft`
in its theme, and every heatmap cell has the same contrast with `cell-ink` or
with `cell-ink-inverse`.
"""

THEMES = ("light", "dark")
PALETTES = ("blue-red", "safe")

FONTS = {
    # Not system-ui, because on many Linux machines it is 50 % wider than the others.
    "font-text": '-apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", '
    '"Liberation Sans", Arial, sans-serif',
    "font-number": 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, '
    '"DejaVu Sans Mono", monospace',
    "font-math": 'KaTeX_Main, "Latin Modern Math", "STIX Two Text", Cambria, Georgia, serif',
}

COLORS: dict[str, dict[str, str]] = {
    "light": {
        "paper": "#fcfcfa",
        "card": "#ffffff",
        "soft": "#f4f4f0",
        "ink": "#1f222b",
        "muted": "#5f6470",
        "line": "#deded8",
        "line-strong": "#8b909c",
        "button": "#1f222b",
        "button-ink": "#ffffff",
        "accent": "#c2127f",
        "accent-soft": "#fbe7f3",
        "operand": "#e39a00",
        "operand-ink": "#8a5600",
        "role-q": "#0b6e7d",
        "role-k": "#8f5f00",
        "role-v": "#1c7f46",
        "role-attention": "#7a3db4",
        "role-plain": "#b9bcc2",
        "block-attention": "#f6f3fa",
        "block-feed-forward": "#eef5f8",
        "cell-ink": "#050508",
        "cell-ink-inverse": "#ffffff",
        "hatch": "#8d8f96",
        "warning": "#924300",
        "focus": "#1f222b",
        "shadow": "0 8px 30px rgb(20 22 30 / 16%)",
    },
    "dark": {
        "paper": "#14161b",
        "card": "#1b1e25",
        "soft": "#20242c",
        "ink": "#e9ebf0",
        "muted": "#b2b8c4",
        "line": "#333843",
        "line-strong": "#747b8a",
        "button": "#e9ebf0",
        "button-ink": "#14161b",
        "accent": "#ff6fc4",
        "accent-soft": "#402036",
        "operand": "#f0b440",
        "operand-ink": "#f0b440",
        "role-q": "#4fc3d0",
        "role-k": "#e3b04f",
        "role-v": "#5cc98a",
        "role-attention": "#c39bf0",
        "role-plain": "#596070",
        "block-attention": "#1f1d2b",
        "block-feed-forward": "#19242c",
        "cell-ink": "#ffffff",
        "cell-ink-inverse": "#050508",
        "hatch": "#7d8391",
        "warning": "#ffb48a",
        "focus": "#e9ebf0",
        "shadow": "0 8px 30px rgb(0 0 0 / 60%)",
    },
}

# A color of strength s, 0 to 1, is mixed into the color of 0, and one out of focus into the paper.
# To be as strong on a dark background, it needs a larger share: s to the power of this number.
FADING = {"light": 1.0, "dark": 0.6}
SCALE_STEPS = 8  # of a color scale that CSS draws, from 0 to its end

# By palette and theme: the ends and the middle (``zero``) of the diverging color scale, and the end
# (``share``) of the sequential scale for numbers from 0 to 1, which starts at ``zero``.
HEATMAPS: dict[str, dict[str, dict[str, str]]] = {
    "blue-red": {
        "light": {
            "positive": "#0000ff",
            "negative": "#ff0000",
            "zero": "#f7f7f4",
            "share": "#5a1a9c",
        },
        "dark": {
            "positive": "#6a8dff",
            "negative": "#ff5a5a",
            "zero": "#1e2129",
            "share": "#c9a6ff",
        },
    },
    # Blue and orange are distinguishable in every common form of color blindness.
    "safe": {
        "light": {
            "positive": "#1358b8",
            "negative": "#b35806",
            "zero": "#f7f7f4",
            "share": "#5a1a9c",
        },
        "dark": {
            "positive": "#62a0ff",
            "negative": "#f59b3c",
            "zero": "#1e2129",
            "share": "#c9a6ff",
        },
    },
}

# The names of the colors of positive and negative numbers in texts, by palette.
SIGN_NAMES = {"blue-red": ("blue", "red"), "safe": ("blue", "orange")}

# head-1 … head-8 by palette and theme: eight hues, different from those of signs and of the accent.
# In every common form of color blindness they are distinguishable, mostly by lightness.
HEADS: dict[str, dict[str, tuple[str, ...]]] = {
    "blue-red": {
        "light": (
            *("#08969e", "#bc691a", "#864fbd", "#5d8637"),
            *("#2d7e9e", "#6a5f1e", "#1b5b3a", "#047065"),
        ),
        "dark": (
            *("#3ec5d7", "#f79129", "#d954f7", "#96b575"),
            *("#36a4cf", "#b4a356", "#7dcda1", "#6bf5e5"),
        ),
    },
    "safe": {
        "light": (
            *("#198074", "#8c8915", "#984fbe", "#1e6f2c"),
            *("#0a6986", "#5d7e27", "#518a70", "#0993a1"),
        ),
        "dark": (
            *("#65d8cc", "#fbd335", "#af4efb", "#8fdf82"),
            *("#1987a9", "#96aa49", "#3dbd89", "#96f0fc"),
        ),
    },
}

# Page-wide styles for text and tables that no component of the page draws.
PROSE = """
:host { color: var(--ink); font: 15px/1.6 var(--font-text); }
h2 { margin: 18px 0 4px; font-size: 21px; line-height: 1.3; }
p { margin: 6px 0; max-width: 72ch; }
table { border-collapse: collapse; font-size: 14px; font-variant-numeric: tabular-nums; }
th, td { padding: 4px 16px 4px 0; border-bottom: 1px solid var(--line); text-align: left; }
th { color: var(--muted); font-weight: 600; }
td:last-child, th:last-child { text-align: right; padding-right: 0; }
tbody tr:last-child td { border-bottom: 0; }
"""


def css() -> str:
    """Return the style rules that set all custom properties of the page."""
    rules = []
    for palette in PALETTES:
        for theme in THEMES:
            selector = ":root"
            if palette != PALETTES[0]:
                selector += f"[data-palette={palette}]"
            if theme != THEMES[0]:
                selector += f"[data-theme={theme}]"
            values = of_palette(palette, theme)
            if palette == PALETTES[0]:
                values |= COLORS[theme]
                values["color-scheme"] = theme
            rules.append(_rule(selector, values))
    rules.append(_rule(":root", FONTS))
    return "\n".join(rules)


def of_palette(palette: str, theme: str) -> dict[str, str]:
    """Return the colors of numbers and heads, which depend on the palette, and how they fade."""
    heads = enumerate(HEADS[palette][theme], start=1)
    ends = HEATMAPS[palette][theme]
    up, down, share = (_scale(end, theme) for end in ("positive", "negative", "share"))
    scales = {
        "signed-scale": ", ".join([*reversed(down), *up[1:]]),
        "share-scale": ", ".join(share),
        "fading": f"{FADING[theme]:g}",
    }
    return ends | scales | {f"head-{k}": color for k, color in heads}


def _scale(end: str, theme: str) -> list[str]:
    """Return colors of evenly spaced strengths, from that of 0 to an end, as CSS."""
    shares = ((k / SCALE_STEPS) ** FADING[theme] for k in range(SCALE_STEPS + 1))
    return [f"color-mix(in srgb, var(--zero), var(--{end}) {100 * x:.1f}%)" for x in shares]


def _rule(selector: str, values: dict[str, str]) -> str:
    lines = (f"  {_property(name)}: {value};" for name, value in values.items())
    return "\n".join([f"{selector} {{", *lines, "}"])


def _property(name: str) -> str:
    return name if name == "color-scheme" else f"--{name}"
