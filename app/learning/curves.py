"""Computes the curves of a run, thinned evenly along its timeline."""

import functools

import numpy as np

from transformer_math.training import Recipe

from ..model.scenario.run_curves import Point, RunCurves
from .pace import moments
from .training_run import TrainingRun

POINTS = 240  # maximum for a whole run; the timeline is at most some 1,400 pixels wide


def curves(run: TrainingRun | None) -> RunCurves:
    """Return the curves of a run so far, with its last step; empty without a run."""
    if run is None:
        return RunCurves()
    metrics = run.metrics
    # Another thread may be adding a step's numbers now; the gradient norm is added last.
    first, last = metrics.start + 1, metrics.start + len(metrics.gradient_norm)
    if last < first:
        return run.earlier
    # Every step that can be shown or was evaluated has a point, so that its loss can be stated.
    tested = [one.step for one in metrics.evaluations]
    steps = sorted({*_moments(run.steps), *run.snapshots.moments, *tested, last})
    steps = [step for step in steps if first <= step <= last]
    at = [step - first for step in steps]
    loss, rate, norm = (
        tuple(_short(numbers[k]) for k in at)
        for numbers in (metrics.loss, metrics.learning_rate, metrics.gradient_norm)
    )
    right = tuple((one.step, _short(one.percent)) for one in [*metrics.evaluations])
    now = RunCurves(tuple(steps), loss, rate, norm, right)
    return run.earlier.then(now)


def schedule(recipe: Recipe, d_model: int, steps: int) -> list[Point]:
    """Return the learning rates of all steps of a run, past and future, thinned."""
    rates = recipe.learning_rate_schedule(d_model).learning_rates(steps)
    return [(step, _short(rates[step - 1])) for step in _moments(steps) if step]


@functools.lru_cache(maxsize=16)
def _moments(steps: int) -> tuple[int, ...]:
    return tuple(moments(steps, POINTS))


@functools.lru_cache(maxsize=16_384)  # a run's points are requested at each of its steps
def _short(x: float) -> float:
    """Round to visible precision."""
    return float(f"{x:.5g}") if np.isfinite(x) else 0.0
