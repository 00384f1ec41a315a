"""Writes the guide: a description of the model, and instructions for reading its picture."""

from __future__ import annotations

from typing import NamedTuple

from ..explain.units import in_units
from ..learning import Training, TrainingState
from ..model.scenario.scenario import Scenario
from ..model.scenario.task_words import moment_words, task_words
from ..theme import SIGN_NAMES
from .moment import Moment

# Descriptions of models, by the stacks that they have.
WHAT = {
    "encoder-decoder": "A Transformer",
    "decoder-only": "A Transformer’s decoder",
    "encoder-only": "A Transformer’s encoder",
}


class Guide(NamedTuple):
    """The introduction beside the view."""

    line: str
    reading: list[tuple[str, str]]  # the symbol of a kind of drawn thing, and how to read it
    run: str  # what can be done with the training: "pause", "play" or nothing


def guide(moment: Moment) -> Guide:
    """Return the guide at a moment."""
    scenario, session = moment.scenario, moment.session
    training = None if session is None else session.training
    line = _training_line(scenario, training) if moment.state.learning else _line(scenario)
    reading = [(what, in_units(scenario, says)) for what, says in _reading(scenario)]
    return Guide(line, reading, _run(training))


def _run(training: Training | None) -> str:
    if training is None:
        return ""
    if training.state in (TrainingState.RUNNING, TrainingState.WAITING):
        return "pause"
    return "play" if training.state is TrainingState.PAUSED and training.step else ""


def _training_line(scenario: Scenario, training: Training | None) -> str:
    line = f"Training: step {scenario.steps_taken:,} of {scenario.recipe.steps:,}"
    if training is None or training.right is None:
        return f"{line}. The weights change at every step."
    correct, total = training.right
    unseen = f"unseen {task_words(scenario.data).examples}"
    share = f" · {100 * correct / total:.0f} % right".replace(" ", "\N{NO-BREAK SPACE}")
    return f"{line}{share}. Right: {correct:,} of {total:,} {unseen}."


def _line(scenario: Scenario) -> str:
    count = scenario.config.parameter_count()
    what, does = WHAT[scenario.config.kind], ""
    if changed := scenario.changed_since_training:
        return f"{what}, changed after its training. The change: {changed}."
    if moment := moment_words(scenario):
        does = f" at {moment} of its training"
    elif scenario.weights is None:
        does = " with random weights"
    elif says := task_words(scenario.data).does:
        does = f" that {says}"
    return f"{what}{does}. You can change its {count:,} weights and all numbers computed from them."


def _reading(scenario: Scenario) -> list[tuple[str, str]]:
    """Return the kinds of drawn things, each with a sentence on how to read it."""
    if scenario.view.plane == "gradient":
        return _reading_backward(scenario)
    row = f"Each row is one word, as {scenario.settings.d_model} numbers. They change from left"
    writes = ", and predict the next word" if scenario.settings.decoder_layers else ""
    positive, negative = SIGN_NAMES[scenario.view.palette]
    signs = f"{positive.capitalize()} is positive, {negative} negative."
    return [
        ("row", f"{row} to right{writes}."),
        ("sign", f"{signs} The stronger the color, the larger the number."),
        (
            "link",
            "A ribbon is attention: the word at its right looks at the word at its left. "
            "A thicker ribbon is a larger weight.",
        ),
        (
            "weight",
            "Small squares, seen when you zoom in, are learned weights, the same for all words.",
        ),
        (
            "change",
            "Colored ribbons show where the followed word looks. After a change they show the path "
            "of the change instead.",
        ),
        (
            "word",
            "Pink: the word that you follow, and what its row writes. Framed: the word that it "
            "looks at most. Dotted underline: a different word than before the change.",
        ),
        (
            "bar",
            "The pink bar is the likeliest next word; a tick marks a word’s old probability. While "
            "numbers move, each word keeps its place.",
        ),
    ]


def _reading_backward(scenario: Scenario) -> list[tuple[str, str]]:
    """Return the same as ``_reading`` while gradients are shown."""
    more, less = SIGN_NAMES[scenario.view.palette]
    return [
        (
            "row",
            "Every number has a gradient: how much the loss changes with it. The model computes "
            "gradients from the end back to the words.",
        ),
        (
            "sign",
            f"{more.capitalize()}: increasing the number raises the loss; {less}: it lowers the "
            "loss. Each matrix has a scale of its own.",
        ),
        ("link", "Colored ribbons carry most of the gradient back, from right to left."),
        (
            "weight",
            "A model learns by its gradients: a step moves each weight against its gradient, "
            "and the loss falls. Write a different target, and it learns that.",
        ),
    ]
