"""Finds the cell with the largest gradient or change since the baseline, in magnitude."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from transformer_math import Trace
from transformer_math.graph.backward import LOSS
from transformer_math.ops import IDENTITY
from transformer_math.ops.expression import Cell
from transformer_math.ops.tensor import Index, Tensor

from ..model.matrices.address import CellAddress
from ..model.scenario.axis_tokens import TOKEN_LOSS, AxisTokens
from ..model.scenario.scenario import Scenario
from . import labels

Plane = Callable[[Tensor], "np.ndarray | None"]

# Excluded, because the gradient of the loss itself is always 1.
LOSSES = (LOSS, TOKEN_LOSS)
BEFORE_MASK = ("raw_scores", "scores")


class Largest(NamedTuple):
    """A cell, and its value in the plane that is shown."""

    tensor: Tensor  # the tensor of the cell, with all heads
    cell: Index  # the index in that tensor
    value: float  # the value in the plane

    @property
    def address(self) -> CellAddress:
        """The path, row and column where the cell is drawn."""
        path, place = Cell(self.tensor, self.cell).address
        row, column = (0, 0, *place)[-2:]
        return CellAddress(path, row, column)

    def name(self, tokens: AxisTokens) -> str:
        """Return the cell's name: ``W₁^Q[d3, k0]``."""
        return labels.cell_name(tokens, Cell(self.tensor, self.cell))

    def where(self, tokens: AxisTokens) -> str:
        """Return the cell's place in words: ``row d3, column k0``."""
        is_head = self.tensor.dims[:1] == ("head",)
        shown = self.tensor.head(self.cell[0]) if is_head else self.tensor
        return labels.cell_words(tokens, self.tensor.path, shown, self.cell[int(is_head) :])


def gradient(tensor: Tensor) -> np.ndarray | None:
    """Return the plane of gradients."""
    return tensor.grad


def change(pinned: Trace, now: Trace) -> Plane:
    """Return the plane of changes from a baseline to a pass; None if their shapes differ.

    A score that the mask hides counts as unchanged, because nothing is computed from it.
    """

    def of(tensor: Tensor) -> np.ndarray | None:
        before = pinned.tensors.get(tensor.path)
        if before is None or before.shape != tensor.shape or before.value is tensor.value:
            return None
        with np.errstate(invalid="ignore"):  # −∞ − (−∞) is NaN, which counts as no change
            found: np.ndarray = tensor.value - before.value
        scope, _, leaf = tensor.path.rpartition(".")
        masked = now.tensors.get(f"{scope}.masked_scores") if leaf in BEFORE_MASK else None
        return found if masked is None else np.where(np.isfinite(masked.value), found, 0)

    return of


def largest_learned(scenario: Scenario, trace: Trace, plane: Plane) -> Largest | None:
    """Return the parameter with the largest value in a plane; None if all are 0."""
    return _largest([t for t in trace.tensors.values() if scenario.is_parameter(t.path)], plane)


def largest_computed(trace: Trace, plane: Plane) -> Largest | None:
    """Return the computed cell with the largest value in a plane, other than the loss."""
    computed = [
        t
        for t in trace.tensors.values()
        if t.inputs and t.op is not IDENTITY and t.path not in LOSSES
    ]
    return _largest(computed, plane)


def _largest(tensors: list[Tensor], plane: Plane) -> Largest | None:
    best: Largest | None = None
    for tensor in tensors:
        values = plane(tensor)
        if values is None or values.dtype.kind != "f" or not values.size:
            continue
        sizes = np.abs(values)
        sizes[~np.isfinite(sizes)] = 0
        index = np.unravel_index(int(sizes.argmax()), sizes.shape)
        if sizes[index] > (abs(best.value) if best else 0):
            best = Largest(tensor, tuple(int(i) for i in index), float(values[index]))
    return best
