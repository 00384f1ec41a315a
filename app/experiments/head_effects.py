"""Which head matters: what the model gets right, and how sure it is, with one of them silenced."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..inference.forward_pass import ForwardPassRunner
from ..inference.held_out import HeldOut, held_out, is_read
from ..inference.writing import looks_ahead
from ..matrices.address import PROBABILITIES
from ..scenario.edits import frozen
from ..scenario.scenario import Scenario
from ..scenario.silences import Silence, heads

PAIRS = 200  # held out, that are asked for
LEAST_PAIRS = 50
PAIRS_COST = 600_000_000  # multiply-adds that more than the least pairs may take

Answer = tuple[int, int]  # a position, and a word that may stand next


class HeadEffect(NamedTuple):
    """What a head is for: the model with it silenced, against the model with it.

    Attributes:
        silence: the head, and what it is silenced to.
        is_silent: whether it is silenced on the page.
        right: how many held-out pairs come out right with it silenced; None where there are none.
        lost: how many more do without that, perhaps less than none.
        probability: of the answer that is looked at, with it silenced.
        change: of that probability by it.
    """

    silence: Silence
    is_silent: bool
    right: int | None
    lost: int | None
    probability: float
    change: float


class HeadEffects(NamedTuple):
    """What each head is for.

    Attributes:
        effects: in order of computation.
        right: how many held-out pairs come out right as all is now; None where there are none.
        total: of how many.
        probability: of the answer that is looked at, as all is now.
    """

    effects: tuple[HeadEffect, ...]
    right: int | None
    total: int
    probability: float


def has_read_pairs(scenario: Scenario) -> bool:
    """Whether the held-out pairs are at hand; else ``read_pairs`` first, in a thread."""
    return is_read(scenario)


def read_pairs(scenario: Scenario) -> None:
    """Have the held-out pairs at hand."""
    _pairs(scenario)


def multiply_adds(scenario: Scenario) -> int:
    """What the table costs: a pass over the text and the held-out pairs for each head."""
    pairs = _pairs(scenario)
    tokens = len(scenario.source) + len(scenario.target)
    if pairs is not None:
        tokens += pairs.source.size + pairs.target.size
    return tokens * _cost_of_token(scenario)


class Runners(NamedTuple):
    """Of passes that are not on the page.

    Attributes:
        text: over its text.
        pairs: over pairs, by a model without the words that were typed and are not learned.
    """

    text: ForwardPassRunner
    pairs: ForwardPassRunner

    @classmethod
    def beside(cls, runner: ForwardPassRunner) -> Runners:
        """Runners that share the model of the page's, where it is the same."""
        return cls(ForwardPassRunner(beside=runner), ForwardPassRunner(beside=runner))


def head_effects(
    runners: Runners,
    scenario: Scenario,
    answer: Answer,
    to: str,
    go_on: Callable[[], None] = lambda: None,
) -> HeadEffects:
    """Silence every head by itself, beside what is silenced already.

    Args:
        runners: used by nobody else meanwhile.
        scenario: the model, its text, and what was set in both.
        answer: whose probability is looked at, in the text as it stands there.
        to: what heads are silenced to.
        go_on: called before each head; what it raises ends the work.
    """
    # Where a change draws new masks, their noise would be taken for what the head does.
    scenario = scenario.with_keep_masks(True)
    pairs = _pairs(scenario)
    asked = None if pairs is None else _Asked(runners.pairs, scenario, pairs)

    def measure(of: Scenario) -> tuple[int | None, float]:
        right = None if asked is None else asked.right(of)
        return right, float(runners.text.trace(of)[PROBABILITIES].value[answer])

    now = measure(scenario)
    found = []
    for head in heads(scenario.config):
        go_on()
        part = Silence(head, to=to)
        is_silent = any(each.part == part.part for each in scenario.silences)
        silent = measure(scenario.with_silence(part))
        speaking = measure(scenario.without_silence(*part.part)) if is_silent else now
        lost = None if silent[0] is None or speaking[0] is None else speaking[0] - silent[0]
        found.append(
            HeadEffect(part, is_silent, silent[0], lost, silent[1], silent[1] - speaking[1])
        )
    total = 0 if asked is None else len(asked.pairs.source)
    return HeadEffects(tuple(found), now[0], total, now[1])


class _Asked:
    """The held-out pairs, and whether a scenario's model writes their targets.

    A model writes a target, token by token, exactly if each of its tokens is the likeliest after
    those before it: one pass over all pairs and positions tells. Without the causal mask it is
    one pass for each position.
    """

    def __init__(self, runner: ForwardPassRunner, scenario: Scenario, pairs: HeldOut) -> None:
        own = scenario.own_vocabulary
        assert own is not None
        self.pairs = pairs
        self._runner = runner
        self._words = own.source[0], own.target[0]
        self._tokens = pairs.target.shape[1] - 1

    def right(self, scenario: Scenario) -> int:
        """How many pairs come out token by token."""
        expected = self.pairs.target[:, 1:]
        if looks_ahead(scenario):
            written = [self._logits(scenario, t)[:, -1:] for t in range(1, self._tokens + 1)]
        else:
            written = [self._logits(scenario, self._tokens)]
        likeliest = np.concatenate([logits.argmax(-1) for logits in written], axis=1)
        is_right = (likeliest == expected) | (expected == self.pairs.target_pad)
        return int(is_right.all(1).sum())

    def _logits(self, scenario: Scenario, length: int) -> np.ndarray:
        """The logits (K, length, V) after the beginnings of the targets."""
        source, target = self._words
        asked = dataclasses.replace(
            scenario,
            source=(source,) * self.pairs.source.shape[1],
            target=(target,) * length,
            # Numbers of the pass on the page have no place in a pass over other texts.
            edits=frozen(
                {e: x for e, x in scenario.edits.items() if scenario.is_parameter(e.path)}
            ),
            # Nor has a silenced token, which stands at its place in that text alone.
            silences=tuple(each for each in scenario.silences if each.row is None),
            training=False,
        )
        return self._runner.model(asked).logits(
            self.pairs.source,
            self.pairs.target[:, :length],
            overrides=self._runner.overrides(asked),
        )


def _pairs(scenario: Scenario) -> HeldOut | None:
    """As many pairs as can be had at once."""
    found = held_out(scenario, PAIRS)
    if found is None:
        return None
    tokens = found.source.shape[1] + found.target.shape[1]
    affordable = PAIRS_COST // (tokens * _cost_of_token(scenario))
    return held_out(scenario, max(LEAST_PAIRS, min(PAIRS, affordable)))


def _cost_of_token(scenario: Scenario) -> int:
    """Multiply-adds for each token, of a pass with each of the heads silenced."""
    return scenario.config.parameter_count() * max(1, len(heads(scenario.config)))
