"""Sweeps of models of any size: in pieces, so that memory is bounded.

``sweep`` makes a copy of everything downstream for each setting. Of a large model that is several
megabytes a setting, so a long sweep is made of shorter ones, and only what is asked for is kept.
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

PIECE_BYTES = 48 << 20  # computed at a time
KEPT_BYTES = 96 << 20  # kept for the screen
# Computed all in all: time rather than memory. A model of the paper's size takes one or two
# milliseconds for each megabyte. An oscillation is worth a longer wait than a curve.
WORK_BYTES, CURVE_BYTES = 160 << 20, 144 << 20
MIN_SETTINGS = 9


def bytes_a_setting(trace: Trace, path: str) -> int:
    """How many bytes a sweep of this tensor computes for each setting."""
    return trace[matrix_address(path).stored].value.nbytes + sum(
        trace[reached].value.nbytes for reached in trace.downstream(path)
    )


def affordable(trace: Trace, path: str, wanted: int, work: int = WORK_BYTES) -> int:
    """As many settings as are wanted and can be had with so much work: an odd number."""
    return min(wanted, max(MIN_SETTINGS, work // bytes_a_setting(trace, path))) | 1


def to_the_end() -> None:
    """The work is wanted to its end."""


def pieces(
    trace: Trace,
    path: str,
    index: Index,
    settings: Sequence[float],
    go_on: Callable[[], None] = to_the_end,
) -> Iterator[Trace]:
    """One sweep after the other, together of all settings; ``go_on`` is called before each."""
    count = max(1, PIECE_BYTES // bytes_a_setting(trace, path))
    for start in range(0, len(settings), count):
        go_on()
        yield sweep(trace, path, index, settings[start : start + count])


class CellSweep:
    """The frames of an oscillation, as far as they are drawn.

    Attributes:
        settings: the values that the cell takes.
        trace: a sweep that has what is drawn of it.
    """

    def __init__(
        self,
        shown: ScenarioTrace,
        cell: ResolvedCell,
        settings: Sequence[float],
        keep: Collection[str],
        overviews: overview.Overviews | None = None,
        go_on: Callable[[], None] = to_the_end,
    ) -> None:
        """Sweep a cell.

        Args:
            shown: a pass.
            cell: the one that takes the settings, of that pass.
            settings: (T,).
            keep: stored paths whose frames will be asked for.
            overviews: of this session, if some are kept already.
            go_on: called between pieces of the work; what it raises ends it.
        """
        self.settings = np.asarray(settings)
        self._overviews = overviews
        self._shown, self._cell = shown, cell
        self._is_large = overview.is_large(*matrix_shape(cell.tensor))
        kept = set(keep) - ({cell.stored} if self._is_large else set())
        self.trace = _joined(pieces(shown.trace, cell.stored, cell.full, settings, go_on), kept)

    def frames(self, path: str) -> np.ndarray | None:
        """The frames (T, rows, columns) of a matrix or a part; None where it stands still.

        Of a large matrix that is itself swept only parts should be asked for.

        Raises:
            KeyError: the pass has no such matrix, or it was not to be kept.
        """
        part = part_of(path)
        whole = path if part is None else part.path
        if not self._is_large or matrix_address(whole).stored != self._cell.stored:
            return matrix_frames(self.trace, path)
        return self._of_origin(path) if whole == self._cell.path else None

    def _of_origin(self, path: str) -> np.ndarray:
        """Of the swept matrix itself only one cell differs, so no copies of it were kept."""
        part = part_of(path)
        now, _ = matrix_values(*self._shown, path, self._overviews)
        frames = np.repeat(now[None], len(self.settings), axis=0)
        i, j = self._cell.row, self._cell.column
        if part is not None and part.made == OVERVIEW:
            values = overview.as_drawn(self._cell.tensor.value)
            block = overview.block_of(*values.shape)
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
    """Sweeps one after the other as one, with the frames of what is to be kept."""
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
