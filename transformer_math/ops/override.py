"""The overrides of one tensor: for all of it, for single heads or cells, or by hooks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from transformer_math.checks import naming
from transformer_math.ops.tensor import LEADING, Index, check_cell

Hook = Callable[[np.ndarray], ArrayLike | None]

MAX_ONE_BY_ONE = 8  # up to this many cells are set one by one, which is faster than by arrays


class Override:
    """The overrides of one stored tensor.

    Arrays and numbers may have leading axes, first for the frames of a sweep and then for the
    examples of a batch.

    Attributes:
        path: the path of the tensor.
        whole: an array for the whole tensor.
        heads: head -> array.
        cells: index without leading axes -> number.
        hooks: (head, function of the value), with None for all heads; called after the rest is set.
        used: whether a pass has computed the tensor.
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
        """Return a copy of the value with the overrides applied.

        Args:
            value: the computed or given value.
            rank: the number of the tensor's axes, leading axes excluded.
            examples: the size of the batch, None without a batch.
            frames: whether the first axis of the value is that of a sweep; hooks are called once
                for each of its frames.

        Raises:
            ValueError: a shape, an index or a number does not fit the tensor.
        """
        self.used = True
        own = value.shape[value.ndim - rank :]
        with naming("overrides"):
            if value.dtype.kind == "f" and self._is_few_numbers():
                return self._one_by_one(value, own)
            self._check(own, rank, examples, value.dtype.kind in "iu")
            shape = self._shape(value.shape, own, rank)
        begun = value if self.whole is None else self.whole
        new = np.array(np.broadcast_to(begun, shape), value.dtype)
        where: tuple[Any, ...]
        for head, array in self.heads.items():
            new[_head_index(head, rank)] = array
        single, others = self._cells()
        if single:  # in one assignment, because there may be thousands
            where = (..., *np.array(list(single)).T)
            new[where] = np.array(list(single.values()))
        for index, number in others.items():
            where = (..., *index)
            new[where] = number
        for which, hook in self.hooks:
            for frame in new if frames else (new,):
                where = (...,) if which is None else _head_index(which, rank)
                frame[where] = self._call(hook, frame[where])
        return new

    def _is_few_numbers(self) -> bool:
        """Return whether only a few cells are set, each to one number, as on the page."""
        if self.whole is not None or self.heads or self.hooks:
            return False
        numbers = self.cells.values()
        return len(numbers) <= MAX_ONE_BY_ONE and all(type(number) is float for number in numbers)

    def _one_by_one(self, value: np.ndarray, own: tuple[int, ...]) -> np.ndarray:
        """Return a copy of the value in the same memory layout, with a few cells set.

        Raises:
            ValueError: a tensor of shape ``own`` has no such cell.
        """
        new = value.copy(order="K")
        for index, number in self.cells.items():
            check_cell(self.path, own, index)
            where: tuple[Any, ...] = (..., *index)
            new[where] = number
        return new

    def is_plain(self, rank: int) -> bool:
        """Return whether each override is the same number for all examples and frames."""
        numbers = self.cells.values()
        return (
            not self.hooks
            and (self.whole is None or self.whole.ndim == rank)
            and all(array.ndim == rank - 1 for array in self.heads.values())
            and all(type(number) is float or np.ndim(number) == 0 for number in numbers)
        )

    def with_cells(self, cells: Mapping[Index, ArrayLike]) -> Override:
        """Return a copy with further cells overridden."""
        copy = Override(self.path)
        copy.whole, copy.heads, copy.hooks, copy.used = (
            *(self.whole, self.heads),
            *(self.hooks, self.used),
        )
        copy.cells = {**self.cells, **cells}
        return copy

    def frame(self, axis: str, t: int, rank: int, leading: tuple[str, ...]) -> Override:
        """Return the overrides for item t of a leading axis.

        Args:
            axis: ``sweep`` or ``batch``.
            t: the item.
            rank: the number of the tensor's axes, leading axes excluded.
            leading: all leading axes of the pass.
        """

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
        """Return the gradient for the inputs: 0 in overridden cells; None if all are overridden."""
        if self.whole is not None:
            return None
        own = gradient.shape[gradient.ndim - rank :]
        return np.where(self.mask(own), gradient.dtype.type(0), gradient)

    def mask(self, own: tuple[int, ...]) -> np.ndarray:
        """Return a mask (own shape) of the overridden cells, without those changed by hooks."""
        if self.whole is not None:
            return np.ones(own, bool)
        covered = np.zeros(own, bool)
        for head in self.heads:
            covered[head] = True
        for index in self.cells:
            covered[index] = True
        return covered

    # -- checks --------------------------------------------------------------------------------

    def _check(
        self, own: tuple[int, ...], rank: int, examples: int | None, whole_numbers: bool
    ) -> None:
        """Check that every array, index and number fits a tensor of shape ``own``.

        Raises:
            ValueError: an array, an index or a number does not fit.
        """
        for head in {*self.heads, *(head for head, _ in self.hooks if head is not None)}:
            if not 0 <= head < own[0]:
                raise ValueError(f"{self.path} has {own[0]} heads; there is no head {head}.")
        self._check_cells(own)
        for array, shape in self._arrays(own):
            front = array.shape[: array.ndim - len(shape)]
            if array.shape[len(front) :] != shape:
                raise ValueError(
                    f"{self.path} takes an array of shape {shape} here, not {array.shape}."
                )
            if len(front) > len(LEADING) - (examples is None):
                raise ValueError(f"{self.path} takes no array of the shape {array.shape}.")
            if front and examples is not None and front[-1] not in (1, examples):
                raise ValueError(
                    f"{self.path} takes one value for each of the {examples} examples, "
                    f"not {front[-1]}."
                )
            if whole_numbers and (array != np.floor(array)).any():
                odd = array[array != np.floor(array)].flat[0]
                raise ValueError(f"{self.path} takes whole numbers, not {odd:g}.")

    def _arrays(self, own: tuple[int, ...]) -> list[tuple[np.ndarray, tuple[int, ...]]]:
        """Return every array or number, and the shape that it must have after its leading axes."""
        given = [] if self.whole is None else [(self.whole, own)]
        given += [(array, own[1:]) for array in self.heads.values()]
        single, others = self._cells()
        if single:
            given.append((np.array(list(single.values())), (len(single),)))
        return given + [(np.asarray(number), ()) for number in others.values()]

    def _cells(self) -> tuple[dict[Index, ArrayLike], dict[Index, ArrayLike]]:
        """Return the cells with one number, and those with a number per frame or example."""
        others = {index: x for index, x in self.cells.items() if _rank(x)}
        if not others:
            return self.cells, others
        return {index: x for index, x in self.cells.items() if index not in others}, others

    def _check_cells(self, own: tuple[int, ...]) -> None:
        """Check that a tensor of shape ``own`` has every overridden cell.

        Raises:
            ValueError: the tensor lacks a cell.
        """
        if {len(index) for index in self.cells} == {len(own)}:
            indices = np.array(list(self.cells))
            if indices.dtype.kind == "i" and ((indices >= 0) & (indices < own)).all():
                return
        for index in self.cells:
            check_cell(self.path, own, index)

    def _shape(self, shape: tuple[int, ...], own: tuple[int, ...], rank: int) -> tuple[int, ...]:
        """Return the result's shape: the value's, broadcast with the overrides' leading axes."""
        fronts = {array.shape[: array.ndim - len(end)] for array, end in self._arrays(own)} - {()}
        if not fronts:
            return shape
        try:
            return np.broadcast_shapes(shape, *((*front, *own) for front in fronts))
        except ValueError:
            raise ValueError(
                f"{self.path} is set for {' and '.join(map(str, sorted(fronts)))} frames at once."
            ) from None

    def _call(self, hook: Hook, value: np.ndarray) -> np.ndarray:
        """Return the array that a hook returns or, if it returns None, its changed argument."""
        argument = value.copy()
        returned = hook(argument)
        array = argument if returned is None else np.asarray(returned)
        if array.shape != value.shape:
            raise ValueError(
                f"hooks: that of {self.path} returned the shape {array.shape}, not {value.shape}."
            )
        return array


def _rank(number: ArrayLike) -> int:
    """Return ``np.ndim`` of a number or an array, but fast for Python's own numbers."""
    return 0 if isinstance(number, float | int) else np.ndim(number)


def _head_index(head: int, rank: int) -> tuple[Any, ...]:
    """Return the index of one head in an array with any leading axes."""
    return (..., head, *[slice(None)] * (rank - 1))
