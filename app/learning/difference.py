"""Describes the differences between two runs."""

from typing import Any

from ..model.scenario.recipe_settings import RecipeSettings
from ..model.scenario.settings import Settings
from .plan import TrainingPlan, settings_of

_MAX_NAMED = 4


def difference(before: TrainingPlan, now: TrainingPlan) -> str:
    """Describe how a run differs from the previous run on the same data, drawn dashed."""
    dashed = "Dashed: the run before"
    if before == now:
        return f"{dashed}, with the same settings."
    changed = [
        *_changes(settings_of(before.config, before.recipe), settings_of(now.config, now.recipe)),
        *_changes(RecipeSettings.of(before.recipe), RecipeSettings.of(now.recipe)),
    ]
    more = len(changed) - _MAX_NAMED
    tail = f" and {more} more" if more > 0 else ""
    return f"{dashed}; it had {', '.join(changed[:_MAX_NAMED])}{tail}."


def _changes(before: Settings, now: Settings) -> list[str]:
    """Return each setting that differs, with its previous value."""
    was = before.values()
    return [
        f"{before.label(name)}: {_said(before, name, was[name])}"
        for name, value in now.values().items()
        if value != was[name]
    ]


def _said(settings: Settings, name: str, value: Any) -> str:
    if isinstance(value, Settings):
        return "other ones"
    if isinstance(value, bool):
        return "on" if value else "off"
    options = settings.field(name).get("options", [])
    return next((str(label) for option, label in options if option == value), f"{value}")
