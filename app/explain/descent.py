"""Describes the effect of gradient descent on the loss and on a word."""

import dataclasses

import numpy as np

from transformer_math.graph.backward import LOSS
from transformer_math.ops.loss import smallest_loss

from ..model.inference.forward_pass import ForwardPassRunner
from ..model.matrices.address import PROBABILITIES
from ..model.scenario.scenario import Scenario
from ..typed_text import quoted
from . import labels
from .apart import moved_share

LEAST_DECIMALS, MOST_DECIMALS = 2, 6


def words(first: Scenario, scenario: Scenario) -> str:
    """Describe the number of steps between the scenarios, and their learning rate."""
    count = scenario.descents - first.descents
    steps = "a step of gradient descent" if count == 1 else f"{count} steps of gradient descent"
    return f"{steps}, learning rate {scenario.descent.learning_rate:g}"


def loss_words(first: Scenario, scenario: Scenario, runner: ForwardPassRunner) -> str:
    """Describe the loss before and after a step, on the text from before the step.

    With label smoothing (Section 5.4), add the smallest possible loss.
    """
    was, now = (_loss(each, runner) for each in (first, _on_text_of(first, scenario)))
    for decimals in range(LEAST_DECIMALS, MOST_DECIMALS + 1):
        before, after = f"{was:.{decimals}f}", f"{now:.{decimals}f}"
        if before != after:
            return f"loss {before} → {after}{_least(scenario)}"
    return f"loss {was:.{LEAST_DECIMALS}f}, as before{_least(scenario)}"


def _least(scenario: Scenario) -> str:
    smoothing = scenario.settings.label_smoothing
    least = smallest_loss(smoothing, "paper", len(scenario.output_vocabulary))
    return f" (never below {least:.2f})" if least else ""


def word_words(
    first: Scenario, scenario: Scenario, row: int | None, runner: ForwardPassRunner
) -> str:
    """Describe the right word's probability before and after a step, at ``row`` or, if it is None,
    at the row where the probability changes most.
    """
    asked = first.asked
    if not asked:
        return ""
    rows, columns = [*asked], [*asked.values()]
    steps = (first, _on_text_of(first, scenario))
    was, now = (runner.trace(each)[PROBABILITIES].value[rows, columns] for each in steps)
    change = np.nan_to_num(np.abs(now - was))
    at = rows.index(row) if row in asked else int(change.argmax())
    word = labels.shown(first.output_vocabulary[columns[at]])
    return f"{quoted(word)} {moved_share(was[at], now[at])}"


def _on_text_of(first: Scenario, scenario: Scenario) -> Scenario:
    """Return the scenario with the words before the step, because the step may change them."""
    return dataclasses.replace(scenario, target=first.target)


def _loss(scenario: Scenario, runner: ForwardPassRunner) -> float:
    return float(runner.trace(scenario)[LOSS].value.item())
