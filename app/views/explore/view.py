"""The center of the page: the board with all matrices of the forward pass."""

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
from ...session.results import Results
from ...session.saved_history import HistoryWriter, read_history
from ...session.state import AFRESH, DRAWN, KEPT, AppState, Offer
from ...stages.sheet import Viewport
from .oscillation import OscillationPlayer
from .reached import Reached
from .windows import Windows

ON_BOARD = ("whole", "stages", "attention", "learn")  # the views made of matrices
RESTORED = "What you did in this tab before is here again."
UNSENT = "What you did just before the page ended was not done yet: do it again."
UNKEPT = (
    "This browser keeps nothing more for this tab: a reload would lose what you do from now on. "
    "Share has a link to it."
)
LOCKED_HINT = "Point at a number to read it; click one, and it can oscillate."
OTHER_CELL = "This number is another one than when it was touched: nothing was changed."
MOST_KNOWN = 16  # earlier structures that messages may still refer to
LARGE_LENS = "This model is large: its lens is read in Experiments, where a button asks for it."
KEEP_SECONDS = 1.0  # least time between two saves of a model in training; longer if it is large
KEPT_A_SECOND = 200_000  # characters


class ExploreView:
    """Turns the user's actions on the board into scenarios, and scenarios into frames."""

    def __init__(
        self, state: AppState, page: PageSession | None = None, results: Results | None = None
    ) -> None:
        self.state = state
        self.results = results or Results()
        self.board = Board(prepare=self.prepare, check=self.check, clock=lambda: state.clock())
        self._handle_messages()
        self.windows = Windows(state, self.board)
        self._overviews = Overviews()
        self._drawn: set[str] = set()  # stored paths on the board, or that these are computed from
        self._structure: object = None
        self._known: dict[str, Scenario] = {}  # by structure digest, for those shown lately
        self._view = state.place.view if state.place.view in ON_BOARD else ON_BOARD[0]
        self._version = 0
        self._kept = 0.0
        self._kept_size = 0
        self._history = HistoryWriter()
        self._page = page or PageSession()
        self.player = OscillationPlayer(state, self.board, self._page)
        self._reached = Reached(state, self._page, self._refresh)
        self._opener = SessionOpener(state, self._page)
        self._found: Found | None = None  # the browser's session, until it is opened
        self._is_told = False  # whether the browser itself reported the new place
        self._is_begun = False  # whether a browser has connected
        self._is_due = False  # whether another structure will be shown in a moment
        self._marks_gradients = False  # whether the outlines show a gradient's operands
        state.param.watch(self._on_scenario, "scenario")
        state.param.watch(self._on_oscillation, "oscillation")
        # Later changes of numbers belong to a new step: an edit, an undo, a training run.
        state.param.watch(lambda *_: self.board.begin_step(), ["steps", "learning"])
        # Called for equal values too: an interrupted restore may have notified views of other
        # values.
        state.param.watch(self._on_selection, "selection", onlychanged=False)
        state.param.watch(self._on_attention_focus, "attention_focus")
        state.param.watch(self._on_layer_choice, "layer_choice")
        state.param.watch(self._on_baseline, "baseline", onlychanged=False)
        state.param.watch(self._on_reach, "reach")
        state.param.watch(self._on_covered, "covered")
        state.param.watch(self._on_computing, "is_computing")
        reading = [
            *("learning", "place", "decode", "layer_choice", "attention_focus"),
            # What is tried belongs to the session once it is kept, which changes no number.
            *("lesson", "before_lesson", "before_experiment"),
        ]
        state.param.watch(lambda *_: self._keep(), reading)
        state.param.watch(self._on_place, "place")
        self.results.param.watch(self._on_lens, "lens")
        self.results.param.watch(self._on_site_map, "patch_map")
        # Registered last: the board shows each of these changes by the time it is called.
        state.param.watch(self._on_any, [*KEPT, *DRAWN])
        self._show(state.scenario)

    # -- from the board ----------------------------------------------------------------------

    def _handle_messages(self) -> None:
        """Register the handlers of the board's messages; `PullView` handles `PullMessage`."""
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
        """Read the session that the browser came with, in a thread if it is large, then go on."""

        def opens(found: Found) -> None:
            self._found = found
            go_on()

        self._opener.cancel()
        try:
            link, saved = message.get("link"), as_text(message.get("saved"))
            written = saved if link is None else permalink.unpacked(link)
        except ValueError as error:
            opens(error)  # the error is reported when it is opened
            return
        if written is None:
            go_on()
        else:
            self._opener.open(written, opens)

    def on_ready(self, message: ReadyMessage) -> None:
        """Open the link, or what this tab stored before a reload, if either exists.

        Then open the view that the address names, except after a reload of a page that had
        already left it.
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
                self.state.go("only", "")  # a page in its own tab shows all stages
            said = " ".join(filter(None, (said, *self.state.address.problems, self._unknown())))
        except ValueError as error:
            said = f"{what} could not be opened. {error}"
        finally:
            self._keep()  # replaces what could not be opened, or only in part
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
        """Restore the undo steps that the tab stored, if any."""
        try:
            self.state.history = read_history(written or "", self.state.now)
        except ValueError:
            self.state.history.is_cut = True
        self.state.steps += 1

    def _training(self) -> str:
        """A note on where the restored model's training continues, if it was unfinished."""
        scenario, moments = self.state.scenario, self.state.moments
        is_over = scenario.steps_taken >= scenario.recipe.steps
        if is_over or moments is None or not moments.are_of(scenario):
            return ""
        return f"Its training stands at step {scenario.steps_taken:,}: Train on goes on from there."

    def check(self, of: str, path: str | None, row: int | None, column: int | None) -> None:
        """Check that a cell named in an earlier structure is still the same one.

        Raises:
            ValueError: the address belongs to another cell by now; one sentence.
        """
        before = self._known.get(of)
        is_same = before is not None and (
            path is None or is_same_cell(before, self.state.scenario, whole_of(path), row, column)
        )
        if not is_same:
            raise ValueError(OTHER_CELL)

    def on_hover(self, message: HoverMessage) -> None:
        """Outline the operands of the cell under the pointer."""
        path, i, j = message["path"], message["i"], message["j"]
        cell = self._cell(path, i, j)
        found = [] if cell is None else self._operands(cell)
        self.board.preview(None if cell is None else path, i, j, found)

    def on_ask_link(self, _: AskLinkMessage) -> None:
        """Send the link of the present session."""
        code = permalink.encode(self.state.snapshots.take())
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
        """Set a cell to the value that was slid or typed."""
        path, i, j = message["path"], message["i"], message["j"]
        try:
            cell = resolve(self.state.trace, CellAddress(path, i, j))
            changed = self.state.scenario.with_value(cell.stored, cell.full, message["value"])
            self.state.change(changed, ("value", path, i, j), message.get("press", 0))
        except (KeyError, ValueError) as error:
            self.state.refuse(str(error.args[0]))

    def on_restore(self, message: RestoreMessage) -> None:
        """Reset a cell to its learned or computed value."""
        path, i, j = message["path"], message["i"], message["j"]
        try:
            cell = resolve(self.state.trace, CellAddress(path, i, j))
            self._stop_oscillation()
            released = self.state.scenario.without_value(cell.stored, cell.full)
            self.state.change(released, ("value", path, i, j), message.get("press", 0))
        except (KeyError, ValueError) as error:
            self.state.refuse(str(error.args[0]))

    def on_silence(self, message: SilenceMessage) -> None:
        """Silence a part of the model, or release it."""
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
        """Start or stop the oscillation of the selected cell.

        It changes no value permanently; the cell has its own value again afterwards.
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
        """Enlarge another attention head, with its strongest pair in detail."""
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
        """Change a setting whose control is part of a stage."""
        scenario, name = self.state.scenario, message["name"]
        try:
            if name in stages.settings.NAMES:
                changed = scenario.with_setting(name, message["value"])
                self.state.change(changed, ("setting", name))
        except ValueError as error:
            self.state.refuse(str(error))
            self._structure = None  # resets the control to the actual value
            self._show(scenario)

    def on_place(self, message: PlaceMessage) -> None:
        """Record the browser's move to another view or part of the whole picture."""
        self._is_told = True
        try:
            self.state.go(message["name"], message["value"])
        except ValueError as error:
            self.state.refuse(str(error))
        finally:
            self._is_told = False

    # -- from the state ----------------------------------------------------------------------

    def _on_scenario(self, event: param.parameterized.Event) -> None:
        """Show a new scenario; if only tokens changed, the browser gets those first.

        The matrices then have other rows and labels, which take ten times as long. A scenario being
        restored is shown at once, because the caller must know whether it can be.
        """
        if self._is_due:
            return  # the scheduled update shows this scenario
        if not self.state.snapshots.is_restoring and _has_other_words(event.old, event.new):
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
        """Draw the layer and the head of the selected cell."""
        selection, state = self.state.selection, self.state
        if selection is None or self._view != "stages":
            return
        shown = extent(state.scenario.config, state.trace, state.layer_choice)
        if not (shown.is_whole or shown.shows_row(selection.path, selection.row)):
            state.layer_choice = state.layer_choice.toward(selection.path, selection.row)

    def _on_place(self, event: param.parameterized.Event) -> None:
        old, new = event.old, event.new
        is_elsewhere = (old.camera, old.followed) != (new.camera, new.followed)
        if is_elsewhere and not self._is_told:  # else the browser is already there
            self.board.look(event.new.camera, event.new.followed)
        drawn = [(place.unfolded, place.lens) for place in (old, new)]
        if (self._view == "whole" and drawn[0] != drawn[1]) or (
            self._view == "stages" and event.old.only != event.new.only
        ):
            self._show(self.state.scenario)

    def _on_any(self, *_: object) -> None:
        """Report the new version to the board, even if no number changed."""
        if not self._is_due:
            self.board.reach(self.state.version)

    def _on_reach(self, _event: object) -> None:
        self._refresh()

    def _on_covered(self, _event: object) -> None:
        """Update what a lesson's open question hides."""
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
        """Have the browser store the session for a reload.

        The session is serialized when it is sent, not at every move of a slider; during training
        it is sent only now and then.
        """
        now = self.state.clock()
        pause = KEEP_SECONDS * max(1.0, self._kept_size / KEPT_A_SECOND)
        if not self.state.learning or now - self._kept >= pause:
            self._kept = now
            self.board.session(self._session, self._steps, lambda: self.state.kept_version)

    def _steps(self) -> str:
        return self._history.text(self.state.history, self.state.experiment.start)

    def _session(self) -> str:
        text = scenario_json.to_json(self.state.snapshots.take(), with_weights=True)
        self._kept_size = len(text)
        return text

    def _on_oscillation(self, _event: object) -> None:
        self._play_or_stop()

    def show_view(self, name: str) -> None:
        """Show one of the views in `ON_BOARD`."""
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
        """The depths whose words are written along the lanes, if the lens is on."""
        return depths(trace, read_stack(scenario)) if self.state.place.lens else []

    def _on_lens(self, _event: object) -> None:
        """Send the board the words of the lens."""
        shown = self.results.lens
        self.board.lens({row.path: [*row.words] for row in shown.rows})
        if shown.is_costly and self.state.place.lens and self._view == "whole":
            self.state.notice = LARGE_LENS

    def _alone(self, only: str) -> Manifest:
        """The structure of a single stage or matrix.

        Raises:
            ValueError: the model has none of that name; one sentence.
        """
        viewport = Viewport(self.state.layer_choice, self.state.windows)
        scenario, trace = self.state.scenario, self.state.trace
        return stages.alone.manifest(scenario, trace, self._version, only, viewport)

    def _unknown(self) -> str:
        """The sentence for an address that names a stage or matrix missing from the model."""
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
                self.state.attention_focus = focus  # calls this method again
                return
        structure = (
            scenario.structure_key,
            self._view,
            self.state.attention_focus if self._view == "attention" else None,
            self.state.layer_choice,
            self.state.place.unfolded if self._view == "whole" else self.state.place.only,
            self.state.place.lens and self._view == "whole",
            scenario.settings if self._view == "stages" else None,
            # The notes on these matrices depend on it.
            torn(trace, (edit.path for edit in scenario.edits if edit.path.endswith(".weights"))),
        )
        if structure != self._structure:
            self._structure = structure
            try:
                self._show_structure(scenario, trace)
            except Exception:
                self._structure = None  # it was shown in part only: send it again
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
        """The digest of a scenario's structure; recent scenarios are kept by their digest."""
        name = structure_digest(scenario)
        self._known.pop(name, None)
        self._known[name] = scenario
        if len(self._known) > MOST_KNOWN:
            del self._known[next(iter(self._known))]
        return name

    def _refresh(self) -> None:
        if self._is_due:
            return  # the board shows another structure
        if not self.board.playing:
            self.windows.send_words(self.state.trace)
        self.board.refresh(self._reader().read, self.state.version)

    def _reader(self) -> MatrixReader:
        """A reader of the forward pass that is shown."""
        return MatrixReader(
            self.state.shown,
            self.state.pinned,
            overviews=self._overviews,
            reached=self._reached.read(),
            shares=self._shares(),
            covered=self.state.covered,
        )

    def _shares(self) -> Mapping[str, np.ndarray]:
        """The share of the baseline's answer that each row carries, if the patch plane is shown."""
        found = self.results.patch_map.found
        if found is None or self.state.scenario.view.plane != "patch":
            return {}
        lengths = {row.path: len(row.probabilities) for row in found.rows}
        trace = self.state.trace
        # While another text is being read, the map still belongs to the previous one.
        if any(path not in trace or trace[path].shape[0] != n for path, n in lengths.items()):
            return {}
        return {row.path: found.shares(row) for row in found.rows}

    def _on_site_map(self, _event: object) -> None:
        if self.state.scenario.view.plane == "patch":
            self._refresh()

    def _mark_selection(self) -> bool:
        """Outline the selected cell; returns whether the board must read some values again."""
        self._marks_gradients = self.state.scenario.view.plane == "gradient"
        selection = self.state.selection
        if selection is None:
            self.board.select(None)
            return False
        cell = resolve(self.state.trace, selection)  # raises if missing: a restore then fails
        moved = self.windows.hold()
        self.board.select(
            selection.path, selection.row, selection.column, operands=self._operands(cell)
        )
        return moved

    def _operands(self, cell: ResolvedCell) -> list[Rectangle]:
        """The operands of a cell in the plane that is shown."""
        return shown_operands(self.state.runner, self.state.scenario, cell)

    def _cell(self, path: str | None, i: int, j: int) -> ResolvedCell | None:
        """The cell that the browser names; None if there is none."""
        return resolve_if_there(self.state.trace, CellAddress(path, i, j)) if path else None

    # -- oscillation -------------------------------------------------------------------------

    def _play_or_stop(self) -> None:
        cell = self.state.cell
        # A number that is not drawn is sent separately.
        own = set() if cell is None else {cell.stored}
        if not self.player.play(self._reader(), self._drawn | own, self.windows.send_words):
            self._stop_oscillation()

    def _stop_oscillation(self) -> None:
        if self.player.stop():
            self._refresh()


def _has_other_words(old: Scenario, new: Scenario) -> bool:
    """Whether the structures differ only in the tokens of the text."""
    if (old.source, old.target) == (new.source, new.target):
        return False
    reworded = dataclasses.replace(old, source=new.source, target=new.target)
    return reworded.structure_key == new.structure_key


def _stored(manifest: Manifest, trace: Trace) -> set[str]:
    """Stored paths of all matrices drawn, and of those that a pair's products are computed from."""
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
