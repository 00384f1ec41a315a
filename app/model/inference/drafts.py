"""Completes a guessed sentence without a trace, encoding the source only once.

The result remains a guess until a traced pass has confirmed it, so the page's words do not depend
on the method of guessing.
"""

from collections.abc import Callable

import numpy as np

from transformer_math.graph.overrides import by_stored_path
from transformer_math.graph.scope import ForwardPass, Untraced
from transformer_math.model import EncoderOutput

from ..scenario.scenario import Scenario
from .forward_pass import ForwardPassRunner


class Drafts:
    """Next-word probabilities for several targets of one scenario, with a causal mask."""

    def __init__(self, scenario: Scenario, runner: ForwardPassRunner) -> None:
        """Prepare drafts of the scenario with other targets."""
        self._runner = runner
        self._model = runner.model(scenario)
        self._encoded: EncoderOutput | None = None

    def probabilities(self, scenario: Scenario) -> np.ndarray:
        """Return the probabilities (position, vocabulary) for a scenario with another target."""
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
    """Complete a guessed sentence up to its end token or the maximum length.

    The first ``sure`` words are confirmed, the others may be wrong. ``best`` returns the likeliest
    next word after each word of a guess.
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
    """Return the number of correct first words of a guess, given the likeliest word after each."""
    while sure < len(guess) and guess[sure] == best[sure - 1]:
        sure += 1
    return sure


def continued(
    guess: tuple[str, ...], sure: int, end: str, best: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the next guess: the confirmed words, then the likeliest words after them.

    Only the first of the likeliest words is certain. The others were predicted after a wrong word,
    but are right more often than the words of the previous guess.
    """
    words = best[sure - 1 :]
    return (*guess[:sure], *(words[: words.index(end)] if end in words else words))
