"""Finds the values of one cell at which the word of a row changes, by repeated subdivision."""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

# The word of each row at one value of the cell; all values have the same number of rows.
Sentence = tuple[str, ...]

MAX_BORDERS = 100
PARTS = 8
FIGURES = 3  # significant figures of a border as shown
FINENESS = 0.02  # the precision of a border, in units of its last figure
# Significant figures of a returned border. Rounded to three, it could reach a value with three
# figures at which the row still writes the other word.
KEPT = 5
LEAST = 1e-6  # precision relative to the range, for a border at 0, which has no significant figures


class Stretch(NamedTuple):
    """The values from ``low`` to ``high``, throughout which a row writes the same word."""

    low: float
    high: float
    word: str


class WordStretches(NamedTuple):
    """The stretches of a row, from the lowest value to the highest."""

    row: int
    # Adjacent stretches have different words; a row whose word never changes has one stretch.
    stretches: tuple[Stretch, ...]


def word_stretches(
    written: Callable[[Sequence[float]], Sequence[Sentence]],
    values: Sequence[float],
    parts: int = PARTS,
) -> tuple[WordStretches, ...]:
    """Return the stretches of every row over the range of the ascending values.

    A border is found by subdivision of the interval between two neighboring values with different
    words. A stretch that lies between two neighboring values may be missed. Each interval is cut
    into ``parts``: with 2, ``written`` gets the fewest values; with more, it is called less often.
    ``written`` returns the words of all rows at each value.
    """
    said = written(values)
    edges = [
        (a, b, at_a, at_b)
        for (a, at_a), (b, at_b) in pairwise(zip(values, said, strict=True))
        if at_a != at_b
    ]
    return _by_row(_refined(written, edges, values[-1] - values[0], parts), values, said[0])


_Edge = tuple[float, float, Sentence, Sentence]


def _refined(
    written: Callable[[Sequence[float]], Sequence[Sentence]],
    edges: list[_Edge],
    width: float,
    parts: int,
) -> list[_Edge]:
    """Cut all intervals between neighbors in parallel until each border is precise enough."""
    found = [edge for edge in edges if _is_fine(edge, width)]
    rough = [edge for edge in edges if not _is_fine(edge, width)]
    while rough:
        cuts = [a + (b - a) * k / parts for a, b, _, _ in rough for k in range(1, parts)]
        said = iter(zip(cuts, written(cuts), strict=True))
        halves: list[_Edge] = []
        for a, b, before, after in rough:
            inner = [next(said) for _ in range(1, parts)]
            points = [(a, before), *inner, (b, after)]
            changes = [
                (x, y, at_x, at_y) for (x, at_x), (y, at_y) in pairwise(points) if at_x != at_y
            ]
            # Without a limit, a chaotic model would have endless borders.
            is_room = len(found) + len(rough) + len(halves) + len(changes) <= MAX_BORDERS
            halves += changes if is_room else changes[:1]
        found += [edge for edge in halves if _is_fine(edge, width)]
        rough = [edge for edge in halves if not _is_fine(edge, width)]
    return sorted(found)


def _is_fine(edge: _Edge, width: float) -> bool:
    a, b = edge[:2]
    return b - a <= max(FINENESS * _unit(max(abs(a), abs(b))), LEAST * width)


def _unit(x: float) -> float:
    """Return one unit in the last shown figure of a number."""
    return 10.0 ** (math.floor(math.log10(x)) - FIGURES + 1) if x else 0.0


def _rounded(a: float, b: float, width: float) -> float:
    middle = (a + b) / 2
    return 0.0 if abs(middle) <= LEAST * width else float(f"{middle:.{KEPT}g}")


def _by_row(
    edges: list[_Edge], values: Sequence[float], first: Sentence
) -> tuple[WordStretches, ...]:
    low, high = values[0], values[-1]
    result = []
    for row, start_word in enumerate(first):
        stretches, start, word = [], low, start_word
        for a, b, _, after in edges:
            if after[row] != word:
                border = _rounded(a, b, high - low)
                stretches.append(Stretch(start, border, word))
                start, word = border, after[row]
        stretches.append(Stretch(start, high, word))
        result.append(WordStretches(row, tuple(stretches)))
    return tuple(result)
