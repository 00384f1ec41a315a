"""Hides cells that a lesson's question asks for: their values do not leave the server."""

from collections.abc import Iterator, Sequence

import numpy as np

from transformer_math import Trace
from transformer_math.ops.tensor import head_path

from ..scenario.matrix_address import matrix_address
from . import overview
from .address import BEST, OVERVIEW, part_of
from .values import REACH_SHIFT, likeliest, matrix_shape

# Path, first row and column, last row and column.
Rectangle = tuple[str, int, int, int, int]

# Flag of a covered cell: a reach level without the flag REACHED.
COVERED = 1 << REACH_SHIFT
# Flag of a cell that is shown, but that no link or sentence may state: a question asks for it.
TO_READ = 2 << REACH_SHIFT


def with_copies(rectangles: Sequence[Rectangle], trace: Trace) -> tuple[Rectangle, ...]:
    """Return the rectangles and all others on the page that show the same numbers."""
    found = list(rectangles)
    for path, i, j, i2, j2 in rectangles:
        _, stored, head = matrix_address(path)
        scope, _, leaf = stored.rpartition(".")
        if path not in trace:
            continue  # the model was replaced
        block = _matrix(trace, path)[i : i2 + 1, j : j2 + 1]
        found += [
            (other, i, j, i2, j2)
            for other in _alike(trace, path)
            if np.array_equal(_matrix(trace, other)[i : i2 + 1, j : j2 + 1], block)
        ]
        if leaf == "context" and head is not None and f"{scope}.concat" in trace:
            first = head * trace[path].shape[-1]
            found.append((f"{scope}.concat", i, first + j, i2, first + j2))
        elif leaf == "concat" and f"{scope}.context" in trace:
            heads, _, width = trace[f"{scope}.context"].shape[-3:]
            for k in range(heads):
                low, high = max(j - k * width, 0), min(j2 - k * width, width - 1)
                if low <= high:
                    found.append((f"{scope}.head.{k}.context", i, low, i2, high))
    return tuple(dict.fromkeys(found))


def _matrix(trace: Trace, path: str) -> np.ndarray:
    tensor = trace[path]
    return tensor.value.reshape(matrix_shape(tensor))


def _alike(trace: Trace, path: str) -> Iterator[str]:
    """Yield the paths of matrices with the same width and head, such as the masked scores."""
    shape, head = trace[path].shape, matrix_address(path).head
    for stored, tensor in trace.tensors.items():
        if tensor.shape[-1:] == shape[-1:] and ("head" in tensor.dims) == (head is not None):
            yield stored if head is None else head_path(stored, head)


def covered_cells(rectangles: Sequence[Rectangle], trace: Trace, path: str) -> np.ndarray | None:
    """Return a mask of the covered cells of a drawn matrix or part; None if there are none."""
    if not rectangles:
        return None
    part = part_of(path)
    of = path if part is None else part.path
    here = [cells for where, *cells in rectangles if where == of]
    if not here or of not in trace or (part is not None and part.made == "products"):
        return None
    mask = np.zeros(matrix_shape(trace[of]), bool)
    for i, j, i2, j2 in here:
        mask[i : i2 + 1, j : j2 + 1] = True
    if part is not None and part.made == OVERVIEW:
        block = overview.block_in(part, *mask.shape)
        mask = overview.pooled(mask.astype(np.float32), block) > 0
    elif part is not None and part.made == BEST:
        mask = np.take_along_axis(mask, likeliest(trace, of), -1)
    elif part is not None:
        mask = part.cut(mask)
    return mask if mask.any() else None


def is_covered(rectangles: Sequence[Rectangle], path: str, row: int, column: int) -> bool:
    """Return whether one cell of a drawn matrix is covered."""
    return any(
        where == path and i <= row <= i2 and j <= column <= j2 for where, i, j, i2, j2 in rectangles
    )


def overlap(one: Rectangle, other: Rectangle) -> bool:
    """Return whether two rectangles have a cell in common."""
    path, i, j, i2, j2 = one
    where, k, m, k2, m2 = other
    return path == where and i <= k2 and k <= i2 and j <= m2 and m <= j2


def blank(values: np.ndarray, covered: np.ndarray) -> np.ndarray:
    """Return the values (…, rows, columns) with NaN in covered cells."""
    return np.where(covered, np.float32(np.nan), values)
