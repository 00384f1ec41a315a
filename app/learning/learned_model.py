"""Builds the page's model for training and evaluation, with embeddings of the data's words only."""

import numpy as np

from transformer_math import Transformer

from ..model.scenario.edits import Edit
from ..model.scenario.scenario import Scenario
from .plan import TrainingPlan


def learned_model(scenario: Scenario) -> Transformer:
    """Return a model with the trained weights, or those of the seed, and the edited parameters.

    Raise ``ValueError`` if the model cannot be trained on this page.
    """
    plan = TrainingPlan.of(scenario)
    weights = scenario.weights
    model = plan.model() if weights is None else Transformer(plan.config, weights.arrays)
    changed: dict[str, np.ndarray] = {}
    for edit, index in weight_edits(scenario).items():
        if edit.path not in changed:
            changed[edit.path] = model.parameters[edit.path].copy()
        changed[edit.path][index] = scenario.edits[edit]
    return model.with_parameters(changed)


def weight_edits(scenario: Scenario) -> dict[Edit, tuple[int, ...]]:
    """Return the edits of weights that training changes, each with the index of its cell.

    Excludes computed numbers, and rows of words that are missing from the training data.
    """
    if scenario.own_vocabulary is None or not scenario.edits:
        return {}
    shapes = scenario.learned_config.parameter_shapes()
    return {
        edit: index
        for edit, index in scenario.edited_cells()
        if edit.path in shapes
        and all(i < size for i, size in zip(index, shapes[edit.path], strict=True))
    }


def changed_numbers(scenario: Scenario) -> str:
    """Describe the edited weights, as "your 1,468 changed numbers"; empty if there are none."""
    count = len(weight_edits(scenario))
    if count < 2:
        return "your changed number" * count
    return f"your {count:,} changed numbers"
