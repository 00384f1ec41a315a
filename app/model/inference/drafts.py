"""Predicts how a sentence goes on without a trace, with one pass of the encoder for all guesses.

What is predicted is only a guess until a pass of the page has confirmed it, so that what the page
shows never depends on how it was found.
"""

from collections.abc import Callable

import numpy as np

from transformer_math.graph.overrides import by_stored_path
from transformer_math.graph.scope import ForwardPass, Untraced
from transformer_math.model import EncoderOutput

from ..scenario.scenario import Scenario
from .forward_pass import ForwardPassRunner


class Drafts:
    """Next-word probabilities for several targets of a scenario, which look at earlier words."""

    def __init__(self, scenario: Scenario, runner: ForwardPassRunner) -> None:
        """Args: the scenario, whose target is exchanged later, and what has its model."""
        self._runner = runner
        self._model = runner.model(scenario)
        self._encoded: EncoderOutput | None = None

    def probabilities(self, scenario: Scenario) -> np.ndarray:
        """Those (position, vocabulary) of the scenario with another target than the first."""
        self._runner.before_pass()
        model = self._model
        overrides = by_stored_path(self._runner.overrides(scenario))
        scope = Untraced(ForwardPass(model.parameters, overrides))
        if self._encoded is None:
            self._encoded = model.encode(scope, np.array(scenario.ids("source")))
        logits = model.decode(scope, np.array(scenario.ids("target")), self._encoded)
        found: np.ndarray = model.layers.probabilities(scope.sub("output"), logits)
        return found


def completed(
    guess: tuple[str, ...],
    sure: int,
    limit: int,
    end: str,
    best: Callable[[tuple[str, ...]], tuple[str, ...]],
) -> tuple[str, ...]:
    """Go on with a guessed sentence until it ends, or has reached the longest length.

    Args:
        guess: the words, of which those after the first ``sure`` may be wrong.
        sure: how many of them are right.
        limit: the maximum length.
        end: the token that ends a sentence.
        best: gives the likeliest next word after each word of a guess.
    """
    while True:
        guess = guess[:limit]
        words = best(guess)
        sure = confirmed(guess, sure, words)
        if sure == limit or words[sure - 1] == end:
            return guess[:sure]
        guess = continued(guess, sure, end, words)
        sure += 1


def confirmed(guess: tuple[str, ...], sure: int, best: tuple[str, ...]) -> int:
    """How many words of a guess are right, given the likeliest word after each of them."""
    while sure < len(guess) and guess[sure] == best[sure - 1]:
        sure += 1
    return sure


def continued(
    guess: tuple[str, ...], sure: int, end: str, best: tuple[str, ...]
) -> tuple[str, ...]:
    """The next guess: the words that are right, and what was likeliest after each later one.

    Only the first of these is certain. The others were predicted from a wrong word before them,
    and are more often right than the words of the guess.
    """
    words = best[sure - 1 :]
    return (*guess[:sure], *(words[: words.index(end)] if end in words else words))
