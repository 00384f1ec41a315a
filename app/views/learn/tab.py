"""What the opened Learn tab has: its components, and what their events do to the training."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from transformer_math.checkpoints import safetensors

from ...components.board.board import Board
from ...components.learn.learn import OwnPairs, Player, Timeline
from ...learning import TrainingRun, TrainingState, texts
from ...learning.controller import Environment
from ...learning.session import TrainingSession
from ...runtime import concurrency
from ...runtime.page_session import PageSession
from ...stages.learning import PLANES
from ...state import AppState
from .board import LearnBoard
from .charts import ChartRow
from .explore import explore_scenario
from .form import sections, training_form
from .heading import heading
from .status import status


class LearnTab:
    """A training session, and the components that show and change it."""

    def __init__(
        self, state: AppState, page: Board, open_explore: Callable[[], None], dark: bool
    ) -> None:
        self.state = state
        self._open_explore = open_explore
        self._page = PageSession.current()
        self._is_open = False
        self._update_pending = False
        self._tasks = concurrency.BackgroundTasks()
        self.session = TrainingSession(
            Environment(
                concurrency.training_queue(),
                concurrency.run_in_thread,
                concurrency.tuned_for_training,
                has_viewers=lambda: self._page.has_viewers,
            ),
            on_change=self._schedule_update,
            on_new_run=lambda: self._page.schedule(self._show_new_run),
        )
        self._board = LearnBoard(state, page)
        self._charts = ChartRow(self.session.run, dark)
        self._player = Player(
            limit=safetensors.MAX_BYTES,
            on_open=self._on_open,
        )
        self._form = training_form(self.session.settings, self.session.run.settings)
        self._form.param.watch(self._on_settings, "value")
        self._form.on_press(lambda _name: self._tasks.start(self.session.restart()))
        self._own_pairs = OwnPairs(note=texts.pairs_summary(self.session.pairs))
        self._timeline = Timeline(
            planes=list(PLANES.items()),
            parameters=list(self.session.run.trainer.model.parameters),
        )
        self._watch_components()
        self.objects = [
            heading(),
            self._player,
            self._charts.row,
            self._form,
            self._own_pairs,
            self._timeline,
        ]
        self._page.on_close(self._close)

    def _watch_components(self) -> None:
        self._player.on_press(self._on_press)
        self._player.param.watch(self._on_example, "value", onlychanged=False)
        self._own_pairs.param.watch(self._on_pairs, "value", onlychanged=False)
        self._timeline.param.watch(self._on_step, "value")
        self._timeline.param.watch(self._on_plane, "plane")
        self._timeline.param.watch(self._on_parameter, "parameter")

    def show(self, is_open: bool) -> None:
        """The tab is opened or left."""
        self._is_open = is_open
        if is_open:
            self._update()
            self._board.open()
        else:
            self._board.close()

    def set_dark(self, dark: bool) -> None:
        """Light or dark."""
        self._charts.set_dark(self.session.run, dark)

    def _close(self) -> None:
        self._is_open = False
        self.session.controller.close()

    # -- what is shown -------------------------------------------------------------------------

    def _schedule_update(self) -> None:
        """Something is new, from outside an event; one update for several of it is enough."""
        if not self._update_pending and self._is_open:
            self._update_pending = True
            self._page.schedule(self._update_if_open)

    def _update_if_open(self) -> None:
        self._update_pending = False
        if self._is_open:
            self._update()

    def _update(self) -> None:
        """Bring all that is on the page up to the run."""
        session, inspection = self.session, self.session.inspection
        run = session.run
        self._charts.update(is_running=session.controller.state is TrainingState.RUNNING)
        self._player.shown = status(session)
        self._board.show(run, inspection.shown, inspection.initial)
        self._timeline.param.update(
            steps=run.snapshots.steps,
            value=self._step,
            now=inspection.latest.step,
            plane=self._board.plane,
            parameters=list(run.trainer.model.parameters),
            parameter=self._board.parameter,
        )

    def _show_new_run(self) -> None:
        self._charts.start(self.session.run)
        self._fill_form()
        self._update_if_open()

    def _fill_form(self) -> None:
        settings, of_run = self.session.settings, self.session.run.settings
        self._form.param.update(value=settings, sections=sections(settings, of_run))

    # -- from the components -------------------------------------------------------------------

    def _on_press(self, name: str) -> None:
        session = self.session
        session.error = ""
        is_active = session.controller.state in (TrainingState.RUNNING, TrainingState.WAITING)
        if name == "play" and is_active:
            session.controller.pause()
        elif name == "explore":
            self._explore()
        else:
            actions = {
                "play": session.play,
                "step": session.step,
                "stop": session.stop,
                "save": self._save,
            }
            self._tasks.start(actions.get(name, session.restart)())

    def _on_settings(self, event: Any) -> None:
        if event.new != self.session.settings:
            self.session.settings = event.new
            self._fill_form()

    def _on_example(self, event: Any) -> None:
        if self.session.inspection.choose_example(event.new):
            self._tasks.start(self.session.recompute())
        else:
            self._update()

    def _on_plane(self, event: Any) -> None:
        if event.new != self._board.plane:
            self._board.plane = event.new
            self.session.needs_gradients = event.new == "gradient"
            self._update()

    def _on_parameter(self, event: Any) -> None:
        if event.new != self._board.parameter:
            self._board.parameter = event.new
            self._update()

    def _on_step(self, event: Any) -> None:
        if event.new != self._step:
            self.session.inspection.choose_step(event.new)
            self._update()

    @property
    def _step(self) -> int | None:
        """The step that is shown; None is the present one."""
        earlier = self.session.inspection.earlier
        return None if earlier is None else earlier.step

    def _on_pairs(self, event: Any) -> None:
        self._tasks.start(self._use_pairs(event.new))

    async def _use_pairs(self, text: str | None) -> None:
        try:
            await self.session.use_pairs(text)
        except ValueError as error:
            shown: dict[str, Any] = {"problem": str(error)}
        else:
            note = texts.pairs_summary(self.session.pairs)
            shown = {"problem": "", "note": note, "own": text is not None}
        self._page.schedule(lambda: self._own_pairs.param.update(**shown))

    # -- models and files ----------------------------------------------------------------------

    def _explore(self) -> None:
        try:
            scenario = explore_scenario(self.session.inspection, self.state.scenario)
        except ValueError as error:
            self.session.error = str(error)
            self._update()
            return
        self.state.change(scenario)
        self._open_explore()

    async def _save(self) -> None:
        step, data = await self.session.save()
        name = f"run-step-{step}.safetensors"
        self._page.schedule(lambda: self._player.hand_out(name, data))

    def _on_open(self, files: dict[str, bytes], _heads: int | None) -> None:
        if len(files) != 1:
            raise ValueError("A run is one file.")
        (data,) = files.values()
        run = TrainingRun.from_file(data, self.session.pairs)
        self._tasks.start(self.session.resume(run))
