"""The page's words for a model's training data and its task."""

from __future__ import annotations

from typing import NamedTuple

from .scenario import Scenario
from .training_data import DataName, TrainingData


class TaskWords(NamedTuple):
    """The words for a task."""

    examples: str  # in the plural
    text: str  # the input of the model
    label: str  # of the input field
    does: str = ""  # what a trained model does


_WORDS: dict[DataName, TaskWords] = {
    "phrases": TaskWords("phrases", "sentence", "Phrase", "translates English into French"),
    "dates": TaskWords("dates", "date", "Date", "writes out dates"),
    "next-word": TaskWords("beginnings", "beginning", "Beginning", "goes on with English phrases"),
    "blanks": TaskWords(
        "blanks", "sentence", "Text with blanks, <mask>", "fills the blanks of French phrases"
    ),
    "own": TaskWords("pairs", "text", "Text"),
    "own-next-word": TaskWords("beginnings", "beginning", "Beginning", "goes on with your texts"),
    "own-blanks": TaskWords("blanks", "text", "With blanks", "fills the blanks of your texts"),
}


def task_words(data: TrainingData | None) -> TaskWords:
    """Return the words for the task of some data; without data, the words for pairs."""
    return _WORDS[data.name if data else "own"]


def moment_words(scenario: Scenario) -> str:
    """Return the step if training is incomplete, as in ``step 84 of 1,000``; else an empty text."""
    at, steps = scenario.steps_taken, scenario.recipe.steps
    is_moment = scenario.weights is not None and 0 < at < steps
    return f"step {at:,} of {steps:,}" if is_moment else ""
