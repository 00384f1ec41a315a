"""What the model would write if it knew no positions."""

from __future__ import annotations

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
from ...inference import cost
from ...inference.forward_pass import ForwardPassRunner
from ...runtime.page_session import PageSession
from ...session.state import AppState
from . import bar_words
from .measured import Compute, MeasuredSection

NONE = "This model is told no positions."


class PositionsSection(MeasuredSection):
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
        self._found: tuple[Answer, PositionEffects] | None = None
        self.bars.on_press(self._on_press)

    def _is_cheap(self) -> bool:
        return cost.fits_unasked(of_positions.multiply_adds(self.state.scenario))

    def _subject(self) -> tuple[object, ...]:
        return (position_parts(self.state.scenario) == {},)

    def _compute(self, answer: Answer) -> Compute:
        scenario = self.state.scenario
        if not position_parts(scenario):
            return lambda _go_on: None
        return lambda go_on: (answer, position_effects(self._runner, scenario, answer, go_on))

    def _on_press(self, row: int) -> None:
        """Take out the positions of a text, or put them back, in one step."""
        state = self.state
        if self._found is None or not position_parts(state.scenario):
            return
        effect = self._found[1].effects[row]
        told = with_positions(state.scenario)
        state.change(told if effect.is_silent else without_positions(told, effect.sides))

    def _show(self) -> None:
        scenario = self.state.scenario
        has_none = not position_parts(scenario)
        self.form.fields = self._with_note([], NONE if has_none else self._said())
        if has_none or self._found is None:
            self.bars.visible = False
            return
        answer, found = self._found
        self.bars.param.update(
            rows=[bar_words.position_row(scenario, found, effect) for effect in found.effects],
            head={
                "label": "Without the positions",
                "conclusion": bar_words.position_conclusion(scenario, answer, found),
                "now": found.told.probability,
            },
            visible=True,
        )
