"""A training run that is loaded from a file."""

import dataclasses
from typing import NamedTuple

from transformer_math import DropoutRates, Trainer
from transformer_math.data.pairs import Pairs

from ..model.scenario.recipe_settings import RecipeSettings
from ..model.scenario.scenario import Scenario
from .plan import TrainingPlan, settings_of
from .training_run import TrainingRun


class SavedRun(NamedTuple):
    """A run loaded from a file, and the scenario of its model."""

    run: TrainingRun
    scenario: Scenario


def saved_run(data: bytes, scenario: Scenario, pairs: Pairs) -> SavedRun:
    """Parse a saved run that learned the pairs of a page's scenario.

    Raise ``ValueError`` if the file is damaged or not a run, or if the run has other pairs or
    settings that the page does not have.
    """
    trainer = Trainer.load(data, pairs)
    found = _with_settings_of(scenario, trainer)
    run = TrainingRun(TrainingPlan.of(found), trainer)
    if run.step:
        run.evaluate()
    return SavedRun(run, found.trained(run.weights(), run.step))


def _with_settings_of(scenario: Scenario, trainer: Trainer) -> Scenario:
    """Return the page's scenario with the settings of a saved run, or raise ``ValueError``."""
    config, recipe = trainer.model.config, trainer.recipe
    has_dropout = config.dropout != DropoutRates()
    settings = settings_of(config, recipe)
    if not has_dropout:
        settings = settings.replace(dropout=scenario.settings.dropout)
    found = dataclasses.replace(
        scenario,
        settings=settings,
        recipe=RecipeSettings.of(recipe),
        training=has_dropout,
        weights=None,
    ).without_edits()
    if found.learned_config.parameter_shapes() != config.parameter_shapes():
        raise ValueError("This page does not have the settings of this run.")
    return found
