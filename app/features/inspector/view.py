"""Shows the selected number in the right panel."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ...components.callbacks import Callbacks
from ...explain import gradient, value
from ...explain.details import CellDetails
from ...ideas.catalog import ideas_of_matrix
from ...model.matrices.address import PROBABILITIES
from ...model.matrices.covering import Rectangle, is_covered, overlap
from ...model.matrices.resolved_cell import ResolvedCell, resolve_if_there
from ...session.background_gradients import BackgroundGradients
from ...session.state import AppState
from ...transport.runtime.page_session import PageSession
from . import actions
from .curve import ResponseCurve
from .inspector import Inspector

COVERED = "Covered until you answer the question of the lesson."
MADE_OF_COVERED = (
    "A question of the lesson covers one of the numbers that this one is computed from."
)
# The details of a cell that reveal its operands' values.
_NUMBERS: tuple[str, ...] = ("operands", "more_operands", "strips", "arithmetic")
_OF_COVERED = (*_NUMBERS, "original", "looks", "silence", "edited")


class InspectorView:
    """Computes the details, response curve and gradient of the selected cell for the inspector."""

    _wish = Callbacks[[int, str]]()

    def __init__(self, state: AppState, page: PageSession | None = None) -> None:
        self.state = state
        page = page or PageSession()
        self._backward = BackgroundGradients(state, page, self._send_gradient)
        self._drawn: tuple[ResolvedCell, CellDetails] | None = None
        self.inspector = Inspector(on_message=self._receive)
        self._curve = ResponseCurve(state, self.inspector, page, self._draw)
        self.inspector.param.watch(self._on_value, "value")
        self.inspector.param.watch(self._on_reach, "reach")
        self.inspector.param.watch(self._fill, "watched")
        state.watch_calmly(
            self._fill,
            ["scenario", "selection", "position", "baseline", "covered", "to_read", "oscillation"],
        )
        state.watch(self._reach, "reach")
        state.watch(self._swing, "oscillation")
        self._fill()

    def _fill(self, *_: Any) -> None:
        cell = self.state.cell
        found = None if cell is None else self._details(cell)
        self.inspector.update_changed(
            details=found or {},
            numbers=self.state.scenario.view.numbers,
            value=None if cell is None else self._number(cell),
        )
        # The curve depends on the word in focus, which the same change may affect.
        self._drawn = (cell, found) if cell and found and found["editable"] else None
        self.state.after_change(self._draw)

    def _draw(self) -> None:
        if self._drawn is None:
            self._curve.clear()
        else:
            self._curve.draw(*self._drawn)

    def _reach(self, _: Any) -> None:
        self.inspector.reach = self.state.reach

    def _swing(self, _: Any) -> None:
        """Show the amplitude and period of the oscillation, even if it was started elsewhere."""
        amplitude, period, on = self.state.oscillation
        self.inspector.swing = [float(amplitude), float(period)] if on else []

    def _details(self, cell: ResolvedCell) -> CellDetails:
        amplitude, _, swings = self.state.oscillation
        swing = amplitude if swings else 0.0
        found = value.details(self.state.runner, self.state.scenario, cell, swing)
        if cell.path == PROBABILITIES and self._may_be_written(cell):
            found["word"] = self.state.scenario.output_vocabulary[cell.column]
        if self.state.address.shows("views"):
            found["ideas"] = ideas_of_matrix(cell.path)
        if is_covered(self.state.to_read, *cell.address):
            found.pop("looks", None)  # a question asks the user to read this weight
        if self.state.covered:
            self._hide_covered(found, cell)
            if found.get("covered"):
                return found
        pinned = self.state.compared
        if pinned is None:
            return found
        before = resolve_if_there(pinned.trace, cell.address)
        # As on the board, cells of matrices with different shapes are not compared.
        if before is not None and before.tensor.shape == cell.tensor.shape:
            found["pinned"] = before.value if np.isfinite(before.value) else None
        if cell.stored in pinned.trace and found["editable"]:
            found["patches"] = True
        return found

    def _may_be_written(self, cell: ResolvedCell) -> bool:
        """Return whether the word of a probability could be made the likeliest of its row."""
        scenario = self.state.scenario
        # With dropout, the shown likeliest words are not the words that the model writes.
        if scenario.training or cell.column in scenario.vocabulary.forbidden_ids:
            return False
        return int(cell.tensor.value[cell.row].argmax()) != cell.column

    def _is_covered(self, cell: ResolvedCell) -> bool:
        covered = self.state.covered
        return bool(covered) and is_covered(covered, *cell.address)

    def _hide_covered(self, found: CellDetails, cell: ResolvedCell) -> None:
        """Remove details of a cell that would answer an open question of a lesson."""
        covered, state = self.state.covered, self.state
        if self._is_covered(cell):
            found["covered"], found["editable"], found["note"] = True, False, COVERED
            hidden = _OF_COVERED
        elif any(overlap(one, other) for one in covered for other in self._made_of(cell)):
            found["note"] = MADE_OF_COVERED
            hidden = _NUMBERS
        else:
            return
        for name in hidden:
            found.pop(name, None)  # type: ignore[misc]
        if state.oscillation.on and found.get("covered"):
            state.oscillation = state.oscillation._replace(on=False)

    def _made_of(self, cell: ResolvedCell) -> list[Rectangle]:
        return value.shown_operands(self.state.runner, self.state.scenario, cell)

    def _number(self, cell: ResolvedCell) -> float | None:
        """Return the selected cell's value; None if a question covers it or it is not finite."""
        return cell.value if np.isfinite(cell.value) and not self._is_covered(cell) else None

    def on_wish(self, callback: Callable[[int, str], None]) -> None:
        """Let the user request a word; call back with the row and the requested word."""
        self._wish(callback)
        self.inspector.wishes = True

    # -- from the inspector ------------------------------------------------------------------

    def _on_value(self, event: Any) -> None:
        cell, state = self.state.cell, self.state
        if event.new is None or cell is None or event.new == self._number(cell):
            return
        state.change(state.scenario.with_value(cell.stored, cell.full, event.new))

    def _on_reach(self, event: Any) -> None:
        self.state.reach = event.new

    def _receive(self, data: dict[str, Any]) -> None:
        kind, cell, state = data["type"], self.state.cell, self.state
        if cell is None:
            return
        if kind == "wish":
            self._wish.call(data["row"], data["word"])
        elif kind == "gradient":
            self._backward.want(on_request=True)
            if data["now"]:
                self._backward.ask()
            else:
                self._send_gradient()
        elif kind == "restore_matrix":
            state.change(state.scenario.without_matrix(cell.path))
        else:
            actions.act(state, cell, data)

    def _send_gradient(self) -> None:
        """Send the gradient of the loss at the selected cell, or an offer to compute it.

        A large model, whose gradients take long, gets an offer until the user requests them.
        """
        cell, state = self.state.cell, self.state
        if cell is None or self._is_covered(cell):
            return
        gradients = self._backward.want(on_request=True)
        if gradients.status == "ready":
            self.inspector.send_gradient(gradient.details(state.runner, state.scenario, cell))
        elif gradients.is_offered:
            path, i, j = cell.address
            self.inspector.send_gradient({"path": path, "i": i, "j": j, "costly": True})
        if gradients.status == "failed":
            state.notice = gradients.note
