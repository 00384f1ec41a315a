"""The frame's second line: the model of the page in training."""

from __future__ import annotations

import time
from typing import Any

from ..components.training.training import TrainingBar
from ..learning import TrainingSession, TrainingState, texts
from ..runtime.concurrency import BackgroundTasks
from ..state import AppState

UPDATE_SECONDS = 0.1  # between two updates of the progress while a run goes on


class TrainingView:
    """Shows how far the training is, and does what its buttons say."""

    def __init__(self, state: AppState, session: TrainingSession) -> None:
        self.state = state
        self.session = session
        self._tasks = BackgroundTasks()
        self._updated = 0.0
        self.bar = TrainingBar(shown=self._status())
        self.bar.on_press(self._on_press)
        session.listen(self._fill)
        state.param.watch(self._fill, "scenario")

    def _fill(self, *_: Any) -> None:
        now = time.monotonic()
        if self.session.controller.is_active and now - self._updated < UPDATE_SECONDS:
            return
        self._updated = now
        shown = self._status()
        if shown != self.bar.shown:
            self.bar.shown = shown

    def _status(self) -> dict[str, Any]:
        session, scenario = self.session, self.state.scenario
        state = session.state
        message, tone = texts.status(session)
        return {
            "state": state.value,
            "train": texts.train_label(session),
            "step": scenario.steps_taken if state is not TrainingState.READY else 0,
            "steps": scenario.recipe.steps,
            "facts": texts.facts(session),
            "message": message,
            "tone": tone,
            "reset": texts.reset_help(scenario),
        }

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
