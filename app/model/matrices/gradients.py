"""Gradients of the loss as the page draws them, at rest and in a sweep.

A gradient has the path, row and column of its value. Tensors without a gradient, such as the given
masks, are drawn with NaN.
"""

from collections.abc import Callable, Collection, Iterator, Sequence

import numpy as np

from transformer_math import Trace
from transformer_math.graph.backward import gradients
from transformer_math.ops.override import Override
from transformer_math.ops.tensor import Index

from ..scenario.matrix_address import matrix_address
from . import overview, sweeps
from .address import BEST, OVERVIEW, part_of
from .resolved_cell import ResolvedCell
from .values import likeliest, matrix_shape

# Bytes backpropagated in one sweep: enough for every frame of an oscillation of a small model, and
# for a few frames at the size of the paper's model.
WORK_BYTES = 512 << 20
MIN_FRAMES = 3


def size(trace: Trace) -> int:
    """Return the bytes of all tensors; the time of backpropagation is proportional to them."""
    return sum(tensor.value.nbytes for tensor in trace.tensors.values())


def affordable(trace: Trace, keep: Collection[str], wanted: int) -> int:
    """Return the affordable number of frames, up to ``wanted`` and rounded up to an odd number.

    ``keep`` has the stored paths whose gradients are kept for each frame.
    """
    each = sum(trace[path].value.nbytes for path in keep if path in trace)
    most = min(WORK_BYTES // size(trace), sweeps.KEPT_BYTES // max(each, 1))
    return min(wanted, max(MIN_FRAMES, most)) | 1


def matrix_gradient(trace: Trace, path: str) -> np.ndarray:
    """Return the gradient (rows, columns) of a matrix or part; ``KeyError`` without one."""
    part = part_of(path)
    tensor = trace[path if part is None else part.path]
    rows, columns = matrix_shape(tensor)
    whole = np.full((rows, columns), np.nan, np.float32)
    if tensor.grad is not None:
        whole = tensor.grad.reshape(rows, columns)
    return _as_drawn(trace, path, whole)


def _as_drawn(trace: Trace, path: str, whole: np.ndarray) -> np.ndarray:
    """Return the drawn part at a path, cut from the gradient (…, rows, columns) of its matrix."""
    part = part_of(path)
    if part is None:
        return whole
    if part.made == "products":  # each term of a sum has the gradient of the sum
        terms = trace[part.path].inputs[0].shape[-1]
        cell = whole[..., part.row, part.column]
        return np.broadcast_to(cell[..., None, None], (*cell.shape, 1, terms))
    if part.made == OVERVIEW:
        return overview.pooled(whole, overview.block_in(part, *whole.shape[-2:]))
    if part.made == BEST:
        columns = likeliest(trace, part.path)
        places = np.broadcast_to(columns, (*whole.shape[:-2], *columns.shape))
        return np.take_along_axis(whole, places, -1)
    return part.cut(whole)


class GradientSweep:
    """The gradients of an oscillation, with one backpropagation per frame.

    A gradient may change in every matrix, even where the values do not.
    """

    def __init__(
        self,
        trace: Trace,
        cell: ResolvedCell,
        settings: Sequence[float],
        keep: Collection[str],
        go_on: Callable[[], None] = sweeps.to_the_end,
    ) -> None:
        """Sweep a cell of a pass; the arguments are those of ``CellSweep``."""
        self._still = trace
        self._found: dict[str, list[np.ndarray]] = {}
        wanted = [path for path in keep if path in trace]  # an empty window has no path
        for piece in sweeps.pieces(trace, cell.stored, cell.full, settings):
            for frame in frames(piece, cell.stored, cell.full):
                go_on()
                for stored, gradient in gradients(frame, wanted).items():
                    self._found.setdefault(stored, []).append(gradient)

    def frames(self, path: str) -> np.ndarray | None:
        """Return the frames (T, rows, columns) of a matrix or part; None if it has no gradient."""
        part = part_of(path)
        whole = path if part is None else part.path
        _, stored, head = matrix_address(whole)
        if stored not in self._found:
            return None
        kept = np.stack(self._found[stored])
        shown = kept if head is None else kept[:, head]
        own = (1, 1, *shown.shape[1:])[-2:]
        return _as_drawn(self._still, path, shown.reshape(len(shown), *own))


def frames(piece: Trace, path: str, index: Index) -> Iterator[Trace]:
    """Yield the pass at each setting of a swept cell, with the cell overridden."""
    stored, cell = piece.locate(path, index)
    for t in range(len(stored.value)):
        frame = piece.frame(t)
        tensor = frame[stored.path]
        if tensor.inputs:
            # An overridden computed cell passes no gradient on to its inputs.
            override = tensor.override or Override(tensor.path)
            tensor.override = override.with_cells({cell: float(tensor.value[cell])})
        yield frame
