"""The form of the selected decoding method."""

from __future__ import annotations

from typing import Any

from ...components.form.settings_form import Section
from ...decoding import DecodingTask
from ...decoding.settings import sample_count

SETTINGS = {
    "greedy": ("max_length",),
    "beam": ("beam_size", "alpha", "beam_style", "max_length", "show_dropped"),
    "sample": ("temperature", "top_k", "top_p", "seed", "max_length"),
    "comparison": ("max_length",),
}


def sections(method: str, task: DecodingTask) -> list[Section]:
    """The sections of the form for a task."""
    own: dict[str, dict[str, Any]] = {
        "max_length": {"value": task.max_length},
        "top_k": {"maximum": len(task.scenario.target_vocabulary)},
    }
    buttons = (_next_seeds(task),) if method == "sample" else ()
    return [Section(SETTINGS[method], own=own, after=buttons)]


def _next_seeds(task: DecodingTask) -> dict[str, Any]:
    count = sample_count(task.scenario.config.parameter_count())
    title = f"Sample again: the next {count} seeds"
    return {"name": "next_seeds", "kind": "action", "label": "Sample again", "title": title}
