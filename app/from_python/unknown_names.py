"""Writes the error message for an unknown name, with a suggestion."""

from collections.abc import Collection
from typing import Any

from transformer_math import Transformer
from transformer_math.suggestions import aliases_for, meant_setting

from ..model.scenario.scenario import Scenario

_TEXTS = dict.fromkeys(("text", "sentence", "input", "input_ids"), "source")


def no_setting(name: str, known: Collection[str], model: Any) -> str:
    """Return the error message for a name that is not a setting of a page.

    Suggest a known setting, but never a setting of a stack that the model lacks.
    """
    config = model.config if isinstance(model, Transformer | Scenario) else None
    aliases = aliases_for({} if config is None else config.as_dict())
    meant = meant_setting(name, known, {**aliases, **_TEXTS}) or _of_panel(name)
    return f"A page has no setting called {name}{meant}."


def is_of_panel_alone(name: str) -> bool:
    """Return whether a name such as ``theme`` is valid for `tinkerformer.panel`, but not `show`."""
    from .handle import Handle  # imports Panel, so only on demand
    from .panel_page import PanelPage

    return hasattr(PanelPage, name) and not hasattr(Handle, name)


def _of_panel(name: str) -> str:
    """Return the end of a sentence that suggests a similar name of Panel; empty without a name."""
    from .panel_page import PanelPage

    meant = meant_setting(name, [*PanelPage.param], {})
    return f"{meant}, which tinkerformer.panel takes" if meant else ""
