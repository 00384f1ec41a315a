"""Shows the choices of a picture in a form above it."""

from collections.abc import Mapping, Sequence
from typing import Any

from ...components.component import changes
from ...components.form.fields import choice
from ...components.form.form import Form
from ...explain import labels
from ...session.state import AppState
from .picture import CONTROLS, ROOM


class Choices:
    """A form of one line of controls for the choices of one picture."""

    def __init__(self, state: AppState) -> None:
        self._state = state
        self.form = Form(layout="row", stylesheets=[CONTROLS], margin=ROOM)
        self.form.param.watch(self._on_value, "value")

    def show(self, fields: Sequence[Mapping[str, Any]]) -> None:
        """Show fields, which are named after the choices, such as ``stream.row``."""
        self.form.update_changed(fields=[dict(field) for field in fields])

    def _on_value(self, event: Any) -> None:
        ideas = self._state.ideas
        for name, value in changes(event).items():
            ideas = ideas.changed(name, value)
        if ideas != self._state.ideas:
            self._state.ideas = ideas


def token_choice(name: str, label: str, row: int, tokens: Sequence[str]) -> dict[str, Any]:
    """Return a field for choosing a token of a text, counted from 0."""
    shown = [(k, f"{token or '∅'} ({k})") for k, token in enumerate(labels.visible(tokens))]
    return choice(name, label, row, shown)
