"""Names the model of a page, and warns if random weights replace trained weights."""

import sys
import warnings
from collections.abc import Collection, Mapping
from typing import Any, cast

from ..files import catalog
from ..model.scenario.model_names import NAMES
from ..model.scenario.scenario import Scenario
from ..model.scenario.vocabulary import Side
from ..typed_text import quoted
from .wishes import OF_MODEL

# Packages whose frames are skipped to find the program to warn.
_BETWEEN = {__package__.partition(".")[0], "transformer_math", "param", "panel"}


def name_of(scenario: Scenario) -> str:
    """Return a model's name, with a note if random weights have replaced the trained weights."""
    if scenario.weights is not None:
        return str(scenario.weights.name)
    is_trained = scenario.model in NAMES and catalog.first(scenario.model).weights is not None
    return f"{scenario.model} with random weights" if is_trained else scenario.model


def lost_weights(before: Scenario, now: Scenario, wishes: Mapping[str, Any]) -> str:
    """Return the warning for a program whose ``wishes`` replaced trained by random weights.

    Empty if no weights were lost.
    """
    if before.weights is None or now.weights is not None or "model" in wishes:
        return ""
    given = ", ".join(f"{name}={wishes[name]!r:.20}" for name in OF_MODEL if name in wishes)
    return f"The weights of {before.weights.name} do not fit {given}: the model has random ones."


def unseen_words(scenario: Scenario, given: Collection[str]) -> str:
    """Return the warning for a program that passed words that a trained model has never seen.

    ``given`` has the sides whose text the program passed. Empty if the model has seen all words, or
    is untrained.
    """
    own = scenario.own_vocabulary
    if own is None or scenario.weights is None:
        return ""
    words = [
        word
        for side, text in (("source", scenario.source), ("target", scenario.target))
        if side in given
        for word in dict.fromkeys(text)
        if word not in own.tokens(cast(Side, side))
    ]
    if not words:
        return ""
    what = "this word: its row of numbers is" if len(words) == 1 else "these words: their rows are"
    return f"{', '.join(map(quoted, words))}: the model has never seen {what} random."


def warn(sentence: str) -> None:
    """Warn a program, at the line of its code that called this package."""
    depth, frame = 1, sys._getframe()
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] in _BETWEEN:
        depth, frame = depth + 1, frame.f_back
    warnings.warn(sentence, stacklevel=depth)
