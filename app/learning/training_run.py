"""One training: it goes on by whole steps, and its metrics and some snapshots are kept."""

from __future__ import annotations

import time
from collections.abc import Callable

from transformer_math import Diverged, Trainer, Transformer
from transformer_math.data.pairs import Pairs
from transformer_math.training.evaluation import exact_matches

from .metrics import Evaluation, Metrics
from .settings import TrainingSettings
from .snapshots import Parameters, Snapshots

# A batch is not cut into parts here: of two cores one is the browser's and the page's, and on
# screen one thread was as fast as two, with a third less work.
EVALUATIONS, EVALUATED_PAIRS = 30, 200  # how often in a run, and on how many held-out pairs


class TrainingRun:
    """A training in progress; two runs of the same settings and pairs give the same numbers.

    Attributes:
        settings: how it was begun.
        pairs: what it learns.
        metrics: every step's numbers, and how good the model was at some.
        snapshots: the parameters at some steps.
        problem: the sentence that says why it cannot go on; empty if it can.
    """

    def __init__(
        self,
        settings: TrainingSettings,
        pairs: Pairs,
        trainer: Trainer | None = None,
    ) -> None:
        """A run that begins; with a ``trainer``, one that goes on from there.

        Raises:
            ValueError: the trainer does not fit the pairs, or a step would take too much memory.
        """
        settings.check_size(pairs)
        self.settings = settings
        self.pairs = pairs
        self.trainer = trainer or Trainer(
            Transformer.create(settings.config(pairs), settings.seed),
            pairs,
            settings.recipe,
        )
        self.metrics = Metrics(self.step)
        self.snapshots = Snapshots()
        self.snapshots.add(self.step, self.trainer.parameters())
        self.problem = ""
        self._seconds = 0.0

    @classmethod
    def from_file(cls, data: bytes, pairs: Pairs) -> TrainingRun:
        """The run that was saved by ``Trainer.save``; it goes on from there bit for bit.

        Raises:
            ValueError: the file is damaged or of something else, or the run was made with other
                pairs or with settings that cannot be chosen.
        """
        trainer = Trainer.load(data, pairs)
        settings = TrainingSettings.from_recipe(trainer.model.config, trainer.recipe, pairs)
        run = cls(settings, pairs, trainer=trainer)
        if run.step:
            run.evaluate()
        return run

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

    def advance(self, seconds: float = 0.0, clock: Callable[[], float] = time.perf_counter) -> int:
        """Take whole steps until the time is over, one at least; give how many.

        When a number is no longer finite the run ends with a sentence, and the parameters are
        the last good ones. After the last step all held-out pairs are translated.
        """
        begin, before = clock(), self.step
        while self.can_continue:
            try:
                self.metrics.add(next(self.trainer))
            except Diverged as error:
                self.problem = str(error)
                break
            self._after_step()
            if clock() - begin >= seconds:
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

    def parameters(self, step: int | None = None) -> Parameters:
        """The parameters of a step that has a snapshot; by default a copy of those of now.

        Raises:
            KeyError: nothing was kept of that step.
        """
        return self.trainer.parameters() if step is None else self.snapshots[step]

    def _after_step(self) -> None:
        if self.snapshots.is_due(self.step):
            self.snapshots.add(self.step, self.trainer.parameters())
        if self.step == self.steps:
            self.evaluate()
        elif self.step % self.evaluation_interval == 0:
            self.evaluate(EVALUATED_PAIRS)
