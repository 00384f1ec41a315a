"""The model of the page as training and held-out pairs know it: without words of the moment."""

from __future__ import annotations

from transformer_math import Transformer

from ..scenario.scenario import Scenario
from .plan import TrainingPlan


def learned_model(scenario: Scenario) -> Transformer:
    """Its learned numbers, or those of the seed, with the parameters that were set.

    Raises:
        ValueError: it cannot be trained here.
    """
    plan = TrainingPlan.of(scenario)
    weights = scenario.weights
    model = plan.model() if weights is None else Transformer(plan.config, weights.arrays)
    changed = {}
    for path, cells in held(scenario).items():
        changed[path] = model.parameters[path].copy()
        for index, value in cells.items():
            if all(i < size for i, size in zip(index, changed[path].shape, strict=True)):
                changed[path][index] = value
    return model.with_parameters(changed)


def held(scenario: Scenario) -> dict[str, dict[tuple[int, ...], float]]:
    """The parameters that were set on the page; training leaves them as they are."""
    return {
        path: cells
        for path, cells in scenario.overrides().items()
        if path in scenario.config.parameter_shapes()
    }
