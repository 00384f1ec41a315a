"""The inputs of the parts of the view model."""

from __future__ import annotations

from typing import NamedTuple

from transformer_math import Trace

from ..learning import TrainingSession
from ..model.inference.forward_pass import ForwardPassRunner
from ..model.scenario.scenario import Scenario
from .lesson import Judge
from .state import State

Area = tuple[str, int, int, int, int]  # a path, and the first and last row and column


class Moment(NamedTuple):
    """The state of the page, and the few other inputs that the statements depend on.

    Attributes:
        state: the state.
        runner: provides the pass of the state's scenario.
        ends: whether the model ended the sentence when it wrote it.
        asked: the cells that an open question of a lesson asks for, which no sentence may state.
        tries: whether the numbers come from an experiment, such as a pull.
        takes_back: whether undo takes back the last edit.
        session: the training session of the state's scenario; None on a page without one.
        session_version: the number of changes of that session.
        step: the open step of a lesson.
        done: the completed items of that lesson: ``"2.1"`` is an item of step 2.
    """

    state: State
    runner: ForwardPassRunner
    ends: bool = True
    asked: tuple[Area, ...] = ()
    tries: bool = False
    takes_back: bool = False
    session: TrainingSession | None = None
    session_version: int = 0
    step: Judge | None = None
    done: tuple[str, ...] = ()

    @property
    def scenario(self) -> Scenario:
        """The scenario of the state."""
        return self.state.scenario

    @property
    def trace(self) -> Trace:
        """The forward pass of the scenario."""
        return self.runner.trace(self.scenario)

    def is_same(self, other: Moment) -> bool:
        """Return whether the parts of both moments are equal; states are compared by identity."""
        return self.state is other.state and self[1:] == other[1:]

    def is_end_of(self, before: Moment) -> bool:
        """Return whether the end of the last edit is the only difference from an earlier moment."""
        edit, last = self.state.last_edit, before.state.last_edit
        if edit is None or last is None or edit.ended is None or last.ended is not None:
            return False
        states = zip(self.state._replace(last_edit=last), before.state, strict=True)
        edits = zip(edit._replace(ended=None), last, strict=True)
        is_same = all(one is other for pairs in (states, edits) for one, other in pairs)
        return is_same and self[1:] == before[1:]
