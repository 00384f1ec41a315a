"""Computes the response curve: an answer's probability and the likeliest words by a number."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...explain.details import CellDetails
from ...explain.response_curve import MAX_POINTS, likely_answers, response
from ...explain.row_names import row_names
from ...explain.unread_row import unread_row
from ...explain.written_at import stretches_of
from ...model.inference import cost
from ...model.matrices import overview
from ...model.matrices.address import PROBABILITIES, Answer
from ...model.matrices.resolved_cell import ResolvedCell
from ...session.state import AppState
from ...transport.runtime.derived import Check, Derived
from ...transport.runtime.page_session import PageSession
from .inspector import Inspector

MAX_WORDS = 200  # the curve offers at most this many words


class _Curve(NamedTuple):
    """A curve: its answer, and the data that the inspector shows."""

    answer: Answer
    shown: dict[str, Any]


class ResponseCurve:
    """Computes the curve of the selected number for the inspector, in a thread if it is costly.

    The borders between the words are always computed in a thread, as they need many passes.
    """

    def __init__(
        self, state: AppState, inspector: Inspector, page: PageSession, redraw: Callable[[], None]
    ) -> None:
        self._state = state
        self._inspector = inspector
        self._curve: Derived[_Curve] = Derived(page, redraw)
        self._borders: Derived[dict[str, Any]] = Derived(page, redraw)
        self._chosen: Answer | None = None  # the automatic choice for the selected number
        self._chosen_at: int | None = None  # the shown row when it was made
        self._chosen_for: tuple[object, ...] | None = None

    def clear(self) -> None:
        """Show no curve; without a selection, also forget the user's choice of an answer."""
        if self._state.selection is None:
            self._chosen_for = None
        self._show_nothing()

    def _show_nothing(self) -> None:
        self._curve.drop()
        self._borders.drop()
        if self._state.answer is not None:
            self._state.answer = None
        self._inspector.update_changed(curve={}, words={})

    def draw(self, cell: ResolvedCell, found: CellDetails) -> None:
        """Compute the curve, unless only the cell's own value has changed."""
        # The curve of a probability would plot it against itself.
        if cell.stored == PROBABILITIES or not np.isfinite(cell.value):
            self._show_nothing()
            return
        span = found["low"], found["high"]
        words = self._shown_words(cell, span)
        curve = self._shown_curve(cell, span)
        self._inspector.update_changed(words=words, curve=curve)

    def _shown_curve(self, cell: ResolvedCell, span: tuple[float, float]) -> dict[str, Any]:
        state, selection = self._state, cell.address
        scenario, probabilities = state.scenario, state.trace[PROBABILITIES].value
        rest = scenario.without_value(cell.stored, cell.full).undrawn
        answer, known = self._answer(probabilities), self._curve.result
        key = (selection, rest, span, self._chosen_at, answer)
        if known.value and known.value.answer == answer and known.key == (*key[:4], None):
            key = known.key  # the known computation chose this answer itself
        found = self._curve.want(
            key,
            self._computation(cell, span, answer),
            cost.level(MAX_POINTS * cost.forward_pass(scenario)),
            subject=(selection, scenario.model_key),
            finishes=state.learning,
        )
        if found.value is None:
            state.answer = None
            if found.status == "failed":
                state.notice = found.note
                return {}
            return {"coming": True}
        self._chosen = self._chosen or found.value.answer
        state.answer = found.value.answer
        return {**found.value.shown, "pending": found.pending}

    def _computation(
        self, cell: ResolvedCell, span: tuple[float, float], answer: Answer | None
    ) -> Callable[[Check], _Curve]:
        """Return a function that computes the curve and the data that the inspector shows."""
        scenario, trace = self._state.scenario, self._state.trace
        probabilities = trace[PROBABILITIES].value
        answers = self._answers(cell, probabilities) if answer is None else [answer]
        focus = self._in_focus(probabilities)

        def compute(check: Check) -> _Curve:
            curve = response(trace, cell.stored, cell.full, answers, span, focus=focus, go_on=check)
            row, column = curve.answer
            shown = {
                "low": span[0],
                "high": span[1],
                "probabilities": np.round(curve.probabilities.astype(float), 5).tolist(),
                "row": row,
                "column": column,
                "words": _words(scenario.output_vocabulary, probabilities, row, column),
                "rows": row_names(scenario, len(probabilities)),
            }
            return _Curve(curve.answer, shown)

        return compute

    def _shown_words(self, cell: ResolvedCell, span: tuple[float, float]) -> dict[str, Any]:
        """Return the words at each value; empty during training, which changes them too fast."""
        scenario, trace = self._state.scenario, self._state.trace
        if self._state.learning:
            self._borders.drop()
            return {}

        def compute(check: Check) -> dict[str, Any]:
            found = stretches_of(scenario, trace, cell, span, check)
            names = row_names(scenario, len(found))
            return {
                "low": span[0],
                "high": span[1],
                "end": scenario.vocabulary.end or "",
                "unread": unread_row(scenario, trace, cell),
                "rows": [
                    {
                        "row": each.row,
                        "name": names[each.row],
                        "stretches": [list(stretch) for stretch in each.stretches],
                    }
                    for each in found
                ],
            }

        found = self._borders.want(
            (cell.address, scenario.without_value(cell.stored, cell.full).undrawn, span),
            compute,
            "large" if cost.is_large(scenario) else "slow",
            subject=(cell.address, scenario.model_key),
        )
        if found.status == "failed":
            self._state.notice = found.note
        if found.value is None:
            return {"coming": True} if found.status == "pending" else {}
        return {**found.value, "pending": found.pending}

    def _answer(self, probabilities: np.ndarray) -> Answer | None:
        """Return the answer chosen earlier, by the user or automatically; None if none is chosen.

        The answer is kept while the same number is selected, whatever its value: a curve of a
        different word at each move would be hard to follow. A new source requires a new choice, and
        so does a turn of the page to a row other than the answer's. If the text has become too
        short for the answer's position, its last position is used.
        """
        scenario, position = self._state.scenario, self._state.position
        if position != self._chosen_at:
            is_of_row = self._chosen is not None and self._chosen[0] == position
            self._chosen = self._chosen if is_of_row else None
            self._chosen_at = position
        of = (self._state.selection, scenario.output_vocabulary, scenario.source)
        if of != self._chosen_for:
            # Keep the user's choice for the next number, so that numbers can be compared.
            is_kept = self._chosen_for is not None and self._chosen_for[1:] == of[1:]
            self._chosen_for, self._chosen = of, None
            if not is_kept:
                self._inspector.watched = [-1, -1]
        rows, words = probabilities.shape
        for row, word in (self._inspector.watched, self._chosen or (-1, -1)):
            if row >= 0 and 0 <= word < words:
                return min(row, rows - 1), word
        return None

    def _answers(self, cell: ResolvedCell, probabilities: np.ndarray) -> list[Answer]:
        """Return the answers to choose from for the curve of the selected number.

        A parameter affects all positions: return only answers at the position the user chose.
        """
        state = self._state
        found = likely_answers(probabilities, state.scenario.asked, state.position)
        if state.location.asked is None or not state.scenario.is_parameter(cell.stored):
            return found
        return [each for each in found if each[0] == state.position] or found

    def _in_focus(self, probabilities: np.ndarray) -> Answer:
        """Return the current position and its next word in the text, or else the likeliest word."""
        row = self._state.position
        written = self._state.scenario.asked.get(row)
        return row, int(probabilities[row].argmax()) if written is None else written


def _words(
    words: Sequence[str], probabilities: np.ndarray, row: int, column: int
) -> list[list[Any]]:
    """Return the words to choose from, with their columns; of a large vocabulary, the likeliest."""
    columns = list(range(len(words)))
    if len(words) > MAX_WORDS:
        likeliest = overview.likeliest(probabilities[row : row + 1])[0].tolist()
        columns = sorted({*likeliest, column})
    return [[k, words[k]] for k in columns]
