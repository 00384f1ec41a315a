"""The next word predicted at the current position."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from ..components.prediction.prediction import Prediction
from ..explain.row_names import row_names
from ..inference.followed_lane import is_other_moment
from ..inference.other_text import is_other_text
from ..inference.writing import likeliest, predicts_end
from ..inference.written_words import changed_words, moved_position
from ..matrices.address import PROBABILITIES, CellAddress
from ..scenario.scenario import Scenario
from ..session.state import AppState
from ..view_model.focus import Followed
from ..view_model.last_edit import TRAINING

MOST_WORDS = 400  # words, the likeliest, whose probabilities are compared with those of before
# Pictures that are of no row: while something is dragged in them, the word that it turns is shown.
WITHOUT_ROW = ("idea:words", "idea:positions", "idea:landscape")


class PredictionView:
    """Follows the clicked word, or the decoder row of the selected cell.

    Without either it shows the last word written, and after an edit the first word that this
    changed. During an oscillation it shows the answer that the number affects most.
    """

    def __init__(self, state: AppState) -> None:
        self.state = state
        self._swung: int | None = None  # the position that the oscillating number affects most
        self._usual = -1
        self._followed: Scenario = state.scenario  # the scenario whose rows are shown
        self._seen = self._in_sight
        self._compared: tuple[object, ...] = ()  # what the comparison was made for
        self.prediction = Prediction()
        self.prediction.param.watch(self._on_value, "value")
        self.prediction.param.watch(self._on_temperature, "temperature")
        self.prediction.on_look(self._on_look)
        state.param.watch(self._on_focus, ["selection", "location"])
        state.param.watch(self._on_oscillation, ["oscillation", "answer"])
        state.param.watch(self._fill, ["decode", "learning", "before_experiment", "editing"])
        state.watch_calmly(self._fill, "scenario")
        self._fill()

    @property
    def _chosen(self) -> int | None:
        """The user's chosen position, which is part of the location, and so of links."""
        asked: int | None = self.state.location.asked
        return asked

    @_chosen.setter
    def _chosen(self, row: int | None) -> None:
        if row != self.state.location.asked:
            self.state.go("asked", row)

    @property
    def _in_sight(self) -> tuple[Followed | None, CellAddress | None, int | None]:
        return self.state.focus.word, self.state.focus.number, self._chosen

    def _fill(self, *_: Any) -> None:
        self._show(self._follow_words(self.state.scenario))

    def _show(self, is_moment: bool) -> None:
        """Fill the bars; at another moment of a training the chosen position stays."""
        scenario, shown = self.state.scenario, self.prediction
        rows = row_names(scenario)
        if self._chosen is not None and self._chosen >= len(rows) and not is_moment:
            self._chosen = None
        self._usual = self._usual_row(len(rows), is_moment)
        row = self._usual if self._chosen is None else self._chosen
        row = max(0, min(row, len(rows) - 1))
        if self._swung is not None and self._swung < len(rows):
            row = self._swung
        elif self.state.held and self.state.location.view in WITHOUT_ROW:
            turned = self._turned_row()
            row = row if turned is None else turned
        self._shown_row = row
        shown.update_changed(
            rows=rows,
            written=_written(self.state, len(rows)),
            value=row,
            temperature=self.state.decode.temperature,
            moves=bool(self.state.editing or self.state.oscillation.on or self.state.learning),
            before=self._words_before(rows[row] if rows else ""),
        )
        if row != self.state.position:
            self.state.position = row

    def _follow_words(self, scenario: Scenario) -> bool:
        """Adjust the chosen position when words before it were added or removed.

        At each moment of a training other words are written; there the position stays. In another
        text it is that of the word in focus.

        Returns:
            Whether it is another moment.
        """
        before, self._followed = self._followed, scenario
        is_moment = self.state.learning or is_other_moment(before, scenario)
        old, new = _tokens(before), _tokens(scenario)
        if before.model != scenario.model or is_moment or old == new:
            return is_moment
        if self.state.snapshots.is_restoring:  # the position came with the words
            return False
        if self.state.selection is None and is_other_text(before, scenario):
            self._usual, self._chosen = -1, self._row_in_focus()
            return False
        self._usual = moved_position(old, new, self._usual) if self._usual >= 0 else self._usual
        if self._chosen is not None:
            self._chosen = moved_position(old, new, self._chosen)
        return False

    def _row_in_focus(self) -> int | None:
        """The row whose next word is in focus; None if no such word is followed."""
        followed = self.state.location.followed
        is_read = followed is not None and followed.stack in _stacks(self.state.scenario)
        return followed.position if followed is not None and is_read else None

    def _usual_row(self, rows: int, is_moment: bool) -> int:
        """The row shown if the user chose none; it stays while its words do."""
        scenario, edit = self.state.scenario, self.state.last_edit
        if not scenario.writes_itself:
            return max(0, rows - 1) if scenario.blank is None else scenario.blank
        if is_moment or (edit is not None and edit.of == TRAINING):
            # Words change all the time during training; that is no edit to follow.
            return self._usual if self._usual >= 0 else max(0, rows - 2)
        before = scenario if edit is None else edit.before
        if self.state.held and (turned := self._turned_row()) is not None:
            return turned
        is_same = scenario.model == before.model and before.writes_itself
        changed = changed_words(before.target, scenario.target) if is_same else []
        if any(changed[1:]):
            return changed.index(True, 1) - 1
        if is_same and 0 <= self._usual < rows:
            return self._usual
        return max(0, rows - 2)

    def _turned_row(self) -> int | None:
        """The first row that would write another word than before; None if none would."""
        scenario = self.state.scenario
        before = _written(self.state, len(scenario.target))
        now = likeliest(scenario, self.state.runner)
        found = (at for at, word in enumerate(before) if word and now[at] != word)
        return next(found, None)

    def _words_before(self, row: str) -> dict[str, float]:
        """The next words' probabilities before the last edit, after the words of a row.

        An oscillation is compared with the numbers at rest. Another text is compared with nothing.
        """
        state, edit = self.state, self.state.last_edit
        swings = state.oscillation.on
        asked = swings, row, None if edit is None or swings else edit.number
        if asked == self._compared:
            return dict(self.prediction.before)
        self._compared = asked
        before, likeliest = state.scenario, state.trace[PROBABILITIES].value if swings else None
        is_same = edit is not None and edit.before.opened_model == before.opened_model
        if edit and is_same and not swings and not is_other_text(edit.before, before):
            before, likeliest = edit.before, edit.likeliest
        words, rows = before.output_vocabulary, row_names(before)
        is_known = words == state.scenario.output_vocabulary and row in rows
        if likeliest is None or not is_known:
            return {}
        numbers = likeliest[rows.index(row)]
        columns = np.argsort(-numbers)[:MOST_WORDS]
        finite = (at for at in columns if np.isfinite(numbers[at]))
        return {words[at]: float(numbers[at]) for at in finite}

    def _on_focus(self, *_: Any) -> None:
        """Show the row of what is in focus now; what is let go of is still what is looked at."""
        before, seen = self._seen, self._in_sight
        self._seen = seen
        if seen == before:
            return
        is_moment = self._follow_words(self.state.scenario)
        row = None
        if seen[1] is not None and seen[1] != before[1]:
            row = self._row_of(seen[1])
        elif seen[0] != before[0]:
            row = self._row_in_focus()
        self._chosen = self._chosen if row is None else row
        self._show(is_moment)

    def _on_oscillation(self, *_: Any) -> None:
        """Show the oscillation's own answer while it lasts, and the previous one afterwards."""
        answer = self.state.answer if self.state.oscillation.on else None
        self._swung = None if answer is None else answer[0]
        self._fill()

    def _row_of(self, cell: CellAddress) -> int | None:
        """The position whose next word a cell affects; None if it belongs to no single position."""
        trace = self.state.trace
        if cell.path not in trace:
            return None
        is_there = cell.path.partition(".")[0] in _stacks(self.state.scenario)
        dims = trace[cell.path].dims
        return cell.row if is_there and len(dims) > 1 and dims[-2] == "position" else None

    def _on_value(self, event: Any) -> None:
        """Follow a position set on the component."""
        if event.new != self._shown_row:
            self._swung = None
            self._chosen = self._shown_row = self.state.position = event.new

    def _on_temperature(self, event: Any) -> None:
        settings = self.state.decode
        if event.new != settings.temperature:
            self.state.decode = settings.changed("temperature", str(event.new))

    def _on_look(self, row: int, word: str) -> None:
        words = self.state.scenario.output_vocabulary
        if word in words:
            self._chosen = row
            self.state.update(
                selection=CellAddress(PROBABILITIES, row, words.index(word)),
                oscillation=self.state.oscillation._replace(on=False),
            )


def _stacks(scenario: Scenario) -> tuple[str, ...]:
    """The stacks with the tokens whose next words are predicted."""
    if scenario.settings.decoder_layers:
        return ("target", "decoder", "output")
    return ("source", "encoder", "output")


def _tokens(scenario: Scenario) -> tuple[str, ...]:
    """The tokens whose next words are predicted."""
    return scenario.target if scenario.settings.decoder_layers else scenario.source


def _written(state: AppState, rows: int) -> list[str]:
    """The word written next at each position; the end token where the model has stopped."""
    scenario = state.scenario
    if not scenario.settings.decoder_layers:
        return [""] * rows
    last = ""
    if scenario.writes_itself:
        with suppress(ValueError):  # numbers so large that decoding fails
            last = scenario.vocabulary.end or "" if predicts_end(scenario, state.runner) else ""
    return [*scenario.target[1:], last, *[""] * rows][:rows]
