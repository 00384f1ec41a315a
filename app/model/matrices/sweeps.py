"""Sweeps of models of any size, computed in pieces to bound memory.

``sweep`` copies everything downstream for each setting, several megabytes per setting for a large
model. A long sweep is therefore split into shorter ones, of which only requested tensors are kept.
"""

from collections.abc import Callable, Collection, Iterator, Sequence

import numpy as np

from transformer_math import Trace, sweep
from transformer_math.ops.tensor import Index

from ..scenario.matrix_address import matrix_address
from . import overview
from .address import OVERVIEW, part_of
from .resolved_cell import ResolvedCell
from .values import ScenarioTrace, matrix_frames, matrix_shape, matrix_values

PIECE_BYTES = 48 << 20  # bytes computed at a time
KEPT_BYTES = 96 << 20  # bytes kept for the screen
# Total bytes computed, which bounds the time: a model of the paper's size takes one or two
# milliseconds per megabyte. An oscillation justifies a longer wait than a curve.
WORK_BYTES, CURVE_BYTES = 160 << 20, 144 << 20
MIN_SETTINGS = 9


def bytes_a_setting(trace: Trace, path: str) -> int:
    """Return the bytes that a sweep of this tensor computes for each setting."""
    return trace[matrix_address(path).stored].value.nbytes + sum(
        trace[reached].value.nbytes for reached in trace.downstream(path)
    )


def affordable(trace: Trace, path: str, wanted: int, work: int = WORK_BYTES) -> int:
    """Return the odd number of settings, up to about ``wanted``, that ``work`` bytes allow."""
    return min(wanted, max(MIN_SETTINGS, work // bytes_a_setting(trace, path))) | 1


def to_the_end() -> None:
    """Do nothing: the default ``go_on``, which never cancels the work."""


def pieces(
    trace: Trace,
    path: str,
    index: Index,
    settings: Sequence[float],
    go_on: Callable[[], None] = to_the_end,
) -> Iterator[Trace]:
    """Yield consecutive sweeps that together cover all settings, calling ``go_on`` before each."""
    count = max(1, PIECE_BYTES // bytes_a_setting(trace, path))
    for start in range(0, len(settings), count):
        go_on()
        yield sweep(trace, path, index, settings[start : start + count])


class CellSweep:
    """The frames of a sweep over one cell, for the drawn tensors."""

    def __init__(
        self,
        shown: ScenarioTrace,
        cell: ResolvedCell,
        settings: Sequence[float],
        keep: Collection[str],
        overviews: overview.Overviews | None = None,
        go_on: Callable[[], None] = to_the_end,
    ) -> None:
        """Sweep a cell of a pass over settings (T,).

        ``keep`` has the stored paths whose frames will be requested. ``go_on`` is called between
        pieces of the work, and cancels the work by raising an exception.
        """
        self.settings = np.asarray(settings)
        self._overviews = overviews
        self._shown, self._cell = shown, cell
        self._is_large = overview.is_large(*matrix_shape(cell.tensor))
        kept = set(keep) - ({cell.stored} if self._is_large else set())
        self.trace = _joined(pieces(shown.trace, cell.stored, cell.full, settings, go_on), kept)

    def frames(self, path: str) -> np.ndarray | None:
        """Return the frames (T, rows, columns) of a matrix or a part; None if it does not change.

        If the swept matrix is large, request only parts of it. Raise ``KeyError`` if the pass has
        no such matrix, or it was not kept.
        """
        part = part_of(path)
        whole = path if part is None else part.path
        if not self._is_large or matrix_address(whole).stored != self._cell.stored:
            return matrix_frames(self.trace, path)
        return self._of_origin(path) if whole == self._cell.path else None

    def _of_origin(self, path: str) -> np.ndarray:
        """Return the frames of a large swept matrix from its present values and its one cell."""
        part = part_of(path)
        now, _ = matrix_values(*self._shown, path, self._overviews)
        frames = np.repeat(now[None], len(self.settings), axis=0)
        i, j = self._cell.row, self._cell.column
        if part is not None and part.made == OVERVIEW:
            values = overview.as_drawn(self._cell.tensor.value)
            block = overview.block_in(part, *values.shape)
            (dot,) = overview.dots_of([(i, j)], block)
            top, left = dot[0] * block.rows, dot[1] * block.columns
            around = values[top : top + block.rows, left : left + block.columns]
            blocks = np.repeat(around[None], len(self.settings), axis=0)
            blocks[:, i - top, j - left] = self.settings
            frames[(slice(None), *dot)] = overview.pooled(blocks, block)[:, 0, 0]
            return frames
        row, column = (i, j) if part is None else (i - part.row, j - part.column)
        if 0 <= row < frames.shape[1] and 0 <= column < frames.shape[2]:
            frames[:, row, column] = self.settings
        return frames


def _joined(swept: Iterator[Trace], keep: Collection[str]) -> Trace:
    """Join consecutive sweeps into one that has the frames of the tensors to keep."""
    first = next(swept)
    kept = [path for path in keep if path in first and "sweep" in first[path].dims]
    values = {path: [first[path].value] for path in kept}
    for piece in swept:
        for path in kept:
            values[path].append(piece[path].value)
    result = Trace(first.leading)
    for path, tensor in first.tensors.items():
        if path in values:
            joined = np.concatenate(values[path]) if len(values[path]) > 1 else values[path][0]
            inputs = tuple(result.tensors.get(x.path, x) for x in tensor.inputs)
            result.tensors[path] = tensor.replace(value=joined, inputs=inputs)
        elif "sweep" not in tensor.dims:
            result.tensors[path] = tensor
    return result
