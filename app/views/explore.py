"""The center: all matrices of the pass, on the board."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from app import links, saved, stages
from app.board import Board
from app.cells import drawn, drawn_orbit, own_index, with_reach
from app.describe import operands
from app.focus import Attention, resolve, strongest
from app.saved import read_text
from app.scenario import Scenario
from app.state import AppState, Oscillation, Selection
from app.whatif import reach
from transformer_math import Trace, sweep
from transformer_math.tensor import split_head

VIEWS = ("explore", "attention")

FRAMES_A_SECOND = 60
MAX_FRAMES = 241  # a period of 8 seconds with a frame of its own for each refresh of the screen
ORBIT_BYTES = 48 << 20  # frames of all downstream matrices together; larger models get fewer


class ExploreView:
    """Turns what the visitor does on the board into scenarios, and scenarios into frames."""

    def __init__(self, state: AppState) -> None:
        self.state = state
        self.board = Board(listener=self)
        self._structure: object = None
        self._view = VIEWS[0]
        self._version = 0
        self._said = ""
        state.param.watch(self._on_scenario, "scenario")
        state.param.watch(self._on_oscillation, "oscillation")
        state.param.watch(self._on_selection, "selection")
        state.param.watch(self._on_attention, "attention")
        state.param.watch(self._on_baseline, "baseline")
        state.param.watch(self._on_reach, "reach")
        state.param.watch(self._on_notice, "notice", onlychanged=False)
        self._show(state.scenario)

    # -- from the board ----------------------------------------------------------------------

    def on_ready(self, link: str | None, saved: str | None) -> None:
        """The browser is there, perhaps with a link or with what this tab had before a reload."""
        try:
            if link is not None:
                self.state.restore(links.decode(link))
            elif saved is not None:
                self.state.restore(read_text(saved))
        except ValueError as error:
            what = "This link" if link is not None else "What this tab had kept"
            self._said = f"{what} could not be opened. {error}"

    def on_hover(self, path: str | None, i: int, j: int) -> None:
        """The pointer is on a cell, or on none."""
        hovered = Selection(path, i, j) if path and self._is_cell(path, i, j) else None
        found = [] if hovered is None else operands(self.state.trace, *hovered)
        self.board.preview(None if hovered is None else path, i, j, found)
        self.state.hovered = hovered

    def on_undo(self) -> None:
        """One step back."""
        self.state.undo()

    def on_redo(self) -> None:
        """One step forward again."""
        self.state.redo()

    def on_visible(self) -> None:
        """The board sends what has come into sight; now there is somebody to tell, too."""
        if self._said:
            self.board.notice(self._said)
            self._said = ""

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
            self.state.change(scenario.with_value(path, index, value), ("value", path, i, j))
        except (KeyError, ValueError) as error:
            self.board.notice(str(error.args[0]))

    def on_restore(self, path: str, i: int, j: int) -> None:
        """A cell is to be as it was."""
        try:
            index = own_index(self.state.trace[path], i, j)
            self._stop()
            self.state.change(self.state.scenario.without_value(path, index))
        except (KeyError, ValueError) as error:
            self.board.notice(str(error.args[0]))

    def on_oscillate(
        self, on: bool, amplitude: float | None, period: float | None, value: float | None
    ) -> None:
        """The selected cell starts to swing, or stops and is what it was before.

        Swinging is for looking; a number that is to stay is slid or typed.
        """
        now = self.state.oscillation
        wished = Oscillation(
            _within(amplitude, 0.01, 10.0, now.amplitude),
            _within(period, 0.5, 20.0, now.period),
            on,
        )
        selected = self.state.selection
        if on and not (selected and self._can_be_set(selected.path)):
            self.board.notice("Select a number first; then it can oscillate.")
            return
        self.state.oscillation = wished

    def on_focus(self, scope: str, head: int) -> None:
        """Another attention is to be shown large, and its head's strongest pair in detail."""
        trace = self.state.trace
        wished = resolve(trace, Attention(scope, head))
        self.state.attention = strongest(trace, wished.scope, wished.head)

    def on_pair(self, scope: str, head: int, query: int, key: int) -> None:
        """Another pair is to be shown in detail."""
        self.state.attention = resolve(self.state.trace, Attention(scope, head, query, key))

    # -- from the state ----------------------------------------------------------------------

    def _on_scenario(self, event: object) -> None:
        self._show(self.state.scenario)

    def _on_selection(self, event: object) -> None:
        self._mark_selection()
        self._keep()
        if self.state.reach:
            self._refresh()

    def _on_reach(self, event: object) -> None:
        self._refresh()

    def _on_baseline(self, event: object) -> None:
        self._compare()
        self._keep()

    def _compare(self) -> None:
        baseline, trace = self.state.baseline, self.state.baseline_trace
        if baseline is None or trace is None:
            self.board.compare(None)
            return

        def read(path: str) -> tuple[np.ndarray, np.ndarray | None] | None:
            try:
                return drawn(baseline, trace, path)
            except (KeyError, IndexError):
                return None  # the pinned model had no such matrix

        self.board.compare(read)

    def _keep(self) -> None:
        """Tell the browser what a reload must not lose."""
        self.board.scenario(saved.text(self.state.saved))

    def _on_notice(self, event: object) -> None:
        if self.state.notice:
            self.board.notice(self.state.notice)

    def _on_oscillation(self, event: object) -> None:
        self._play_or_stop()

    def show_view(self, name: str) -> None:
        """Explore or Attention: which stages the board shows."""
        if name != self._view:
            self._view = name
            self._show(self.state.scenario)

    def _on_attention(self, event: object) -> None:
        if self._view == "attention":
            self._show(self.state.scenario)

    def _manifest(self, scenario: Scenario, trace: Trace) -> dict[str, Any]:
        if self._view == "attention":
            return stages.attention.manifest(scenario, trace, self._version, self.state.attention)
        return stages.manifest(scenario, trace, self._version)

    def _show(self, scenario: Scenario) -> None:
        trace = self.state.trace
        if self._view == "attention":
            focus = resolve(trace, self.state.attention)
            if focus != self.state.attention:
                self.state.attention = focus  # comes back here
                return
        structure = (
            scenario.source,
            scenario.target,
            scenario.answers,
            scenario.settings,
            scenario.training,
            self._view,
            self.state.attention if self._view == "attention" else None,
        )
        if structure != self._structure:
            self._structure = structure
            self._version += 1
            self.board.show(self._manifest(scenario, trace))
            if self.state.selection and not self._is_cell(*self.state.selection):
                self.state.param.update(
                    selection=None, oscillation=self.state.oscillation._replace(on=False)
                )
            else:
                self._mark_selection()
        view = scenario.view
        self.board.view(
            palette=view.palette, scale=view.scale, numbers=view.numbers, plane=view.plane
        )
        self._keep()
        if self.state.oscillation.on:
            self._play_or_stop()
        self._refresh()

    def _refresh(self) -> None:
        scenario, trace = self.state.scenario, self.state.trace
        reached = self._reached()

        def read(path: str) -> tuple[np.ndarray, np.ndarray | None]:
            values, marks = drawn(scenario, trace, path)
            return values, with_reach(marks, reached, path, values.shape)

        self.board.refresh(read)

    def _reached(self) -> Mapping[str, np.ndarray]:
        """What the selected cell reaches, if the visitor wants to see it."""
        selection = self.state.selection
        if not (self.state.reach and selection and self._can_be_set(selection.path)):
            return {}
        trace = self.state.trace
        index = own_index(trace[selection.path], selection.row, selection.column)
        return reach(trace, selection.path, index)

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

    def _can_be_set(self, path: str) -> bool:
        return self.state.scenario.shape(split_head(path)[0]) is not None

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
            self._refresh()
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
