"""Reads the data of a pass for the board: values, marks, gradients and changes of each matrix."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..scenario.matrix_address import matrix_address
from .address import OVERVIEW, Part, is_overview, part_of, whole_of
from .covering import COVERED, TO_READ, Rectangle, blank, covered_cells
from .gradients import matrix_gradient
from .overview import Overviews, block_in, pooled
from .resolved_cell import ResolvedCell
from .sweeps import CellSweep, to_the_end
from .values import REACH, ScenarioTrace, ValuesAndMarks, matrix_values, with_reach


class MatrixCells(NamedTuple):
    """The shown data of a matrix or of a part of one."""

    values: np.ndarray  # (rows, columns)
    marks: np.ndarray | None  # (rows, columns), bits of ``values``; None if no cell is marked
    # (rows, columns), if gradients are shown; in the patch plane, the share of the baseline's
    # answer that the row of each cell carries, NaN where nothing is patched.
    gradients: np.ndarray | None = None


class MatrixReader:
    """Reads matrices by path, in the shown plane.

    Values are sent in every plane; the browser computes the change of a cell from its value and its
    pinned value. The largest change in each block of an overview is computed here.
    """

    def __init__(  # noqa: PLR0913 -- all by name
        self,
        shown: ScenarioTrace,
        baseline: ScenarioTrace | None = None,
        *,
        overviews: Overviews | None = None,
        reached: Mapping[str, np.ndarray] | None = None,
        shares: Mapping[str, np.ndarray] | None = None,
        covered: Sequence[Rectangle] = (),
        to_read: Sequence[Rectangle] = (),
    ) -> None:
        """Create a reader of one pass.

        Args:
            shown: the pass, with gradients if the scenario's view shows them.
            baseline: the pinned pass, if any.
            overviews: the session's cached overviews, if any.
            reached: stored path -> how strongly a change reaches each cell, from 0 to 1.
            shares: path -> (rows,), the share of the baseline's answer that each row carries.
            covered: cells whose numbers are hidden.
            to_read: cells whose numbers no sentence may state.
        """
        self.shown = shown
        self.baseline = baseline
        self._overviews = overviews or Overviews()
        self._reached = reached or {}
        self._shares = shares or {}
        self._covered = covered
        self._to_read = to_read
        # The shown plane; cached, because reading an attribute is faster than reading a setting.
        self.plane: str = shown.scenario.view.plane

    def read(self, path: str) -> MatrixCells | None:
        """Read a matrix or a part of one; None if the pass has no such matrix."""
        try:
            part = part_of(path)
            if (path if part is None else part.path) not in self.shown.trace:
                return None  # avoids the cost of formatting the error message
            values, marks = self._values(path)
        except KeyError:
            return None
        second = None
        if self.plane == "gradient":
            second = matrix_gradient(self.shown.trace, path)
        elif self.plane == "patch":
            second = self._share(path, values)
        marks = with_reach(marks, self._reached, path, values.shape)
        asked = covered_cells(self._to_read, self.shown.trace, path)
        if asked is not None:
            own = np.zeros(asked.shape, np.uint8) if marks is None else marks
            marks = np.where(asked, own & ~REACH | TO_READ, own).astype(np.uint8)
        covered = covered_cells(self._covered, self.shown.trace, path)
        if covered is None:
            return MatrixCells(values, marks, second)
        known = np.uint8(0) if marks is None else marks
        return MatrixCells(
            blank(values, covered),
            np.where(covered, COVERED, known).astype(np.uint8),
            None if second is None else blank(second, covered),
        )

    def unchanged_since(self, before: MatrixReader | None) -> Callable[[str], bool]:
        """Return a function that returns whether the matrix at a path is certainly unchanged.

        Arrays are compared by identity, which finds unedited parameters: two thirds of the
        matrices. Every pass recomputes the arrays of all others.
        """
        if before is None or not self._draws_alike(before):
            return lambda _path: False
        now, then = self.shown.trace.tensors, before.shown.trace.tensors

        def is_unchanged(path: str) -> bool:
            stored = matrix_address(whole_of(path)).stored
            new, old = now.get(stored), then.get(stored)
            return new is not None and old is not None and new.value is old.value

        return is_unchanged

    def _draws_alike(self, other: MatrixReader) -> bool:
        """Return whether two readers show equal numbers in the same way."""
        asked, before = ((each._covered, each._to_read) for each in (self, other))
        marks = self._reached or other._reached or asked != before
        return not marks and self.plane == other.plane == "value"

    def without_covered(self, path: str, frames: np.ndarray | None) -> np.ndarray | None:
        """Return the frames (T, rows, columns) of a matrix with NaN in covered cells."""
        covered = covered_cells(self._covered, self.shown.trace, path)
        return frames if frames is None or covered is None else blank(frames, covered)

    def _share(self, path: str, values: np.ndarray) -> np.ndarray:
        """Return the share of the baseline's answer that each row of a matrix or part carries."""
        part = part_of(path)
        found = self._shares.get(path if part is None else part.path)
        shape = values.shape
        if found is None or (part is not None and part.made not in ("", OVERVIEW)):
            return np.full(shape, np.nan, np.float32)
        if part is not None and part.made == OVERVIEW:
            rows, columns = self.shown.trace[part.path].shape[-2:]
            drawn = np.broadcast_to(found[:, None], (rows, columns)).astype(np.float32)
            return pooled(drawn, block_in(part, rows, columns))
        here = found if part is None else found[part.row : part.row + shape[0]]
        return np.ascontiguousarray(np.broadcast_to(here[:, None], shape), np.float32)

    def read_baseline(self, path: str) -> MatrixCells | None:
        """Return a matrix's pinned cells; None if there is no baseline that has the matrix."""
        if self.baseline is None:
            return None
        try:
            values, marks = matrix_values(*self.baseline, path, self._overviews)
        except (KeyError, IndexError):
            return None
        covered = covered_cells(self._covered, self.shown.trace, path)
        if covered is not None and covered.shape == values.shape:
            values = blank(values, covered)
        # The overview of the change plane already contains changes, so its baseline is 0.
        return (
            MatrixCells(np.zeros_like(values), None)
            if is_overview(path)
            else MatrixCells(values, marks)
        )

    def sweep(
        self,
        cell: ResolvedCell,
        settings: Sequence[float],
        keep: Collection[str],
        go_on: Callable[[], None] = to_the_end,
    ) -> CellSweep:
        """Sweep a cell of the pass over some settings; see ``CellSweep``."""
        return CellSweep(self.shown, cell, settings, keep, self._overviews, go_on)

    def frames(self, sweep: CellSweep, path: str) -> np.ndarray | None:
        """Return the frames (T, rows, columns) of a matrix in a sweep; None if it is constant."""
        if not self._shows_changes_of(path):
            return sweep.frames(path)
        part = part_of(path)
        assert part is not None
        frames = sweep.frames(part.path)
        return None if frames is None else self._largest_changes(frames, part)

    def still(self, path: str) -> np.ndarray:
        """Return the present values (rows, columns) of a matrix."""
        return matrix_values(*self.shown, path, self._overviews)[0]

    def _shows_changes_of(self, path: str) -> bool:
        return self.plane == "change" and self.baseline is not None and is_overview(path)

    def _values(self, path: str) -> ValuesAndMarks:
        values, marks = matrix_values(*self.shown, path, self._overviews)
        if not self._shows_changes_of(path):
            return values, marks
        part = part_of(path)
        assert part is not None
        return self._largest_changes(matrix_values(*self.shown, part.path)[0], part), marks

    def _largest_changes(self, now: np.ndarray, part: Part) -> np.ndarray:
        """Return the largest change in each block; NaN if the baseline lacks the matrix.

        ``now`` is the whole matrix (…, rows, columns), ``part`` its overview.
        """
        assert self.baseline is not None
        block = block_in(part, *now.shape[-2:])
        try:
            old, _ = matrix_values(*self.baseline, part.path)
        except KeyError:
            old = np.empty((0, 0))
        if now.shape[-2:] != old.shape:
            return pooled(np.full_like(now, np.nan), block)
        with np.errstate(invalid="ignore"):  # two masked scores, both −∞, have not changed
            change = np.where(now == old, np.float32(0), now - old)
        return pooled(change, block)
