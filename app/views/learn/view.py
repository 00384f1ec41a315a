"""The Learn tab: a training from noise to the last date, with everything to look at."""

from __future__ import annotations

import asyncio
import copy
import dataclasses
from collections.abc import Callable, Coroutine
from html import escape
from typing import Any

import panel as pn

from transformer_math.checkpoints import safetensors
from transformer_math.data.dates import dates
from transformer_math.data.pairs import Pairs, read_csv

from ... import theme
from ...charts.learning import LearningCharts
from ...components.board.board import Board
from ...components.form.form import Form
from ...components.layout import HTML, Chart, Column
from ...components.learn.learn import OwnPairs, Timeline
from ...components.learn.learn import Player as PlayerControl
from ...files import trained_model
from ...learning import LearnSettings, Player, Run, State, texts
from ...learning.inspection import Looking
from ...runtime import concurrency
from ...scenario.weights import Weights
from ...stages.learning import PLANES
from ...state import AppState
from .board import CLOSED, LearnBoard

CHARTS_EVERY = 3  # slices; four charts at every slice would keep a slow browser busy
SIDE_BY_SIDE = """
:host {
  display: grid !important;
  grid-template-columns: repeat(auto-fit, minmax(min(310px, 100%), 1fr));
  gap: 4px 10px;
}
@media (max-width: 700px) { :host { grid-template-columns: 1fr 1fr !important; } }
"""
HEAD = (
    "Watch a Transformer learn",
    "Press Learn. The model begins with random numbers, reads dates such as 1969-07-20 (or pairs "
    "of your own) and is told how each is written out, letter by letter. It is checked on some "
    "that it never trains on.",
)


class LearnView:
    """Makes its widgets when the tab is opened first; a training goes on when it is left."""

    def __init__(self, state: AppState, board: Board, open_explore: Callable[[], None]) -> None:
        self.state = state
        self.column = Column(visible=False)
        self._page = board
        self._open_explore = open_explore
        self._desk: Desk | None = None
        self._dark = False

    def show(self, is_open: bool) -> None:
        """The tab is opened, or another one."""
        if is_open and self._desk is None:
            self._desk = Desk(self.state, self._page, self._open_explore, self._dark)
            self.column.objects = self._desk.objects
        if self._desk is not None and is_open != self.column.visible:
            self.column.visible = is_open
            self._desk.show(is_open)

    def set_dark(self, dark: bool) -> None:
        """Light or dark: the charts' colors are put in on the server."""
        self._dark = dark
        if self._desk is not None:
            self._desk.set_dark(dark)


class Desk:
    """All that the open tab has: a run, what plays it, and what shows it."""

    def __init__(
        self, state: AppState, page: Board, open_explore: Callable[[], None], dark: bool
    ) -> None:
        self.state = state
        self._open_explore = open_explore
        self._doc = pn.state.curdoc
        self._is_open = False
        self._told = False  # a look at the run is under way
        self._slices = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._settings = LearnSettings()
        self._pairs: Pairs = dates()
        self._error = ""
        self._run = Run(self._settings, self._pairs)
        self._looking = Looking(self._run)
        self.player = Player(
            self._run,
            queue=concurrency.trainings(),
            off_loop=concurrency.off_loop,
            training=concurrency.training,
            is_watched=lambda: concurrency.is_watched(self._doc),
            look=self._look,
            tell=self._tell,
        )
        self._board = LearnBoard(state, page)
        self._charts = LearningCharts(self._run, dark)
        self._make_widgets()
        if self._doc is not None and self._doc.session_context is not None:
            self._doc.on_session_destroyed(lambda context: self._close())

    def _make_widgets(self) -> None:
        self._control = PlayerControl(
            limit=safetensors.MAX_BYTES,
            on_press=self._press,
            on_example=self._on_example,
            on_open=self._open_run,
        )
        self._form = Form(
            fields=texts.fields(self._settings, self._run.settings),
            on_change=self._set,
            stylesheets=[texts.FORM],
        )
        self._own = OwnPairs(on_pairs=self._use_pairs, note=texts.of_pairs(self._pairs))
        self._timeline = Timeline(
            on_choose=self._choose,
            planes=list(PLANES.items()),
            parameters=list(self._run.trainer.model.parameters),
        )
        self._panes = [Chart(figure) for figure in self._charts.figures]
        heading, text = map(escape, HEAD)
        self.objects = [
            HTML(
                f"<h2>{heading}</h2><p>{text}</p>",
                stylesheets=[theme.PROSE, "h2 { margin-top: 0; } p { max-width: none; }"],
                margin=(0, 0, 10, 0),
            ),
            self._control,
            Column(*self._panes, stylesheets=[SIDE_BY_SIDE]),
            self._form,
            self._own,
            self._timeline,
        ]

    # -- the tab -------------------------------------------------------------------------------

    def show(self, is_open: bool) -> None:
        """The tab is opened or left."""
        self._is_open = is_open
        if is_open:
            self._show()
            self._board.open()
        else:
            self._board.close()

    def _close(self) -> None:
        self._is_open = False
        self.player.close()

    def set_dark(self, dark: bool) -> None:
        """Draw the charts anew in the other theme's colors."""
        self._charts = LearningCharts(self._run, dark)
        for pane, figure in zip(self._panes, self._charts.figures, strict=True):
            pane.object = figure

    def _tell(self) -> None:
        """Something is new, said from outside an event; one look at it is enough."""
        if not self._told and self._is_open:
            self._told = True
            concurrency.in_turn(self._doc, self._show_told)

    def _show_told(self) -> None:
        self._told = False
        if self._is_open:
            self._show()

    def _show(self) -> None:
        """Bring all that is on the page up to the run."""
        run, state = self._run, self.player.state
        looking = self._looking
        self._slices += 1
        if state is not State.RUNNING or self._slices % CHARTS_EVERY == 0:
            self._charts.go_on()
        message, tone = texts.message(run, state, self.player.before)
        self._control.shown = {
            "state": state.value,
            "step": run.step,
            "steps": run.steps,
            "facts": texts.facts(run, state),
            "message": self._error or message,
            "tone": "bad" if self._error else tone,
            "asked": looking.asked,
            "answer": looking.example.answer,
            "letters": [list(letter) for letter in looking.seen.letters],
            "options": looking.options,
            "chosen": looking.chosen,
            "problem": looking.problem,
        }
        self._board.show(run, looking.seen, looking.start)
        self._timeline.param.update(
            steps=run.timeline.steps,
            step=None if looking.back is None else looking.back.step,
            now=looking.live.step,
            plane=self._board.plane,
            parameters=list(run.trainer.model.parameters),
            parameter=self._board.parameter,
        )

    # -- the run -------------------------------------------------------------------------------

    def _look(self) -> None:
        """What the page shows of the run as it is now; called off the loop."""
        self._looking.look()
        if self._board.plane == "gradient":
            self._looking.live.with_gradients()

    def _press(self, name: str) -> None:
        self._error = ""
        active = self.player.state in (State.RUNNING, State.WAITING)
        if name == "play" and active:
            self.player.pause()
        elif name == "save":
            self._soon(self._save())
        elif name == "explore":
            self._explore()
        else:
            begun = {"play": self._play, "step": self._step, "stop": self._stop}
            self._soon(begun.get(name, self._restart)())

    def _soon(self, work: Coroutine[Any, Any, None]) -> None:
        """Begin what takes its time, and hold on to it until it is done."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _play(self) -> None:
        self._looking.back = None
        await self._take_settings()
        self.player.play()
        self._tell()

    async def _step(self) -> None:
        self._looking.back = None
        await self._take_settings()

        def step() -> None:
            with concurrency.training():
                self._run.advance()
            self._look()

        await self.player.once(step)
        self._tell()

    async def _stop(self) -> None:
        self.player.pause()

        def check() -> None:
            self._run.check()
            self._look()

        await self.player.once(check)
        self._tell()

    async def _take_settings(self) -> None:
        """A run that has not begun begins with what the form says now."""
        if self.player.state is State.READY and self._settings != self._run.settings:
            await self._restart()

    async def _restart(self) -> None:
        try:
            await self._begin(lambda: Run(self._settings, self._pairs))
        except ValueError as error:
            self._error = str(error)
            self._tell()

    async def _begin(self, make: Callable[[], Run]) -> None:
        """Another run takes the place of this one; the example stays if it can."""
        run = await concurrency.off_loop(make)
        await self.player.load(run)
        looking = copy.copy(self._looking)  # the page shows the old run until all is there
        await self.player.once(lambda: looking.take(run))
        self._looking, self._run, self._pairs = looking, run, run.pairs
        concurrency.in_turn(self._doc, self._show_begun)

    def _show_begun(self) -> None:
        self._charts.begin(self._run)
        self._fill_form()
        self._show_told()

    # -- settings and pairs --------------------------------------------------------------------

    def _set(self, name: str, raw: Any) -> str | None:
        if name == "restart":
            self._soon(self._restart())
            return None
        try:
            self._settings = self._settings.changed(name, raw)
        except ValueError as error:
            return str(error)
        self._fill_form()
        return None

    def _fill_form(self) -> None:
        self._form.fields = texts.fields(self._settings, self._run.settings)

    def _use_pairs(self, text: str | None) -> None:
        self._soon(self._learn_pairs(text))

    async def _learn_pairs(self, text: str | None) -> None:
        def make() -> Run:
            pairs = dates() if text is None else read_csv(text, self._settings.seed)
            return Run(self._settings, pairs)

        try:
            await self._begin(make)
        except ValueError as error:
            sentence = str(error)
            concurrency.in_turn(self._doc, lambda: self._own.param.update(problem=sentence))
            return
        note, own = texts.of_pairs(self._pairs), text is not None
        concurrency.in_turn(
            self._doc, lambda: self._own.param.update(problem="", note=note, own=own)
        )

    # -- what is looked at ---------------------------------------------------------------------

    def _on_example(self, text: str) -> None:
        if self._looking.ask(text):
            self._soon(self._look_again())
        else:
            self._show()

    async def _look_again(self) -> None:
        await self.player.once(self._looking.again)
        self._tell()

    def _choose(self, name: str, value: Any) -> None:
        if name == "plane":
            self._board.plane = value
        elif name == "parameter":
            self._board.parameter = value
        else:
            self._looking.go_back(value)
        self._show()

    # -- models and files ----------------------------------------------------------------------

    def _explore(self) -> None:
        seen, pairs = self._looking.seen, self._pairs
        source, target = pairs.source_tokenizer, pairs.target_tokenizer
        name = f"Your run, step {seen.step:,}"
        kept = Weights(seen.parameters, source.tokens, target.tokens, name, CLOSED)
        written = target.encode(seen.written)[:-1]  # what the decoder reads ends before <eos>
        try:
            scenario = trained_model.opened(
                self._run.trainer.model.config,
                kept,
                self.state.scenario,
                source=[source.tokens[i] for i in seen.example.source],
                target=[target.tokens[i] for i in written],
            )
        except ValueError as error:
            self._error = str(error)
            self._show()
            return
        self.state.change(dataclasses.replace(scenario, training=False))
        self._open_explore()

    async def _save(self) -> None:
        data = await self.player.once(self._run.trainer.save)
        name = f"run-step-{self._run.step}.safetensors"
        concurrency.in_turn(self._doc, lambda: self._control.hand_out(name, data))

    def _open_run(self, files: dict[str, bytes], heads: int | None) -> None:
        if len(files) != 1:
            raise ValueError("A run is one file.")
        (data,) = files.values()
        run = Run.opened(data, self._pairs)
        self._settings = run.settings
        self._soon(self._begin(lambda: run))
