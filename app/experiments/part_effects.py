"""The effects of silencing single parts of a model: heads or hidden units."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from transformer_math import Trace

from ..model.inference.forward_pass import ForwardPassRunner
from ..model.matrices.address import PROBABILITIES
from ..model.scenario.scenario import Scenario
from ..model.scenario.silences import Silence

Answer = tuple[int, int]  # a position, and a candidate for the next word


class PartEffect(NamedTuple):
    """The effect of silencing one part, with everything else unchanged.

    Attributes:
        silence: the part, and the value it is replaced by.
        is_silent: whether it is silenced on the page.
        right: the number of correct held-out pairs with it silenced; None if they are not counted.
        lost: the number of correct pairs that silencing it costs; may be negative.
        probability: the probability of the watched answer with it silenced.
        change: the change of that probability by silencing it.
        writes: the likeliest candidate at the watched position with it silenced.
        reads: for a head, the position that the watched one attends to most; None if it has no row.
    """

    silence: Silence
    is_silent: bool
    right: int | None
    lost: int | None
    probability: float
    change: float
    writes: int
    reads: int | None = None


class PartEffects(NamedTuple):
    """The effects of parts of one kind.

    Attributes:
        effects: in order of computation.
        right: the number of correct held-out pairs at present; None if they are not counted.
        total: the number of held-out pairs.
        probability: the present probability of the watched answer.
        writes: the likeliest candidate at the watched position at present.
        parts: the number of parts of the kind in the model, including those that were not tried.
    """

    effects: tuple[PartEffect, ...]
    right: int | None
    total: int
    probability: float
    writes: int
    parts: int


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


def answered(trace: Trace, answer: Answer) -> tuple[float, int]:
    """The probability of an answer, and the likeliest candidate at its position."""
    row = trace[PROBABILITIES].value[answer[0]]
    return float(row[answer[1]]), likeliest(row)


def likeliest(row: np.ndarray) -> int:
    """The likeliest candidate of a row of probabilities."""
    return int(np.nan_to_num(row).argmax())


def is_silenced(scenario: Scenario, part: Silence) -> bool:
    """Whether a part is silenced on the page, to any value."""
    return any(each.part == part.part for each in scenario.silences)
