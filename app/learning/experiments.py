"""Ablations: parts of the Transformer that can be removed to see their effect on training."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from ..model.scenario.scenario import Scenario
from ..model.scenario.training_data import DataName


class Experiment(NamedTuple):
    """An ablation."""

    name: str
    label: str  # the label of its button
    settings: dict[str, Any]  # the model settings that it changes
    recipe: dict[str, Any]  # the hyperparameters that it changes
    about: Mapping[DataName, str]  # data -> the measured result and the seeds


# Shown below a result while the model on the page was not trained in this way.
NOT_YET = "These models were trained in this way; the one on this page was not."
# Shown below each result, because the counts depend on how a processor rounds.
COUNTED = "Counted on one machine; other machines round differently, so their counts differ."

# Measured after the last step of the default recipes with the seeds 1, 2 and 3, by `python -m
# tests.seeds --seeds 1-3 --without positions`.
EXPERIMENTS: tuple[Experiment, ...] = (
    Experiment(
        "positions",
        "No positions",
        {"positions": "none"},
        {},
        {
            "phrases": "The model sees a bag of words: it cannot tell which noun an adjective "
            "belongs to, nor the first “the” from the second. With the seeds 1, 2 and 3 it got "
            "361, 156 and 430 of 1,000 unseen phrases right; with positions all of them.",
            "dates": "The encoder sees a bag of digits: it cannot tell the day from the month, nor "
            "1924 from 1942. With the seeds 1, 2 and 3 it got 6, 6 and 7 of 1,000 unseen dates "
            "right; with positions all of them.",
        },
    ),
    Experiment(
        "residual",
        "No residual",
        {"residual": False},
        {},
        {
            "phrases": "Without the residual connection around every sublayer a word loses its "
            "own vector. With the seeds 1, 2 and 3 it got 26, 73 and 48 of 1,000 "
            "unseen phrases right; with residual connections all of them.",
            "dates": "A model with one wide layer on each side works without residual "
            "connections: with the seeds 1, 2 and 3 it got 1,000, 1,000 and 999 of "
            "1,000 unseen dates right. Try three layers on each side.",
        },
    ),
    Experiment(
        "scale",
        "No scale",
        {"attention_scale": "none"},
        {},
        {
            "phrases": "Scores are not divided by √d_k. Heads of width 4 hardly notice: with the "
            "seeds 1, 2 and 3 it got 1,000, 998 and 1,000 of 1,000 unseen phrases right. The "
            "scale is for wide heads, whose softmax is at its ends from the start without it.",
            "dates": "Scores are not divided by √d_k. Heads of width 8 do not notice: with the "
            "seeds 1, 2 and 3 all 1,000 unseen dates came out right. The scale is for wide "
            "heads: try d_model 64 with one head.",
        },
    ),
    Experiment(
        "mask",
        "No causal mask",
        {"causal_mask": False},
        {},
        {
            "phrases": "The decoder sees the word that it should predict, and copies it: the loss "
            "falls as usual, but writing fails, because there is nothing to copy yet. With the "
            "seeds 1, 2 and 3 it got 0, 0 and 7 of 1,000 unseen phrases right.",
            "dates": "The decoder sees the letter that it should predict, and copies it: the loss "
            "falls as usual, but writing fails, because there is nothing to copy yet. With the "
            "seeds 1, 2 and 3 not one of 1,000 unseen dates came out right.",
        },
    ),
    Experiment(
        "warmup",
        "No warm-up",
        {},
        {"warmup": 0},
        {
            "phrases": "The first steps have the full rate, before Adam has seen many gradients. "
            "With the seeds 1, 2 and 3 it got 620, 989 and 1,000 of 1,000 unseen phrases right; "
            "with a warm-up of 100 steps all of them.",
            "dates": "The first steps have the full rate, before Adam has seen many gradients. "
            "With one layer on each side and a peak of 0.003 this does no harm: with the seeds 1, "
            "2 and 3 all 1,000 unseen dates came out right. Try three layers each at 0.01.",
        },
    ),
)


def with_experiment(scenario: Scenario, name: str, whole: Scenario) -> Scenario:
    """Remove one part of the model, and restore all other parts where possible.

    ``none`` restores every part; ``whole`` is the model's opening scenario, which has every part.
    Sizes, seed and the rest of the recipe are kept. Raise ``ValueError`` for an unknown name.
    """
    settings, recipe = _asked(scenario, name, whole)
    changed = scenario.with_settings(scenario.settings.replace(**settings))
    return changed.with_recipe(scenario.recipe.replace(**recipe))


def experiment_of(scenario: Scenario, whole: Scenario) -> str:
    """Return the name of the ablation with these settings, ``none`` for no ablation, or ``own``."""
    now = _pieces(scenario)
    names = ("none", *(e.name for e in EXPERIMENTS))
    return next((name for name in names if _asked(scenario, name, whole) == now), "own")


def is_as_measured(scenario: Scenario, name: str, whole: Scenario) -> bool:
    """Return whether all settings except the seed equal those of an ablation's measurement."""
    asked = with_experiment(whole, name, whole)
    settings = asked.settings.replace(seed=scenario.settings.seed)
    return (settings, asked.recipe) == (scenario.settings, scenario.recipe)


def _asked(scenario: Scenario, name: str, whole: Scenario) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return an ablation's settings, with a warm-up that fits into the scenario's recipe."""
    found = next((e for e in EXPERIMENTS if e.name == name), None)
    if found is None and name != "none":
        raise ValueError(f"There is no experiment called “{name[:40]}”.")
    settings, recipe = _pieces(whole)
    settings |= found.settings if found else {}
    recipe |= found.recipe if found else {}
    recipe["warmup"] = min(recipe["warmup"], scenario.recipe.longest_warmup)
    return settings, recipe


def _pieces(scenario: Scenario) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the model and training settings that ablations change."""
    model = {name for e in EXPERIMENTS for name in e.settings}
    recipe = {name for e in EXPERIMENTS for name in e.recipe}
    return (
        {name: getattr(scenario.settings, name) for name in model},
        {name: getattr(scenario.recipe, name) for name in recipe},
    )
