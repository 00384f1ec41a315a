"""The bars of the next word at the shown position."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from ..components.prediction.prediction import Prediction
from ..explain.row_names import row_names
from ..inference.writing import predicts_end
from ..matrices.address import PROBABILITIES, CellAddress
from ..session.state import AppState
from ..view_model.words_before import words_before


class PredictionView:
    """Shows the next word of the position that the state decides on (see `shown_row`)."""

    def __init__(self, state: AppState) -> None:
        self.state = state
        self.prediction = Prediction()
        self.prediction.param.watch(self._on_value, "value")
        self.prediction.param.watch(self._on_temperature, "temperature")
        self.prediction.on_look(self._on_look)
        state.watch_calmly(self._fill, ["scenario", "position", "decode", "oscillation", "editing"])
        self._fill()

    def _fill(self, *_: Any) -> None:
        state, scenario = self.state, self.state.scenario
        swings = state.oscillation.on
        resting = state.trace[PROBABILITIES].value if swings else None
        rows = row_names(scenario)
        self.prediction.update_changed(
            rows=rows,
            written=_written(state, len(rows)),
            value=state.position,
            temperature=state.decode.temperature,
            moves=bool(state.editing or swings or state.learning),
            before=words_before(scenario, rows[state.position], state.last_edit, resting),
        )

    def _on_value(self, event: Any) -> None:
        """Ask for a position set on the component; a number that swings does not move it then."""
        if event.new != self.state.position:
            self.state.update(answer=None, location=self.state.location._replace(asked=event.new))

    def _on_temperature(self, event: Any) -> None:
        settings = self.state.decode
        if event.new != settings.temperature:
            self.state.decode = settings.changed("temperature", str(event.new))

    def _on_look(self, row: int, word: str) -> None:
        words = self.state.scenario.output_vocabulary
        if word in words:
            self.state.update(
                selection=CellAddress(PROBABILITIES, row, words.index(word)),
                oscillation=self.state.oscillation._replace(on=False),
            )


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
