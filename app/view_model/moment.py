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
    """The state of the page, and the few other inputs that the statements depend on."""

    state: State
    runner: ForwardPassRunner  # has the pass of the state's scenario
    ends: bool = True  # whether the model ended its sentence at the time of writing
    # The cells that an open question of a lesson asks for; no sentence may state them.
    asked: tuple[Area, ...] = ()
    tries: bool = False  # whether an experiment, such as a pull, set the numbers
    takes_back: bool = False  # whether undo reverts the last edit
    session: TrainingSession | None = None  # None on a page without training
    session_version: int = 0
    step: Judge | None = None  # the open step of the open lesson
    done: tuple[str, ...] = ()  # items of that lesson: ``"2.1"`` is an item of step 2

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
