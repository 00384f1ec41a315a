"""Shows the bars of the next word at the shown position."""

from typing import Any

from ...model.matrices.address import PROBABILITIES, CellAddress
from ...session.state import AppState
from .prediction import Prediction


class PredictionView:
    """Shows the next word of the position chosen by the state (see `shown_row`)."""

    def __init__(self, state: AppState) -> None:
        self.state = state
        self.prediction = Prediction()
        self.prediction.param.watch(self._on_value, "value")
        self.prediction.on_look(self._on_look)
        state.watch_calmly(self._fill, ["scenario", "position", "oscillation", "editing"])
        self._fill()

    def _fill(self, *_: Any) -> None:
        state = self.state
        bars = state.view_model.bars._asdict()
        self.prediction.update_changed(**bars, moves=state.current.is_moving)

    def _on_value(self, event: Any) -> None:
        """Show the position set on the component; an oscillation no longer changes it."""
        if event.new != self.state.position:
            self.state.update(answer=None, location=self.state.location._replace(asked=event.new))

    def _on_look(self, row: int, word: str) -> None:
        words = self.state.scenario.output_vocabulary
        if word in words:
            self.state.update(
                selection=CellAddress(PROBABILITIES, row, words.index(word)),
                oscillation=self.state.oscillation._replace(on=False),
            )
