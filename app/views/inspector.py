"""The right panel: the selected number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..components.inspector.inspector import Inspector
from ..experiments import matching, patching
from ..explain import gradient, labels, looking, silence, value
from ..explain.details import CellDetails
from ..explain.what_if import MAX_POINTS, Answer, Response, likely_answers, response
from ..inference import cost
from ..inference.forward_pass import ForwardPassRunner
from ..matrices import overview
from ..matrices.address import PROBABILITIES
from ..matrices.covering import Rectangle, is_covered, overlap
from ..matrices.resolved_cell import ResolvedCell, resolve_if_there
from ..matrices.values import ScenarioTrace
from ..runtime.background import LatestJob
from ..runtime.page_session import PageSession
from ..session.state import UNDO, AppState, Offer

COVERED = "It is covered until the question of the lesson is answered."
MADE_OF_COVERED = "One of the numbers that it is computed from is covered for now."
# The details of a cell that contain its operands' values.
_NUMBERS: tuple[str, ...] = ("operands", "more_operands", "strips", "arithmetic")
_OF_COVERED = (*_NUMBERS, "original", "looks", "silence", "edited")

MAX_WORDS = 200  # the response curve offers at most this many words


class InspectorView:
    """Computes the details, response curve and gradient of the selected cell for the inspector."""

    def __init__(self, state: AppState, page: PageSession | None = None) -> None:
        self.state = state
        page = page or PageSession()
        self._search, self._back = LatestJob(page), LatestJob(page)  # of the curve, of the gradient
        self.inspector = Inspector(on_message=self._receive)
        self._curve: tuple[object, ...] | None = None  # the key of the curve shown
        self._computing: tuple[object, ...] | None = None  # and of the one being computed
        self._chosen: Answer | None = None  # for the selected number
        self._chosen_for: tuple[object, ...] | None = None
        self.inspector.param.watch(self._on_value, "value")
        self.inspector.param.watch(self._on_reach, "reach")
        self.inspector.param.watch(self._fill, "watched")
        state.watch_calmly(self._fill, ["scenario", "selection", "baseline", "covered"])
        state.param.watch(self._reach, "reach")
        state.param.watch(self._swing, "oscillation")
        self._fill()

    def _fill(self, *_: Any) -> None:
        cell = self.state.cell
        found = None if cell is None else self._details(cell)
        self.inspector.param.update(
            details=found or {},
            numbers=self.state.scenario.view.numbers,
            value=None if cell is None else self._number(cell),
        )
        if cell is not None and found is not None and found["editable"]:
            self._draw_curve(cell, found)
        else:
            if self.state.selection is None:
                self._chosen_for = None
            self._show_no_curve({})

    def _reach(self, _: Any) -> None:
        self.inspector.reach = self.state.reach

    def _swing(self, _: Any) -> None:
        """Show the amplitude and period of the oscillation, whoever started it."""
        amplitude, period, on = self.state.oscillation
        self.inspector.swing = [float(amplitude), float(period)] if on else []

    def _details(self, cell: ResolvedCell) -> CellDetails:
        found = value.details(self.state.runner, self.state.scenario, cell)
        if self.state.covered:
            self._hide_covered(found, cell)
            if found.get("covered"):
                return found
        pinned = self.state.pinned
        if pinned is None:
            return found
        before = resolve_if_there(pinned.trace, cell.address)
        # As on the board: cells of matrices of different shapes are not compared.
        if before is not None and before.tensor.shape == cell.tensor.shape:
            found["pinned"] = before.value if np.isfinite(before.value) else None
        if cell.stored in pinned.trace and found["editable"]:
            found["patches"] = True
        return found

    def _is_covered(self, cell: ResolvedCell) -> bool:
        """Whether an open question hides the number of a cell."""
        covered = self.state.covered
        return bool(covered) and is_covered(covered, *cell.address)

    def _hide_covered(self, found: CellDetails, cell: ResolvedCell) -> None:
        """Remove from a cell's details what an open question of a lesson asks for."""
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

    # -- the response curve ------------------------------------------------------------------

    def _draw_curve(self, cell: ResolvedCell, found: CellDetails) -> None:
        """Compute the curve, unless the cell's own value is all that has changed."""
        selection, scenario, trace = cell.address, self.state.scenario, self.state.trace
        probabilities = trace[PROBABILITIES].value
        answer = self._answer(probabilities)
        low, high = found["low"], found["high"]
        rest = scenario.without_value(cell.stored, cell.full)
        key = (selection, rest, answer, low, high)
        if not np.isfinite(cell.value):
            self._show_no_curve({})
            return
        if key == self._computing:
            return
        if answer is not None and key == self._curve:
            self._search.cancel()  # another cell was selected for a moment
            self._computing = None
            return
        answers = self._answers(probabilities) if answer is None else [answer]
        after = self._after(len(probabilities))

        def show(curve: Response) -> None:
            row, column = curve.answer
            self.inspector.curve = {
                "low": low,
                "high": high,
                "probabilities": np.round(curve.probabilities.astype(float), 5).tolist(),
                "row": row,
                "column": column,
                "words": self._words(probabilities, row, column),
                "after": after,
            }
            if self._computing == key:  # else the curve for another key follows
                self._computing = None
            self._curve = (selection, rest, curve.answer, low, high)
            self._chosen = self._chosen or curve.answer
            self.state.answer = curve.answer

        is_later = self._search.run(
            lambda go_on: response(
                trace, cell.stored, cell.full, answers, (low, high), go_on=go_on
            ),
            show,
            self._fail,
            inline=cost.fits_inline(MAX_POINTS * cost.forward_pass(scenario)),
            subject=selection if self.state.learning else None,
        )
        if is_later:
            if not self.state.learning or self._curve is None or self._curve[0] != selection:
                self._show_no_curve({"coming": True})
            self._computing = key

    def _show_no_curve(self, shown: dict[str, Any]) -> None:
        """Show an empty curve, or why there is none yet."""
        if not shown:
            self._search.cancel()
        self._curve = self._computing = self.state.answer = None
        self.inspector.curve = shown

    def _fail(self, said: str) -> None:
        self._show_no_curve({})
        self._say(said)

    def _answer(self, probabilities: np.ndarray) -> Answer | None:
        """The answer chosen earlier, by the user or automatically; None if one is to be chosen.

        It stays while the same number is selected, whatever its value: a curve that switched to
        another word at each move could not be followed. While the model writes a shorter text, the
        answer is at the last position of that text.
        """
        of = (self.state.selection, self.state.scenario.output_vocabulary)
        if of != self._chosen_for:
            # The user's choice carries over to the next number, so that numbers can be compared.
            is_kept = self._chosen_for is not None and self._chosen_for[1] == of[1]
            self._chosen_for, self._chosen = of, None
            if not is_kept:
                self.inspector.watched = [-1, -1]
        rows, words = probabilities.shape
        for row, word in (self.inspector.watched, self._chosen or (-1, -1)):
            if row >= 0 and 0 <= word < words:
                return min(row, rows - 1), word
        return None

    def _answers(self, probabilities: np.ndarray) -> list[Answer]:
        """Answers that the selected number affects; without any, that at the current position."""
        return likely_answers(probabilities, self.state.scenario.asked, self.state.position)

    def _after(self, rows: int) -> list[str]:
        """The labels of the rows of the probabilities, by their tokens and positions."""
        axis, tokens = self.state.trace[PROBABILITIES].dims[0], self.state.scenario.axis_tokens
        titles = labels.axis_titles(tokens, PROBABILITIES, axis, rows)
        return [f"{title or '∅'} (position {at})" for at, title in enumerate(titles)]

    def _words(self, probabilities: np.ndarray, row: int, column: int) -> list[list[Any]]:
        """Columns to choose from, with their words; only the likeliest of a large vocabulary."""
        words = self.state.scenario.output_vocabulary
        columns = list(range(len(words)))
        if len(words) > MAX_WORDS:
            likeliest = overview.likeliest(probabilities[row : row + 1])[0].tolist()
            columns = sorted({*likeliest, column})
        return [[k, words[k]] for k in columns]

    def _number(self, cell: ResolvedCell) -> float | None:
        """The value of the selected cell; None if a question hides it or it is not finite."""
        return cell.value if np.isfinite(cell.value) and not self._is_covered(cell) else None

    # -- from the inspector ------------------------------------------------------------------

    def _on_value(self, event: Any) -> None:
        """Set the selected cell to a value set on the component."""
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
        if kind == "gradient":
            self._send_gradient(cell, data["now"])
        elif kind == "restore_matrix":
            state.change(state.scenario.without_matrix(cell.path))
        elif kind == "renormalize":
            self._renormalize(cell)
        elif kind == "look_only":
            self._look_only(cell, everywhere=data["everywhere"])
        elif kind == "release_row":
            self._release_row(cell, everywhere=data["everywhere"])
        elif kind == "silence":
            self._silence(cell, data["name"], data["to"])
        elif kind == "patch":
            self._patch(cell, data["part"])

    def _silence(self, cell: ResolvedCell, name: str, to: str | None) -> None:
        """Silence a part that contains the cell, or release it if ``to`` is None."""
        scenario = self.state.scenario
        changed = silence.chosen(scenario, cell, name, to)
        if changed is not None and changed != scenario:
            self.state.change(changed)

    def _send_gradient(self, cell: ResolvedCell, now: bool) -> None:
        """Send the gradient of the loss at a cell; for a large model only if known or requested."""
        state = self.state
        if self._is_covered(cell):
            return
        is_cheap = cost.has_cheap_gradients(state.scenario)
        if is_cheap or state.runner.has_gradients(state.scenario):
            self._tell_gradient()
        elif now:
            self._pass_back()
        else:
            path, i, j = cell.address
            self.inspector.send_gradient({"path": path, "i": i, "j": j, "costly": True})

    def _pass_back(self) -> None:
        """Compute all gradients of a large model in a thread, then send the cell's."""
        state, scenario, runner = self.state, self.state.scenario, self.state.runner.aside()

        def make(go_on: Callable[[], None]) -> ForwardPassRunner:
            runner.before_pass = go_on
            runner.with_gradients(scenario)
            return runner

        def show(found: ForwardPassRunner) -> None:
            if found.has_pass_of(state.scenario):  # the display may have changed meanwhile
                state.runner.adopt(found)
                self._tell_gradient()

        self._back.run(make, show, self._say)

    def _say(self, said: str) -> None:
        self.state.notice = said

    def _tell_gradient(self) -> None:
        cell, state = self.state.cell, self.state
        if cell is not None and not self._is_covered(cell):
            self.inspector.send_gradient(gradient.details(state.runner, state.scenario, cell))

    def _look_only(self, cell: ResolvedCell, everywhere: bool) -> None:
        """Set a row of attention weights to 1 at the cell's key, else 0; in this or all heads."""
        if not self._is_weight(cell):
            return
        scenario = self.state.scenario
        said = looking.sentence(scenario, cell, everywhere)
        keys = cell.tensor.shape[1]
        values = {(cell.row, k): float(k == cell.column) for k in range(keys)}
        for head in looking.heads(scenario, cell, everywhere):
            scenario = scenario.with_values(head, values)
        self.state.change(scenario)
        self.state.offer = Offer(said, UNDO)

    def _release_row(self, cell: ResolvedCell, everywhere: bool) -> None:
        """Compute all weights of the row again, in this head or in all heads."""
        if not self._is_weight(cell):
            return
        scenario = self.state.scenario
        for head in looking.heads(scenario, cell, everywhere):
            scenario = scenario.without_row(head, cell.row)
        self.state.change(scenario)

    def _patch(self, cell: ResolvedCell, part: str) -> None:
        """Replace the cell, its row or its matrix by the baseline's numbers."""
        state, pinned = self.state, self.state.pinned
        if pinned is None:
            return
        now = ScenarioTrace(state.scenario, state.trace)
        try:
            found = patching.patched(now, pinned, cell, part)
            state.change(found.scenario)
        except (KeyError, ValueError) as error:
            state.notice = str(error.args[0])
            return
        if state.scenario.edits != now.scenario.edits:  # unless the page is locked
            said = f"{found.taken:,} {'numbers are' if found.taken > 1 else 'number is'} as in the "
            said += "baseline now." if not found.left else f"baseline now, {found.left} are not. "
            more = matching.sentence(now.scenario, pinned.scenario) if found.left else ""
            state.offer = Offer(said + more, UNDO)

    def _is_weight(self, cell: ResolvedCell) -> bool:
        return cell.path.endswith(".weights") and self.state.scenario.can_be_set(cell.stored)

    def _renormalize(self, cell: ResolvedCell) -> None:
        """Scale the other weights of the row so that it sums to 1 again."""
        path, i, j = cell.address
        if not self._is_weight(cell) and path != PROBABILITIES:
            return
        row = cell.tensor.value[i].astype(float)
        others = row.sum() - row[j]
        if others <= 0:
            self.state.notice = "The others of the row are all 0; there is nothing to scale."
            return
        factor = max(0.0, 1 - row[j]) / others
        values = {(i, k): x * factor for k, x in enumerate(row) if k != j and x}
        values[i, j] = min(1.0, max(0.0, row[j]))
        self.state.change(self.state.scenario.with_values(path, values))
