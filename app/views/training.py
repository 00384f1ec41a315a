"""The line with the training of the page's model."""

from __future__ import annotations

from typing import Any

from ..components.training.training import TrainingBar
from ..learning import TrainingSession, TrainingState, texts
from ..runtime.concurrency import BackgroundTasks
from ..session.state import AppState

# In these states the line is visible in every view: during a run, or with random weights.
OF_INTEREST = (
    TrainingState.READY,
    TrainingState.WAITING,
    TrainingState.RUNNING,
    TrainingState.PAUSED,
)

UPDATE_SECONDS = 0.1  # least time between two updates of the progress during a run


class TrainingView:
    """Shows the progress of training and handles its buttons.

    The line is always visible in Train; in other views only during a run or if nothing was learned
    yet. After a run ends, it stays until another view is opened, so that nothing jumps under the
    pointer.
    """

    def __init__(self, state: AppState, session: TrainingSession) -> None:
        self.state = state
        self.session = session
        self._tasks = BackgroundTasks()
        self._updated = 0.0
        self._is_learn = False
        self._was_of = ""  # the model of a run seen in this view
        self.bar = TrainingBar(shown=self._status(), visible=self._is_wanted())
        self.bar.on_press(self._on_press)
        session.listen(self._fill)
        state.param.watch(self._fill, "scenario")

    def show(self, is_learn: bool) -> None:
        """Record whether the Train room or another one was opened."""
        self._is_learn, self._was_of = is_learn, ""
        self.bar.visible = self._is_wanted()

    def _is_wanted(self) -> bool:
        state, model = self.session.state, self.state.scenario.model
        if state in OF_INTEREST:
            self._was_of = model
        return self._is_learn or self._was_of == model

    def _fill(self, *_: Any) -> None:
        now = self.state.clock()
        if self.session.controller.is_active and now - self._updated < UPDATE_SECONDS:
            return
        self._updated = now
        shown = self._status()
        if shown != self.bar.shown:
            self.bar.shown = shown
        self.bar.visible = self._is_wanted()

    def _status(self) -> dict[str, Any]:
        session, scenario = self.session, self.state.scenario
        state = session.state
        message, tone = texts.status(session)
        return {
            "state": state.value,
            "train": texts.train_label(session),
            "test": texts.test_label(scenario),
            "step": scenario.steps_taken if state is not TrainingState.READY else 0,
            "steps": scenario.recipe.steps,
            "facts": texts.facts(session),
            "message": message,
            "tone": tone,
            "reset": texts.reset_help(scenario),
        }

    def train(self, steps: int) -> None:
        """Train the model from scratch for a number of steps."""
        self._tasks.start(self.session.train(steps))

    def _on_press(self, name: str) -> None:
        session = self.session
        does = {
            "play": session.play,
            "pause": session.pause,
            "step": session.step,
            "reset": session.reset,
            "check": session.check_held_out,
        }
        self._tasks.start(does[name]())
