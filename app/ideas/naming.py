"""Names words and numbers in the pictures of ideas."""

import re
from collections.abc import Sequence

import numpy as np

from ..explain import labels
from ..explain.matrix_words import leaf_of
from ..model.matrices.resolved_cell import ResolvedCell
from ..model.scenario.axis_tokens import AxisTokens
from ..number_text import real_minus
from ..typed_text import quoted


def named(tokens: Sequence[str]) -> list[str]:
    """Return the displayed words of a text; repeated words get their position."""
    return [
        f"{name} ({at})" if tokens.count(token) > 1 else name
        for at, (name, token) in enumerate(zip(labels.visible(tokens), tokens, strict=True))
    ]


def number_name(tokens: AxisTokens, cell: ResolvedCell) -> str:
    """Name a number by its matrix, row and column: ``Q₁[cat, k0]``."""
    symbol, places = labels.plain(cell.tensor.symbol), labels.cell_labels(tokens, cell)
    return f"{symbol}[{', '.join(places)}]" if places else symbol


def number_in_words(tokens: AxisTokens, cell: ResolvedCell) -> str:
    """Name a number in words: ``activation of the feed-forward network, unit 15 of “cat”``."""
    return ", ".join(filter(None, [kind_in_words(cell), place_in_words(tokens, cell)]))


def kind_in_words(cell: ResolvedCell) -> str:
    """Name the kind of a number: ``activation of the feed-forward network``."""
    leaf = leaf_of(cell.path)
    return leaf.number if leaf else cell.path.rpartition(".")[2]


def place_in_words(tokens: AxisTokens, cell: ResolvedCell) -> str:
    """Name the place of a number in its matrix, in words: ``unit 15 of “cat”``."""
    places = labels.cell_labels(tokens, cell)
    units = [_UNIT.fullmatch(place) for place in places]
    counted = [f"{_UNITS[unit[1]]} {unit[2]}" for unit in units if unit]
    words = [quoted(place) for place, unit in zip(places, units, strict=True) if not unit]
    of = f"of {' and '.join(words)}" if words else ""
    return " ".join(filter(None, [", ".join(counted), of]))


_UNIT = re.compile(r"([dfkvz])(\d+)")
_UNITS = {"d": "dimension", "f": "unit", "k": "dimension", "v": "dimension", "z": "dimension"}


def decimal_text(x: float) -> str:
    """Format a number with three significant digits; a very large or small one with an exponent."""
    if x and not 1e-7 <= abs(x) < 1e6:
        text = f"{x:.2e}"
    else:
        text = np.format_float_positional(x, precision=3, fractional=False, trim="-")
    return real_minus(text.replace("e-0", "e-").replace("e+0", "e"))
