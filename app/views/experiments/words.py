"""Which of the words that are read matters for the word that is written."""

from __future__ import annotations

from ...components.effect_bars.effect_bars import EffectBars
from ...experiments import word_effects as of_words
from ...experiments.part_effects import Answer
from ...experiments.word_effects import WordEffects, word_effects
from ...inference import cost
from ...inference.forward_pass import ForwardPassRunner
from ...runtime.page_session import PageSession
from ...session.state import AppState
from . import bar_words
from .measured import Compute, MeasuredSection

STACKS = {"source": "encoder", "target": "decoder"}


class WordsSection(MeasuredSection):
    """A bar for each word that is read; pressing one follows that word."""

    title = "Which word matters"
    question = (
        "Which of the words that are read does the written word depend on? Each is hidden by "
        "itself, as padding is: nothing attends to it, and all others keep their places. The bar "
        "is what is left of the probability, the mark what it is with all words. Press a word to "
        "follow it through the model."
    )

    def __init__(self, state: AppState, page: PageSession) -> None:
        self.bars = EffectBars(visible=False)
        super().__init__(state, page, self.bars)
        self._runner = ForwardPassRunner(beside=state.runner)
        self._found: tuple[Answer, WordEffects] | None = None
        self.bars.on_press(self._on_press)

    def _is_cheap(self) -> bool:
        return cost.fits_unasked(of_words.multiply_adds(self.state.scenario))

    def _compute(self, answer: Answer) -> Compute:
        scenario = self.state.scenario
        return lambda go_on: (answer, word_effects(self._runner, scenario, answer, go_on))

    def _on_press(self, row: int) -> None:
        """Follow a word through the model."""
        if self._found is None:
            return
        found = self._found[1]
        self.state.follow([STACKS[found.side], found.effects[row].position])

    def _show(self) -> None:
        self.form.fields = self._with_note([], self._said())
        scenario = self.state.scenario
        if self._found is None:
            return
        answer, found = self._found
        words = getattr(scenario, found.side)
        if any(each.position >= len(words) for each in found.effects):
            self.bars.visible = False  # it is of another text
            return
        self.bars.param.update(
            rows=[bar_words.word_row(scenario, answer, found, effect) for effect in found.effects],
            head={
                "label": f"Which word matters for “{bar_words.word(scenario, answer[1])}”",
                "conclusion": bar_words.word_conclusion(scenario, answer, found),
                "now": found.probability,
            },
            visible=True,
        )
