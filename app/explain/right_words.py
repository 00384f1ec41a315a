"""Compares the right words, on which the loss is computed, with the words that the model writes."""

from collections.abc import Sequence
from typing import NamedTuple

from ..model.inference.forward_pass import ForwardPassRunner
from ..model.inference.writing import likeliest
from ..model.matrices.address import PROBABILITIES
from ..model.scenario.known_words import WordGroup, known_words
from ..model.scenario.scenario import Scenario
from ..typed_text import quoted
from . import labels

ALREADY = "It already writes this"
CHOOSE = "Choose another word above, and a step of training moves the model towards it."
NAMED = 2  # maximum number of positions with another word that are named


class RightWord(NamedTuple):
    """The right word at a position."""

    position: int  # the position in the output
    word: str
    probability: float
    written: str  # the likeliest word
    open: bool  # whether another right word can be chosen

    @property
    def is_written(self) -> bool:
        return self.word == self.written


def right_words(scenario: Scenario, runner: ForwardPassRunner) -> list[RightWord]:
    """Return the right word at each position except padding; empty if numbers are not finite."""
    try:
        written = likeliest(scenario, runner)
    except ValueError:
        return []
    probabilities = runner.trace(scenario)[PROBABILITIES].value
    tokens, can_change = scenario.label_tokens, scenario.open_labels
    return [
        RightWord(at, tokens[at], float(probabilities[at, row]), written[at], at in can_change)
        for at, row in scenario.asked.items()
    ]


def first_other(words: Sequence[RightWord]) -> int | None:
    """Return the first position whose likeliest word is not right; None if there is none."""
    return next((each.position for each in words if not each.is_written), None)


def words_to_choose(scenario: Scenario) -> list[WordGroup]:
    """Return the words that can be chosen as right, by kind; empty if there are too many."""
    known = scenario.vocabulary
    never = {known.start, known.pad}
    groups = known_words(scenario, "target" if scenario.settings.decoder_layers else "source")
    kept = (WordGroup(label, tuple(w for w in some if w not in never)) for label, some in groups)
    return [group for group in kept if group.words]


def to_teach(words: Sequence[RightWord], before: Sequence[RightWord]) -> str:
    """Describe in a sentence which words a step has to change, or that the last step succeeded.

    ``before`` is empty if the last change was not a step.
    """
    others = [each for each in words if not each.is_written]
    if not words:
        return ""
    if not others:
        if first_other(before) is not None:
            return "Now it writes this."
        can_choose = any(each.open for each in words)
        return f"{ALREADY}. {CHOOSE}" if can_choose else f"{ALREADY}: little is left to learn."
    if len(others) <= NAMED:
        said = " and ".join(
            f"{_named(each.written)} where {_named(each.word)} should be" for each in others
        )
        return f"It writes {said}. A step makes the right words likelier."
    return (
        f"At {len(others)} of {len(words)} positions it writes another word. "
        "A step makes the right ones likelier."
    )


def _named(word: str) -> str:
    return quoted(labels.shown(word))
