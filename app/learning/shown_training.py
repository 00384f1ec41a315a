"""Describes the training of the model that a page shows."""

from typing import NamedTuple

from ..model.scenario.moments import Moments
from ..model.scenario.run_curves import RunCurves
from ..model.scenario.scenario import Scenario
from ..model.scenario.training_checksum import RepeatedTraining
from ..model.scenario.weights import Weights
from .controller import TrainingController
from .curves import curves
from .learned_model import weight_edits
from .metrics import Evaluation
from .model_page import ModelPage
from .plan import TrainingPlan
from .training import Comparison, Training, TrainingState
from .training_run import TrainingRun


class Check(NamedTuple):
    """The number of held-out pairs that the model of a scenario translates correctly."""

    scenario: Scenario
    correct: int
    total: int


class ShownTraining:
    """The training of the model that a page shows: its state, its run, and its results."""

    def __init__(self, page: ModelPage, controller: TrainingController) -> None:
        self.page, self.controller = page, controller
        self.run: TrainingRun | None = None  # the run that was started last, of any model
        self.previous: TrainingRun | None = None  # the run before the last run
        self.check: Check | None = None  # the last evaluation that the user requested
        self.error = ""
        self._compared: Comparison | None = None
        self._shown: Weights | None = None  # the last weights of the run that the page showed

    @property
    def state(self) -> TrainingState:
        """The state of the training of the page's model."""
        scenario = self.page.scenario
        if self.controller.is_active:
            return TrainingState.WAITING if self.controller.ahead else TrainingState.RUNNING
        try:
            TrainingPlan.of(scenario)
        except ValueError:
            return TrainingState.UNAVAILABLE
        run = self.current
        if run is None and self.kept is not None:
            return TrainingState.PAUSED
        if run is None:
            return TrainingState.READY if scenario.weights is None else TrainingState.TRAINED
        if run.problem:
            return TrainingState.DIVERGED
        if run.can_continue:
            return TrainingState.PAUSED if run.step else TrainingState.READY
        return TrainingState.DONE

    @property
    def current(self) -> TrainingRun | None:
        """The run whose model the page shows; None if the page shows another model."""
        return self.run if self._is_of_run(self.page.scenario) else None

    @property
    def comparable(self) -> TrainingRun | None:
        """The previous run, if it learned the same data; None if there is none."""
        run, before = self.current, self.previous
        if run is None or before is None or before is run:
            return None
        return before if before.plan.data == run.plan.data else None

    @property
    def kept(self) -> Moments | None:
        """The optimizer moments with which this model resumes an earlier run; None if missing."""
        moments, scenario = self.page.moments, self.page.scenario
        is_over = scenario.steps_taken >= scenario.recipe.steps
        if moments is None or self.current is not None or is_over:
            return None
        return moments if moments.are_of(scenario) else None

    @property
    def earlier(self) -> RunCurves | None:
        """The curves of the run on an earlier page that produced this model; None without one."""
        page, scenario = self.page, self.page.scenario
        is_of_it = page.curves_of is not None and page.curves_of is scenario.weights
        is_whole = is_of_it and not scenario.changed_since_training
        return page.curves if is_whole and self.current is None else None

    @property
    def curves(self) -> RunCurves:
        """The curves of the run that produced the page's model.

        While the model learns, the curves end at the shown step; a thread may be further on.
        """
        page, earlier = self.page, self.earlier
        if self.controller.is_active:
            given = page.curves if page.curves_of is page.scenario.weights else None
            return given or RunCurves()
        return curves(self.current) if earlier is None else earlier

    @property
    def moments(self) -> list[int]:
        """The steps of the run that can be shown, in order; the last is the newest."""
        run, shown = self.current, self.page.scenario.steps_taken
        if run is None:
            return []
        last = shown if self.controller.is_active else run.step
        return [*(step for step in run.snapshots.steps if step < last), last]

    @property
    def repeated(self) -> RepeatedTraining | None:
        """The training that the page repeats; None without one, or if its model was changed."""
        repeated = self.page.repeated
        return repeated if repeated is not None and repeated.is_of(self.page.scenario) else None

    @property
    def comparison(self) -> Comparison | None:
        """The comparison of the page's weights after a repeated training; None without one."""
        found = self._compared
        return found if found is not None and found.weights is self.page.scenario.weights else None

    @property
    def _goal(self) -> int:
        """The step up to which a model that was opened without its weights is trained, or 0."""
        scenario, repeated = self.page.scenario, self.repeated
        if repeated is not None:
            return repeated.step
        return scenario.steps_taken if scenario.weights is None else 0

    @property
    def right(self) -> tuple[int, int] | None:
        """The correct held-out pairs in the last evaluation, and the number of evaluated pairs."""
        if self.check is not None and self.check.scenario is self.page.scenario:
            return self.check.correct, self.check.total
        found = self._evaluation
        return None if found is None else (found.correct, found.total)

    @property
    def seconds_left(self) -> float | None:
        """Estimated seconds until the run is done, at the pace it is shown; None if unknown."""
        run, schedule, repeated = self.run, self.controller.schedule, self.repeated
        if run is None or run.seconds_left is None:
            return None
        if repeated is not None and run.step < repeated.step < run.steps:
            return run.seconds_left * (repeated.step - run.step) / (run.steps - run.step)
        return max(run.seconds_left, schedule.left(run.step) if schedule is not None else 0.0)

    @property
    def training(self) -> Training:
        """The facts of the training of the page's model."""
        run, last, repeated = self.current, self.run or self.previous, self.repeated
        measured = None if last is None else last.seconds_from(0)
        return Training(
            state=self.state,
            error=self.error,
            ahead=self.controller.ahead,
            step=None if run is None else run.step,
            can_continue=run is not None and run.can_continue,
            problem="" if run is None else run.problem,
            minimum_loss=0.0 if run is None else run.plan.minimum_loss(),
            curves=self.curves,
            right=self.right,
            checked_at=self.checked_at,
            is_kept=self.kept is not None,
            repeats=0 if repeated is None else repeated.step,
            comparison=self.comparison,
            seconds_left=self.seconds_left,
            slowness=measured / last.plan.seconds() if last and measured else 1.0,
        )

    @property
    def checked_at(self) -> int:
        """The step of the evaluation in ``right``."""
        found = self._evaluation
        is_now = self.check is not None and self.check.scenario is self.page.scenario
        return self.page.scenario.steps_taken if is_now or found is None else found.step

    @property
    def _evaluation(self) -> Evaluation | None:
        """The run's last evaluation up to the shown step, if its weights are those of the page."""
        run, scenario = self.current, self.page.scenario
        if run is None or weight_edits(scenario):
            return None
        checks = [one for one in run.metrics.evaluations if one.step <= scenario.steps_taken]
        return checks[-1] if checks else None

    def _is_of_run(self, scenario: Scenario) -> bool:
        if self.run is None or scenario.weights is not self._shown:
            return False
        try:
            return TrainingPlan.of(scenario) == self.run.plan
        except ValueError:
            return False
