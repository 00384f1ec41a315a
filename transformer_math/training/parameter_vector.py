"""All parameters of a model in one vector, which makes an optimizer's step a few NumPy calls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

DTYPES = (np.dtype(np.float32), np.dtype(np.float64))


class _Slice(NamedTuple):
    """The part of the vector that holds one array."""

    start: int
    stop: int
    shape: tuple[int, ...]

    def of(self, flat: np.ndarray) -> np.ndarray:
        """Return the array as a view of the vector."""
        part = flat[self.start : self.stop]
        if len(self.shape) != 3:
            return part.reshape(self.shape)
        # Weights of heads (h, d, k) are stored as (d, h, k), so that all heads are one matrix
        # (d, h·k), with which the model multiplies.
        h, d, k = self.shape
        return part.reshape(d, h, k).transpose(1, 0, 2)


class ParameterVector:
    """A copy of arrays in one vector, with a view of it for each array.

    The views have the memory layout of a model's parameters, so that a model made of them with
    ``shared=True`` changes with the vector.

    Attributes:
        flat: (size,), one array after the other.
        arrays: path -> view of ``flat`` in the shape of the array.
    """

    def __init__(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Copy the arrays.

        Raises:
            ValueError: there are no arrays, or they are not all float32 or all float64.
        """
        dtypes = {array.dtype for array in arrays.values()}
        if len(dtypes) != 1 or not dtypes.issubset(DTYPES):
            found = " and ".join(sorted(map(str, dtypes))) or "no array at all"
            raise ValueError(f"Packed arrays are all of float32 or all of float64, not {found}.")
        self._slices: dict[str, _Slice] = {}
        size = 0
        for path, array in arrays.items():
            self._slices[path] = _Slice(size, size + array.size, array.shape)
            size += array.size
        self.flat = np.empty(size, dtypes.pop())
        self.arrays = self.views(self.flat)
        for path, array in arrays.items():
            self.arrays[path][...] = array

    def views(self, flat: np.ndarray) -> dict[str, np.ndarray]:
        """Return path -> view of a vector laid out like ``flat``, such as a gradient.

        Raises:
            ValueError: the vector has a different shape than ``flat``.
        """
        if flat.shape != self.flat.shape:
            raise ValueError(
                f"The vector has the shape {flat.shape}, the parameters fill {self.flat.shape}."
            )
        return {path: part.of(flat) for path, part in self._slices.items()}

    def gather(self, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
        """Return a new vector laid out like ``flat`` with these arrays, and 0 for other parameters.

        Raises:
            ValueError: a path is unknown, or an array has another shape than the one packed.
        """
        flat = np.zeros_like(self.flat)
        _write(self.views(flat), arrays)
        return flat

    def write(self, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
        """Copy these arrays into ``flat``, which is returned; all others are unchanged.

        Raises:
            ValueError: a path is unknown, or an array has another shape than the one packed.
        """
        _write(self.arrays, arrays)
        return self.flat


def _write(views: Mapping[str, np.ndarray], arrays: Mapping[str, np.ndarray]) -> None:
    """Copy arrays into views of the same path and shape."""
    unknown = arrays.keys() - views.keys()
    if unknown:
        raise ValueError(f"There is no parameter {', '.join(sorted(unknown)[:5])}.")
    for path, array in arrays.items():
        view = views[path]
        if array.shape != view.shape:
            raise ValueError(f"{path} has the shape {view.shape}, not {array.shape}.")
        view[...] = array
