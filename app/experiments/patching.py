"""Numbers of the baseline's pass put into the present one, as edits like any other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import numpy as np

from transformer_math.ops.tensor import Index, Tensor

from ..matrices.values import ScenarioTrace, matrix_shape, own_index
from ..scenario.matrix_address import matrix_address
from ..scenario.scenario import Scenario
from ..scenario.tokens import quoted
from .matching import places

MAX_PATCHED = 4096  # numbers at once: each is an edit
NUMBER, ROW, MATRIX = "number", "row", "matrix"
PARTS = (NUMBER, ROW, MATRIX)


class Patched(NamedTuple):
    """What has come of it.

    Attributes:
        scenario: with the baseline's numbers.
        taken: how many numbers are the baseline's now.
        left: how many have no partner in the baseline, and stay.
    """

    scenario: Scenario
    taken: int
    left: int


def patched(
    now: ScenarioTrace, then: ScenarioTrace, path: str, row: int, column: int, part: str
) -> Patched:
    """The present scenario with a number, a row or a whole matrix as it is in the baseline.

    Args:
        now: the present pass.
        then: the baseline's.
        path: a drawn matrix, of real numbers.
        row: of the selected cell.
        column: of the selected cell.
        part: one of ``PARTS``, around that cell.

    Raises:
        KeyError: there is no such matrix.
        ValueError: it cannot be done; one sentence that says why.
    """
    tensor = now.trace[path]
    _, stored, _ = matrix = matrix_address(path)
    if not now.scenario.can_be_set(path):
        raise ValueError("These numbers are given, and cannot be set.")
    along, there = places(now, then, path), then.trace[stored].value
    values: dict[tuple[int, ...], float] = {}
    left = 0
    for index in _cells(tensor, row, column, part):
        other = [axis[k] for axis, k in zip(along, (*matrix.front, *index), strict=True)]
        if None in other:
            left += 1
        elif (value := float(there[tuple(other)])) != -np.inf:
            values[index] = value
        elif float(tensor.value[index]) != value:
            raise ValueError("The baseline has −∞ there, a masked score, which cannot be set.")
    if not values:
        raise ValueError(_why_none(now, path, row, part, left))
    others = {index: x for index, x in values.items() if x != float(tensor.value[index])}
    if not others:
        raise ValueError("In the baseline they are the same numbers.")
    # A computed number that is the same is held there, too; a parameter stays where it is.
    is_learned = now.scenario.is_parameter(stored)
    scenario = now.scenario.with_values(path, others if is_learned else values)
    return Patched(scenario, len(values), left)


def _cells(tensor: Tensor, row: int, column: int, part: str) -> Iterator[Index]:
    """The cells of a part of a drawn matrix.

    Raises:
        ValueError: there is no such part, or it is too large.
    """
    rows, columns = matrix_shape(tensor)
    own_index(tensor, row, column)  # is there
    if part not in PARTS:
        raise ValueError("There is no such part to take from the baseline.")
    if part == MATRIX and rows * columns > MAX_PATCHED:
        raise ValueError(
            f"The matrix has {rows * columns:,} numbers, and at most {MAX_PATCHED:,} can be taken "
            "at once: take a row."
        )
    down = range(rows) if part == MATRIX else (row,)
    across = (column,) if part == NUMBER else range(columns)
    for i, j in product(down, across):
        yield own_index(tensor, i, j)


def _why_none(now: ScenarioTrace, path: str, row: int, part: str, left: int) -> str:
    if not left:
        return "Every score there is masked, in the baseline as well."
    tensor = now.trace[path]
    tokens = now.scenario.axis_tokens.along(matrix_address(path).stored, tensor.dims[0])
    if part == MATRIX or tokens is None or len(tensor.dims) == 1:
        return "None of these numbers has a partner in the baseline."
    return f"{quoted(tokens[row] or '∅')} is matched to no token of the baseline."
