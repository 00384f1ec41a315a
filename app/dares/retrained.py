"""Repeats the training of an attempt by its recipe, to verify the attempt's result."""

from collections.abc import Callable
from typing import NamedTuple

from transformer_math.training.evaluation import exact_matches

from ..learning.plan import TrainingPlan
from ..learning.training_run import TrainingRun
from ..model.scenario.scenario import Scenario

MAX_STEPS = 1_000
MAX_SECONDS = 30.0  # estimated time for the steps of an attempt
SLICE_SECONDS = 0.05  # time between checks whether the result is still needed


class Retrained(NamedTuple):
    """The trained model, and the number of held-out pairs that it answers correctly."""

    scenario: Scenario
    right: int
    total: int


def retrained(scenario: Scenario, go_on: Callable[[], None]) -> Retrained:
    """Train from scratch with a scenario's recipe for its number of steps, ignoring its weights.

    ``go_on`` is called between steps; it raises an exception when the result is no longer needed.
    Raise ``ValueError`` if there are no steps, or too many to repeat; the message is one sentence.
    """
    steps = scenario.steps_taken
    if not steps:
        raise ValueError("it has not been trained yet")
    if steps > scenario.recipe.steps:
        raise ValueError(f"its recipe ends with step {scenario.recipe.steps:,}")
    if steps > MAX_STEPS:
        raise ValueError(f"a training run of more than {MAX_STEPS:,} steps is not repeated")
    plan = TrainingPlan.of(scenario)
    if plan.seconds() * steps / scenario.recipe.steps > MAX_SECONDS:
        raise ValueError("this training takes too long to repeat: choose a smaller batch")
    run = TrainingRun(plan)
    while run.step < steps and run.can_continue:
        go_on()
        run.advance(SLICE_SECONDS, until=steps)
    if run.problem:
        raise ValueError(run.problem)
    go_on()
    right, total = exact_matches(run.trainer.model, run.pairs)
    return Retrained(scenario.trained(run.weights(), steps), right, total)
