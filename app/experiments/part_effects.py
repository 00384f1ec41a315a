"""Defines the effects of silencing single parts of a model: heads or hidden units."""

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
        silence: the part, and the value that replaces it.
        is_silent: whether the page silences the part.
        right: the number of correct held-out pairs without the part; None if they are not counted.
        lost: the number of correct pairs with the part minus ``right``.
        probability: the probability of the watched answer without the part.
        change: the change of that probability by silencing the part.
        writes: the likeliest candidate at the watched position without the part.
        reads: the position the watched row attends to most, for a head of its stack; else None.
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
        effects: the effects in the order of computation.
        right: the number of correct held-out pairs at present; None if they are not counted.
        total: the number of held-out pairs.
        probability: the present probability of the watched answer.
        writes: the likeliest candidate at the watched position at present.
        parts: the number of parts of this kind in the model, including those that were not tried.
    """

    effects: tuple[PartEffect, ...]
    right: int | None
    total: int
    probability: float
    writes: int
    parts: int


class Runners(NamedTuple):
    """Runners of passes that the page does not show.

    Attributes:
        text: the runner for the text of the page.
        pairs: the runner for held-out pairs, whose model has no rows for untrained words.
    """

    text: ForwardPassRunner
    pairs: ForwardPassRunner

    @classmethod
    def sharing(cls, runner: ForwardPassRunner) -> Runners:
        """Return runners that reuse the model of the page's runner if they need the same one."""
        return cls(ForwardPassRunner(beside=runner), ForwardPassRunner(beside=runner))


def answered(trace: Trace, answer: Answer) -> tuple[float, int]:
    """Return the probability of an answer, and the likeliest candidate at its position."""
    row = trace[PROBABILITIES].value[answer[0]]
    return float(row[answer[1]]), likeliest(row)


def likeliest(row: np.ndarray) -> int:
    """Return the likeliest candidate of a row of probabilities."""
    return int(np.nan_to_num(row).argmax())


def is_silenced(scenario: Scenario, part: Silence) -> bool:
    """Return whether a part is silenced on the page, to any value."""
    return any(each.part == part.part for each in scenario.silences)
