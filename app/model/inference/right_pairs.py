"""Counts the held-out pairs that a scenario's model translates correctly, with its edits and
ablations.
"""

import dataclasses

import numpy as np

from ..scenario.edits import frozen
from ..scenario.scenario import Scenario
from .forward_pass import ForwardPassRunner
from .held_out import HeldOut
from .writing import looks_ahead


class RightPairs:
    """Held-out pairs, and the number of them that a scenario's model translates correctly.

    Greedy decoding generates a target if and only if each of its tokens is the likeliest after the
    previous ones, so one pass over all pairs and positions suffices. Without the causal mask, one
    pass per position is necessary.
    """

    def __init__(self, runner: ForwardPassRunner, scenario: Scenario, pairs: HeldOut) -> None:
        own = scenario.own_vocabulary
        assert own is not None
        self.pairs = pairs
        self._runner = runner
        self._words = own.source[0], own.target[0]
        self._tokens = pairs.target.shape[1] - 1

    def count(self, scenario: Scenario) -> int:
        """Return the number of pairs whose target is generated exactly."""
        expected = self.pairs.target[:, 1:]
        if looks_ahead(scenario):
            written = [self._logits(scenario, t)[:, -1:] for t in range(1, self._tokens + 1)]
        else:
            written = [self._logits(scenario, self._tokens)]
        likeliest = np.concatenate([logits.argmax(-1) for logits in written], axis=1)
        is_right = (likeliest == expected) | (expected == self.pairs.target_pad)
        return int(is_right.all(1).sum())

    def _logits(self, scenario: Scenario, length: int) -> np.ndarray:
        """Return the logits (K, length, V) for the first ``length`` tokens of the targets."""
        source, target = self._words
        asked = dataclasses.replace(
            scenario,
            source=(source,) * self.pairs.source.shape[1],
            target=(target,) * length,
            # Edits of computed cells apply only to the text of the page.
            edits=frozen(
                {e: x for e, x in scenario.edits.items() if scenario.is_parameter(e.path)}
            ),
            # Ablations of single tokens also apply only to the text of the page.
            silences=tuple(each for each in scenario.silences if each.row is None),
            training=False,
        )
        return self._runner.model(asked).logits(
            self.pairs.source,
            self.pairs.target[:, :length],
            overrides=self._runner.overrides(asked),
        )
