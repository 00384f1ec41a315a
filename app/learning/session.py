"""Controls the training of the model on one page."""

import asyncio
from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import TypeAlias, TypeVar

import numpy as np

from transformer_math.data.pairs import Pairs
from transformer_math.training.evaluation import exact_matches

from ..model.scenario.edits import Edit
from ..model.scenario.limits import MAX_KEPT_NUMBERS
from ..model.scenario.moments import Moments
from ..model.scenario.scenario import Scenario
from ..model.scenario.view_settings import Pace
from ..model.scenario.weights import Weights
from .controller import Environment, TrainingController, at_full_speed
from .curves import curves
from .examples import Example, examples
from .learned_model import changed_numbers, learned_model, weight_edits
from .model_page import ModelPage
from .plan import TrainingPlan
from .saved_run import SavedRun, saved_run
from .shown_training import Check, ShownTraining
from .training import Comparison
from .training_run import TrainingRun

T = TypeVar("T")
Means: TypeAlias = tuple[Mapping[str, np.ndarray], Mapping[str, np.ndarray]]


class TrainingSession(ShownTraining):
    """Trains the page's model with its settings, and shows the result of every slice.

    A run continues as long as the page shows its model. When the page changes to another model
    (through sizes, data or undo), the run stops, and the next one starts from the beginning.
    Coroutines do their work off the event loop. The run, its pace, evaluations and examples are in
    one class, because any of them may end when the model changes.
    """

    def __init__(self, page: ModelPage, environment: Environment) -> None:
        """Create a session without a run."""
        controller = TrainingController(environment, on_slice=self._prepare, on_page=self._show)
        super().__init__(page, controller)
        page.training = self
        self.examples: list[Example] = []  # translations of some held-out pairs, while shown
        self.shows_examples = False
        self.version = 0  # the number of changes of this session
        self._environment = environment
        self._beginning = asyncio.Lock()
        self._is_checking = self._is_check_due = False
        self._listeners: list[Callable[[], None]] = []
        self._prepared: tuple[TrainingRun, Weights, int, Means | None] | None = None
        self._seeking: asyncio.Task[None] | None = None  # shows a requested step once the run stops

    def listen(self, function: Callable[[], None]) -> None:
        """Register a function that is called on the page whenever the training changes."""
        self._listeners.append(function)

    @property
    def is_busy(self) -> bool:
        """Whether the model keeps changing: a run is playing or starting, or taking a step."""
        return self._beginning.locked() or self.controller.is_busy

    # -- actions of the buttons ----------------------------------------------------------------

    async def play(self, *, as_shown: bool = False) -> None:
        """Continue or start the training; a model from a link is trained up to the link's step.

        The training runs at full speed, or with ``as_shown`` at the pace set on the page.
        """
        goal = self._goal
        run = await self._ready()
        if run is not None:
            until = goal if 0 < goal < run.steps else None
            self.controller.play(run, until, self._pace if as_shown else at_full_speed)
        await self.on_page(self._tell)

    async def repeat(self) -> None:
        """Repeat the training of an opened model whose weights are missing."""
        if self.repeated is not None:
            await self.play()

    def _pace(self) -> Pace:
        pace: Pace = self.page.scenario.view.pace
        return pace

    async def train(self, steps: int) -> None:
        """Restart the training at full speed, and pause after a number of steps."""
        await self.reset()
        run = await self._ready()
        if run is not None:
            self.controller.play(run, steps if steps < run.steps else None)
        await self.on_page(self._tell)

    async def step(self) -> None:
        """Take one step."""
        run = await self._ready()
        if run is not None and not self.controller.is_active:
            await self.controller.step(run)

    async def pause(self) -> TrainingRun | None:
        """Pause, discard requested steps that have not started, and wait for a started step.

        Return the run that was paused; None if no run was playing.
        """
        async with self._beginning:  # a run that is being created is paused, too
            run = self.run if self.controller.is_playing else None
        self.controller.drop_steps()
        await self.controller.stop()
        await self.controller.last_step()
        return run

    async def reset(self) -> None:
        """Restore the initial weights of the seed, for a model that was trained here."""
        if self.page.scenario.data is None:
            return  # the weights of a file would be lost
        await self.controller.stop()

        def forget() -> None:
            self.error = ""
            self.page.repeated = None
            self._start_over()
            self._leave()
            self._tell()

        await self.on_page(forget)

    async def check_held_out(self) -> None:
        """Translate all held-out pairs with the model on the page, edits included.

        Requests during an evaluation cause a second evaluation after it, of the page's new model.
        """
        self._is_check_due = True
        if self._is_checking:
            return
        self._is_checking = True
        try:
            while self._is_check_due:
                self._is_check_due = False
                await self._check_once()
        finally:
            self._is_checking = False

    async def _check_once(self) -> None:
        scenario = self.page.scenario

        def count() -> Check:
            pairs = self._pairs(scenario)
            return Check(scenario, *exact_matches(learned_model(scenario), pairs))

        await self._attempt(count, self._take_check)

    async def find_examples(self) -> None:
        """Translate some held-out pairs with the model on the page."""
        scenario = self.page.scenario
        if not self.controller.is_active:
            await self._attempt(
                lambda: examples(learned_model(scenario), self._pairs(scenario)),
                self._take_examples,
            )

    def seek(self, step: int | None) -> None:
        """Show a step like `show_step`, immediately or once the run has stopped."""
        if self.is_busy:
            self._seeking = asyncio.get_running_loop().create_task(self.show_step(step))
        else:
            self._show_step(step)

    async def show_step(self, step: int | None) -> None:
        """Show the model of an earlier step of the run; None shows the latest step again."""
        await self.controller.stop()
        await self.on_page(partial(self._show_step, step))

    def _show_step(self, step: int | None) -> None:
        run = self.current
        at = None if run is None else run.step if step is None else step
        if run is None or at is None or at == self.page.scenario.steps_taken:
            return
        if step is None:
            self._give(run.weights(), at, _means(run))
        elif step in run.snapshots.steps:
            self._give(run.weights(step), at)
        self._tell()

    # -- files ---------------------------------------------------------------------------------

    async def save(self) -> tuple[int, bytes]:
        """Save the run as a file for ``reading``, and return the step with the file's content.

        Raise ``ValueError`` if the model on the page has no run.
        """
        run = self.current
        if run is None:
            raise ValueError("This model has no run yet: train it first.")
        return await self.controller.run_exclusively(lambda: (run.step, run.trainer.save()))

    def reading(self, data: bytes) -> Callable[[], SavedRun]:
        """Return a function that parses a saved run, to be called in the background.

        It raises the errors of `saved_run`.
        """
        scenario = self.page.scenario
        return lambda: saved_run(data, scenario, self._pairs(scenario))

    def take_over(self, saved: SavedRun) -> None:
        """Replace the page's run by a loaded run, which continues as the saved run would have."""
        self.controller.pause()
        self._take_run(saved.run)
        self._shown = saved.scenario.weights
        means = _means(saved.run)
        self.page.moments = None if means is None else Moments(saved.scenario, *means)
        self.page.change(saved.scenario)
        self._tell()

    # -- inside --------------------------------------------------------------------------------

    async def _ready(self) -> TrainingRun | None:
        """Return the run of the page's model, created if necessary; None if it cannot train."""
        async with self._beginning:  # two clicks create one run
            return await self._begun()

    async def _begun(self) -> TrainingRun | None:
        if self.current is None or not self.controller.is_active:
            await self.controller.stop()  # a slice of this run or another may be in progress
        self.error = ""
        run = self.current
        if run is not None and run.can_continue:
            if self._shown is not None and self.page.scenario.steps_taken != run.step:
                await self.show_step(None)
            if not self.controller.is_active:
                await self.on_page(partial(self._learn_edits, run))
            return run
        kept, earlier = self.kept, self.earlier
        try:
            plan = TrainingPlan.of(self.page.scenario)
            run = await self._environment.run_in_thread(
                lambda: (
                    TrainingRun(plan) if kept is None else TrainingRun.going_on(plan, kept, earlier)
                )
            )
        except ValueError as error:
            self.error = str(error)
            await self.on_page(self._tell)
            return None

        def begin() -> None:
            self._take_run(run)
            if kept is not None and kept.are_of(self.page.scenario):
                self._shown = self.page.scenario.weights
            else:
                self._shown = None
                if self.repeated is None:
                    self._start_over()
                else:  # undo reverts the opening of the model, so add no step
                    self.page.replace_weights(None, 0)
            self._learn_edits(run)

        await self.on_page(begin)
        return run

    def _start_over(self) -> None:
        """Show the random weights of the seed, without edits of weights, as one undo step."""
        scenario, dropped = self.page.scenario, changed_numbers(self.page.scenario)
        self.page.change(scenario.trained(None, 0, weight_edits(scenario)))
        if dropped:
            self.page.notice = (
                f"All weights are random again, without {dropped}. Undo restores them."
            )

    def _learn_edits(self, run: TrainingRun) -> None:
        """Copy the page's edited weights into the run, which continues from them.

        A repeated training ignores the edits, because they were made after the original training.
        """
        scenario = self.page.scenario
        edits = {} if self.repeated is not None else weight_edits(scenario)
        run.changes.look(run.step, scenario, len(edits))
        if edits:
            for edit, index in edits.items():
                run.trainer.set_cell(edit.path, index, scenario.edits[edit])
            self._give(run.weights(), run.step, _means(run), without=edits)

    def _take_run(self, run: TrainingRun | None) -> None:
        if self.run is not None and self.run.step:
            self.previous = self.run
        self.run = run

    def _leave(self) -> None:
        """Detach the run, because the page shows another model."""
        self._take_run(None)
        self._shown = None

    def _pairs(self, scenario: Scenario) -> Pairs:
        if self.run is not None and self.run.plan.data == scenario.data:
            return self.run.pairs
        if scenario.data is None:
            TrainingPlan.of(scenario)  # raises with the reason
            raise AssertionError
        return scenario.data.pairs()

    def _prepare(self) -> None:
        """Compute the data to show after a slice; called off the event loop."""
        run = self.run
        assert run is not None
        self._prepared = run, run.weights(), run.step, _means(run)
        if self.shows_examples and (run.step % EXAMPLES_EVERY == 0 or not run.can_continue):
            self.examples = examples(run.trainer.model, run.pairs)

    def _show(self) -> None:
        """Show the result of a slice, unless the page now shows another model."""
        was_learning, self.page.learning = self.page.learning, self.controller.is_active
        run, prepared, self._prepared = self.run, self._prepared, None
        if was_learning and not self.page.learning and self.current and self._shown:
            # The run is done: update the generated target after its last step.
            step = self.page.scenario.steps_taken
            prepared = prepared or (self.current, self._shown, step, None)
        if run is not None and prepared is not None and prepared[0] is run:
            if self._is_of_run(self.page.scenario):
                self._give(*prepared[1:])
                if run.can_continue:
                    self._learn_edits(run)
                self._compare(run)
            else:
                self.controller.pause()
                self.error = "The training has ended: the model or its recipe was changed."
        self._tell()

    def _give(
        self,
        weights: Weights,
        step: int,
        means: Means | None = None,
        without: Collection[Edit] = (),
    ) -> None:
        self._shown = weights
        if means is not None:
            self.page.moments = Moments(self.page.scenario.trained(weights, step), *means)
        if self.run is not None:
            self.page.curves, self.page.curves_of = curves(self.run).until(step), weights
        self.page.replace_weights(weights, step, without)

    def _compare(self, run: TrainingRun) -> None:
        """Compare the weights of a repeated training with the original checksum."""
        repeated, weights = self.repeated, self.page.scenario.weights
        if repeated is None or (run.step < repeated.step and run.can_continue):
            return
        self.page.repeated = None
        if repeated.checksum is not None and weights is not None and not run.problem:
            self._compared = Comparison(weights, repeated.checksum.difference(weights))

    async def _attempt(self, compute: Callable[[], T], take: Callable[[T], None]) -> None:
        def compute_if_wanted() -> T | None:
            return compute() if self._environment.has_viewers() else None

        try:
            found = await self.controller.run_exclusively(compute_if_wanted)
        except ValueError as error:
            self.error = str(error)
        else:
            if found is None:
                return  # the page was closed while the work waited
            take(found)
        await self.on_page(self._tell)

    async def on_page(self, change: Callable[[], None]) -> None:
        """Change the page, and show an error in the training panel if the change fails."""

        def attempt() -> None:
            try:
                change()
            except ValueError as error:
                self.error = str(error)
                self._tell()

        await self._environment.on_page(attempt)

    def _take_check(self, check: Check) -> None:
        self.check = check

    def _take_examples(self, found: list[Example]) -> None:
        self.examples = found

    def _tell(self) -> None:
        self.version += 1
        for listener in self._listeners:
            listener()


EXAMPLES_EVERY = 20  # steps


def _means(run: TrainingRun) -> Means | None:
    """Return the optimizer moments for continuing the run elsewhere, if a tab can store them."""
    is_kept = run.plan.config.parameter_count() <= MAX_KEPT_NUMBERS
    return run.trainer.means() if is_kept else None
