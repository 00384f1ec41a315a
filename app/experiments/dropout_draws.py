"""Measures the effect of dropout on the answer, over several draws of its masks."""

import dataclasses
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..model.inference import cost
from ..model.inference.forward_pass import ForwardPassRunner
from ..model.matrices.address import PROBABILITIES
from ..model.scenario.scenario import Scenario

DRAWS = 50
LEAST_DRAWS = 5
MOST_WORK = 6_000_000_000  # multiply-adds, about 3 s


class Draws(NamedTuple):
    """Predictions over some draws, compared to the pass without dropout."""

    times: int
    word: int  # the likeliest candidate without dropout
    stays: int  # the number of draws in which it stays the likeliest
    all_stay: int  # the number of draws in which no position's likeliest candidate changes
    mean: float  # of the word's probability
    deviation: float  # its standard deviation


def count_of(scenario: Scenario) -> int:
    """Return the number of draws to compute; 0 for a model that is too large."""
    affordable = MOST_WORK // max(1, cost.forward_pass(scenario))
    return 0 if affordable < LEAST_DRAWS else min(DRAWS, affordable)


def draws(runner: ForwardPassRunner, scenario: Scenario, row: int, times: int) -> Iterator[Draws]:
    """Run passes with dropout masks from the seeds after the present one; yield the results so far.

    Nothing else may use the runner; ``row`` is the position whose word is predicted.
    """
    plain = runner.trace(scenario.with_training(False))[PROBABILITIES].value
    expected = np.nan_to_num(plain).argmax(-1)
    word = int(expected[row])
    found, stays, all_stay = [], 0, 0
    for k in range(1, times + 1):
        drawn = dataclasses.replace(scenario, mask_seed=scenario.mask_seed + k)
        shares = np.nan_to_num(runner.trace(drawn)[PROBABILITIES].value)
        same = shares.argmax(-1) == expected
        stays += bool(same[row])
        all_stay += bool(same.all())
        found.append(float(shares[row, word]))
        yield Draws(k, word, stays, all_stay, float(np.mean(found)), float(np.std(found)))
