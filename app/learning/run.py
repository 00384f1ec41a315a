"""One training: it goes on by whole steps, and what it was like is kept. Pure: no panel."""

from __future__ import annotations

import time
from collections.abc import Callable

from transformer_math import Diverged, Trainer, Transformer
from transformer_math.data.pairs import Pairs
from transformer_math.training.evaluation import exact_matches

from .history import Check, History, Parameters, Timeline
from .settings import LearnSettings

# A batch is not cut into parts here: of two cores one is the browser's and the page's, and on
# screen one thread was as fast as two, with a third less work.
CHECKS, CHECKED = 30, 200  # how often a run is checked, and on how many held-out pairs


class Run:
    """A training in progress; two runs of the same settings and pairs give the same numbers.

    Attributes:
        settings: how it was begun.
        pairs: what it learns.
        history: every step's numbers, and how good the model was at some.
        timeline: the parameters at some steps.
        problem: the sentence that says why it cannot go on; empty if it can.
    """

    def __init__(
        self,
        settings: LearnSettings,
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
        self.history = History(self.step)
        self.timeline = Timeline()
        self.timeline.keep(self.step, self.trainer.parameters())
        self.problem = ""
        self._seconds = 0.0

    @classmethod
    def opened(cls, data: bytes, pairs: Pairs) -> Run:
        """The run that was saved by ``Trainer.save``; it goes on from there bit for bit.

        Raises:
            ValueError: the file is damaged or of something else, or the run was made with other
                pairs or with settings that cannot be chosen.
        """
        trainer = Trainer.load(data, pairs)
        settings = LearnSettings.of(trainer.model.config, trainer.recipe, pairs)
        run = cls(settings, pairs, trainer=trainer)
        if run.step:
            run.check()
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
    def goes_on(self) -> bool:
        """Whether there is a step left that can be taken."""
        return not self.problem and self.step < self.steps

    @property
    def seconds_left(self) -> float | None:
        """About how long the rest takes; None before the first step."""
        taken = len(self.history)
        return self._seconds / taken * (self.steps - self.step) if taken else None

    def advance(self, seconds: float = 0.0, clock: Callable[[], float] = time.perf_counter) -> int:
        """Take whole steps until the time is over, one at least; give how many.

        When a number is no longer finite the run ends with a sentence, and the parameters are
        the last good ones. After the last step all held-out pairs are translated.
        """
        begin, before = clock(), self.step
        while self.goes_on:
            try:
                self.history.add(next(self.trainer))
            except Diverged as error:
                self.problem = str(error)
                break
            self._keep()
            if clock() - begin >= seconds:
                break
        self._seconds += clock() - begin
        return self.step - before

    def check(self, count: int | None = None) -> Check:
        """Translate the first ``count`` held-out pairs, all unless told, and keep the outcome."""
        found = Check(self.step, *exact_matches(self.trainer.model, self.pairs, count))
        kept = self.history.checks
        if kept and kept[-1].step == self.step:
            kept.pop()
        kept.append(found)
        return found

    def parameters(self, step: int | None = None) -> Parameters:
        """The parameters of a step in the timeline; a copy of those of now unless told.

        Raises:
            KeyError: nothing was kept of that step.
        """
        return self.trainer.parameters() if step is None else self.timeline[step]

    def _keep(self) -> None:
        if self.timeline.wants(self.step):
            self.timeline.keep(self.step, self.trainer.parameters())
        if self.step == self.steps:
            self.check()
        elif self.step % max(1, self.steps // CHECKS) == 0:
            self.check(CHECKED)
