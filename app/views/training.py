"""The line with the training of the page's model."""

from typing import Any

from ..components.training.training import TrainingBar
from ..learning import TrainingSession, TrainingState, pace, texts
from ..learning.snapshots import Snapshots
from ..runtime.concurrency import BackgroundTasks
from ..session.state import AppState

MOMENTS = Snapshots.MAX_COUNT  # of a timeline without a run


class TrainingView:
    """Shows the progress of training and handles its buttons.

    The line is visible in Train alone, so that no number and no run moves another view.
    """

    def __init__(
        self, state: AppState, session: TrainingSession, repeats_alone: bool = False
    ) -> None:
        """
        Args:
            state: the state of the page.
            session: the training of its model.
            repeats_alone: whether the line is of a page of one view, which shows it only while the
                training of a shared model is repeated, and if it leads to other numbers.
        """
        self.state = state
        self._repeats_alone = repeats_alone
        self.session = session
        self._tasks = BackgroundTasks()
        self._is_learn = False
        self.bar = TrainingBar(
            on_step=session.seek, shown=self._status(), visible=self._is_wanted()
        )
        self.bar.param.update(
            paces=[[value, label] for value, label in state.scenario.view.field("pace")["options"]],
            pace_help=state.scenario.view.field("pace").get("help", ""),
        )
        self._fill_timeline()
        self.bar.on_press(self._on_press)
        self.bar.param.watch(self._on_pace, "pace")
        session.listen(lambda: self.bar.at_end(self._fill))
        self._key: object = None
        state.watch(self._on_scenario, "scenario")
        state.watch(self._on_repeated, "repeated")

    def show(self, is_learn: bool) -> None:
        """Record whether the Train room or another one was opened."""
        self._is_learn = is_learn
        self.bar.visible = self._is_wanted()

    def _is_wanted(self) -> bool:
        if self._repeats_alone:
            compared = self.session.comparison
            return self.session.repeated is not None or bool(compared and compared.difference)
        return self._is_learn

    def _on_scenario(self, _event: object) -> None:
        """Fill the line unless only numbers changed that it does not speak of."""
        scenario, session = self.state.scenario, self.session
        key = (
            *(scenario.structure_key, scenario.weights, scenario.recipe, scenario.steps_taken),
            *(scenario.view.pace, session.right, texts.left_out(session)),
        )
        if key != self._key:
            self._key = key
            self.bar.at_end(self._fill)

    def _on_repeated(self, event: Any) -> None:
        """Train a model that was opened without its weights."""
        if event.new is not None:
            self._tasks.start(self.session.repeat())

    def _fill(self) -> None:
        self.bar.update_changed(shown=self._status(), visible=self._is_wanted())
        self._fill_timeline()

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
            "step_help": texts.step_help(session),
            "reset": texts.reset_help(scenario),
        }

    def _fill_timeline(self) -> None:
        scenario, run = self.state.scenario, self.session.current
        steps = scenario.recipe.steps
        moments = run.snapshots.moments if run is not None else pace.moments(steps, MOMENTS)
        kept = self.session.moments
        self.bar.update_changed(moments=moments, kept=kept, pace=scenario.view.pace)

    def _on_pace(self, event: Any) -> None:
        scenario = self.state.scenario
        if event.new != scenario.view.pace:
            self.state.change(scenario.with_view("pace", event.new))

    def train(self, steps: int) -> None:
        """Train the model from scratch for a number of steps."""
        self._tasks.start(self.session.train(steps))

    def _on_press(self, name: str) -> None:
        session = self.session
        does = {
            "play": lambda: session.play(as_shown=True),
            "pause": session.pause,
            "step": session.step,
            "reset": session.reset,
            "check": session.check_held_out,
        }
        self._tasks.start(does[name]())
