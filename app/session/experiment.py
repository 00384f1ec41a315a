"""An experiment, such as dragging a probability to another value.

The page shows the result, which becomes an undo step only if the user keeps it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..model.scenario.lock import ALL, LOCKED
from ..model.scenario.scenario import Scenario
from ..view_model.focus import LeftFocus
from ..view_model.last_edit import HELD, Changed, LetGo

if TYPE_CHECKING:
    from .state import AppState


class Experiment:
    """Begins, keeps and reverts the experiment whose result the page shows."""

    def __init__(self, state: AppState) -> None:
        self._state = state
        self._focus = LeftFocus()  # the focus before the experiment
        self._was: np.ndarray | None = None  # the probabilities before the experiment, if known

    @property
    def is_running(self) -> bool:
        """Whether the page shows a result that is not kept yet."""
        return self._state.before_experiment is not None

    @property
    def start(self) -> Scenario:
        """The scenario before the experiment; without one, the scenario shown."""
        begun: Scenario | None = self._state.before_experiment
        return begun or self._state.scenario

    def may_begin(self) -> bool:
        """Return whether an experiment may change numbers on this page; if not, set a message."""
        is_locked = self._state.address.lock == ALL
        if is_locked:
            self._state.refuse(LOCKED)
        return not is_locked

    def show(self, scenario: Scenario, start: Scenario) -> None:
        """Show the current result, with the target that the model generates."""
        state = self._state
        state.pending.cancel()
        state.oscillation = state.oscillation._replace(on=False)
        if not self.is_running:
            self._focus = state.current.focus.left()
            self._was = state.shown_probabilities()
        state.before_experiment = start
        at = state.now(), "experiment", HELD, False, self._was
        changed = Changed(state.scenario, scenario, *at)
        state.update(changed, scenario=scenario)

    def keep(self) -> None:
        """Keep the result as one undo step."""
        state = self._state
        if state.before_experiment is not None:
            was = self._was
            changed = Changed(state.before_experiment, state.scenario, state.now(), likeliest=was)
            state.record_step(changed, self._focus)
            state.before_experiment = None
            state.update(LetGo(state.now()))

    def revert(self) -> None:
        """Show the scenario before the experiment again."""
        state = self._state
        start, state.before_experiment = state.before_experiment, None
        if start is not None:
            state.return_to(start, self._focus)
