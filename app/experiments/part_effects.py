"""Defines the effects of silencing single parts of a model: heads or hidden units."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from transformer_math import Trace

from ..model.inference.forward_pass import ForwardPassRunner
from ..model.matrices.address import PROBABILITIES, Answer
from ..model.scenario.scenario import Scenario
from ..model.scenario.silences import Silence


class PartEffect(NamedTuple):
    """The effect of silencing one part, with everything else unchanged."""

    silence: Silence
    is_silent: bool  # whether the page silences the part
    right: int | None  # correct held-out pairs without the part, if they are counted
    lost: int | None  # the number of correct pairs with the part minus ``right``
    probability: float  # of the watched answer without the part
    change: float  # of that probability by silencing the part
    writes: int  # the likeliest candidate without the part
    reads: int | None = None  # position that the watched row attends to most; None for other heads


class PartEffects(NamedTuple):
    """The effects of parts of one kind."""

    effects: tuple[PartEffect, ...]  # in the order of computation
    right: int | None  # correct held-out pairs at present, if they are counted
    total: int  # the number of held-out pairs
    probability: float  # of the watched answer at present
    writes: int  # the likeliest candidate at present
    parts: int  # the number of such parts in the model, including those that were not tried


class Runners(NamedTuple):
    """Runners of passes that the page does not show."""

    text: ForwardPassRunner  # for the text of the page
    pairs: ForwardPassRunner  # for held-out pairs; its model has no rows for untrained words

    @classmethod
    def sharing(cls, runner: ForwardPassRunner) -> Runners:
        """Return runners that reuse the model of the page's runner if they need the same model."""
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
