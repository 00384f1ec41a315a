"""Shows the curves of a training run on one time axis, and the differences from a pinned step."""

from typing import Any

from ...explain import labels
from ...learning import TrainingRun, TrainingSession
from ...learning.between import between
from ...learning.curves import curves, schedule
from ...learning.difference import difference
from ...learning.pace import EARLY
from ...learning.plan import TrainingPlan
from ...model.scenario.scenario import Scenario
from ...model.scenario.task_words import task_words
from ...session.state import AppState
from ...transport.runtime.concurrency import BackgroundTasks
from .learn import Curves

KEPT = "The curves of this run were kept, but not its earlier steps."


class CurvesView:
    """Shows the page's training run and the previous one, seeks to its steps, and pins a step."""

    def __init__(self, state: AppState, session: TrainingSession) -> None:
        self.state = state
        self.session = session
        self._tasks = BackgroundTasks()
        self._is_open = False
        self._is_filling = False
        self._drawn: TrainingRun | None = None  # the run whose schedule is drawn
        self.curves = Curves(early=EARLY, on_step=session.seek)
        self.curves.param.watch(self._on_pinned, "pinned")
        session.listen(self._update_if_open)
        state.watch(self._update_if_open, ["scenario", "baseline"])

    def show(self, is_open: bool) -> None:
        self._is_open = is_open
        if is_open:
            self._update()

    # -- drawing -------------------------------------------------------------------------------

    def _update_if_open(self, *_: Any) -> None:
        if self._is_open:
            self.curves.at_end(self._update)

    def _update(self) -> None:
        session, scenario = self.session, self.state.scenario
        run, previous = session.current, session.comparable
        learning = self.state.view_model.learning
        if run is None:
            self._draw_ahead(scenario)
        elif run is not self._drawn:
            self._draw_around(run)
        self._drawn = run
        earlier = session.earlier
        pinned = self._pinned(run)
        notes = [
            difference(previous.plan, run.plan) if previous and run else "",
            learning.of_curves,
            KEPT if earlier is not None and earlier.step else "",
        ]
        self._is_filling = True
        self.curves.param.update(
            kept=session.moments,
            step=scenario.steps_taken,
            steps=scenario.recipe.steps if run is None else run.steps,
            curves=session.curves._asdict(),
            pinned=pinned,
            said=learning.guide if pinned is None or run is None else self._said(pinned),
            marks=[] if run is None else [list(change) for change in run.changes.all],
            notes=[note for note in notes if note],
            what=task_words(scenario.data).examples,
            ahead=learning.ahead,
        )
        self._is_filling = False

    def _draw_ahead(self, scenario: Scenario) -> None:
        """Draw the preview of a run before its first step."""
        none = curves(None)._asdict()
        try:
            plan = TrainingPlan.of(scenario)
        except ValueError:
            self.curves.param.update(before=none, schedule=[], floor=0.0, chance=0.0)
            return
        self.curves.param.update(
            before=none,
            schedule=schedule(plan.recipe, plan.config.d_model, scenario.recipe.steps),
            floor=plan.minimum_loss(),
            chance=plan.chance_loss(),
            clip=plan.recipe.clip or 0.0,
        )

    def _draw_around(self, run: TrainingRun) -> None:
        """Draw the parts that stay the same during a run."""
        trainer = run.trainer
        self.curves.param.update(
            before=curves(self.session.comparable)._asdict(),
            schedule=schedule(trainer.recipe, trainer.model.config.d_model, run.steps),
            floor=run.plan.minimum_loss(),
            chance=run.plan.chance_loss(),
            clip=trainer.recipe.clip or 0.0,
        )

    def _pinned(self, run: TrainingRun | None) -> int | None:
        """Return the step of this run that the page compares with; None if nothing is pinned."""
        baseline, scenario = self.state.baseline, self.state.scenario
        if run is None or baseline is None or scenario.view.plane != "change":
            return None
        is_of_run = baseline.weights is not None and baseline.model == scenario.model
        return baseline.steps_taken if is_of_run else None

    def _said(self, pinned: int) -> str:
        """Describe how the shown weights differ from those of the pinned step."""
        baseline, scenario = self.state.baseline, self.state.scenario
        if baseline is None or baseline.weights is None or scenario.weights is None:
            return ""
        before, now = baseline.weights.arrays, scenario.weights.arrays
        if {path: a.shape for path, a in before.items()} != {p: a.shape for p, a in now.items()}:
            return ""
        found = between(before, now)
        if not found.path:
            return "Nothing differs from the pinned moment yet: go to a different moment."
        first, last = sorted((pinned, scenario.steps_taken))
        said = (
            f"Between steps {first:,} and {last:,} a number moved by {found.mean:.2f} on average, "
            f"those of {labels.place_words(found.path)} the most: {found.furthest:.2f}."
        )
        tests = [self.session.curves.right_at(step) for step in (first, last)]
        right = [f"{test[1]:.0f} % at step {test[0]:,}" for test in tests if test is not None]
        if len(right) == 2:
            what = task_words(scenario.data).examples
            said += f" Right of unseen {what}: {', then '.join(right)}."
        return said

    # -- from the browser ----------------------------------------------------------------------

    def _on_pinned(self, event: Any) -> None:
        if self._is_filling:
            return
        state, run = self.state, self.session.current
        if event.new is None or run is None:
            state.change(state.scenario.with_view("plane", "value"))
            state.baseline = None
        else:
            self._tasks.start(self._pin(run, event.new))

    async def _pin(self, run: TrainingRun, step: int) -> None:
        """Compare the page with a step of a run, even during the training."""
        session = self.session
        kept = max((each for each in run.snapshots.steps if each <= step), default=None)
        at = step if kept is None or step == run.step else kept
        moment = await session.controller.run_exclusively(
            lambda: (run.weights(kept), kept) if at == kept else (run.weights(), run.step)
        )

        def pin() -> None:
            if session.current is not run:
                return
            now: Scenario = self.state.scenario
            self.state.baseline = now.trained(*moment)
            self.state.change(now.with_view("plane", "change"))

        await session.on_page(pin)
