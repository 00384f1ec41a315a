"""The page's model for training and evaluation, without embeddings of words outside the data."""

from __future__ import annotations

from transformer_math import Transformer

from ..scenario.scenario import Scenario
from .plan import TrainingPlan


def learned_model(scenario: Scenario) -> Transformer:
    """The trained weights, or the initial ones of the seed, with edited parameters applied.

    Raises:
        ValueError: the model cannot be trained on this page.
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
    """The parameters that were edited on the page; training keeps them fixed."""
    return {
        path: cells
        for path, cells in scenario.overrides().items()
        if path in scenario.config.parameter_shapes()
    }
