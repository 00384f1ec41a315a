"""What the model would write if it knew no positions."""

from collections.abc import Callable
from functools import partial

from ...components.effect_bars.effect_bars import EffectBars
from ...experiments import position_effects as of_positions
from ...experiments.part_effects import Answer
from ...experiments.position_effects import (
    PositionEffects,
    position_effects,
    position_parts,
    with_positions,
    without_positions,
)
from ...inference.forward_pass import ForwardPassRunner
from ...runtime.derived import Check, Result
from ...runtime.page_session import PageSession
from ...scenario.scenario import Scenario
from ...session.state import AppState
from . import bar_words
from .measured import MeasuredSection

NONE = "This model is told no positions."


class PositionsSection(MeasuredSection[PositionEffects]):
    """A bar for the positions of each text, and of both; pressing one takes them out or back."""

    title = "What if it knew no positions"
    question = (
        "What is a sentence to a model that sees a bag of words? Only the positional encoding says "
        "which word stands where. Here it is 0, for the source, the target or both. Press a bar to "
        "take it out of the model on the page, once more to put it back; undo does so, too."
    )

    def __init__(self, state: AppState, page: PageSession) -> None:
        self.bars = EffectBars(visible=False)
        super().__init__(state, page, self.bars)
        self._runner = ForwardPassRunner(beside=state.runner)
        self.bars.on_press(self._on_press)

    def _multiply_adds(self, scenario: Scenario) -> int:
        return of_positions.multiply_adds(scenario)

    def _compute(self, answer: Answer) -> Callable[[Check], PositionEffects]:
        return partial(position_effects, self._runner, self.state.scenario, answer)

    def _on_press(self, row: int) -> None:
        """Take out the positions of a text, or put them back, in one step."""
        state, found = self.state, self.result.value
        if found is None or not position_parts(state.scenario):
            return
        effect = found.effects[row]
        told = with_positions(state.scenario)
        state.change(told if effect.is_silent else without_positions(told, effect.sides))

    def draw(self) -> None:
        """See `Section.draw`."""
        if position_parts(self.state.scenario):
            super().draw()
            return
        self._measured.drop()
        self.result = Result()
        self.form.fields = self._with_note([], NONE)
        self.bars.visible = False

    def _show(self) -> None:
        self.form.fields = self._with_note([], self._said())
        found = self.result.value
        if found is None:
            self.bars.visible = False
            return
        scenario, answer = self.result.key
        self.bars.param.update(
            rows=[bar_words.position_row(scenario, found, effect) for effect in found.effects],
            head={
                "label": "Without the positions",
                "conclusion": bar_words.position_conclusion(scenario, answer, found),
                "now": found.told.probability,
            },
            visible=True,
            pending=self.result.pending,
        )
