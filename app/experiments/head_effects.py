"""Measures the importance of each head: accuracy and confidence of the model without it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from ..inference.forward_pass import ForwardPassRunner
from ..inference.held_out import HeldOut, held_out, is_read
from ..inference.right_pairs import RightPairs
from ..inference.writing import with_written_target
from ..matrices.address import PROBABILITIES
from ..scenario.scenario import Scenario
from ..scenario.silences import Silence, heads

PAIRS = 200  # the number of held-out pairs, if the model is small enough
LEAST_PAIRS = 50
WRITING_PASSES = 3  # over the text, with which the sentence that is then written is found
PAIRS_COST = 600_000_000  # multiply-adds; beyond it fewer pairs are used

Answer = tuple[int, int]  # a position, and a candidate for the next word


class HeadEffect(NamedTuple):
    """The model with one head silenced, compared to the model without this change.

    Attributes:
        silence: the head, and the value it is replaced by.
        is_silent: whether it is silenced on the page.
        right: the number of correct held-out pairs with it silenced; None if there are no pairs.
        lost: how many more pairs are correct with the head than without it; may be negative.
        probability: the probability of the watched answer with it silenced.
        change: how much silencing it changes that probability.
        written: the sentence that the model writes with it silenced; None if it writes none.
    """

    silence: Silence
    is_silent: bool
    right: int | None
    lost: int | None
    probability: float
    change: float
    written: tuple[str, ...] | None


class HeadEffects(NamedTuple):
    """The effects of all heads.

    Attributes:
        effects: in order of computation.
        right: the number of correct held-out pairs at present; None if there are no pairs.
        total: the number of held-out pairs.
        probability: the present probability of the watched answer.
        written: the sentence that the model writes at present; None if it writes none.
    """

    effects: tuple[HeadEffect, ...]
    right: int | None
    total: int
    probability: float
    written: tuple[str, ...] | None


def has_read_pairs(scenario: Scenario) -> bool:
    """Whether the held-out pairs are loaded; if not, call ``read_pairs`` in a thread first."""
    return is_read(scenario)


def read_pairs(scenario: Scenario) -> None:
    """Load the held-out pairs."""
    _pairs(scenario)


def multiply_adds(scenario: Scenario) -> int:
    """The cost of all effects: one pass over the text and the held-out pairs per head."""
    pairs = _pairs(scenario)
    tokens = len(scenario.source) + len(scenario.target)
    tokens *= 1 + WRITING_PASSES * scenario.writes_itself
    if pairs is not None:
        tokens += pairs.source.size + pairs.target.size
    return tokens * _cost_of_token(scenario)


class Runners(NamedTuple):
    """Runners of passes that are not shown on the page.

    Attributes:
        text: for the text of the page.
        pairs: for held-out pairs, with a model without typed words that were not trained.
    """

    text: ForwardPassRunner
    pairs: ForwardPassRunner

    @classmethod
    def sharing(cls, runner: ForwardPassRunner) -> Runners:
        """Runners that reuse the model of the page's runner if it is the same."""
        return cls(ForwardPassRunner(beside=runner), ForwardPassRunner(beside=runner))


def head_effects(
    runners: Runners,
    scenario: Scenario,
    answer: Answer,
    to: str,
    go_on: Callable[[], None] = lambda: None,
) -> HeadEffects:
    """Silence each head by itself, in addition to what is silenced already.

    Args:
        runners: runners that nobody else uses meanwhile.
        scenario: the scenario to measure.
        answer: the position and word whose probability is watched.
        to: the value that replaces the head's output.
        go_on: called before each head; an exception it raises ends the work.
    """
    # Keep the dropout masks: the noise of new ones would look like an effect of the head.
    scenario = scenario.with_keep_masks(True)
    pairs = _pairs(scenario)
    asked = None if pairs is None else RightPairs(runners.pairs, scenario, pairs)

    def measure(of: Scenario) -> tuple[int | None, float]:
        right = None if asked is None else asked.count(of)
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
            HeadEffect(
                part,
                is_silent,
                silent[0],
                lost,
                silent[1],
                silent[1] - speaking[1],
                _written(runners.text, scenario.with_silence(part)),
            )
        )
    total = 0 if asked is None else len(asked.pairs.source)
    return HeadEffects(tuple(found), now[0], total, now[1], _written(runners.text, scenario))


def _written(runner: ForwardPassRunner, scenario: Scenario) -> tuple[str, ...] | None:
    """The sentence that the model writes itself, without its start."""
    if not scenario.writes_itself:
        return None
    with suppress(ValueError):  # the numbers have become too large
        return with_written_target(scenario, runner).target[1:]
    return None


def _pairs(scenario: Scenario) -> HeldOut | None:
    """The held-out pairs, as many as can be evaluated within the cost limit."""
    found = held_out(scenario, PAIRS)
    if found is None:
        return None
    tokens = found.source.shape[1] + found.target.shape[1]
    affordable = PAIRS_COST // (tokens * _cost_of_token(scenario))
    return held_out(scenario, max(LEAST_PAIRS, min(PAIRS, affordable)))


def _cost_of_token(scenario: Scenario) -> int:
    """Multiply-adds per token of the passes for all heads."""
    return scenario.config.parameter_count() * max(1, len(heads(scenario.config)))
