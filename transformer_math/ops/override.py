"""What is overridden in one stored tensor: all of it, single heads, or single cells."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from transformer_math.ops.tensor import Index, check_cell


class Override:
    """What is overridden in one stored tensor.

    Attributes:
        path: the tensor.
        whole: an array for all of it, perhaps with the frames of a sweep in front.
        heads: arrays for single heads.
        cells: numbers for single cells, by index without leading axes.
        used: whether a pass has met the tensor.
    """

    __slots__ = ("cells", "heads", "path", "used", "whole")

    def __init__(self, path: str) -> None:
        self.path = path
        self.whole: np.ndarray | None = None
        self.heads: dict[int, np.ndarray] = {}
        self.cells: dict[Index, float] = {}
        self.used = False

    def apply(self, value: np.ndarray, rank: int) -> np.ndarray:
        """The value with the override in it; ``rank`` counts the tensor's own axes.

        Raises:
            ValueError: a shape or an index does not fit the tensor.
        """
        self.used = True
        own = value.shape[value.ndim - rank :]
        place: tuple[Any, ...]
        if self.whole is None:
            new = value.copy()
        else:
            self._check(self.whole, own, rank)
            new = self.whole.astype(value.dtype)
        for head, array in self.heads.items():
            if not 0 <= head < own[0]:
                raise ValueError(f"{self.path} has {own[0]} heads; there is no head {head}.")
            self._check(array, own[1:], rank - 1)
            place = (..., head, *[slice(None)] * (rank - 1))
            new[place] = array
        for index, number in self.cells.items():
            check_cell(self.path, own, index)
            place = (..., *index)
            new[place] = number
        return new

    def with_cells(self, cells: Mapping[Index, float]) -> Override:
        """The same and some more cells."""
        copy = Override(self.path)
        copy.whole, copy.heads, copy.used = self.whole, self.heads, self.used
        copy.cells = {**self.cells, **cells}
        return copy

    def frame(self, t: int, rank: int) -> Override:
        """What is overridden in frame t: arrays with more than the tensor's own axes have each."""
        copy = self.with_cells({})
        if self.whole is not None and self.whole.ndim > rank:
            copy.whole = self.whole[t]
        copy.heads = {h: x[t] if x.ndim >= rank else x for h, x in self.heads.items()}
        return copy

    def released(self, gradient: np.ndarray, rank: int) -> np.ndarray | None:
        """The gradient that goes on to the inputs: 0 where overridden, None if all cells are."""
        if self.whole is not None:
            return None
        own = gradient.shape[gradient.ndim - rank :]
        return np.where(self.covers(own), gradient.dtype.type(0), gradient)

    def covers(self, own: tuple[int, ...]) -> np.ndarray:
        """Which cells of a tensor of this shape are overridden."""
        if self.whole is not None:
            return np.ones(own, bool)
        covered = np.zeros(own, bool)
        for head in self.heads:
            covered[head] = True
        for index in self.cells:
            covered[index] = True
        return covered

    def _check(self, array: np.ndarray, own: tuple[int, ...], rank: int) -> None:
        if array.ndim < rank or array.shape[array.ndim - rank :] != own:
            raise ValueError(f"{self.path} takes an array of shape {own} here, not {array.shape}.")
