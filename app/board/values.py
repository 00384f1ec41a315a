"""The numbers on the board, the baseline for their comparison, and the selected cell."""

from collections.abc import Callable, Mapping

import numpy as np

from ..experiments.single_changes import marks_in
from ..explain.value import shown_operands
from ..model.inference import cost
from ..model.matrices.overview import Overviews
from ..model.matrices.reader import MatrixReader
from ..model.matrices.resolved_cell import resolve
from ..model.matrices.values import ScenarioTrace
from ..session.results import Results
from ..session.state import AppState
from ..transport.runtime.page_session import PageSession
from ..view_model.last_edit import traced_from
from .board import Board
from .frames import Read
from .reached import Reached
from .windows import Windows


class BoardValues:
    """Sends the board the values of the current pass."""

    def __init__(
        self,
        state: AppState,
        results: Results,
        board: Board,
        windows: Windows,
        page: PageSession,
        redraw: Callable[[str], None],
    ) -> None:
        """Create the values; ``redraw`` redraws a part of `ExploreView` by name."""
        self.marks_gradients = False  # whether the rings are around a gradient's operands
        self._state = state
        self._results = results
        self._board = board
        self._windows = windows
        self._overviews = Overviews()
        self._reader: MatrixReader | None = None  # the last reader passed to the board
        self._reached = Reached(state, page, lambda: redraw("values"), self._say_reached)

    def _say_reached(self, sentence: str) -> None:
        self._board.component.update_changed(reached=sentence)

    def send(self) -> None:
        """Let the board read and send its values again."""
        if not self._board.frames.playing:
            self._windows.send_words(self._state.trace)
        before, self._reader = self._reader, self.reader()
        self._board.frames.refresh(
            self._reader.read, self._state.version, self._reader.unchanged_since(before)
        )

    def reader(self) -> MatrixReader:
        """Return a reader of the shown forward pass."""
        return MatrixReader(
            self._state.shown,
            self._state.compared,
            overviews=self._overviews,
            reached=marks_in(self._state.trace, self._results.singles) or self._reached.read(),
            shares=self._shares(),
            covered=self._state.covered,
            to_read=self._state.to_read,
        )

    def before_edit(self) -> Read | None:
        """Return a reader of the numbers before the last edit; None without an edit.

        The numbers are computed for the current words, so that matrices have the same rows as now.
        """
        state = self._state
        before = traced_from(state.current.last_edit, state.scenario)
        if before is None or not cost.fits_inline(cost.forward_pass(before)):
            return None
        before = before.with_written(state.scenario.target)
        shown = ScenarioTrace(before, state.runner.trace(before))
        return MatrixReader(shown, overviews=self._overviews, covered=state.covered).read

    def compare(self) -> None:
        """Compare with the pinned baseline, if there is one."""
        state = self._state
        reader = MatrixReader(
            state.shown, state.compared, overviews=self._overviews, covered=state.covered
        )
        self._board.frames.compare(None if state.baseline is None else reader.read_baseline)

    def mark_selection(self) -> bool:
        """Mark the selected cell; return whether the board must read some values again."""
        state = self._state
        self.marks_gradients = state.scenario.view.plane == "gradient"
        selection = state.selection
        if selection is None:
            self._board.select(None)
            return False
        cell = resolve(state.trace, selection)  # raises if it is missing, so that a restore fails
        moved = self._windows.hold()
        operands = shown_operands(state.runner, state.scenario, cell)
        self._board.select(selection.path, selection.row, selection.column, operands=operands)
        return moved

    def _shares(self) -> Mapping[str, np.ndarray]:
        """Return the share of the baseline's answer that each row carries, on the patch plane."""
        state, shown = self._state, self._results.patch_map
        found = shown.found_in(state.scenario)
        if found is None or state.scenario.view.plane != "patch":
            return {}
        return {row.path: found.shares(row) for row in found.rows}
