"""The steps of undo and redo as text, for what a tab keeps: each as its difference to the next.

A step is read when it is gone back to. Numbers of a model out of a file are not written, so that
steps before it are left out, as are those beyond a limit; that some are is kept, too.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from typing import Annotated, Any, NamedTuple, TypeAlias, TypedDict

from ..plain_data import Length, Sentence, read, reader
from ..scenario import model_names
from ..scenario.scenario import Scenario
from .session_json import parsed, scenario_from, scenario_to_dict
from .undo import Step, UndoHistory

MAX_KEPT_STEPS = 100  # in each direction
MAX_CHARACTERS = 200_000
MAX_DEPTH = 4  # of settings within settings

_Data: TypeAlias = dict[str, Any]
_Known: TypeAlias = dict[tuple[int, int], tuple[Scenario, Scenario, str]]


_Steps = Annotated[list[object], Length(0, MAX_KEPT_STEPS)]


class _History(TypedDict):
    """The steps of undo and redo, the nearest first; ``cut``: whether some are left out."""

    past: _Steps
    future: _Steps
    cut: bool


# What makes one scenario another: fields that are set, that are gone, or that differ in themselves.
_Difference = TypedDict(
    "_Difference",
    {"set": dict[str, object], "gone": list[str], "in": dict[str, object]},
    total=False,
)


class KeptStep(NamedTuple):
    """A step that is not read yet.

    Attributes:
        difference: what it has other than the scenario after it, or for redo before it.
    """

    difference: Any

    def read(self, now: Scenario) -> Scenario:
        """The scenario, if ``now`` is the one beside it.

        Raises:
            ValueError: it cannot be read; one sentence that names what is wrong.
        """
        return scenario_from(_applied(_data(now), self.difference))


class HistoryWriter:
    """Writes the steps of one page again and again; what it has written once it remembers."""

    def __init__(self) -> None:
        # By what differs from what; with both, so that no other scenarios get their ids.
        self._known: _Known = {}

    def text(self, history: UndoHistory, now: Scenario) -> str:
        """All steps that a tab can keep, from a scenario on."""
        known, self._known = self._known, {}
        past, is_cut = self._side(history.past, now, known, MAX_CHARACTERS)
        room = MAX_CHARACTERS - sum(map(len, past))
        future, _ = self._side(history.future, now, known, room)
        lost = "true" if is_cut or history.is_cut else "false"
        return f'{{"past":[{",".join(past)}],"future":[{",".join(future)}],"cut":{lost}}}'

    def _side(
        self,
        steps: Sequence[Step],
        beside: Scenario,
        known: _Known,
        room: int,
    ) -> tuple[list[str], bool]:
        """The differences from one step to the next, and whether some are left out."""
        found: list[str] = []
        for step in reversed(steps):
            if isinstance(step, Scenario):
                if model_names.FILE in (step.model, beside.model):
                    return found, True
                text = self._written(beside, step, known)
                beside = step
            elif isinstance(step, KeptStep):
                text = _json(step.difference)
            else:
                raise TypeError(f"A {type(step).__name__} cannot be written.")
            room -= len(text) + 1
            if room < 0 or len(found) == MAX_KEPT_STEPS:
                return found, True
            found.append(text)
        return found, False

    def _written(self, beside: Scenario, step: Scenario, known: _Known) -> str:
        pair = id(beside), id(step)
        if pair in known:
            self._known[pair] = known[pair]
        else:
            text = _json(_difference(_data(beside), _data(step)))
            self._known[pair] = beside, step, text
        return self._known[pair][2]


def read_history(text: str, clock: Callable[[], float] = time.monotonic) -> UndoHistory:
    """The steps that were written.

    Args:
        text: as `HistoryWriter` writes it.
        clock: tells when further steps are made, in seconds.

    Raises:
        ValueError: they are not steps at all; one sentence.
    """
    read_steps = reader(Annotated[_History, Sentence("these are no steps")])
    kept: _History = read_steps(parsed(text))
    history = UndoHistory(clock)
    history.past[:] = map(KeptStep, reversed(kept["past"]))
    history.future[:] = map(KeptStep, reversed(kept["future"]))
    history.is_cut = kept["cut"]
    return history


def _data(scenario: Scenario) -> _Data:
    """A scenario as plain data, but for how it is drawn: undoing must not switch colors back."""
    data = scenario_to_dict(scenario, with_weights=True)
    data.pop("view", None)
    return data


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _difference(of: _Data, to: _Data) -> _Data:
    """What makes one the other: fields that are ``set``, ``gone`` or changed ``in`` themselves."""
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
    """What a difference makes of the data.

    Raises:
        ValueError: it is of other data.
    """
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
