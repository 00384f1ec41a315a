"""One training run: it advances by whole steps and keeps metrics and snapshots."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from transformer_math import Diverged, Trainer, Transformer
from transformer_math.data.pairs import Pairs
from transformer_math.training.evaluation import exact_matches

from ..scenario.moments import Moments
from ..scenario.run_curves import RunCurves
from ..scenario.weights import Weights
from .metrics import Evaluation, Metrics
from .pace import moments
from .plan import TrainingPlan
from .run_changes import RunChanges
from .snapshots import Parameters, Snapshots

# Batches are not split over threads: of two cores one is busy with the browser and the page, and
# one training thread proved as fast as two, with a third less work.
# Evaluations per run, evenly spaced on its timeline, and pairs in each; all after the last step.
EVALUATIONS, EVALUATED_PAIRS = 30, 200

# Parameters that were edited on the page: path -> cells.
Held = Mapping[str, Mapping[tuple[int, ...], float]]
Cell = tuple[str, tuple[int, ...]]


class TrainingRun:
    """A training in progress; two runs of one plan are bit-identical on one machine.

    Attributes:
        plan: everything that determines the run.
        pairs: the training data.
        metrics: the metrics of every step, and some evaluations.
        earlier: the curves of the steps before the first one, of a run that is continued.
        snapshots: the parameters at some steps.
        changes: what the user changed between its steps.
        problem: the sentence that says why the run cannot continue; empty if it can.
    """

    def __init__(self, plan: TrainingPlan, trainer: Trainer | None = None) -> None:
        """Start a run, or with a ``trainer`` continue one from its state.

        Raises:
            ValueError: the plan does not fit its pairs, or a step would use too much memory.
        """
        self.plan = plan
        self.pairs: Pairs = plan.data.pairs() if trainer is None else trainer.pairs
        plan.check_size(self.pairs)
        self.trainer = trainer or Trainer(plan.model(), self.pairs, plan.recipe)
        self.metrics = Metrics(self.step)
        parameters = self.trainer.parameters()
        size = sum(array.nbytes for array in parameters.values())
        self.snapshots = Snapshots(self.steps, size)
        self.snapshots.add(self.step, parameters)
        self.earlier = RunCurves()
        self.changes = RunChanges()
        self.problem = ""
        self._evaluated = frozenset(moments(self.steps, EVALUATIONS + 1))
        self._held: dict[Cell, float] = {}
        self._free: dict[Cell, float] = {}  # values of the held cells before they were edited
        self._seconds = 0.0

    @classmethod
    def going_on(
        cls, plan: TrainingPlan, moments: Moments, earlier: RunCurves | None = None
    ) -> TrainingRun:
        """Continue a run from its weights and moments; further steps are bit-identical on its
        machine.

        On another machine rounding may differ. Of earlier steps there are at most the curves
        (``earlier``), and no snapshots.

        Raises:
            ValueError: the plan does not fit, or the moments belong to other parameters.
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
        taken = len(self.metrics)
        return self._seconds / taken * (self.steps - self.step) if taken else None

    def advance(
        self,
        seconds: float = 0.0,
        clock: Callable[[], float] = time.perf_counter,
        until: int | None = None,
    ) -> int:
        """Take whole steps until the time is up or a given step is reached, but at least one.

        If a number is not finite, the run ends with a message and the last good parameters. After
        the last step all held-out pairs are evaluated.

        Returns:
            The number of steps taken.
        """
        begin, before = clock(), self.step
        while self.can_continue:
            try:
                self.metrics.add(next(self.trainer))
            except Diverged as error:
                self.problem = str(error)
                break
            self._after_step()
            if clock() - begin >= seconds or self.step == until:
                break
        self._seconds += clock() - begin
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
        """The parameters at a step with a snapshot; by default the current ones.

        Held cells have the values from before they were edited, so that the edits can be undone.

        Raises:
            KeyError: there is no snapshot of that step.
        """
        kept: Parameters = self.trainer.parameters() if step is None else {**self.snapshots[step]}
        for path in {path for path, _ in self._free}:
            kept[path] = kept[path].copy()
        for (path, index), value in self._free.items():
            kept[path][index] = value
        return self.plan.weights(kept)

    def hold(self, cells: Held) -> None:
        """Hold the given parameters at their edited values from now on, and release all others.

        A released cell continues from its value before the edit. Cells of words outside the data
        are ignored.
        """
        wanted = self._own(cells)
        parameters = self.trainer.model.parameters
        for path, index in [cell for cell in self._free if cell not in wanted]:
            self.trainer.set_cell(path, index, self._free.pop((path, index)))
        for path, index in wanted:
            self._free.setdefault((path, index), float(parameters[path][index]))
        self._held = wanted
        self._hold()

    def holds_all(self, cells: Held) -> bool:
        """Whether exactly these cells are held, of those that are parameters of the run."""
        return self._own(cells) == self._held

    def _own(self, cells: Held) -> dict[Cell, float]:
        return {
            (path, index): value
            for path, group in cells.items()
            for index, value in group.items()
            if self._is_cell(path, index)
        }

    def _is_cell(self, path: str, index: tuple[int, ...]) -> bool:
        array = self.trainer.model.parameters.get(path)
        return array is not None and all(
            i < size for i, size in zip(index, array.shape, strict=True)
        )

    def _hold(self) -> None:
        """Restore the edited values that the last step has changed."""
        for (path, index), value in self._held.items():
            self.trainer.set_cell(path, index, value)

    def _after_step(self) -> None:
        self._hold()
        if self.snapshots.is_due(self.step):
            self.snapshots.add(self.step, self.trainer.parameters())
        if self.step == self.steps:
            self.evaluate()
        elif self.step in self._evaluated:
            self.evaluate(EVALUATED_PAIRS)
