"""Converts arrays of a state to parameters: transposes, splits, stacks and checks them."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any

import numpy as np

from transformer_math.checkpoints.assignment import Source
from transformer_math.checkpoints.layouts.layout import Orientation


def as_array(value: Any) -> np.ndarray:
    """Return an array, or a PyTorch tensor (with or without gradients), as an array.

    Floats of less than 32 bits, such as bfloat16, become float32.
    """
    if hasattr(value, "detach"):
        tensor = value.detach().cpu()
        value = (tensor.float() if tensor.dtype.itemsize < 4 else tensor).numpy()
    array = np.asarray(value)
    if array.dtype.kind == "V" or array.dtype == np.float16:
        array = array.astype(np.float32)
    return array


class Converter:
    """Converts arrays, whose matrices are all stored in one orientation, to parameters."""

    def __init__(
        self,
        arrays: Mapping[str, np.ndarray],
        orientation: Orientation,
        longer: Container[str] = (),
    ) -> None:
        """Create a converter.

        Args:
            arrays: name -> array.
            orientation: the order of the axes of stored matrices.
            longer: paths of tables whose last rows are left out.
        """
        self.arrays = arrays
        self.orientation = orientation
        self.longer = longer

    def _is_transposed(self, leaf: str, source: Source, inputs: int) -> bool:
        """Return whether a matrix is stored as (out, in).

        The output layer has its own orientation, because in Hugging Face's GPT-2 its class differs.
        """
        shape = self.arrays[source.name].shape
        if leaf == "W_out" and len(shape) == 2 and inputs in shape and shape[0] != shape[1]:
            return bool(shape[1] == inputs)
        return leaf == "W_out" or self.orientation == "out, in"

    def parameter(self, path: str, sources: list[Source], shape: tuple[int, ...]) -> np.ndarray:
        """Return the parameter of a path, in the shape that the config requires.

        Raises:
            ValueError: an array has another shape; the message has its name and both shapes.
        """
        leaf = path.rpartition(".")[2]
        if leaf in ("W_e", "W_p"):
            return self._table(sources[0], shape, path in self.longer)
        if sources[0].head is None:
            return self._whole(leaf, sources[0], shape)
        heads = [source.head for source in sources]
        if len(shape) < 2 or heads != list(range(shape[0])):
            raise ValueError(
                f"{sources[0].name} is of one of {len(sources)} heads; the config has {shape[0]}."
            )
        each = (1, *shape[1:])
        return np.concatenate([self._whole(leaf, source, each) for source in sources])

    def _whole(self, leaf: str, source: Source, shape: tuple[int, ...]) -> np.ndarray:
        array = self.arrays[source.name]
        if array.shape == shape and len(shape) == 3:
            return array  # already in the order (head, in, out)
        if len(shape) == 1:
            return self._checked(source, shape)
        if leaf.startswith("b_"):  # of heads
            return self._checked(source, (shape[0] * shape[1],)).reshape(shape)
        is_transposed = self._is_transposed(leaf, source, shape[-2])
        if len(shape) == 2:
            matrix = self._checked(source, shape[::-1] if is_transposed else shape, is_transposed)
            return matrix.T if is_transposed else matrix
        heads, inputs, outputs = shape
        if is_transposed:
            rows = self._checked(source, (heads * outputs, inputs), True)
            return rows.reshape(heads, outputs, inputs).transpose(0, 2, 1)
        columns = self._checked(source, (inputs, heads * outputs))
        return columns.reshape(inputs, heads, outputs).transpose(1, 0, 2)

    def _checked(
        self, source: Source, part: tuple[int, ...], is_transposed: bool = False
    ) -> np.ndarray:
        """Return the part of an array that a source refers to, after a check of its shape."""
        array = self.arrays[source.name]
        axis = 0 if is_transposed else len(part) - 1
        asked = tuple(n * source.parts if i == axis else n for i, n in enumerate(part))
        if len(part) == 1 and array.ndim == 2 and array.shape[0] == 1:
            array = array[0]  # a bias that is stored as a row
        if array.shape != asked:
            raise mismatch(source.name, array.shape, asked)
        return array if source.parts == 1 else np.split(array, source.parts, axis)[source.part]

    def _table(self, source: Source, shape: tuple[int, ...], is_longer: bool) -> np.ndarray:
        """Return a table (rows, d), without axes of length 1 around the rows."""
        array = self.arrays[source.name]
        rows = array.reshape(-1, array.shape[-1]) if array.ndim > 2 else array
        asked = (shape[0] + source.first_row, shape[1])
        if is_longer:
            rows = rows[: asked[0]]
        if rows.shape != asked:
            raise mismatch(source.name, array.shape, asked)
        return rows[source.first_row :]

    def row(self, source: Source, shape: tuple[int, ...]) -> np.ndarray:
        """Return one row of a table, which is added to all rows of another table."""
        table = self.arrays[source.name]
        if table.ndim != 2 or table.shape[1] != shape[1] or source.row is None:
            raise mismatch(source.name, table.shape, ("any", shape[1]))
        if source.row >= len(table):
            raise ValueError(f"{source.name} has {len(table)} rows, and row {source.row} is used.")
        return np.asarray(table[source.row])


def mismatch(name: str, found: tuple[int, ...], asked: tuple[Any, ...]) -> ValueError:
    """Return the error for an array of a wrong shape."""
    return ValueError(f"{name} has the shape {found}, not ({', '.join(map(str, asked))}).")
