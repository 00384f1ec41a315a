"""One training: it goes on by whole steps, and its metrics and some snapshots are kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from transformer_math import Diverged, Trainer, Transformer
from transformer_math.data.pairs import Pairs
from transformer_math.training.evaluation import exact_matches

from ..scenario.moments import Moments
from ..scenario.weights import Weights
from .metrics import Evaluation, Metrics
from .plan import TrainingPlan
from .snapshots import Parameters, Snapshots

# A batch is not cut into parts here: of two cores one is the browser's and the page's, and on
# screen one thread was as fast as two, with a third less work.
EVALUATIONS, EVALUATED_PAIRS = 30, 200  # how often in a run, and on how many held-out pairs

# Numbers that were set on the page: path -> cells.
Held = Mapping[str, Mapping[tuple[int, ...], float]]
Cell = tuple[str, tuple[int, ...]]


class TrainingRun:
    """A training in progress; two runs of one plan give the same numbers on one machine.

    Attributes:
        plan: what it is determined by.
        pairs: what it learns.
        metrics: every step's numbers, and how good the model was at some.
        snapshots: the parameters at some steps.
        problem: the sentence that says why it cannot go on; empty if it can.
    """

    def __init__(self, plan: TrainingPlan, trainer: Trainer | None = None) -> None:
        """A run that begins; with a ``trainer``, one that goes on from there.

        Raises:
            ValueError: the plan does not fit its pairs, or a step would take too much memory.
        """
        self.plan = plan
        self.pairs: Pairs = plan.data.pairs() if trainer is None else trainer.pairs
        plan.check_size(self.pairs)
        self.trainer = trainer or Trainer(plan.model(), self.pairs, plan.recipe)
        self.metrics = Metrics(self.step)
        self.snapshots = Snapshots()
        self.snapshots.add(self.step, self.trainer.parameters())
        self.problem = ""
        self._held: dict[Cell, float] = {}
        self._free: dict[Cell, float] = {}  # what held cells were before
        self._seconds = 0.0

    @classmethod
    def going_on(cls, plan: TrainingPlan, moments: Moments) -> TrainingRun:
        """The run that had come so far: its next steps are bit for bit what they would have been.

        That is on the machine where it began; another one rounds differently. What it was before
        is not known: its metrics and snapshots begin here.

        Raises:
            ValueError: the plan does not fit, or these are not the means of its parameters.
        """
        weights = moments.scenario.weights
        assert weights is not None
        model = Transformer(plan.config, weights.arrays)
        trainer = Trainer(model, plan.data.pairs(), plan.recipe)
        trainer.go_on_from(moments.scenario.steps_taken, moments.m, moments.v)
        return cls(plan, trainer)

    @property
    def step(self) -> int:
        """How many steps were taken."""
        return self.trainer.step

    @property
    def steps(self) -> int:
        """How many there are to take."""
        return self.trainer.recipe.steps

    @property
    def can_continue(self) -> bool:
        """Whether there is a step left that can be taken."""
        return not self.problem and self.step < self.steps

    @property
    def evaluation_interval(self) -> int:
        """After how many steps it is evaluated each time; besides, after the last."""
        return max(1, self.steps // EVALUATIONS)

    @property
    def seconds_left(self) -> float | None:
        """About how long the rest takes; None before the first step."""
        taken = len(self.metrics)
        return self._seconds / taken * (self.steps - self.step) if taken else None

    def advance(
        self,
        seconds: float = 0.0,
        clock: Callable[[], float] = time.perf_counter,
        until: int | None = None,
    ) -> int:
        """Take whole steps until the time is over or a step is reached, one at least.

        When a number is no longer finite the run ends with a sentence, and the parameters are
        the last good ones. After the last step all held-out pairs are translated.

        Returns:
            How many were taken.
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
        """Translate the first ``count`` held-out pairs, by default all, and keep the outcome."""
        found = Evaluation(self.step, *exact_matches(self.trainer.model, self.pairs, count))
        kept = self.metrics.evaluations
        if kept and kept[-1].step == self.step:
            kept.pop()
        kept.append(found)
        return found

    def weights(self, step: int | None = None) -> Weights:
        """The parameters of a step that has a snapshot; by default those of now.

        Cells that are held are what they were before, so that they can be let go of.

        Raises:
            KeyError: nothing was kept of that step.
        """
        kept: Parameters = self.trainer.parameters() if step is None else {**self.snapshots[step]}
        for path in {path for path, _ in self._free}:
            kept[path] = kept[path].copy()
        for (path, index), value in self._free.items():
            kept[path][index] = value
        return self.plan.weights(kept)

    def hold(self, cells: Held) -> None:
        """Leave these parameters as they were set from now on, and no others.

        One that is let go of goes on from what it was before. Cells of words that are not learned
        are no parameters of the run.
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
        """Whether just these are as they were set, of those that are parameters of the run."""
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
        """Put back what was set on the page, where the last step moved it."""
        for (path, index), value in self._held.items():
            self.trainer.set_cell(path, index, value)

    def _after_step(self) -> None:
        self._hold()
        if self.snapshots.is_due(self.step):
            self.snapshots.add(self.step, self.trainer.parameters())
        if self.step == self.steps:
            self.evaluate()
        elif self.step % self.evaluation_interval == 0:
            self.evaluate(EVALUATED_PAIRS)
