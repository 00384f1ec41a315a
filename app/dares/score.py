"""Computes the score of an attempt at a dare from its scenario alone."""

import dataclasses
from collections.abc import Callable
from typing import NamedTuple

from ..lessons.format import Dare, Text
from ..lessons.live_text import spoken, written
from ..lessons.numbers import LiveNumbers
from ..model.inference.forward_pass import ForwardPassRunner
from ..model.inference.writing import with_written_target
from ..model.scenario.scenario import Scenario
from ..number_text import counted
from .attempt import Attempt, distance, free_fields, heads_of, moved, set_numbers, silenced_parts
from .retrained import Retrained, retrained

# The kind of change that a dare allows -> the fields that it may change, besides the free fields.
OWN = {
    "parameters": frozenset({"edits"}),
    "attention": frozenset({"edits"}),
    "silences": frozenset({"silences"}),
    "training": frozenset({"recipe", "weights", "steps_taken", "trained_with"}),
}
# Field -> the reason for the refusal if an attempt must not change it.
WRONG = {
    "source": "it is about another sentence",
    "target": "its words were typed, and not written by the model",
    "writes_itself": "its words were typed, and not written by the model",
    "settings": "the model’s settings are others",
    "training": "dropout is on",
    "edits": "numbers of it are set, too",
    "silences": "parts of it are silenced, too",
    "recipe": "its training is another one",
}
ANOTHER_MODEL = "it is of another model"
MAY = {
    "parameters": "only learned numbers may be moved here",
    "attention": "only attention weights may be set here",
    "silences": "only whole heads and units of feed-forward networks may be silenced here",
}


class Score(NamedTuple):
    """The score of an attempt."""

    value: float | None = None  # the measure of the attempt; None if it does not count
    is_reached: bool = False  # whether the goal is reached
    refused: str = ""  # a sentence with the reason why the attempt does not count, or empty
    what: str = ""  # the kind and extent of the changes
    shows: Text = ()  # the dare's sentence about the attempt, with the attempt's numbers


class _Refused(Exception):
    """The attempt does not count; the message is a clause with the reason."""


def score(
    dare: Dare,
    attempt: Attempt,
    runner: ForwardPassRunner,
    go_on: Callable[[], None] = lambda: None,
) -> Score:
    """Compute the score of an attempt.

    ``go_on`` is called between pieces of a long computation; it raises an exception when the result
    is no longer needed.
    """
    try:
        _look_at_fields(dare, attempt)
        numbers = _numbers(dare, attempt, runner, go_on)
        value, what = _measured(dare, numbers, runner)
        return Score(
            value,
            bool(dare.goal(numbers)),
            "",
            what,
            spoken(dare.shows, dare.live, numbers),
        )
    except _Refused as error:
        return Score(refused=f"This does not count: {error}.")
    except (KeyError, ValueError) as error:
        said = str(error.args[0]) if error.args else type(error).__name__
        return Score(refused=f"This does not count: {said.rstrip('.')}.")


def is_slow(dare: Dare) -> bool:
    """Return whether the score takes more than a few passes, so that it needs a thread."""
    return dare.may == "training" or any(check.is_slow for check in (dare.goal, *dare.live))


def _look_at_fields(dare: Dare, attempt: Attempt) -> None:
    """Check that only allowed fields are changed, else raise `_Refused`."""
    given, scenario = attempt
    if given.model != scenario.model:
        raise _Refused(ANOTHER_MODEL)
    free = free_fields(given)
    for field in dataclasses.fields(Scenario):
        name = field.name
        if name in free | OWN[dare.may] or getattr(given, name) == getattr(scenario, name):
            continue
        raise _Refused(WRONG.get(name, ANOTHER_MODEL))


def _numbers(
    dare: Dare, attempt: Attempt, runner: ForwardPassRunner, go_on: Callable[[], None]
) -> LiveNumbers:
    """Return the numbers of an attempt, with the target that its model writes.

    The training is repeated, because the attempt's weights may not result from its recipe.
    """
    scenario, held_out = attempt.scenario, None
    if dare.may == "training":
        found: Retrained = retrained(scenario, go_on)
        scenario, held_out = found.scenario, (found.right, found.total)
    return LiveNumbers(with_written_target(scenario, runner), runner, held_out=held_out)


def _measured(dare: Dare, numbers: LiveNumbers, runner: ForwardPassRunner) -> tuple[float, str]:
    """Return an attempt's measure, and its changes in words; raise `_Refused` for wrong changes."""
    scenario = numbers.scenario
    if dare.may == "training":
        return float(scenario.steps_taken), counted(scenario.steps_taken, "step")
    if dare.may == "silences":
        parts = silenced_parts(scenario)
        if parts is None:
            raise _Refused(MAY["silences"])
        units = sum(path.endswith("feed_forward") for path, _ in parts)
        told = f"{counted(len(parts) - units, 'head')} and {counted(units, 'unit')} silent"
        return float(len(parts)), told
    found = set_numbers(scenario, runner)
    if dare.may == "parameters":
        if not all(scenario.is_parameter(each.path) for each in found):
            raise _Refused(MAY["parameters"])
        found = moved(found)
        count, of = len(found), "number"
    else:
        known = heads_of(found)
        if known is None:
            raise _Refused(MAY["attention"])
        found = moved(found)
        count, of = len(known), "head"
    if dare.most and count > dare.most:
        raise _Refused(f"{counted(count, of)} changed, and at most {dare.most} may")
    far = distance(found)
    things = counted(len(found), "number" if dare.may == "parameters" else "weight")
    by = "by" if len(found) == 1 else "by a distance of"
    what = f"{things} moved {by} {written(far)}" if found else "Nothing has moved yet"
    return (far if dare.measure == "distance" else float(len(found))), what
