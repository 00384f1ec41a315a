"""Draws a static picture of a page's numbers, for saved or printed notebooks without running code.

Only a browser can draw the page itself. Python draws the sentence, the model's predictions, and the
matrices with which the page opens.
"""

import math
from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

import numpy as np

from transformer_math import Trace
from transformer_math.ops.tensor import head_path

from .. import theme
from ..explain.labels import axis_labels
from ..model.matrices.scale import is_share
from ..model.scenario.scenario import Scenario
from .naming import name_of

WIDTH = 860
MARGIN, GAP = 14, 26
CELL, SMALL_CELL = 30, 11  # sizes of a cell with and without its number
MOST_NUMBERED, MOST_CELLS = 12, 48  # the most columns with numbers; the most rows and columns
LABEL, LINE, LETTER = 56, 18, 6.6  # pixels: row label, line of text, letter
BEST = 5  # the number of most likely next words to list
FIXED_MAXIMUM = 10.0  # end of the color scale that all matrices share

_INK = theme.COLORS["light"]
_HEAT = theme.HEATMAPS["blue-red"]["light"]


class _Drawn(NamedTuple):
    text: str
    width: float
    height: float


def picture(scenario: Scenario, trace: Trace, path: str = "", name: str = "") -> str:
    """Return the current state as SVG, whose root element has an id.

    Draw the matrix at a path, or by default every head of the last attention sublayers.
    """
    lines = [f'<tspan font-weight="600">{escape(_short(name_of(scenario), 60))}</tspan>']
    lines.append(escape(_sentence(scenario)))
    if scenario.output_vocabulary and "output.probabilities" in trace:
        lines.append(escape(_next_words(scenario, trace)))
    body, y = [], MARGIN + 4.0
    for line in lines:
        y += LINE
        body.append(_text(MARGIN, y, line, "start"))
    x, y, tallest = float(MARGIN), y + GAP, 0.0
    for shown in _matrices(trace, path) if path else _attentions(trace):
        drawn = _matrix(scenario, trace, shown)
        if x > MARGIN and x + drawn.width > WIDTH - MARGIN:
            x, y, tallest = MARGIN, y + tallest + GAP, 0.0
        body.append(f'<g transform="translate({x:g} {y:g})">{drawn.text}</g>')
        x, tallest = x + drawn.width + GAP, max(tallest, drawn.height)
    height = y + tallest + MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" id="{name}" viewBox="0 0 {WIDTH} {height:g}" '
        f'width="{WIDTH}" height="{height:g}" font-family="sans-serif" font-size="13" '
        f'fill="{_INK["ink"]}"><rect width="100%" height="100%" fill="{_INK["paper"]}"/>'
        f"{''.join(body)}</svg>"
    )


def _sentence(scenario: Scenario) -> str:
    sides = []
    if scenario.settings.encoder_layers:
        sides.append(_short(" ".join(scenario.source), 60))
    if scenario.settings.decoder_layers:
        sides.append(_short(" ".join(scenario.target), 60))
    return "  →  ".join(sides)


def _next_words(scenario: Scenario, trace: Trace) -> str:
    """Return the most likely words after the last token."""
    row = trace["output.probabilities"].value[-1]
    words = scenario.output_vocabulary
    best = np.argsort(-row, kind="stable")[:BEST]
    return "next: " + ",  ".join(f"{_short(words[k], 16)} {row[k]:.3f}" for k in best)


def _attentions(trace: Trace) -> Iterator[str]:
    """Yield the attention weights of every head, in the last layer of each kind of attention."""
    last: dict[str, str] = {}
    for path in trace:
        parts = path.split(".")
        if parts[-1] == "weights" and trace[path].dims[0] == "head":
            last[f"{parts[0]} {parts[-2]}"] = path
    for path in last.values():
        for k in range(trace[path].shape[0]):
            yield head_path(path, k)


def _matrices(trace: Trace, path: str) -> list[str]:
    """Return a matrix, or one matrix per head."""
    tensor = trace[path]
    if len(tensor.shape) < 3:
        return [path]
    return [head_path(path, k) for k in range(tensor.shape[0])]


def _matrix(scenario: Scenario, trace: Trace, path: str) -> _Drawn:
    """Draw a matrix with its path and labels; a large matrix is cut to its upper left corner."""
    tensor = trace[path]
    values = np.atleast_2d(tensor.value)
    rows, columns = (min(n, MOST_CELLS) for n in values.shape)
    numbered = columns <= MOST_NUMBERED
    size = CELL if numbered else SMALL_CELL
    share = is_share(tensor)
    cut = "" if values.shape == (rows, columns) else f", {rows} × {columns} of {_times(values)}"
    parts = [_text(0, 0, escape(path + cut), "start", 12)]
    row_axis, column_axis = ("", *tensor.dims)[-2:]
    top = 2 * LINE
    if numbered:
        labels = axis_labels(scenario.axis_tokens, path, column_axis, values.shape[1])
        for j, label in enumerate(labels[:columns]):
            middle = LABEL + (j + 0.5) * size
            parts.append(_text(middle, LINE + 9, escape(_short(label, 5)), "middle", 10))
    labels = axis_labels(scenario.axis_tokens, path, row_axis, values.shape[0]) if row_axis else []
    for i in range(rows):
        y = top + i * size
        if i < len(labels) and (numbered or i % 2 == 0):
            label = escape(_short(labels[i], 8))
            parts.append(_text(LABEL - 5, y + size / 2 + 4, label, "end", 10))
        for j in range(columns):
            at = LABEL + j * size, y
            parts.append(_cell(at, float(values[i, j]), size, share, numbered))
    width = max(LABEL + columns * size, LETTER * len(path + cut))
    return _Drawn("".join(parts), width, top + rows * size)


def _times(values: np.ndarray) -> str:
    return " × ".join(f"{n:,}" for n in values.shape)


def _cell(at: tuple[float, float], x: float, size: int, share: bool, numbered: bool) -> str:
    color = _color(x, share)
    box = f'<rect x="{at[0]:g}" y="{at[1]:g}" width="{size}" height="{size}" fill="{_hex(color)}"/>'
    if not numbered or not math.isfinite(x):
        return box
    ink = _INK["cell-ink" if _brightness(color) > 0.4 else "cell-ink-inverse"]
    number = f"{x:.2f}".replace("0.", ".", 1) if abs(x) < 1 else f"{x:.4g}"[:5]
    place = f'x="{at[0] + size / 2:g}" y="{at[1] + size / 2 + 4:g}"'
    return f'{box}<text {place} text-anchor="middle" font-size="10" fill="{ink}">{number}</text>'


def _color(x: float, share: bool) -> tuple[float, ...]:
    """Return the page's color of a number; probabilities have a separate scale."""
    zero = _rgb(_HEAT["zero"])
    if not math.isfinite(x):
        return _rgb(_INK["hatch"])
    part = min(abs(x) / (1.0 if share else FIXED_MAXIMUM), 1.0)
    if not share:
        part = math.sin(math.pi / 2 * math.sqrt(part))
    end = _rgb(_HEAT["share" if share else "negative" if x < 0 else "positive"])
    return tuple(a + (b - a) * part for a, b in zip(zero, end, strict=True))


def _rgb(color: str) -> tuple[float, ...]:
    return tuple(int(color[k : k + 2], 16) / 255 for k in (1, 3, 5))


def _hex(color: Sequence[float]) -> str:
    return "#" + "".join(f"{round(255 * part):02x}" for part in color)


def _brightness(color: Sequence[float]) -> float:
    return sum(w * part for w, part in zip((0.3, 0.59, 0.11), color, strict=True))


def _text(x: float, y: float, text: str, anchor: str, size: int = 13) -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" font-size="{size}">{text}</text>'


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
