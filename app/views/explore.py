"""The center: all matrices of the pass, on the board."""

from __future__ import annotations

import math

import numpy as np

from app import saved, stages
from app.board import Board
from app.cells import drawn, drawn_orbit, own_index
from app.describe import operands
from app.scenario import Scenario
from app.state import AppState, Oscillation, Selection
from transformer_math import Trace, sweep
from transformer_math.tensor import split_head

FRAMES_A_SECOND = 60
MAX_FRAMES = 241  # a period of 8 seconds with a frame of its own for each refresh of the screen
ORBIT_BYTES = 48 << 20  # frames of all downstream matrices together; larger models get fewer


class ExploreView:
    """Turns what the visitor does on the board into scenarios, and scenarios into frames."""

    def __init__(self, state: AppState) -> None:
        self.state = state
        self.board = Board(listener=self)
        self._structure: object = None
        self._version = 0
        state.param.watch(self._on_scenario, "scenario")
        state.param.watch(self._on_oscillation, "oscillation")
        state.param.watch(self._on_selection, "selection")
        self._show(state.scenario)

    # -- from the board ----------------------------------------------------------------------

    def on_ready(self) -> None:
        """The browser is there; the board itself sends all that it knows."""

    def on_visible(self) -> None:
        """The board sends what has come into sight."""

    def on_select(self, path: str | None, i: int, j: int) -> None:
        """A cell was clicked, or none."""
        selection = Selection(path, i, j) if path and self._is_cell(path, i, j) else None
        if selection != self.state.selection:
            self.state.param.update(
                selection=selection, oscillation=self.state.oscillation._replace(on=False)
            )

    def on_set(self, path: str, i: int, j: int, value: float) -> None:
        """A cell was slid or typed."""
        scenario = self.state.scenario
        try:
            index = own_index(self.state.trace[path], i, j)
            self.state.scenario = scenario.with_value(path, index, value)
        except (KeyError, ValueError) as error:
            self.board.notice(str(error.args[0]))

    def on_restore(self, path: str, i: int, j: int) -> None:
        """A cell is to be as it was."""
        try:
            index = own_index(self.state.trace[path], i, j)
            self._stop()
            self.state.scenario = self.state.scenario.without_value(path, index)
        except (KeyError, ValueError) as error:
            self.board.notice(str(error.args[0]))

    def on_oscillate(
        self, on: bool, amplitude: float | None, period: float | None, value: float | None
    ) -> None:
        """The selected cell starts to swing, or stops at the value it has reached."""
        now = self.state.oscillation
        wished = Oscillation(
            _within(amplitude, 0.01, 10.0, now.amplitude),
            _within(period, 0.5, 20.0, now.period),
            on,
        )
        selected = self.state.selection
        if on and not (selected and self._is_editable(selected.path)):
            self.board.notice("Select an underlined number first; then it can oscillate.")
            return
        self.state.oscillation = wished
        if not on and value is not None and selected is not None and now.on:
            self.on_set(selected.path, selected.row, selected.column, value)

    # -- from the state ----------------------------------------------------------------------

    def _on_scenario(self, event: object) -> None:
        self._show(self.state.scenario)

    def _on_selection(self, event: object) -> None:
        self._mark_selection()

    def _on_oscillation(self, event: object) -> None:
        self._play_or_stop()

    def _show(self, scenario: Scenario) -> None:
        trace = self.state.trace
        structure = (
            scenario.source,
            scenario.target,
            scenario.answers,
            scenario.settings,
            scenario.training,
        )
        if structure != self._structure:
            self._structure = structure
            self._version += 1
            self.board.show(stages.manifest(scenario, trace, self._version))
            if self.state.selection and not self._is_cell(*self.state.selection):
                self.state.param.update(
                    selection=None, oscillation=self.state.oscillation._replace(on=False)
                )
            else:
                self._mark_selection()
        view = scenario.view
        self.board.view(palette=view.palette, scale=view.scale, numbers=view.numbers)
        self.board.scenario(saved.text(scenario))
        if self.state.oscillation.on:
            self._play_or_stop()
        self.board.refresh(lambda path: drawn(scenario, trace, path))

    def _mark_selection(self) -> None:
        selection = self.state.selection
        if selection is None:
            self.board.select(None)
        else:
            path, i, j = selection
            self.board.select(path, i, j, operands=operands(self.state.trace, path, i, j))

    def _is_cell(self, path: str, i: int, j: int) -> bool:
        try:
            own_index(self.state.trace[path], i, j)
        except (KeyError, ValueError):
            return False
        return True

    def _is_editable(self, path: str) -> bool:
        return split_head(path)[0] in self.state.scenario.config.parameter_shapes()

    # -- oscillation -------------------------------------------------------------------------

    def _play_or_stop(self) -> None:
        selection, oscillation = self.state.selection, self.state.oscillation
        if not (oscillation.on and selection is not None):
            self._stop()
            return
        trace = self.state.trace
        index = own_index(trace[selection.path], selection.row, selection.column)
        values = self._swing(trace, selection.path, index, oscillation)
        swept = sweep(trace, selection.path, index, values)
        self.board.play(
            path=selection.path,
            i=selection.row,
            j=selection.column,
            values=values.tolist(),
            period=oscillation.period,
            read_orbit=lambda path: drawn_orbit(swept, path),
        )

    def _stop(self) -> None:
        if self.board.playing:
            self.board.stop()
            scenario, trace = self.state.scenario, self.state.trace
            self.board.refresh(lambda path: drawn(scenario, trace, path))
        if self.state.oscillation.on:
            self.state.oscillation = self.state.oscillation._replace(on=False)

    def _swing(
        self, trace: Trace, path: str, index: tuple[int, ...], oscillation: Oscillation
    ) -> np.ndarray:
        """The values of half a sine about the cell's own, one for each refresh of the screen.

        The way back meets the same values, so half a period is enough.
        """
        wanted = round(oscillation.period * FRAMES_A_SECOND / 2) + 1
        each = sum(trace[p].value.nbytes for p in trace.downstream(path))
        affordable = max(9, ORBIT_BYTES // max(each, 1))
        count = min(wanted, MAX_FRAMES, affordable) | 1
        phase = np.linspace(-math.pi / 2, math.pi / 2, count)
        center = float(trace[path].value[index])
        return (center + oscillation.amplitude * np.sin(phase)).astype(trace[path].value.dtype)


def _within(value: float | None, low: float, high: float, otherwise: float) -> float:
    if not isinstance(value, (int, float)) or not math.isfinite(value):
        return otherwise
    return min(max(float(value), low), high)
