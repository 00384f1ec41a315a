"""Copies numbers of the baseline's pass into the present scenario, as ordinary edits."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from transformer_math.ops.tensor import Index

from ..model.matrices.resolved_cell import ResolvedCell
from ..model.matrices.values import ScenarioTrace
from ..model.scenario.scenario import Scenario
from ..typed_text import quoted
from .matching import places

MAX_PATCHED = 4096  # numbers per patch; each becomes an edit
NUMBER, ROW, MATRIX = "number", "row", "matrix"
PARTS = (NUMBER, ROW, MATRIX)


class Patched(NamedTuple):
    """The result of patching."""

    scenario: Scenario  # with the baseline's numbers
    taken: int  # the number of copied cells
    left: int  # the number of cells that are kept, because the baseline has no counterpart


def patched(now: ScenarioTrace, then: ScenarioTrace, cell: ResolvedCell, part: str) -> Patched:
    """Return the present scenario with a cell, its row or its matrix from the baseline.

    ``part`` is one of ``PARTS``. Raise ``ValueError`` with the reason if patching is impossible.
    """
    if not now.scenario.can_be_set(cell.stored):
        raise ValueError("These numbers are given, so you cannot set them.")
    along = places(now, then, cell.stored)
    here, there = now.trace[cell.stored].value, then.trace[cell.stored].value
    values: dict[tuple[int, ...], float] = {}
    left = 0
    for index in _cells(cell, part):
        other = [axis[k] for axis, k in zip(along, index, strict=True)]
        if None in other:
            left += 1
        elif (value := float(there[tuple(other)])) != -np.inf:
            values[index] = value
        elif float(here[index]) != value:
            raise ValueError("The baseline has −∞ there, a masked score, which cannot be set.")
    if not values:
        raise ValueError(_why_none(now, cell, part, left))
    others = {index: x for index, x in values.items() if x != float(here[index])}
    if not others:
        raise ValueError("In the baseline they are the same numbers.")
    # An edit is needed to fix a computed number at its present value, but not a parameter.
    is_learned = now.scenario.is_parameter(cell.stored)
    scenario = now.scenario.with_values(cell.stored, others if is_learned else values)
    return Patched(scenario, len(values), left)


def _cells(cell: ResolvedCell, part: str) -> Iterator[Index]:
    """Yield the index in the stored tensor of a cell, or the indices of its row or matrix.

    Raise ``ValueError`` if there is no such part, or it is too large.
    """
    shape, size = cell.tensor.shape, cell.tensor.value.size
    if part not in PARTS:
        raise ValueError("The baseline has no such part.")
    if part == MATRIX and size > MAX_PATCHED:
        raise ValueError(
            f"The matrix has {size:,} numbers, and at most {MAX_PATCHED:,} can be taken "
            "at once: take a row."
        )
    if part == MATRIX:
        front = cell.full[: len(cell.full) - len(shape)]
        yield from ((*front, *index) for index in np.ndindex(shape))
    elif part == ROW and shape:
        yield from ((*cell.full[:-1], k) for k in range(shape[-1]))
    else:
        yield cell.full


def _why_none(now: ScenarioTrace, cell: ResolvedCell, part: str, left: int) -> str:
    if not left:
        return "Every score there is masked, in the baseline as well."
    dims = cell.tensor.dims
    tokens = now.scenario.axis_tokens.along(cell.stored, dims[0])
    if part == MATRIX or tokens is None or len(dims) == 1:
        return "None of these numbers has a partner in the baseline."
    return f"{quoted(tokens[cell.row] or '∅')} is matched to no token of the baseline."
