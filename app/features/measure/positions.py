"""Measures the model's output without positional encodings."""

from collections.abc import Callable
from functools import partial
from typing import Any

from ...experiments import position_effects as of_positions
from ...experiments.position_effects import (
    PositionEffects,
    position_effects,
    position_parts,
    with_positions,
    without_positions,
)
from ...explain.units import in_units
from ...model.matrices.address import Answer
from ...model.scenario.scenario import Scenario
from ...transport.runtime.derived import Check, Result
from . import bar_words
from .measured import BarsSection

NONE = "This model has no positions."


class PositionsSection(BarsSection[PositionEffects]):
    """A bar for the positions of each text, and of both; a press removes or restores them."""

    title = "What if it knew no positions"
    question = "Does the model need the order of the words? Only the positional encoding tells it."
    how = (
        " Here it is 0{of}. Press a bar to set it to 0 in the model on the page, and again to "
        "restore it."
    )

    def _multiply_adds(self, scenario: Scenario) -> int:
        return of_positions.multiply_adds(scenario)

    def _compute(self, scenario: Scenario, answer: Answer) -> Callable[[Check], PositionEffects]:
        return partial(position_effects, self._runner, scenario, answer)

    def _on_press(self, row: int) -> None:
        """Remove or restore the positions of a text, as one undo step."""
        state, found = self.state, self.result.value
        if found is None or not position_parts(state.scenario):
            return
        effect = found.effects[row]
        told = with_positions(state.scenario)
        state.change(told if effect.is_silent else without_positions(told, effect.sides))

    def draw(self) -> None:
        parts = position_parts(self.state.scenario)
        of = ", for the source, the target or both" if len(parts) > 1 else ""
        self.show_question(f"{self.question}{self.how.format(of=of) if parts else ''}")
        if parts:
            super().draw()
            return
        self._measured.drop()
        self.result = Result()
        self.form.fields = self._with_note([], NONE)
        self.bars.visible = False

    def _bars(self, scenario: Scenario, answer: Answer, found: PositionEffects) -> dict[str, Any]:
        return {
            "rows": [bar_words.position_row(scenario, found, effect) for effect in found.effects],
            "head": {
                "label": "Without the positions",
                "conclusion": in_units(
                    scenario, bar_words.position_conclusion(scenario, answer, found)
                ),
                "now": found.told.probability,
            },
        }
