"""Shows the line with the training controls of the page's model."""

from typing import Any

from ...learning import TrainingSession, TrainingState
from ...session.state import AppState
from ...transport.runtime.concurrency import BackgroundTasks
from .training import TrainingBar


class TrainingView:
    """Shows the progress of training and handles its buttons.

    The line is visible only in Train, so that runs do not shift the layout of other views.
    """

    def __init__(
        self, state: AppState, session: TrainingSession, repeats_alone: bool = False
    ) -> None:
        """With ``repeats_alone``, show the line only for repeated training of a shared model."""
        self.state = state
        self._repeats_alone = repeats_alone
        self.session = session
        self._tasks = BackgroundTasks()
        self._is_learn = False
        self.bar = TrainingBar(on_step=session.seek)
        self.bar.param.update(
            paces=[[value, label] for value, label in state.scenario.view.field("pace")["options"]],
            pace_help=state.scenario.view.field("pace").get("help", ""),
        )
        self._fill()
        self.bar.on_press(self.press)
        self.bar.param.watch(self._on_pace, "pace")
        session.listen(self._update)
        state.watch(self._update, "scenario")
        state.watch(self._on_repeated, "repeated")

    def show(self, is_learn: bool) -> None:
        self._is_learn = is_learn
        self._fill()

    def _is_wanted(self) -> bool:
        if self._repeats_alone:
            compared = self.session.comparison
            return self.session.repeated is not None or bool(compared and compared.difference)
        return self._is_learn

    def _update(self, *_: object) -> None:
        if self.bar.visible or self._is_wanted():
            self.bar.at_end(self._fill)

    def _on_repeated(self, event: Any) -> None:
        """Train a model that was opened without its weights."""
        if event.new is not None:
            self._tasks.start(self.session.repeat())

    def _fill(self) -> None:
        self.bar.update_changed(
            shown=self.state.view_model.learning.status,
            visible=self._is_wanted(),
            kept=self.session.moments,
            pace=self.state.scenario.view.pace,
        )

    def _on_pace(self, event: Any) -> None:
        scenario = self.state.scenario
        if event.new != scenario.view.pace:
            self.state.change(scenario.with_view("pace", event.new))

    def train(self, steps: int) -> None:
        """Train the model from scratch for a number of steps."""
        self._tasks.start(self.session.train(steps))

    def offered(self) -> str:
        """Return the label of a button that trains the model; empty if it cannot be trained."""
        learning = self.state.view_model.learning
        is_here = learning.training.state is not TrainingState.UNAVAILABLE
        return "" if self.state.address.lock or not is_here else learning.train_label

    def begin(self) -> None:
        """Open the Train room and start training."""
        self.state.go("view", "train")
        self.press("play")

    def press(self, name: str) -> None:
        """Press a button of the line, one of ``PRESSES``."""
        session = self.session
        does = {
            "play": lambda: session.play(as_shown=True),
            "pause": session.pause,
            "step": session.step,
            "reset": session.reset,
            "check": session.check_held_out,
        }
        self._tasks.start(does[name]())
