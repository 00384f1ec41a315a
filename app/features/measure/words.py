"""Measures the importance of each input word for the output word."""

from collections.abc import Callable
from functools import partial
from typing import Any

from ...experiments import word_effects as of_words
from ...experiments.word_effects import WordEffects, word_effects
from ...explain.units import in_units
from ...model.matrices.address import Answer
from ...model.scenario.scenario import Scenario
from ...transport.runtime.derived import Check
from . import bar_words
from .measured import BarsSection

STACKS = {"source": "encoder", "target": "decoder"}


class WordsSection(BarsSection[WordEffects]):
    """A bar for each input word; pressing a bar follows its word."""

    title = "Which word matters"
    question = (
        "Which words does the written word depend on? Each row hides one word: no other word looks "
        "at it, and all keep their positions. The bar shows the probability that is left, the mark "
        "the probability with all words. Press a word to follow it through the model."
    )

    def _multiply_adds(self, scenario: Scenario) -> int:
        return of_words.multiply_adds(scenario)

    def _compute(self, scenario: Scenario, answer: Answer) -> Callable[[Check], WordEffects]:
        return partial(word_effects, self._runner, scenario, answer)

    def _on_press(self, row: int) -> None:
        found = self.result.value
        if found is None or _text(self.result.key[0]) != _text(self.state.scenario):
            return  # the text has changed since it was measured
        self.state.follow([STACKS[found.side], found.effects[row].position])

    def _bars(self, scenario: Scenario, answer: Answer, found: WordEffects) -> dict[str, Any]:
        return {
            "rows": [
                bar_words.word_row(scenario, answer, found, effect) for effect in found.effects
            ],
            "head": {
                "label": in_units(
                    scenario, f"Which word matters for “{bar_words.word(scenario, answer[1])}”"
                ),
                "conclusion": in_units(
                    scenario, bar_words.word_conclusion(scenario, answer, found)
                ),
                "now": found.probability,
            },
        }


def _text(scenario: Scenario) -> tuple[object, ...]:
    return scenario.source, scenario.target
