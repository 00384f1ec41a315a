"""The training of one page: settings of the next run, the present run, what is inspected of it."""

from __future__ import annotations

import copy
from collections.abc import Callable

from transformer_math.data.dates import dates
from transformer_math.data.pairs import Pairs, read_csv

from .controller import Environment, TrainingController, TrainingState
from .inspection import Inspection
from .settings import TrainingSettings
from .training_run import TrainingRun


class TrainingSession:
    """What the buttons of the Learn tab do to a run. Coroutines take their time off the loop.

    Attributes:
        settings: those of the next run.
        inspection: what is shown of the present run; it is replaced when a run begins.
        controller: lets the present run go on.
        needs_gradients: whether what is shown has gradients.
        error: a sentence about what went wrong last; empty if nothing did.
    """

    def __init__(
        self,
        environment: Environment,
        *,
        on_change: Callable[[], None],
        on_new_run: Callable[[], None],
    ) -> None:
        """A session with a run of the dates that has not begun.

        Args:
            environment: threads, the queue, who watches.
            on_change: called from outside events when there is something new to show.
            on_new_run: the same, when another run has taken the place of the one before.
        """
        self.settings = TrainingSettings()
        self.inspection = Inspection(TrainingRun(self.settings, dates()))
        self.controller = TrainingController(
            self.run, environment, on_slice=self._inspect, on_change=on_change
        )
        self.needs_gradients = False
        self.error = ""
        self._environment = environment
        self._on_change = on_change
        self._on_new_run = on_new_run

    @property
    def run(self) -> TrainingRun:
        """The present run."""
        return self.inspection.run

    @property
    def pairs(self) -> Pairs:
        """What it learns."""
        return self.run.pairs

    async def play(self) -> None:
        """Go on, and show the present step."""
        self.inspection.earlier = None
        await self._apply_settings()
        self.controller.play()
        self._on_change()

    async def step(self) -> None:
        """Take one step."""
        self.inspection.earlier = None
        await self._apply_settings()

        def advance() -> None:
            with self._environment.tuned_for_training():
                self.run.advance()
            self._inspect()

        await self.controller.run_exclusively(advance)
        self._on_change()

    async def stop(self) -> None:
        """Pause, and translate all held-out pairs."""
        self.controller.pause()

        def evaluate() -> None:
            self.run.evaluate()
            self._inspect()

        await self.controller.run_exclusively(evaluate)
        self._on_change()

    async def restart(self) -> None:
        """Begin anew with the settings as they are now; ``error`` has what they do not allow."""
        try:
            await self._begin(lambda: TrainingRun(self.settings, self.pairs))
        except ValueError as error:
            self.error = str(error)
            self._on_change()

    async def use_pairs(self, csv: str | None) -> None:
        """Begin a run of pairs of one's own, or with None one of the dates.

        Raises:
            ValueError: the pairs cannot be read or are too long; one sentence.
        """

        def make() -> TrainingRun:
            pairs = dates() if csv is None else read_csv(csv, self.settings.seed)
            return TrainingRun(self.settings, pairs)

        await self._begin(make)

    async def resume(self, run: TrainingRun) -> None:
        """Take a run that was saved."""
        self.settings = run.settings
        await self._begin(lambda: run)

    async def recompute(self) -> None:
        """Show another example, after it was chosen."""
        await self.controller.run_exclusively(self.inspection.recompute)
        self._on_change()

    async def save(self) -> tuple[int, bytes]:
        """The run as a file that ``TrainingRun.from_file`` reads, and the step that it is of."""
        run = self.run
        return await self.controller.run_exclusively(lambda: (run.step, run.trainer.save()))

    async def _apply_settings(self) -> None:
        """A run that has not begun begins with what the settings are now."""
        is_ready = self.controller.state is TrainingState.READY
        if is_ready and self.settings != self.run.settings:
            await self.restart()

    async def _begin(self, make: Callable[[], TrainingRun]) -> None:
        """Another run takes the place of this one; the example stays if it can."""
        run = await self._environment.run_in_thread(make)
        await self.controller.load(run)
        inspection = copy.copy(self.inspection)  # the page shows the old run until all is there
        await self.controller.run_exclusively(lambda: inspection.switch_run(run))
        self.inspection = inspection
        self._on_new_run()

    def _inspect(self) -> None:
        """Compute what is shown of the run as it is now; called off the loop."""
        self.inspection.update()
        if self.needs_gradients:
            self.inspection.latest.with_gradients()
