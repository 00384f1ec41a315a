"""Which numbers are hidden while a question is open, so that they are predicted and not read."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from ..matrices.address import PROBABILITIES
from ..matrices.covering import Rectangle, with_copies
from .changes import moves_numbers
from .format import Predict
from .numbers import LOSS, LiveNumbers


def covered(predict: Predict, numbers: LiveNumbers) -> tuple[Rectangle, ...]:
    """The cells to hide until a question is answered.

    These are the cells that the question lists; otherwise the cell that its answer reads, if the
    answer is a single number before any change.
    """
    if predict.cover is not None:
        return with_copies(predict.cover, numbers.trace)
    cell = None if moves_numbers(predict.then) else asked_cell(predict, numbers)
    if cell is None:
        return ()
    path, i, j = cell
    return with_copies([(path, i, j, i, j)], numbers.trace)


def asked_cell(predict: Predict, numbers: LiveNumbers) -> tuple[str, int, int] | None:
    """The cell whose number a question asks for; None if it asks for no single one."""
    if predict.kind != "number":
        return None
    with suppress(ValueError, KeyError, TypeError):
        asked = predict.answer.asked(numbers)
        return None if asked is None else _cell(*asked, numbers)
    return None


def _cell(name: str, arguments: list[Any], numbers: LiveNumbers) -> tuple[str, int, int] | None:
    """The cell that an expression reads; None if it reads more than one."""
    if name in ("value", "gradient"):
        path, i, j = (*arguments, 0, 0)[:3]
        return str(path), int(i), int(j)
    if name == "attention":
        scope, head, query, key = arguments
        return f"{scope}.head.{head}.weights", int(query), int(key)
    if name == "probability":
        word, position = arguments
        return PROBABILITIES, int(position), numbers.scenario.output_vocabulary.index(word)
    return (LOSS, 0, 0) if name == "loss" else None
