"""The response curve: how an answer's probability and the written words follow a number."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...components.inspector.inspector import Inspector
from ...explain.details import CellDetails
from ...explain.row_names import row_names
from ...explain.unread_row import unread_row
from ...explain.what_if import MAX_POINTS, Answer, Response, likely_answers, response
from ...explain.word_borders import WordStretches
from ...explain.written_at import deciding, stretches_of
from ...inference import cost
from ...matrices import overview
from ...matrices.address import PROBABILITIES
from ...matrices.resolved_cell import ResolvedCell
from ...runtime.background import LatestJob
from ...runtime.page_session import PageSession
from ...session.state import AppState

MAX_WORDS = 200  # the curve offers at most this many words


class ResponseCurve:
    """Computes the curve of the selected number for the inspector, in a thread if it is costly.

    The borders of the written words always take a thread: they need a pass for each sentence.
    """

    def __init__(self, state: AppState, inspector: Inspector, page: PageSession) -> None:
        self._state = state
        self._inspector = inspector
        self._search = LatestJob(page)
        self._borders = LatestJob(page)
        self._bordered: tuple[object, ...] | None = None  # the key of the words shown or computed
        self._shown: tuple[object, ...] | None = None  # the key of the curve shown
        self._computing: tuple[object, ...] | None = None  # and of the one being computed
        self._chosen: Answer | None = None  # for the selected number
        self._chosen_for: tuple[object, ...] | None = None

    def clear(self) -> None:
        """Show no curve; without a selection, the user's choice of an answer is forgotten."""
        if self._state.selection is None:
            self._chosen_for = None
        self._show_none({})
        self._show_no_words()

    def draw(self, cell: ResolvedCell, found: CellDetails) -> None:
        """Compute the curve, unless the cell's own value is all that has changed."""
        selection, scenario, trace = cell.address, self._state.scenario, self._state.trace
        probabilities = trace[PROBABILITIES].value
        answer = self._answer(probabilities)
        low, high = found["low"], found["high"]
        rest = scenario.without_value(cell.stored, cell.full)
        key = (selection, rest, answer, low, high)
        # Nothing reads a probability: its curve would be of itself against itself.
        if cell.stored == PROBABILITIES or not np.isfinite(cell.value):
            self._show_none({})
            self._show_no_words()
            return
        self._divide(cell, deciding(rest), (low, high))
        if key == self._computing:
            return
        if answer is not None and key == self._shown:
            self._search.cancel()  # another cell was selected for a moment
            self._computing = None
            return
        answers = self._answers(probabilities) if answer is None else [answer]
        focus = self._in_focus(probabilities)
        names = row_names(scenario, len(probabilities))

        def show(curve: Response) -> None:
            row, column = curve.answer
            self._inspector.curve = {
                "low": low,
                "high": high,
                "probabilities": np.round(curve.probabilities.astype(float), 5).tolist(),
                "row": row,
                "column": column,
                "words": self._words(probabilities, row, column),
                "rows": names,
            }
            if self._computing == key:  # else the curve for another key follows
                self._computing = None
            self._shown = (selection, rest, curve.answer, low, high)
            self._chosen = self._chosen or curve.answer
            self._state.answer = curve.answer

        is_later = self._search.run(
            lambda go_on: response(
                trace, cell.stored, cell.full, answers, (low, high), focus=focus, go_on=go_on
            ),
            show,
            self._fail,
            inline=cost.fits_inline(MAX_POINTS * cost.forward_pass(scenario)),
            subject=selection if self._state.learning else None,
        )
        if is_later:
            if not self._state.learning or self._shown is None or self._shown[0] != selection:
                self._show_none({"coming": True})
            self._computing = key

    def _divide(self, cell: ResolvedCell, rest: object, span: tuple[float, float]) -> None:
        """Find the borders of the written words, unless only the cell's own value has changed."""
        scenario, selection = self._state.scenario, cell.address
        if self._state.learning:
            self._show_no_words()
            return
        key = (selection, rest, span, scenario.training)
        if key == self._bordered:
            return
        if self._bordered is None or self._bordered[0] != selection:
            self._inspector.words = {"coming": True}
        self._bordered = key
        unread = unread_row(scenario, self._state.trace, cell)
        runner = self._state.runner.aside()
        runner.adopt(self._state.runner)  # its pass is the first guess's

        def show(found: tuple[WordStretches, ...]) -> None:
            names = row_names(scenario, 1 + max((each.row for each in found), default=0))
            self._inspector.words = {
                "low": span[0],
                "high": span[1],
                "end": scenario.vocabulary.end or "",
                "unread": unread,
                "dropout": scenario.training,
                "rows": [
                    {
                        "row": each.row,
                        "name": names[each.row],
                        "stretches": [list(stretch) for stretch in each.stretches],
                    }
                    for each in found
                ],
            }

        def fail(said: str) -> None:
            self._show_no_words()
            self._state.notice = said

        self._borders.run(
            lambda go_on: stretches_of(scenario, runner, cell, span, go_on),
            show,
            fail,
            is_large=cost.is_large(scenario),
        )

    def _show_no_words(self) -> None:
        self._borders.cancel()
        self._bordered = None
        if self._inspector.words:
            self._inspector.words = {}

    def _show_none(self, shown: dict[str, Any]) -> None:
        """Show an empty curve, or why there is none yet."""
        if not shown:
            self._search.cancel()
        self._shown = self._computing = self._state.answer = None
        self._inspector.curve = shown

    def _fail(self, said: str) -> None:
        self._show_none({})
        self._state.notice = said

    def _answer(self, probabilities: np.ndarray) -> Answer | None:
        """The answer chosen earlier, by the user or automatically; None if one is to be chosen.

        It stays while the same number is selected, whatever its value: a curve that switched to
        another word at each move could not be followed. While the model writes a shorter text, the
        answer is at the last position of that text.
        """
        of = (self._state.selection, self._state.scenario.output_vocabulary)
        if of != self._chosen_for:
            # The user's choice carries over to the next number, so that numbers can be compared.
            is_kept = self._chosen_for is not None and self._chosen_for[1] == of[1]
            self._chosen_for, self._chosen = of, None
            if not is_kept:
                self._inspector.watched = [-1, -1]
        rows, words = probabilities.shape
        for row, word in (self._inspector.watched, self._chosen or (-1, -1)):
            if row >= 0 and 0 <= word < words:
                return min(row, rows - 1), word
        return None

    def _answers(self, probabilities: np.ndarray) -> list[Answer]:
        """Answers that the selected number affects; without any, that at the current position."""
        return likely_answers(probabilities, self._state.scenario.asked, self._state.position)

    def _in_focus(self, probabilities: np.ndarray) -> Answer | None:
        """The word that is written at the position whose next word is shown."""
        row = self._state.position
        if not 0 <= row < len(probabilities):
            return None
        written = self._state.scenario.asked.get(row)
        return row, int(probabilities[row].argmax()) if written is None else written

    def _words(self, probabilities: np.ndarray, row: int, column: int) -> list[list[Any]]:
        """Columns to choose from, with their words; only the likeliest of a large vocabulary."""
        words = self._state.scenario.output_vocabulary
        columns = list(range(len(words)))
        if len(words) > MAX_WORDS:
            likeliest = overview.likeliest(probabilities[row : row + 1])[0].tolist()
            columns = sorted({*likeliest, column})
        return [[k, words[k]] for k in columns]
