"""Serializes the undo history for a browser tab; each step is stored as a diff to the next step.

A step is parsed only when undo reaches it. Weights of a model from a file are not stored, so steps
that need them are dropped, as are steps beyond a limit; a flag records whether any were dropped.
"""

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple, TypeAlias, TypedDict

from ..model.scenario import model_names
from ..model.scenario.scenario import Scenario
from ..plain_data import InOrder, Length, Sentence, read, reader
from ..view_model.focus import Followed, LeftFocus
from .scenario_json import scenario_from, scenario_to_dict
from .session_json import json_text, parsed
from .undo import AnyStep, Step, UndoHistory

MAX_KEPT_STEPS = 100  # in each direction
MAX_CHARACTERS = 200_000
MAX_DEPTH = 4  # nesting of settings

_Data: TypeAlias = dict[str, Any]
_Known: TypeAlias = dict[tuple[int, int, LeftFocus], tuple[Scenario, Scenario, str]]


_Steps = Annotated[list[object], Length(0, MAX_KEPT_STEPS)]

_FOCUS = "focus"  # the key of a step's focus, beside the keys of `_Difference`


class _Focus(TypedDict, total=False):
    """The focus at the time a step was left."""

    followed: Annotated[Followed, InOrder(), Sentence("it follows no word")]
    number: bool


class _History(TypedDict):
    """Undo and redo steps, the nearest first; ``cut`` is whether older steps were dropped."""

    past: _Steps
    future: _Steps
    cut: bool


# The difference between two scenarios: fields that are set, removed, or differ inside.
_Difference = TypedDict(
    "_Difference",
    {"set": dict[str, object], "gone": list[str], "in": dict[str, object]},
    total=False,
)


class KeptStep(NamedTuple):
    """A stored step that is not parsed yet."""

    difference: Any  # from the step after it or, for redo, from the step before it

    def read(self, now: Step) -> Step:
        """Parse the step, given the neighboring step ``now``; ``ValueError`` with one sentence."""
        difference, focus = self.difference, now.focus  # absent in steps of earlier versions
        if isinstance(difference, dict) and _FOCUS in difference:
            difference = {**difference}
            kept = read(_Focus, difference.pop(_FOCUS))
            focus = LeftFocus(kept.get("followed"), kept.get("number", False))
        return Step(scenario_from(_applied(_data(now.scenario), difference)), focus)


class HistoryWriter:
    """Serializes the steps of one page repeatedly, and caches their texts."""

    def __init__(self) -> None:
        # Keyed by the ids of both scenarios; holding both keeps their ids from being reused.
        self._known: _Known = {}

    def text(self, history: UndoHistory, now: Scenario) -> str:
        """Serialize all steps that a tab can store, starting at a scenario."""
        known, self._known = self._known, {}
        past, is_cut = self._side(history.past, Step(now), known, MAX_CHARACTERS)
        left = MAX_CHARACTERS - sum(map(len, past))
        future, _ = self._side(history.future, Step(now), known, left)
        lost = "true" if is_cut or history.is_cut else "false"
        return f'{{"past":[{",".join(past)}],"future":[{",".join(future)}],"cut":{lost}}}'

    def _side(
        self,
        steps: Sequence[AnyStep],
        previous: Step,
        known: _Known,
        left: int,
    ) -> tuple[list[str], bool]:
        """Return the differences from step to step, and whether any steps were dropped."""
        found: list[str] = []
        for step in reversed(steps):
            if isinstance(step, Step):
                if model_names.FILE in (step.scenario.model, previous.scenario.model):
                    return found, True
                text = self._written(previous, step, known)
                previous = step
            else:
                text = json_text(step.difference)
            left -= len(text) + 1
            if left < 0 or len(found) == MAX_KEPT_STEPS:
                return found, True
            found.append(text)
        return found, False

    def _written(self, previous: Step, step: Step, known: _Known) -> str:
        pair = id(previous.scenario), id(step.scenario), step.focus
        if pair in known:
            self._known[pair] = known[pair]
        else:
            found = _difference(_data(previous.scenario), _data(step.scenario))
            text = json_text({**found, _FOCUS: _focus_data(step.focus)})
            self._known[pair] = previous.scenario, step.scenario, text
        return self._known[pair][2]


def read_history(text: str) -> UndoHistory:
    """Parse the output of `HistoryWriter`; ``ValueError`` with one sentence if it is invalid."""
    read_steps = reader(Annotated[_History, Sentence("these are no steps")])
    kept: _History = read_steps(parsed(text))
    history = UndoHistory()
    history.past[:] = map(KeptStep, reversed(kept["past"]))
    history.future[:] = map(KeptStep, reversed(kept["future"]))
    history.is_cut = kept["cut"]
    return history


def _data(scenario: Scenario) -> _Data:
    """Return a scenario as plain data without drawing options, which undo must not change."""
    data = scenario_to_dict(scenario, with_weights=True)
    data.pop("view", None)
    return data


def _focus_data(focus: LeftFocus) -> _Data:
    word = {} if focus.word is None else {"followed": list(focus.word)}
    return {**word, "number": True} if focus.is_number else word


def _difference(of: _Data, to: _Data) -> _Data:
    """Compare two dicts: fields that are ``set``, are ``gone``, or differ inside (``in``)."""
    gone = [name for name in of if name not in to]
    changed = {name: value for name, value in to.items() if name not in of or of[name] != value}
    both = [
        name
        for name, value in changed.items()
        if isinstance(value, dict) and isinstance(of.get(name), dict)
    ]
    inside = {name: _difference(of[name], changed.pop(name)) for name in both}
    found = {"set": changed, "gone": gone, "in": inside}
    return {name: what for name, what in found.items() if what}


def _applied(of: _Data, difference: object, depth: int = 0) -> _Data:
    """Apply a difference to plain data; ``ValueError`` if it does not fit."""
    if depth > MAX_DEPTH:
        raise ValueError("It is no step.")
    parts = read(_Difference, difference)
    changed, gone, inside = parts.get("set", {}), parts.get("gone", []), parts.get("in", {})
    found = {name: value for name, value in of.items() if name not in gone} | changed
    for name, what in inside.items():
        if not isinstance(found.get(name), dict):
            raise ValueError("It is a step of another page.")
        found[name] = _applied(found[name], what, depth + 1)
    return found
