"""All parameters of a model in one vector, so that an optimizer's step is a few calls of NumPy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

WIDTHS = (np.dtype(np.float32), np.dtype(np.float64))


class _Place(NamedTuple):
    """Where an array lies in the vector."""

    start: int
    stop: int
    shape: tuple[int, ...]

    def of(self, flat: np.ndarray) -> np.ndarray:
        """The array as a view of the vector."""
        part = flat[self.start : self.stop]
        if len(self.shape) != 3:
            return part.reshape(self.shape)
        # Weights of the heads (h, d, k) lie as (d, h, k): all heads are then one matrix (d, h·k),
        # which is how the model multiplies with them.
        h, d, k = self.shape
        return part.reshape(d, h, k).transpose(1, 0, 2)


class ParameterVector:
    """A copy of arrays in one vector, and each of them as a view of it.

    A model made of the views reads what is written to the vector where it is told to share them:
    they have the layout in which it stores its parameters.

    Attributes:
        flat: (size,), all numbers, one array after the other in the order given.
        arrays: path -> view of ``flat``, in the shape given.
    """

    def __init__(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Copy the arrays.

        Raises:
            ValueError: there are none, or they are not all of one type, float32 or float64.
        """
        widths = {array.dtype for array in arrays.values()}
        if len(widths) != 1 or not widths.issubset(WIDTHS):
            found = " and ".join(sorted(map(str, widths))) or "no array at all"
            raise ValueError(f"Packed arrays are all of float32 or all of float64, not {found}.")
        self._places: dict[str, _Place] = {}
        size = 0
        for path, array in arrays.items():
            self._places[path] = _Place(size, size + array.size, array.shape)
            size += array.size
        self.flat = np.empty(size, widths.pop())
        self.arrays = self.views(self.flat)
        for path, array in arrays.items():
            self.arrays[path][...] = array

    def views(self, flat: np.ndarray) -> dict[str, np.ndarray]:
        """Path -> view of any vector laid out like ``flat``: a gradient, a moment of Adam.

        Raises:
            ValueError: the vector is of another size.
        """
        if flat.shape != self.flat.shape:
            raise ValueError(
                f"The vector has the shape {flat.shape}, the parameters fill {self.flat.shape}."
            )
        return {path: place.of(flat) for path, place in self._places.items()}

    def gather(self, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
        """A new vector laid out like ``flat`` with these arrays; what is missing counts as 0.

        Raises:
            ValueError: a path is unknown, or an array has another shape than the one packed.
        """
        flat = np.zeros_like(self.flat)
        _write(self.views(flat), arrays)
        return flat

    def write(self, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
        """Put these arrays in their places; gives ``flat``, where the others stay as they were.

        Raises:
            ValueError: a path is unknown, or an array has another shape than the one packed.
        """
        _write(self.arrays, arrays)
        return self.flat


def _write(views: Mapping[str, np.ndarray], arrays: Mapping[str, np.ndarray]) -> None:
    unknown = arrays.keys() - views.keys()
    if unknown:
        raise ValueError(f"There is no parameter {', '.join(sorted(unknown)[:5])}.")
    for path, array in arrays.items():
        view = views[path]
        if array.shape != view.shape:
            raise ValueError(f"{path} has the shape {view.shape}, not {array.shape}.")
        view[...] = array
