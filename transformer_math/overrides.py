"""Values set by hand: whole arrays or single cells, of parameters and of computed tensors alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from transformer_math.tensor import Index, split_head

Cells: TypeAlias = Mapping[Index, float]
Overrides: TypeAlias = Mapping[str, "ArrayLike | Cells"]


class Change:
    """What is set by hand in one stored tensor."""

    __slots__ = ("whole", "cells", "heads")

    def __init__(self) -> None:
        self.whole: np.ndarray | None = None
        self.heads: dict[int, np.ndarray] = {}
        self.cells: dict[Index, float] = {}

    def apply(
        self, path: str, value: np.ndarray, rank: int
    ) -> tuple[np.ndarray, dict[Index, float]]:
        """The changed value, and for each cell set by hand what had been there.

        ``rank`` is the number of the tensor's own axes: a whole array may have more in front,
        the frames of a sweep, and indices count from the own axes.

        Raises:
            ValueError: the shape or an index does not fit the tensor.
        """
        new = value.copy()
        cell: tuple[Any, ...]
        if self.whole is not None:
            own = self.whole.shape[self.whole.ndim - rank :]
            if self.whole.ndim < rank or own != value.shape[value.ndim - rank :]:
                raise ValueError(
                    f"{path} has the shape {value.shape}, not {self.whole.shape} as the override."
                )
            new = self.whole.astype(value.dtype)
        for head, array in self.heads.items():
            cell = (..., head, *[slice(None)] * (rank - 1))
            new[cell] = array
        before: dict[Index, float] = {}
        for index, number in self.cells.items():
            if len(index) != rank or any(
                not 0 <= i < n for i, n in zip(index, new.shape[new.ndim - rank :], strict=True)
            ):
                raise ValueError(f"{path} has the shape {value.shape}; there is no cell {index}.")
            cell = (..., *index)
            if new.ndim == rank and value.ndim == rank:
                before[index] = float(value[index])
            new[cell] = number
        return new, before


def changes(overrides: Overrides | None) -> dict[str, Change]:
    """Overrides by stored path, with those of single heads gathered in their stack."""
    found: dict[str, Change] = {}
    for path, what in (overrides or {}).items():
        stored, head = split_head(path)
        change = found.setdefault(stored, Change())
        if isinstance(what, Mapping):
            front = () if head is None else (head,)
            change.cells.update({(*front, *index): number for index, number in what.items()})
        elif head is None:
            change.whole = np.asarray(what)
        else:
            change.heads[head] = np.asarray(what)
    return found
