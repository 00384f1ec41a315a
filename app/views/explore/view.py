"""The center: all matrices of the pass, on the board."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping

import numpy as np
import param

from transformer_math import Trace

from ... import stages
from ...components.board.board import Board
from ...components.board.messages import (
    AskLinkMessage,
    ChooseMessage,
    FocusMessage,
    GotoMessage,
    HoverMessage,
    OscillateMessage,
    PairMessage,
    PlaceMessage,
    ReadyMessage,
    RedoMessage,
    RestoreMessage,
    SelectMessage,
    SetMessage,
    SettingMessage,
    SilenceMessage,
    UndoMessage,
    UnkeptMessage,
    WindowMessage,
    as_text,
)
from ...experiments.depths import depths, read_stack
from ...explain import silence
from ...explain.value import shown_operands
from ...manifest import Manifest
from ...matrices.address import CellAddress, part_of, whole_of
from ...matrices.attention import AttentionFocus, resolve_focus, strongest, torn
from ...matrices.covering import Rectangle
from ...matrices.extent import extent
from ...matrices.oscillation import Oscillation
from ...matrices.overview import Overviews
from ...matrices.reader import MatrixReader
from ...matrices.resolved_cell import ResolvedCell, resolve, resolve_if_there
from ...runtime.page_session import PageSession
from ...scenario.lock import ALL
from ...scenario.matrix_address import matrix_address
from ...scenario.scenario import Scenario
from ...scenario.structure import is_same_cell, structure_digest
from ...session import link as permalink
from ...session import session_json as scenario_json
from ...session.opening import SessionOpener
from ...session.restore import Found, in_part, restore
from ...session.saved_history import HistoryWriter, read_history
from ...session.state import AFRESH, DRAWN, KEPT, AppState, Offer
from ...stages.sheet import Viewport
from .oscillation import OscillationPlayer
from .reached import Reached
from .windows import Windows

ON_BOARD = ("whole", "stages", "attention", "learn")  # the views that are matrices
RESTORED = "What you did in this tab before is here again."
UNSENT = "What you did just before the page ended was not done yet: do it again."
UNKEPT = (
    "This browser keeps nothing more for this tab: a reload would lose what you do from now on. "
    "Share has a link to it."
)
LOCKED_HINT = "Point at a number to read it; click one, and it can oscillate."
OTHER_CELL = "This number is another one than when it was touched: nothing was changed."
MOST_KNOWN = 16  # structures whose addresses are still understood
LARGE_LENS = "This model is large: its lens is read in Experiments, where a button asks for it."
KEEP_SECONDS = 1.0  # between two times that a model which learns is kept, or more if it is large
KEPT_A_SECOND = 200_000  # characters


class ExploreView:
    """Turns what the user does on the board into scenarios, and scenarios into frames."""

    def __init__(self, state: AppState, page: PageSession | None = None) -> None:
        self.state = state
        self.board = Board(prepare=self.prepare, check=self.check, clock=lambda: state.clock())
        self._handle_messages()
        self.windows = Windows(state, self.board)
        self._overviews = Overviews()
        self._drawn: set[str] = set()  # stored paths that are on the board, or that it is made of
        self._structure: object = None
        self._known: dict[str, Scenario] = {}  # by the structures that were shown
        self._view = state.place.view if state.place.view in ON_BOARD else ON_BOARD[0]
        self._version = 0
        self._kept = 0.0
        self._kept_size = 0
        self._history = HistoryWriter()
        self._page = page or PageSession()
        self.player = OscillationPlayer(state, self.board, self._page)
        self._reached = Reached(state, self._page, self._refresh)
        self._opener = SessionOpener(state, self._page)
        self._found: Found | None = None  # what the browser came with, until it is opened
        self._is_told = False  # whether it is the browser that says where the reader is
        self._is_begun = False  # whether a browser is there
        self._is_due = False  # whether another structure is to be shown in a moment
        self._marks_gradients = False  # whether the rings are those of a gradient
        state.param.watch(self._on_scenario, "scenario")
        state.param.watch(self._on_oscillation, "oscillation")
        # What numbers move from now on is another step's: an edit's, an undo's, a training's.
        state.param.watch(lambda *_: self.board.begin_step(), ["steps", "learning"])
        # These two also hear of what is the same as before: views heard of something else meanwhile
        # if a restore was broken off.
        state.param.watch(self._on_selection, "selection", onlychanged=False)
        state.param.watch(self._on_attention_focus, "attention_focus")
        state.param.watch(self._on_layer_choice, "layer_choice")
        state.param.watch(self._on_baseline, "baseline", onlychanged=False)
        state.param.watch(self._on_reach, "reach")
        state.param.watch(self._on_covered, "covered")
        state.param.watch(self._on_computing, "is_computing")
        reading = [
            *("learning", "place", "decode", "layer_choice", "attention_focus"),
            # What was tried is of the session as soon as it is kept, which changes no number.
            *("lesson", "before_lesson", "tried_from"),
        ]
        state.param.watch(lambda *_: self._keep(), reading)
        state.param.watch(self._on_place, "place")
        state.param.watch(self._on_lens, "lens")
        state.param.watch(self._on_site_map, "site_map")
        # The last: what each of these changes on the board is there by then.
        state.param.watch(self._on_any, [*KEPT, *DRAWN])
        self._show(state.scenario)

    # -- from the board ----------------------------------------------------------------------

    def _handle_messages(self) -> None:
        """Register what is done on the board; `PullMessage` is handled by `PullView`."""
        handle = self.board.handle
        handle(ReadyMessage, self.on_ready)
        handle(HoverMessage, self.on_hover)
        handle(AskLinkMessage, self.on_ask_link)
        handle(UnkeptMessage, self.on_unkept)
        handle(UndoMessage, self.on_undo)
        handle(RedoMessage, self.on_redo)
        handle(SelectMessage, self.on_select)
        handle(SetMessage, self.on_set)
        handle(RestoreMessage, self.on_restore)
        handle(SilenceMessage, self.on_silence)
        handle(OscillateMessage, self.on_oscillate)
        handle(FocusMessage, self.on_focus)
        handle(PairMessage, self.on_pair)
        handle(WindowMessage, self.on_window)
        handle(ChooseMessage, self.on_choose)
        handle(GotoMessage, self.on_goto)
        handle(SettingMessage, self.on_setting)
        handle(PlaceMessage, self.on_place)

    def prepare(self, message: ReadyMessage, go_on: Callable[[], None]) -> None:
        """Read the session that the browser came with, in a thread if it is large, and go on."""

        def opens(found: Found) -> None:
            self._found = found
            go_on()

        self._opener.cancel()
        try:
            link, saved = message.get("link"), as_text(message.get("saved"))
            written = saved if link is None else permalink.unpacked(link)
        except ValueError as error:
            opens(error)  # which is said when it is opened
            return
        if written is None:
            go_on()
        else:
            self._opener.open(written, opens)

    def on_ready(self, message: ReadyMessage) -> None:
        """Open the link, or what this tab had kept before a reload, if there is either.

        The view that the address names is opened over either, but not again when a page is
        reloaded that had gone on from there.
        """
        link, again = message.get("link"), message.get("again", False)
        self._is_begun = True
        what = "This link" if link is not None else "What this tab had kept"
        before, said = (self.state.scenario, self.state.baseline), ""
        found, self._found = self._found, None
        try:
            if found is not None:
                said = in_part(what, restore(self.state, found, self.board.rehearse))
                if link is None:
                    self._take_steps(as_text(message.get("steps")))
            if found is None or link is not None or not again:
                self.state.place = self.state.address.place(self.state.place)
                self.state.lesson = self.state.address.lesson_place(self.state.lesson)
            if self.state.address.parts is None and self.state.place.only:
                self.state.go("only", "")  # a page of its own has all of them
            said = " ".join(filter(None, (said, *self.state.address.problems, self._unknown())))
        except ValueError as error:
            said = f"{what} could not be opened. {error}"
        finally:
            self._keep()  # in the place of what could not be opened, or only in part
        is_restored = link is None and before != (self.state.scenario, self.state.baseline)
        if is_restored:
            said = " ".join(filter(None, (said or RESTORED, self._training())))
        if message.get("unsent", False):
            said = f"{said} {UNSENT}".strip()
        if is_restored:
            self.state.offer = Offer(said, AFRESH)
        elif said:
            self.state.notice = said

    def _take_steps(self, written: str | None) -> None:
        """Go on with the steps of undo that the tab has kept, if it has."""
        try:
            self.state.history = read_history(written or "", self.state.now)
        except ValueError:
            self.state.history.is_cut = True
        self.state.steps += 1

    def _training(self) -> str:
        """Where the training of the restored model goes on, if it was not over."""
        scenario, moments = self.state.scenario, self.state.moments
        is_over = scenario.steps_taken >= scenario.recipe.steps
        if is_over or moments is None or not moments.are_of(scenario):
            return ""
        return f"Its training stands at step {scenario.steps_taken:,}: Train on goes on from there."

    def check(self, of: str, path: str | None, row: int | None, column: int | None) -> None:
        """See that a cell named in an earlier structure is still the same one.

        Raises:
            ValueError: another cell has this address now; one sentence.
        """
        before = self._known.get(of)
        is_same = before is not None and (
            path is None or is_same_cell(before, self.state.scenario, whole_of(path), row, column)
        )
        if not is_same:
            raise ValueError(OTHER_CELL)

    def on_hover(self, message: HoverMessage) -> None:
        """Ring what the cell under the pointer was computed from."""
        path, i, j = message["path"], message["i"], message["j"]
        cell = self._cell(path, i, j)
        found = [] if cell is None else self._operands(cell)
        self.board.preview(None if cell is None else path, i, j, found)

    def on_ask_link(self, _: AskLinkMessage) -> None:
        """Send the link of what is on the page."""
        code = permalink.encode(self.state.saved)
        self.board.send_link(code if len(code) <= permalink.MAX_LINK_LENGTH else None)

    def on_unkept(self, _: UnkeptMessage) -> None:
        """Say that the tab could not keep the session."""
        self.state.notice = UNKEPT

    def on_undo(self, _: UndoMessage) -> None:
        """Undo one step."""
        self.state.undo()

    def on_redo(self, _: RedoMessage) -> None:
        """Redo one step."""
        self.state.redo()

    def on_select(self, message: SelectMessage) -> None:
        """Select a cell, or none."""
        cell = self._cell(message["path"], message["i"], message["j"])
        selection = None if cell is None else cell.address
        if selection != self.state.selection:
            self.state.param.update(
                selection=selection, oscillation=self.state.oscillation._replace(on=False)
            )

    def on_set(self, message: SetMessage) -> None:
        """Give a cell the value that was slid or typed."""
        path, i, j = message["path"], message["i"], message["j"]
        try:
            cell = resolve(self.state.trace, CellAddress(path, i, j))
            changed = self.state.scenario.with_value(cell.stored, cell.full, message["value"])
            self.state.change(changed, ("value", path, i, j), message.get("press", 0))
        except (KeyError, ValueError) as error:
            self.state.refuse(str(error.args[0]))

    def on_restore(self, message: RestoreMessage) -> None:
        """Give a cell its learned or computed value again."""
        path, i, j = message["path"], message["i"], message["j"]
        try:
            cell = resolve(self.state.trace, CellAddress(path, i, j))
            self._stop_oscillation()
            released = self.state.scenario.without_value(cell.stored, cell.full)
            self.state.change(released, ("value", path, i, j), message.get("press", 0))
        except (KeyError, ValueError) as error:
            self.state.refuse(str(error.args[0]))

    def on_silence(self, message: SilenceMessage) -> None:
        """Silence a part, or release it."""
        scenario = self.state.scenario
        part = message["path"], message.get("row"), message.get("column")
        try:
            changed = silence.with_silence(scenario, part, message.get("to"))
        except ValueError as error:
            self.state.refuse(str(error))
            return
        if changed != scenario:
            self.state.change(changed)

    def on_oscillate(self, message: OscillateMessage) -> None:
        """Start the oscillation of the selected cell, or stop it: the cell has its value again.

        Oscillation is for looking; a number that is to stay is slid or typed.
        """
        now, on = self.state.oscillation, message["on"]
        requested = Oscillation(
            _within(message.get("amplitude"), 0.01, 10.0, now.amplitude),
            _within(message.get("period"), 0.5, 20.0, now.period),
            on,
        )
        selected = self.state.selection
        if on and not (selected and self.state.scenario.can_be_set(selected.path)):
            self.state.refuse("Select a number first; then it can oscillate.")
            return
        self.state.oscillation = requested

    def on_focus(self, message: FocusMessage) -> None:
        """Show another attention large, and its head's strongest pair in detail."""
        trace = self.state.trace
        requested = resolve_focus(trace, AttentionFocus(message["scope"], message["head"]))
        self.state.attention_focus = strongest(trace, requested.scope, requested.head)

    def on_pair(self, message: PairMessage) -> None:
        """Show another pair in detail."""
        place = message["head"], message["query"], message["key"]
        focus = AttentionFocus(message["scope"], *place)
        self.state.attention_focus = resolve_focus(self.state.trace, focus)

    def on_window(self, message: WindowMessage) -> None:
        """Move the window on a large matrix."""
        self.windows.go(message["path"], message["row"], message["column"])
        self._refresh()

    def on_choose(self, message: ChooseMessage) -> None:
        """Draw another layer or head of a large model."""
        choice = self.state.layer_choice
        try:
            self.state.layer_choice = choice.with_choice(message["name"], message["number"])
        except ValueError as error:
            self.state.refuse(str(error))

    def on_goto(self, message: GotoMessage) -> None:
        """Draw the layer of a stage or a matrix that is not drawn now."""
        self.state.layer_choice = self.state.layer_choice.toward(message["place"])

    def on_setting(self, message: SettingMessage) -> None:
        """Change a setting that stands in a stage."""
        scenario, name = self.state.scenario, message["name"]
        try:
            if name in stages.settings.NAMES:
                changed = scenario.with_setting(name, message["value"])
                self.state.change(changed, ("setting", name))
        except ValueError as error:
            self.state.refuse(str(error))
            self._structure = None  # the control shows again what is so
            self._show(scenario)

    def on_place(self, message: PlaceMessage) -> None:
        """Follow the reader to another view or part of the whole picture."""
        self._is_told = True
        try:
            self.state.go(message["name"], message["value"])
        except ValueError as error:
            self.state.refuse(str(error))
        finally:
            self._is_told = False

    # -- from the state ----------------------------------------------------------------------

    def _on_scenario(self, event: param.parameterized.Event) -> None:
        """Show it; where only words are others, these and what is written go to the browser first.

        The matrices then have other rows and labels, which takes ten times as long. What is being
        restored is shown at once, for whoever restores it has to know that it can be.
        """
        if self._is_due:
            return  # what is due will be of this scenario
        if not self.state.is_restoring and _has_other_words(event.old, event.new):
            self._is_due = True
            self._page.schedule(self._show_what_is_due)
        else:
            self._show(self.state.scenario)

    def _show_what_is_due(self) -> None:
        self._is_due = False
        self._show(self.state.scenario)

    def _on_selection(self, _event: object) -> None:
        self._move_to_selection()
        if self._mark_selection() or self.state.reach:
            self._refresh()
        self._keep()

    def _on_layer_choice(self, _event: object) -> None:
        self._show(self.state.scenario)

    def _move_to_selection(self) -> None:
        """Draw the layer and the head that the selected cell is of."""
        selection, state = self.state.selection, self.state
        if selection is None or self._view != "stages":
            return
        shown = extent(state.scenario.config, state.trace, state.layer_choice)
        if not (shown.is_whole or shown.shows_row(selection.path, selection.row)):
            state.layer_choice = state.layer_choice.toward(selection.path, selection.row)

    def _on_place(self, event: param.parameterized.Event) -> None:
        old, new = event.old, event.new
        is_elsewhere = (old.camera, old.followed) != (new.camera, new.followed)
        if is_elsewhere and not self._is_told:  # else the browser is there already
            self.board.look(event.new.camera, event.new.followed)
        drawn = [(place.unfolded, place.lens) for place in (old, new)]
        if (self._view == "whole" and drawn[0] != drawn[1]) or (
            self._view == "stages" and event.old.only != event.new.only
        ):
            self._show(self.state.scenario)

    def _on_any(self, *_: object) -> None:
        """What is shown is another version, whether any number is another or not."""
        if not self._is_due:
            self.board.reach(self.state.version)

    def _on_reach(self, _event: object) -> None:
        self._refresh()

    def _on_covered(self, _event: object) -> None:
        """A question is open, or answered."""
        if self.state.baseline is not None:
            self._compare()
        if self.state.oscillation.on:
            self._play_or_stop()
        self._refresh()

    def _on_computing(self, event: param.parameterized.Event) -> None:
        self.board.component.busy = event.new

    def _on_baseline(self, _event: object) -> None:
        self._compare()
        self._keep()

    def _compare(self) -> None:
        covered = self.state.covered
        reader = MatrixReader(
            self.state.shown, self.state.pinned, overviews=self._overviews, covered=covered
        )
        self.board.compare(None if self.state.baseline is None else reader.read_baseline)

    def _keep(self) -> None:
        """Have the browser keep what a reload must not lose.

        It becomes text when it is sent, which is not at each of a slider's moves; while the model
        learns it is sent now and then.
        """
        now = self.state.clock()
        pause = KEEP_SECONDS * max(1.0, self._kept_size / KEPT_A_SECOND)
        if not self.state.learning or now - self._kept >= pause:
            self._kept = now
            self.board.session(self._session, self._steps, lambda: self.state.kept_version)

    def _steps(self) -> str:
        return self._history.text(self.state.history, self.state.kept)

    def _session(self) -> str:
        text = scenario_json.to_json(self.state.saved, with_weights=True)
        self._kept_size = len(text)
        return text

    def _on_oscillation(self, _event: object) -> None:
        self._play_or_stop()

    def show_view(self, name: str) -> None:
        """Which of `ON_BOARD` the board shows."""
        if name != self._view:
            self._view = name
            self._show(self.state.scenario)

    def _on_attention_focus(self, _event: object) -> None:
        if self._view == "attention":
            self._show(self.state.scenario)

    def _manifest(self, scenario: Scenario, trace: Trace) -> Manifest:
        viewport = Viewport(self.state.layer_choice, self.state.windows)
        if self._view == "learn":
            return stages.learn.manifest(scenario, trace, self._version, viewport)
        if self._view == "attention":
            focus = self.state.attention_focus
            return stages.attention.manifest(scenario, trace, self._version, focus, viewport)
        if self._view == "whole":
            unfolded, lens = self.state.place.unfolded, self._lens_paths(scenario, trace)
            return stages.whole.manifest(scenario, trace, self._version, unfolded, viewport, lens)
        if self.state.place.only:
            try:
                return self._alone(self.state.place.only)
            except ValueError as error:
                if self._is_begun:
                    self.state.notice = f"{error} These are all its stages."
        return stages.manifest(scenario, trace, self._version, viewport)

    def _lens_paths(self, scenario: Scenario, trace: Trace) -> list[str]:
        """The depths at which words stand along the lanes, if they are to."""
        return depths(trace, read_stack(scenario)) if self.state.place.lens else []

    def _on_lens(self, _event: object) -> None:
        """What would be written at each depth is known."""
        shown = self.state.lens
        self.board.lens({row.path: [*row.words] for row in shown.rows})
        if shown.is_costly and self.state.place.lens and self._view == "whole":
            self.state.notice = LARGE_LENS

    def _alone(self, only: str) -> Manifest:
        """The structure of one stage or matrix.

        Raises:
            ValueError: the model has none of that name; one sentence.
        """
        viewport = Viewport(self.state.layer_choice, self.state.windows)
        scenario, trace = self.state.scenario, self.state.trace
        return stages.alone.manifest(scenario, trace, self._version, only, viewport)

    def _unknown(self) -> str:
        """The sentence that says that there is not what the address asks for."""
        only = self.state.address.only
        try:
            if only:
                self._alone(only)
        except ValueError as error:
            return f"{error} These are all its stages."
        return ""

    def _show(self, scenario: Scenario) -> None:
        trace = self.state.trace
        if self._view == "attention":
            focus = resolve_focus(trace, self.state.attention_focus)
            if focus != self.state.attention_focus:
                self.state.attention_focus = focus  # comes back here
                return
        structure = (
            scenario.structure_key,
            self._view,
            self.state.attention_focus if self._view == "attention" else None,
            self.state.layer_choice,
            self.state.place.unfolded if self._view == "whole" else self.state.place.only,
            self.state.place.lens and self._view == "whole",
            scenario.settings if self._view == "stages" else None,
            # What is said of them depends on it.
            torn(trace, (edit.path for edit in scenario.edits if edit.path.endswith(".weights"))),
        )
        if structure != self._structure:
            self._structure = structure
            try:
                self._show_structure(scenario, trace)
            except Exception:
                self._structure = None  # not all of it is there: it is to be shown anew
                raise
        view = scenario.view
        if (view.plane == "gradient") != self._marks_gradients:
            self._mark_selection()
        self.board.view(
            palette=view.palette, scale=view.scale, numbers=view.numbers, plane=view.plane
        )
        self._keep()
        if self.state.oscillation.on:
            self._play_or_stop()
        self._refresh()

    def _show_structure(self, scenario: Scenario, trace: Trace) -> None:
        self._version += 1
        manifest = self._manifest(scenario, trace)
        manifest["structure"] = self._structure_of(scenario)
        if scenario.silences:
            manifest["silenced"] = stages.silenced(scenario)
        if self.state.address.lock == ALL:
            manifest["hint"] = LOCKED_HINT
        if self.state.address.lock:
            for stage in manifest["stages"]:
                stage.pop("settings", None)
        self._drawn = _stored(manifest, trace)
        self.board.show(manifest)
        self.windows.take(manifest)
        if self.state.selection and self.state.cell is None:
            self.state.param.update(
                selection=None, oscillation=self.state.oscillation._replace(on=False)
            )
        else:
            self._mark_selection()

    def _structure_of(self, scenario: Scenario) -> str:
        """What the structure of a scenario is called; of the last ones it is known what it was."""
        name = structure_digest(scenario)
        self._known.pop(name, None)
        self._known[name] = scenario
        if len(self._known) > MOST_KNOWN:
            del self._known[next(iter(self._known))]
        return name

    def _refresh(self) -> None:
        if self._is_due:
            return  # what is on the board is of another structure
        if not self.board.playing:
            self.windows.send_words(self.state.trace)
        self.board.refresh(self._reader().read, self.state.version)

    def _reader(self) -> MatrixReader:
        """A reader of what is shown now."""
        return MatrixReader(
            self.state.shown,
            self.state.pinned,
            overviews=self._overviews,
            reached=self._reached.read(),
            shares=self._shares(),
            covered=self.state.covered,
        )

    def _shares(self) -> Mapping[str, np.ndarray]:
        """What each row carries of the baseline's answer, where that is shown and known."""
        found = self.state.site_map.found
        if found is None or self.state.scenario.view.plane != "patch":
            return {}
        lengths = {row.path: len(row.probabilities) for row in found.rows}
        trace = self.state.trace
        # While another text is read, the map is still that of the one before.
        if any(path not in trace or trace[path].shape[0] != n for path, n in lengths.items()):
            return {}
        return {row.path: found.shares(row) for row in found.rows}

    def _on_site_map(self, _event: object) -> None:
        if self.state.scenario.view.plane == "patch":
            self._refresh()

    def _mark_selection(self) -> bool:
        """Ring the selected cell; whether the board has to read something anew for it."""
        self._marks_gradients = self.state.scenario.view.plane == "gradient"
        selection = self.state.selection
        if selection is None:
            self.board.select(None)
            return False
        cell = resolve(self.state.trace, selection)  # a restore fails if it is not there
        moved = self.windows.hold()
        self.board.select(
            selection.path, selection.row, selection.column, operands=self._operands(cell)
        )
        return moved

    def _operands(self, cell: ResolvedCell) -> list[Rectangle]:
        """What the number of a cell was computed from, in the plane that is shown."""
        return shown_operands(self.state.runner, self.state.scenario, cell)

    def _cell(self, path: str | None, i: int, j: int) -> ResolvedCell | None:
        """The cell that the browser names; None if it names none that the pass has."""
        return resolve_if_there(self.state.trace, CellAddress(path, i, j)) if path else None

    # -- oscillation -------------------------------------------------------------------------

    def _play_or_stop(self) -> None:
        cell = self.state.cell
        # A number that is drawn nowhere is sent by itself.
        own = set() if cell is None else {cell.stored}
        if not self.player.play(self._reader(), self._drawn | own, self.windows.send_words):
            self._stop_oscillation()

    def _stop_oscillation(self) -> None:
        if self.player.stop():
            self._refresh()


def _has_other_words(old: Scenario, new: Scenario) -> bool:
    """Whether all that is new about the structure are the tokens of the text."""
    if (old.source, old.target) == (new.source, new.target):
        return False
    reworded = dataclasses.replace(old, source=new.source, target=new.target)
    return reworded.structure_key == new.structure_key


def _stored(manifest: Manifest, trace: Trace) -> set[str]:
    """Stored paths of all that is drawn, and of what products of a pair are made from."""
    found = set()
    for matrix in manifest["matrices"]:
        part = part_of(matrix["path"])
        stored = matrix_address(matrix["path"] if part is None else part.path).stored
        found.add(stored)
        if part is not None and part.made == "products":
            found.update(tensor.path for tensor in trace[stored].inputs)
    return found


def _within(value: float | None, low: float, high: float, otherwise: float) -> float:
    if not isinstance(value, (int, float)) or not math.isfinite(value):
        return otherwise
    return min(max(float(value), low), high)
