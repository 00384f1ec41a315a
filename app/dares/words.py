"""Describes a dare and its attempts in words."""

from ..lessons.format import Dare
from ..lessons.live_text import written
from .score import Score

UNITS = {"numbers": "number", "silenced": "silent", "steps": "step"}


def measure(dare: Dare, value: float) -> str:
    """Return a measure in words: ``0.235``, ``4 numbers``, ``7 silent``, ``85 steps``."""
    if dare.measure == "distance":
        return written(float(value))
    unit = UNITS[dare.measure]
    is_plural = value != 1 and dare.measure != "silenced"
    return f"{value:,.0f} {unit}{'s' if is_plural else ''}"


def sentence(dare: Dare, score: Score) -> str:
    """Return the sentence on an attempt: its changes, its result, and the best known measure."""
    if score.refused or score.value is None:
        return score.refused
    done = "That does it" if score.is_reached else "The goal is not reached yet"
    if score.is_reached and dare.is_better(score.value, dare.best):
        return f"{score.what}. That does it, and is better than the best known."
    return f"{score.what}. {done}. Best known: {measure(dare, dare.best)}."
