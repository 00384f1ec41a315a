"""Determines which numbers to hide while a question is open, so that its answer is not visible."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, NamedTuple

from ..model.matrices.address import PROBABILITIES
from ..model.matrices.covering import Rectangle, with_copies
from .changes import moves_numbers
from .format import Predict
from .numbers import LOSS, LiveNumbers


class Call(NamedTuple):
    """A function that an expression called, with its arguments."""

    name: str
    arguments: list[Any]


def covered(predict: Predict, numbers: LiveNumbers) -> tuple[Rectangle, ...]:
    """Return the cells to hide until a question is answered.

    A question may list these cells. Otherwise, if its answer is a single number that does not
    follow from a change, hide the cell of this number.
    """
    if predict.cover is not None:
        return with_copies(predict.cover, numbers.trace)
    cell = None if moves_numbers(predict.then) else asked_cell(predict, numbers)
    if cell is None:
        return ()
    path, i, j = cell
    return with_copies([(path, i, j, i, j)], numbers.trace)


def to_read(predict: Predict, numbers: LiveNumbers) -> tuple[Rectangle, ...]:
    """Return the cells in which the reader must find the answer, such as a whole row.

    These cells stay visible, but no link and no sentence of the page may state them. A question has
    cells to read if its list of covered cells is empty, or if it is a choice and has no such list.
    It has none if the answer depends on a change that follows the question.
    """
    is_read = predict.kind == "choice" if predict.cover is None else not predict.cover
    if not is_read or moves_numbers(predict.then):
        return ()
    areas = (_area(call, numbers) for call in calls(predict, numbers))
    return tuple(dict.fromkeys(area for area in areas if area is not None))


def asked_cell(predict: Predict, numbers: LiveNumbers) -> tuple[str, int, int] | None:
    """Return the cell whose number a question asks for; None if there is no single cell."""
    if predict.kind != "number":
        return None
    with suppress(ValueError, KeyError, TypeError):
        asked = predict.answer.asked(numbers)
        return None if asked is None else _cell(*asked, numbers)
    return None


def calls(predict: Predict, numbers: LiveNumbers) -> list[Call]:
    """Return the functions that the expression of an answer calls before it ends or fails."""
    recorder = _Recorder(numbers)
    with suppress(ValueError):
        predict.answer(recorder)
    return recorder.calls


class _Recorder:
    """Records the functions that an expression calls."""

    def __init__(self, numbers: LiveNumbers) -> None:
        self.numbers = numbers
        self.calls: list[Call] = []

    def ask(self, name: str, arguments: list[Any]) -> Any:
        self.calls.append(Call(name, arguments))
        return self.numbers.ask(name, arguments)

    def at_start(self) -> _Recorder:
        return self


def _area(call: Call, numbers: LiveNumbers) -> Rectangle | None:
    """Return the cells that a function reads; None if the reader need not look for any."""
    name, arguments = call
    if name in ("sum_row", "argmax_row", "argmin_row"):
        path, i = arguments
        return path, i, 0, i, numbers.ask("columns", [path]) - 1
    if name == "argmax_column":
        path, j = arguments
        return path, 0, j, numbers.ask("rows", [path]) - 1, j
    cell = _cell(name, arguments, numbers)
    return None if cell is None else (*cell, *cell[1:])


def _cell(name: str, arguments: list[Any], numbers: LiveNumbers) -> tuple[str, int, int] | None:
    """Return the cell that a function reads; None if it does not read exactly one cell."""
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
