"""Builds the form of the selected decoding method."""

from typing import Any

from ...components.form.fields import action
from ...components.form.settings_form import Section
from ...decoding import DecodingTask
from ...decoding.settings import sample_count

# The settings of each method; the length limit is below the written text.
SETTINGS: dict[str, tuple[str, ...]] = {
    "beam": ("beam_size", "alpha", "beam_style", "show_dropped"),
    "sample": ("temperature", "top_k", "top_p", "seed"),
}


def sections(method: str, task: DecodingTask) -> list[Section]:
    """Return the form's sections for a method and a task; empty if the method has no settings."""
    own = {"top_k": {"maximum": len(task.scenario.target_vocabulary)}}
    buttons = (_next_seeds(task),) if method == "sample" else ()
    return [Section(SETTINGS[method], own=own, after=buttons)] if method in SETTINGS else []


def limits(task: DecodingTask) -> list[Section]:
    """Return the sections that every method has, in the form below the written text."""
    return [Section(("max_length",), own={"max_length": {"value": task.max_length}})]


def _next_seeds(task: DecodingTask) -> dict[str, Any]:
    count = sample_count(task.scenario.config.parameter_count())
    title = f"Sample again: the next {count} seeds"
    return action("next_seeds", "Sample again", title=title)
