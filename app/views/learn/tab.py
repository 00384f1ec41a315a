"""The components of the opened Train room, and the handlers of their events."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from ...components.layout import Column
from ...components.learn.learn import Data, Examples, Experiments, RunFiles
from ...components.upload import Later
from ...files import catalog
from ...inference.text import with_text
from ...learning import TrainingSession, texts
from ...learning.experiments import (
    COUNTED,
    EXPERIMENTS,
    experiment_of,
    is_as_measured,
    with_experiment,
)
from ...runtime import concurrency
from ...runtime.background import JobQueue, LatestJob
from ...runtime.limits import upload_bytes
from ...runtime.page_session import PageSession
from ...scenario import model_names
from ...scenario.scenario import Scenario
from ...scenario.training_data import DataName, TrainingData
from ...scenario.weights import Weights
from ...session.state import UNDO, AppState, Offer
from .curves import CurvesView
from .form import recipe_form, sections

ROOM = (0, 0, 18, 0)
# The examples, the second, stand beside the experiments where there is room.
BESIDE = """
@media (min-width: 1200px) {
  :host { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); column-gap: 40px; }
}
"""
UPDATE_SECONDS = 0.3  # between two updates of examples and choices while a run goes on
DATA = [
    ["phrases", "Phrases: English to French"],
    ["dates", "Dates: 1676-11-30 written out"],
    ["next-word", "English phrases: the next word"],
    ["blanks", "French phrases: fill in the blank"],
]
OWN = [
    ["own", "Pairs of your own"],
    ["own-next-word", "Texts of your own: the next word"],
    ["own-blanks", "Texts of your own: fill in the blank"],
]
NOTHING = ["", "Nothing: this model has no data"]


class LearnTab:
    """The components of the Train room for one page's training session."""

    def __init__(
        self,
        state: AppState,
        session: TrainingSession,
        page: PageSession | None = None,
    ) -> None:
        self.state = state
        self.session = session
        self._page = page or PageSession()
        self._tasks = concurrency.BackgroundTasks()
        self._is_open = False
        self._updated = 0.0
        self._found: tuple[Weights | None, object] | None = None  # the key of the examples
        self._described: TrainingData | None = None  # the data of the note
        self._note = ""
        self._description = LatestJob(self._page)
        self.curves_view = CurvesView(state, session)
        self._data = Data(on_pairs=self._on_pairs, margin=ROOM)
        self._experiments = Experiments(margin=ROOM)
        self._form = recipe_form(state.scenario.recipe)
        self._examples = Examples(margin=ROOM)
        self._files = RunFiles(
            work=JobQueue(self._page),
            hold=state.pending.hold,
            limit=upload_bytes(),
            on_open=self._on_open,
            on_save=self._on_save,
        )
        self._data.param.watch(self._on_data, "value")
        self._experiments.param.watch(self._on_experiment, "value")
        self._form.param.watch(self._on_recipe, "value")
        self._examples.param.watch(self._on_example, "value", onlychanged=False)
        left = Column(self._experiments, self._data, self._form, self._files)
        self.objects = [Column(left, self._examples, stylesheets=[BESIDE])]
        session.listen(self._update_if_open)
        state.param.watch(self._update_if_open, ["scenario", "baseline"])

    def show(self, is_open: bool) -> None:
        """Open or close the view."""
        self._is_open = self.session.shows_examples = is_open
        self.curves_view.show(is_open)
        if is_open:
            self._updated = 0.0
            self._update()

    # -- what is shown -------------------------------------------------------------------------

    def _update_if_open(self, *_: Any) -> None:
        is_running = self.session.controller.is_active
        is_early = self.state.clock() - self._updated < UPDATE_SECONDS
        if self._is_open and not (is_running and is_early):
            self._update()

    def _update(self) -> None:
        self._updated = self.state.clock()
        scenario, session = self.state.scenario, self.session
        self._fill_choices(scenario)
        if session.controller.is_active:
            self._show_examples()
        else:
            self._ask_for_examples(scenario)

    def _fill_choices(self, scenario: Scenario) -> None:
        data = scenario.data
        name = "" if data is None else data.name
        options = [*DATA, *OWN, *([NOTHING] if not name else [])]
        if data is not None and data != self._described:
            self._describe(data)
        note = "" if data is None else self._note
        self._data.param.update(value=name, options=options, note=note)
        if data is None:
            self._experiments.param.update(value="", options=[], about="")
        else:
            chosen = experiment_of(scenario, _whole(scenario))
            about = next((e.about.get(data.name, "") for e in EXPERIMENTS if e.name == chosen), "")
            if about and not is_as_measured(scenario, chosen, _whole(scenario)):
                about = f"With the sizes and the recipe that this model opens with: {about}"
            about = f"{about} {COUNTED}" if about else ""
            options = [["none", "Nothing"], *([e.name, e.label] for e in EXPERIMENTS)]
            self._experiments.param.update(value=chosen, options=options, about=about)
        if scenario.recipe != self._form.value:  # errors of refused values are out of date
            self._form.errors = {}
        self._form.param.update(value=scenario.recipe, sections=sections(scenario.recipe))

    def _describe(self, data: TrainingData) -> None:
        """Show a note on the data; the user's own pairs may be many and are counted in a thread."""

        def show(note: str) -> None:
            self._note = note
            self._data.note = note

        self._described, self._note = data, ""
        self._description.run(lambda _go_on: texts.pairs_summary(data.pairs()), show, show)

    def _ask_for_examples(self, scenario: Scenario) -> None:
        """Compute the examples again if they belong to another model."""
        of = scenario.weights, (scenario.settings, scenario.edits, scenario.data)
        if of != self._found:
            self._found = of
            if scenario.data is None:
                self.session.examples = []
                self._show_examples()
            else:
                self._tasks.start(self.session.find_examples())
        else:
            self._show_examples()

    def _show_examples(self) -> None:
        data = self.state.scenario.data
        rows = [list(example) for example in self.session.examples]
        unit = "word" if data is None else data.unit
        note = texts.left_out(self.session)
        self._examples.param.update(rows=rows, unit=unit, note=note)

    # -- from the components -------------------------------------------------------------------

    def _on_data(self, event: Any) -> None:
        data = self.state.scenario.data
        name = "" if data is None else data.name
        if event.new == name or event.new not in model_names.TRAINED:
            return
        before = self.state.scenario
        self.state.change(catalog.chosen(event.new, before))
        self._say_that_it_is_another(before)

    def _say_that_it_is_another(self, before: Scenario) -> None:
        """Tell the user that the new data came with another model, and offer to undo that."""
        state, now = self.state, self.state.scenario
        if now.model != before.model:
            sizes = f"{now.config.parameter_count():,} parameters"
            state.offer = Offer(f"Another model is on the page now, of {sizes}.", UNDO)

    def _on_experiment(self, event: Any) -> None:
        scenario = self.state.scenario
        if scenario.data is None:
            return
        whole = _whole(scenario)
        if event.new not in ("own", experiment_of(scenario, whole)):
            self.state.change(with_experiment(scenario, event.new, whole))

    def _on_recipe(self, event: Any) -> None:
        if event.new != self.state.scenario.recipe:
            self.state.change(self.state.scenario.with_recipe(event.new))

    def _on_example(self, event: Any) -> None:
        scenario = with_text(self.state.scenario, self.session.examples[event.new].source)
        if scenario.can_write:
            scenario = scenario.with_writing(True)
        self.state.change(scenario)

    def _on_pairs(self, text: str, unit: Any, learned: DataName) -> None:
        pairs = TrainingData(learned, text, unit)
        self._tasks.start(self._use_pairs(pairs, self.state.pending.hold()))

    async def _use_pairs(self, data: TrainingData, release: Callable[[], None]) -> None:
        try:
            found = await concurrency.run_in_thread(lambda: catalog.of_pairs(data))
        except ValueError as error:
            sentence = str(error)

            def refuse() -> None:
                self._data.problem = sentence
                release()

            self._page.schedule(refuse)
            return

        def take() -> None:
            self._data.problem = ""
            before = self.state.scenario
            self.state.change(dataclasses.replace(found, view=before.view))
            self._say_that_it_is_another(before)
            release()

        self._page.schedule(take)

    # -- files ---------------------------------------------------------------------------------

    def _on_save(self) -> None:
        self._tasks.start(self._save())

    async def _save(self) -> None:
        try:
            step, data = await self.session.save()
        except ValueError as error:
            sentence = str(error)
            self._page.schedule(lambda: setattr(self.state, "notice", sentence))
            return
        name = f"run-step-{step}.safetensors"
        self._page.schedule(lambda: self._files.hand_out(name, data))

    def _on_open(self, files: dict[str, bytes], _heads: int | None) -> Later:
        if len(files) != 1:
            raise ValueError("A run is one file.")
        (data,) = files.values()
        self.session.controller.pause()
        return Later(self.session.reading(data), self.session.take_over)


def _whole(scenario: Scenario) -> Scenario:
    """The model without ablations, in its initial state."""
    if scenario.model in model_names.TRAINED:
        return catalog.first(scenario.model)
    names = ("source", "target", "own_vocabulary", "model", "data")
    own = {name: getattr(scenario, name) for name in names}
    return dataclasses.replace(catalog.bare(scenario.data), **own)
