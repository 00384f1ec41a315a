"""One training run: it advances by whole steps and keeps metrics and snapshots."""

from __future__ import annotations

import time
from collections.abc import Callable

from transformer_math import Diverged, Trainer, Transformer
from transformer_math.data.pairs import Pairs
from transformer_math.training.evaluation import exact_matches

from ..model.scenario.moments import Moments
from ..model.scenario.run_curves import RunCurves
from ..model.scenario.weights import Weights
from .metrics import Evaluation, Metrics
from .pace import moments
from .plan import TrainingPlan
from .run_changes import RunChanges
from .snapshots import Parameters, Snapshots

# Evaluations per run, evenly spaced on its timeline, and pairs in each; the last uses all pairs.
EVALUATIONS, EVALUATED_PAIRS = 30, 200


class TrainingRun:
    """A training run in progress; two runs of one plan are bit-identical on one machine."""

    def __init__(self, plan: TrainingPlan, trainer: Trainer | None = None) -> None:
        """Start a run, or continue the run of a ``trainer``.

        Raise ``ValueError`` if the plan does not fit its pairs, or a step uses too much memory.
        """
        self.plan = plan
        self.pairs: Pairs = plan.data.pairs() if trainer is None else trainer.pairs
        plan.check_size(self.pairs)
        # Use one thread: of two cores, one is busy with the browser and the page. One training
        # thread proved as fast as two, with a third less work.
        self.trainer = trainer or Trainer(plan.model(), self.pairs, plan.recipe)
        self.metrics = Metrics(self.step)
        parameters = self.trainer.parameters()
        size = sum(array.nbytes for array in parameters.values())
        self.snapshots = Snapshots(self.steps, size)
        self.snapshots.add(self.step, parameters)
        self.earlier = RunCurves()  # the curves of the earlier steps of a continued run
        self.changes = RunChanges()
        self.problem = ""  # why the run cannot continue; empty if it can
        self._evaluated = frozenset(moments(self.steps, EVALUATIONS + 1))
        self.seconds = 0.0  # spent on steps, evaluations and drawing
        self._test_seconds = 0.0

    @classmethod
    def going_on(
        cls, plan: TrainingPlan, moments: Moments, earlier: RunCurves | None = None
    ) -> TrainingRun:
        """Continue a run from its weights and moments, with identical bits on the same machine.

        On another machine rounding may differ. Earlier steps have no snapshots, and curves only if
        ``earlier`` is given. Raise ``ValueError`` if the plan or the moments do not fit.
        """
        weights = moments.scenario.weights
        assert weights is not None
        model = Transformer(plan.config, weights.arrays)
        trainer = Trainer(model, plan.data.pairs(), plan.recipe)
        trainer.go_on_from(moments.scenario.steps_taken, moments.m, moments.v)
        run = cls(plan, trainer)
        run.earlier = earlier or RunCurves()
        return run

    @property
    def step(self) -> int:
        """The number of steps taken."""
        return self.trainer.step

    @property
    def steps(self) -> int:
        """The total number of steps."""
        return self.trainer.recipe.steps

    @property
    def can_continue(self) -> bool:
        """Whether another step can be taken."""
        return not self.problem and self.step < self.steps

    @property
    def seconds_left(self) -> float | None:
        """Estimated seconds until the run is done; None before the first step."""
        return self.seconds_from(self.step)

    def seconds_from(self, step: int) -> float | None:
        """Estimate the seconds from a step to the end of the run; None before the first step.

        Evaluations are estimated separately, because most of them are early in a run.
        """
        taken, tests = len(self.metrics), len(self.metrics.evaluations)
        if not taken:
            return None
        to_come = sum(each > step for each in self._evaluated)
        testing = self._test_seconds / tests * to_come if tests else 0.0
        return (self.seconds - self._test_seconds) / taken * (self.steps - step) + testing

    def advance(
        self,
        seconds: float = 0.0,
        clock: Callable[[], float] = time.perf_counter,
        until: int | None = None,
    ) -> int:
        """Take at least one whole step, until the time is up or a given step is reached.

        If a number is not finite, the run ends with a message and the last finite parameters. After
        the last step all held-out pairs are evaluated. Return the number of steps taken.
        """
        begin = now = clock()
        before = self.step
        while self.can_continue:
            try:
                self.metrics.add(next(self.trainer))
            except Diverged as error:
                self.problem = str(error)
                break
            stepped = clock()
            self._after_step()
            now = clock()
            self._test_seconds += now - stepped
            if now - begin >= seconds or self.step == until:
                break
        self.seconds += now - begin
        return self.step - before

    def evaluate(self, count: int | None = None) -> Evaluation:
        """Translate the first ``count`` held-out pairs, by default all, and record the result."""
        found = Evaluation(self.step, *exact_matches(self.trainer.model, self.pairs, count))
        kept = self.metrics.evaluations
        if kept and kept[-1].step == self.step:
            kept.pop()
        kept.append(found)
        return found

    def weights(self, step: int | None = None) -> Weights:
        """Return the parameters at a step, by default the current one; ``KeyError`` if not kept."""
        kept: Parameters = self.trainer.parameters() if step is None else {**self.snapshots[step]}
        return self.plan.weights(kept)

    def _after_step(self) -> None:
        if self.snapshots.is_due(self.step):
            self.snapshots.add(self.step, self.trainer.parameters())
        if self.step == self.steps:
            self.evaluate()
        elif self.step in self._evaluated:
            self.evaluate(EVALUATED_PAIRS)
