"""What is overridden in one stored tensor: all of it, single heads, single cells, or by a hook."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from transformer_math.ops.tensor import LEADING, Index, check_cell

Hook = Callable[[np.ndarray], ArrayLike | None]


class Override:
    """What is overridden in one stored tensor.

    Arrays and numbers may have axes in front of their own: one value for each example of a
    batch, or the frames of a sweep, in front of those.

    Attributes:
        path: the tensor.
        whole: an array for all of it.
        heads: arrays for single heads.
        cells: numbers for single cells, by index without leading axes.
        hooks: functions of the value, each for a head or, at None, for all of it; they are called
            after the rest was set.
        used: whether a pass has met the tensor.
    """

    __slots__ = ("cells", "heads", "hooks", "path", "used", "whole")

    def __init__(self, path: str) -> None:
        self.path = path
        self.whole: np.ndarray | None = None
        self.heads: dict[int, np.ndarray] = {}
        self.cells: dict[Index, ArrayLike] = {}
        self.hooks: list[tuple[int | None, Hook]] = []
        self.used = False

    def apply(
        self, value: np.ndarray, rank: int, examples: int | None = None, frames: bool = False
    ) -> np.ndarray:
        """The value with the override in it.

        Args:
            value: what was computed or given.
            rank: how many axes the tensor has of its own.
            examples: how many examples the batch has, None without a batch.
            frames: whether the value has the frames of a sweep in front; a hook is called for
                each of them.

        Raises:
            ValueError: a shape, an index or a number does not fit the tensor.
        """
        self.used = True
        own = value.shape[value.ndim - rank :]
        self._check(own, rank, examples, value.dtype.kind in "iu")
        new = np.array(
            np.broadcast_to(
                value if self.whole is None else self.whole, self._shape(value.shape, own, rank)
            ),
            value.dtype,
        )
        place: tuple[Any, ...]
        for head, array in self.heads.items():
            new[_head(head, rank)] = array
        single, others = self._cells()
        if single:  # of which there may be thousands
            place = (..., *np.array(list(single)).T)
            new[place] = np.array(list(single.values()))
        for index, number in others.items():
            place = (..., *index)
            new[place] = number
        for which, hook in self.hooks:
            for frame in new if frames else (new,):
                place = (...,) if which is None else _head(which, rank)
                frame[place] = self._called(hook, frame[place])
        return new

    def with_cells(self, cells: Mapping[Index, ArrayLike]) -> Override:
        """The same and some more cells."""
        copy = Override(self.path)
        copy.whole, copy.heads, copy.hooks, copy.used = (
            *(self.whole, self.heads),
            *(self.hooks, self.used),
        )
        copy.cells = {**self.cells, **cells}
        return copy

    def part(self, axis: str, t: int, rank: int, leading: tuple[str, ...]) -> Override:
        """What is overridden at one place of a leading axis of the pass, which has these."""

        def pick(given: ArrayLike, own: int) -> np.ndarray:
            array = np.asarray(given)
            extra = array.ndim - own
            names = ("sweep", *(name for name in leading if name == "batch"))
            names = names[len(names) - extra :]
            if axis in names:
                at = names.index(axis)
                array = np.asarray(array.take(t if array.shape[at] > 1 else 0, at))
            return array

        copy = self.with_cells({index: pick(x, 0) for index, x in self.cells.items()})
        if self.whole is not None:
            copy.whole = pick(self.whole, rank)
        copy.heads = {head: pick(x, rank - 1) for head, x in self.heads.items()}
        return copy

    def gradient_for_inputs(self, gradient: np.ndarray, rank: int) -> np.ndarray | None:
        """The gradient that goes on to the inputs: 0 where overridden, None if all cells are."""
        if self.whole is not None:
            return None
        own = gradient.shape[gradient.ndim - rank :]
        return np.where(self.covers(own), gradient.dtype.type(0), gradient)

    def covers(self, own: tuple[int, ...]) -> np.ndarray:
        """Which cells of a tensor of this shape are set, whatever was computed; hooks apart."""
        if self.whole is not None:
            return np.ones(own, bool)
        covered = np.zeros(own, bool)
        for head in self.heads:
            covered[head] = True
        for index in self.cells:
            covered[index] = True
        return covered

    # -- what fits -----------------------------------------------------------------------------

    def _check(
        self, own: tuple[int, ...], rank: int, examples: int | None, whole_numbers: bool
    ) -> None:
        """Every array, index and number fits a tensor with these axes of its own.

        Raises:
            ValueError: one does not; a sentence that says which shape does.
        """
        for head in {*self.heads, *(head for head, _ in self.hooks if head is not None)}:
            if not 0 <= head < own[0]:
                raise ValueError(f"{self.path} has {own[0]} heads; there is no head {head}.")
        self._check_cells(own)
        for array, shape in self._given(own):
            front = array.shape[: array.ndim - len(shape)]
            if array.shape[len(front) :] != shape:
                raise ValueError(
                    f"{self.path} takes an array of shape {shape} here, not {array.shape}."
                )
            if len(front) > len(LEADING) - (examples is None):
                raise ValueError(f"{self.path} takes no array of so many axes: {array.shape}.")
            if front and examples is not None and front[-1] not in (1, examples):
                raise ValueError(
                    f"{self.path} takes one value for each of the {examples} examples, "
                    f"not {front[-1]}."
                )
            if whole_numbers and (array != np.floor(array)).any():
                odd = array[array != np.floor(array)].flat[0]
                raise ValueError(f"{self.path} takes whole numbers, not {odd:g}.")

    def _given(self, own: tuple[int, ...]) -> list[tuple[np.ndarray, tuple[int, ...]]]:
        """Every array or number that is set, and the shape that it should end with."""
        given = [] if self.whole is None else [(self.whole, own)]
        given += [(array, own[1:]) for array in self.heads.values()]
        single, others = self._cells()
        if single:
            given.append((np.array(list(single.values())), (len(single),)))
        return given + [(np.asarray(number), ()) for number in others.values()]

    def _cells(self) -> tuple[dict[Index, ArrayLike], dict[Index, ArrayLike]]:
        """Cells that are set to one number, and those that are set to one for each frame."""
        others = {index: x for index, x in self.cells.items() if _rank(x)}
        if not others:
            return self.cells, others
        return {index: x for index, x in self.cells.items() if index not in others}, others

    def _check_cells(self, own: tuple[int, ...]) -> None:
        """Every cell is one of a tensor with these axes of its own.

        Raises:
            ValueError: one is not.
        """
        if {len(index) for index in self.cells} == {len(own)}:
            indices = np.array(list(self.cells))
            if indices.dtype.kind == "i" and ((indices >= 0) & (indices < own)).all():
                return
        for index in self.cells:
            check_cell(self.path, own, index)

    def _shape(self, shape: tuple[int, ...], own: tuple[int, ...], rank: int) -> tuple[int, ...]:
        """The shape of the result: that of the value, and the axes in front of what is set."""
        fronts = {array.shape[: array.ndim - len(end)] for array, end in self._given(own)} - {()}
        if not fronts:
            return shape
        try:
            return np.broadcast_shapes(shape, *((*front, *own) for front in fronts))
        except ValueError:
            raise ValueError(
                f"{self.path} is set for {' and '.join(map(str, sorted(fronts)))} frames at once."
            ) from None

    def _called(self, hook: Hook, value: np.ndarray) -> np.ndarray:
        """What a hook makes of a copy of a value; one that gives nothing may have changed it."""
        given = value.copy()
        found = hook(given)
        array = given if found is None else np.asarray(found)
        if array.shape != value.shape:
            raise ValueError(
                f"The hook of {self.path} gave the shape {array.shape}, not {value.shape}."
            )
        return array


def _rank(number: ArrayLike) -> int:
    """How many axes it has: np.ndim, and quick for thousands of numbers."""
    return 0 if isinstance(number, float | int) else np.ndim(number)


def _head(head: int, rank: int) -> tuple[Any, ...]:
    """The place of one head, behind any leading axes."""
    return (..., head, *[slice(None)] * (rank - 1))
