"""Builds the components of the open Train room, and handles their events."""

import dataclasses
from typing import Any

from ...components.layout import Column
from ...components.upload import Later
from ...files import catalog
from ...learning import TrainingSession
from ...learning.experiments import (
    COUNTED,
    EXPERIMENTS,
    NOT_YET,
    experiment_of,
    is_as_measured,
    with_experiment,
)
from ...model.inference.text import with_text
from ...model.scenario import model_names
from ...model.scenario.scenario import Scenario
from ...model.scenario.training_data import DataName
from ...model.scenario.weights import Weights
from ...session.state import AppState
from ...transport.runtime import concurrency
from ...transport.runtime.background import JobQueue
from ...transport.runtime.limits import upload_bytes
from ...transport.runtime.page_session import PageSession
from .curves import CurvesView
from .form import recipe_form, sections
from .learn import Examples, Experiments, RunFiles

ROOM = (0, 0, 18, 0)
# The second item, the examples, is beside the experiments if there is space.
BESIDE = """
@media (min-width: 1100px) {
  :host { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); column-gap: 40px; }
}
"""
UPDATE_SECONDS = 0.3  # least time between updates of examples and choices during a run


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
        self._found: tuple[Weights | None, object] | None = None  # the key of the shown examples
        self.curves_view = CurvesView(state, session)
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
        self._experiments.param.watch(self._on_experiment, "value")
        self._form.param.watch(self._on_recipe, "value")
        self._examples.param.watch(self._on_example, "value", onlychanged=False)
        left = Column(self._experiments, self._form, self._files)
        self.objects = [Column(left, self._examples, stylesheets=[BESIDE])]
        session.listen(self._update_if_open)
        state.watch(self._update_if_open, ["scenario", "baseline"])

    def show(self, is_open: bool) -> None:
        self._is_open = self.session.shows_examples = is_open
        self.curves_view.show(is_open)
        if is_open:
            self._updated = 0.0
            self._update()

    # -- drawing -------------------------------------------------------------------------------

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
        if data is None:
            self._experiments.param.update(value="", options=[], about="")
        else:
            chosen = experiment_of(scenario, _whole(scenario))
            about = _measured(scenario, chosen, data.name)
            options = [["none", "Nothing"], *([e.name, e.label] for e in EXPERIMENTS)]
            self._experiments.param.update(value=chosen, options=options, about=about)
        if scenario.recipe != self._form.value:  # the errors of refused values are obsolete
            self._form.errors = {}
        self._form.param.update(value=scenario.recipe, sections=sections(scenario.recipe))

    def _ask_for_examples(self, scenario: Scenario) -> None:
        """Compute the examples again if they belong to a different model."""
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
        note = self.state.view_model.learning.of_examples
        self._examples.param.update(rows=rows, unit=unit, note=note)

    # -- from the components -------------------------------------------------------------------

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

    def opening(self, files: dict[str, bytes]) -> Later:
        """Continue the training run in a file, for example a file that was dropped on the page."""
        return self._on_open(files, None)

    def _on_open(self, files: dict[str, bytes], _heads: int | None) -> Later:
        if len(files) != 1:
            raise ValueError("A run is one file.")
        (data,) = files.values()
        self.session.controller.pause()
        return Later(self.session.reading(data), self.session.take_over)


def _measured(scenario: Scenario, name: str, data: DataName) -> str:
    """Return the measured effects of an ablation, in a few sentences; empty if there are none."""
    about = next((e.about.get(data, "") for e in EXPERIMENTS if e.name == name), "")
    if not about:
        return ""
    if not is_as_measured(scenario, name, _whole(scenario)):
        about = f"With the sizes and the recipe of this model: {about}"
    is_so_trained = scenario.weights is not None and scenario.trained_with is None
    return " ".join([about, COUNTED, *([] if is_so_trained else [NOT_YET])])


def _whole(scenario: Scenario) -> Scenario:
    """Return the model without ablations, in its initial state."""
    if scenario.model in model_names.TRAINED:
        return catalog.first(scenario.model)
    names = ("source", "target", "own_vocabulary", "model", "data")
    own = {name: getattr(scenario, name) for name in names}
    return dataclasses.replace(catalog.bare(scenario.data), **own)
