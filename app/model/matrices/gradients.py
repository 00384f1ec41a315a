"""Gradients of the loss as the page draws them, now and over a sweep.

A gradient stands in the same place as its value: it has the same path, rows and columns. What has
none (a mask, which is given) is drawn with NaN.
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

# Backpropagated at a time, all in all: a small model has room for every frame of an oscillation,
# one of the paper's size for a few.
WORK_BYTES = 512 << 20
MIN_FRAMES = 3


def size(trace: Trace) -> int:
    """The bytes of all tensors, which is what the time of backpropagation goes by."""
    return sum(tensor.value.nbytes for tensor in trace.tensors.values())


def affordable(trace: Trace, keep: Collection[str], wanted: int) -> int:
    """For how many frames, at most as many as wanted: an odd number.

    Args:
        trace: a pass.
        keep: stored paths whose gradients are kept of each frame.
        wanted: frames.
    """
    each = sum(trace[path].value.nbytes for path in keep if path in trace)
    most = min(WORK_BYTES // size(trace), sweeps.KEPT_BYTES // max(each, 1))
    return min(wanted, max(MIN_FRAMES, most)) | 1


def matrix_gradient(trace: Trace, path: str) -> np.ndarray:
    """The gradient (rows, columns) of a matrix or of a part of one.

    Raises:
        KeyError: the pass has no such matrix.
    """
    part = part_of(path)
    tensor = trace[path if part is None else part.path]
    rows, columns = matrix_shape(tensor)
    whole = np.full((rows, columns), np.nan, np.float32)
    if tensor.grad is not None:
        whole = tensor.grad.reshape(rows, columns)
    return _as_drawn(trace, path, whole)


def _as_drawn(trace: Trace, path: str, whole: np.ndarray) -> np.ndarray:
    """What is drawn at a path, of the gradient (…, rows, columns) of its matrix."""
    part = part_of(path)
    if part is None:
        return whole
    if part.made == "products":  # of a sum, every term has the gradient of the sum
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
    """The gradients of an oscillation, one backpropagation for each of its frames.

    They move everywhere, also where the values stand still.
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
        """The frames (T, rows, columns) of a matrix or a part; None where there is no gradient."""
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
    """Each setting of a swept cell as a pass of its own, in which the cell is overridden."""
    stored, cell = piece.locate(path, index)
    for t in range(len(stored.value)):
        frame = piece.frame(t)
        tensor = frame[stored.path]
        if tensor.inputs:
            # A computed cell that is overridden passes nothing on to what it was made from.
            override = tensor.override or Override(tensor.path)
            tensor.override = override.with_cells({cell: float(tensor.value[cell])})
        yield frame
