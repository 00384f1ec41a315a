"""Measures the importance of each input word, by the answer while the word is hidden."""

from collections.abc import Callable
from typing import NamedTuple

from transformer_math.experiments import hidden_word

from ..model.inference import cost
from ..model.inference.forward_pass import ForwardPassRunner
from ..model.matrices.address import Answer
from ..model.scenario.scenario import Scenario
from ..model.scenario.vocabulary import Side
from .part_effects import answered
from .passes import pass_of


class WordEffect(NamedTuple):
    """The answer while one word is hidden."""

    position: int  # in its text
    probability: float  # of the watched answer while the word is hidden
    change: float  # of that probability by hiding the word
    writes: int  # the likeliest candidate while the word is hidden


class WordEffects(NamedTuple):
    """The effects of all words of the input text."""

    side: Side  # the source or, in a model without a source, the target
    effects: tuple[WordEffect, ...]  # in the order of the words
    probability: float  # of the watched answer at present
    writes: int  # the likeliest candidate at present


def multiply_adds(scenario: Scenario) -> int:
    """Return the cost of all effects: one pass per word."""
    return cost.forward_pass(scenario) * (1 + len(getattr(scenario, scenario.first_side)))


def word_effects(
    runner: ForwardPassRunner,
    scenario: Scenario,
    answer: Answer,
    go_on: Callable[[], None] = lambda: None,
) -> WordEffects:
    """Hide each word separately, with the edits and silenced parts of the scenario.

    Edited attention weights keep their values, even if they attend to a hidden word. Nothing else
    may use the runner. ``go_on`` is called before each word; it raises an exception to cancel
    the work.
    """
    side, model = scenario.first_side, runner.model(scenario)
    overrides = runner.overrides(scenario)
    now, writes = answered(pass_of(model, scenario, overrides), answer)
    found = []
    for position in _read(scenario, side, answer[0]):
        go_on()
        hooks = hidden_word(model, side, position)
        then, written = answered(pass_of(model, scenario, overrides, hooks), answer)
        found.append(WordEffect(position, then, then - now, written))
    return WordEffects(side, tuple(found), now, writes)


def _read(scenario: Scenario, side: Side, row: int) -> list[int]:
    """Return the positions of words that can affect a row: neither padding nor later words."""
    is_causal = side == "target" and scenario.settings.causal_mask
    words = getattr(scenario, side)[: row + 1 if is_causal else None]
    return [k for k, word in enumerate(words) if word != scenario.vocabulary.pad]
