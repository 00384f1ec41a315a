"""Trains the model of an attempt anew, to know what its recipe comes to in so many steps."""

from collections.abc import Callable
from typing import NamedTuple

from transformer_math.training.evaluation import exact_matches

from ..learning.plan import TrainingPlan
from ..learning.training_run import TrainingRun
from ..model.scenario.scenario import Scenario

MAX_STEPS = 1_000
MAX_SECONDS = 30.0  # estimated, of the steps of an attempt
SLICE_SECONDS = 0.05  # between two questions whether it is still wanted


class TrainedAnew(NamedTuple):
    """The model after its steps, and its answers to the held-out pairs."""

    scenario: Scenario
    right: int
    total: int


def trained_anew(scenario: Scenario, go_on: Callable[[], None]) -> TrainedAnew:
    """Train by a scenario's recipe up to its step; its weights count for nothing.

    Args:
        scenario: the recipe and the number of steps.
        go_on: called between steps; raises once the result is not wanted any more.

    Raises:
        ValueError: there are no steps, or too many to be taken again; one sentence.
    """
    steps = scenario.steps_taken
    if not steps:
        raise ValueError("it has not been trained yet")
    if steps > scenario.recipe.steps:
        raise ValueError(f"its recipe ends with step {scenario.recipe.steps:,}")
    if steps > MAX_STEPS:
        raise ValueError(f"a training of more than {MAX_STEPS:,} steps is not done anew")
    plan = TrainingPlan.of(scenario)
    if plan.seconds() * steps / scenario.recipe.steps > MAX_SECONDS:
        raise ValueError("this training takes too long to be done anew: choose a smaller batch")
    run = TrainingRun(plan)
    while run.step < steps and run.can_continue:
        go_on()
        run.advance(SLICE_SECONDS, until=steps)
    if run.problem:
        raise ValueError(run.problem)
    go_on()
    right, total = exact_matches(run.trainer.model, run.pairs)
    return TrainedAnew(scenario.trained(run.weights(), steps), right, total)
