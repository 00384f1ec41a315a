"""Applies a program's settings to a scenario, by the names of the page's parameters."""

import dataclasses
from collections.abc import Callable, Mapping
from pathlib import PurePath
from typing import Any

from transformer_math.checks import naming

from ..files import catalog
from ..files.given_model import check_one_text, scenario_of, with_side
from ..model.inference.text import read_side, text_of, with_right_word
from ..model.scenario.model_names import NAMES
from ..model.scenario.model_settings import ModelSettings
from ..model.scenario.recipe_settings import RecipeSettings
from ..model.scenario.scenario import Scenario
from ..model.scenario.view_settings import ViewSettings
from ..model.scenario.vocabulary import Side

# Parameters without a setting of the same name: the dropout rate, and the choice of its sites.
DROPOUT, SITES = "dropout", "dropout_sites"
_DROPOUT = {DROPOUT: "dropout.common", SITES: "dropout.preset"}

# Parameters renamed to avoid a conflict: the epsilon of `Config` belongs to its layer norms.
SETTING = {"adam_epsilon": "epsilon"}
_PARAMETER = {setting: name for name, setting in SETTING.items()}

MODEL_SETTINGS = tuple(name for name in ModelSettings.names() if name != DROPOUT)
OF_MODEL = (*MODEL_SETTINGS, *_DROPOUT)
OF_VIEW = ViewSettings.names()
OF_RECIPE = tuple(_PARAMETER.get(name, name) for name in RecipeSettings.names())
# In the order of application, because later settings may depend on earlier settings.
NAMES_OF_WISHES = ("model", *OF_MODEL, *OF_RECIPE, *OF_VIEW, "training", "source", "target")


def text(scenario: Scenario, side: Side) -> str:
    """Return one side as the user would type it; ``source`` is the side that the model reads."""
    if side == "source":
        side = read_side(scenario)
    elif not scenario.settings.decoder_layers:
        return ""
    if scenario.own_vocabulary is None:
        return " ".join(scenario.source if side == "source" else scenario.target)
    return text_of(scenario, side)


def chosen(scenario: Scenario) -> dict[str, Any]:
    """Return the present values, by parameter name."""
    dropout = scenario.settings.dropout
    recipe = scenario.recipe.values().items()
    return {
        **scenario.settings.values(),
        **scenario.view.values(),
        **{_PARAMETER.get(name, name): value for name, value in recipe},
        "model": scenario.model,
        DROPOUT: max(dropout.values().values()),
        SITES: dropout.preset,
        "training": scenario.training,
        "source": text(scenario, "source"),
        "target": text(scenario, "target"),
    }


def granted(scenario: Scenario, wishes: Mapping[str, Any]) -> Scenario:
    """Return the scenario with all settings applied, except those that have their value already.

    Raise ``TypeError`` for a wrong type, and ``ValueError`` with one sentence for a wrong value.
    """
    # The number of heads is set before d_model, which it can change.
    for name in sorted(NAMES_OF_WISHES, key=lambda name: name not in ("model", "heads")):
        if name in wishes and name not in OF_RECIPE and not _is_so(scenario, name, wishes[name]):
            with naming(name):
                scenario = _grant(name)(scenario, wishes[name])
    check_one_text(scenario, wishes.get("source"), wishes.get("target"))
    recipe = {SETTING.get(name, name): wishes[name] for name in OF_RECIPE if name in wishes}
    if recipe:  # set together, because the warm-up must end before the last step
        now = scenario.recipe
        new = now.replace(**{name: now.parsed(name, value) for name, value in recipe.items()})
        if new != now:
            scenario = scenario.with_recipe(new)
    return scenario


def _is_so(scenario: Scenario, name: str, value: Any) -> bool:
    now = chosen(scenario)[name]
    return type(now) is type(value) and bool(now == value)


def _grant(name: str) -> Callable[[Scenario, Any], Scenario]:
    if name in _OWN:
        return _OWN[name]
    if name in OF_VIEW:
        return lambda scenario, value: scenario.with_view(name, value)
    setting = _DROPOUT.get(name, name)
    return lambda scenario, value: scenario.with_setting(setting, value)


def _model(scenario: Scenario, value: Any) -> Scenario:
    """Replace the model; a text is a name, never a path, because it may come from an address."""
    if isinstance(value, str) and value not in NAMES:
        raise ValueError(
            f"There is no model called {value[:80]!r}; there are {', '.join(NAMES)}. "
            "A file is given as a pathlib.Path."
        )
    if isinstance(value, str):
        return catalog.chosen(value, scenario)
    if isinstance(value, PurePath):
        value = str(value)
    new = scenario_of(value, None, None, None, {})
    return dataclasses.replace(new, view=scenario.view)


def _training(scenario: Scenario, value: Any) -> Scenario:
    if not isinstance(value, bool):
        raise ValueError("training is either on or off.")
    return scenario.with_training(value)


def _source(scenario: Scenario, value: Any) -> Scenario:
    return with_right_word(with_side(scenario, read_side(scenario), value))


def _target(scenario: Scenario, value: Any) -> Scenario:
    """Replace the target; without a value, the model writes the target itself."""
    is_none = value is None or (isinstance(value, str) and not value.strip())
    if is_none and not scenario.settings.decoder_layers:
        return scenario
    return scenario.with_writing(True) if is_none else with_side(scenario, "target", value)


_OWN = {"model": _model, "training": _training, "source": _source, "target": _target}
