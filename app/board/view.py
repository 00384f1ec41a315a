"""The center of the page: the board with all matrices of the forward pass."""

from collections.abc import Callable, Mapping
from functools import partial

import param

from ..explain.dropout_words import dropout_sentence
from ..model.inference.other_text import is_other_text
from ..model.matrices.attention import resolve_focus
from ..model.matrices.extent import extent
from ..session.results import Results
from ..session.state import AppState
from ..transport.runtime.page_session import PageSession
from ..view_model.last_edit import TRAINING
from .board import Board
from .edit_end import EditEnd
from .handlers import BoardMessages
from .messages import TrainMessage
from .oscillation import OscillationPlayer
from .structure import BoardStructure
from .tab_session import TabSession
from .values import BoardValues
from .windows import Windows

# For each parameter of the state, the parts to redraw when it changes, separated by spaces.
CHANGED = {
    "scenario": "scenario dropped change focus version",
    "editing": "change due_session",
    **dict.fromkeys(("held", "position"), "change"),
    "oscillation": "change oscillation version",
    "location": "focus session version",
    "selection": "focus version",
    # Later changes of numbers belong to a new step, such as an edit, an undo or a training run.
    "steps": "step",
    "learning": "step structure session",
    "layer_choice": "structure session version",
    "reach": "values version",
    "dragging": "values",
    **dict.fromkeys(("baseline", "covered", "to_read"), "version"),
    # These change the session but no number; a kept trial, for example, is added to the session.
    **dict.fromkeys(
        ("attention_focus", "decode", "ideas", "lesson", "before_lesson", "before_experiment"),
        "session version",
    ),
}
# Parts to redraw even for an equal value: an interrupted restore may have drawn another one.
SET = {"selection": "layer selection session", "baseline": "baseline session"}
LARGE_LENS = "This model is large: its lens is read in Measure, where a button asks for it."


class ExploreView:
    """Keeps the board up to date with the state.

    A watcher only records which parts of the board have to be redrawn. The parts, each of which is
    a method, are redrawn in the order of `_parts` once all views have processed the change. So
    messages depend neither on the order of the views nor on the order in which several parameters
    changed.
    """

    def __init__(
        self, state: AppState, page: PageSession | None = None, results: Results | None = None
    ) -> None:
        self.state = state
        self.results = results or Results()
        self._page = page or PageSession()
        self.board = Board(
            prepare=lambda message, go_on: self.tab.prepare(message, go_on),
            check=lambda *cell: self.structure.check(*cell),
            clock=lambda: state.clock(),
            is_held=self._is_held,
            sends_only_visible=lambda: state.dragging and not self.board.component.visible,
            before_step=lambda: self.values.before_edit(),
            say=lambda sentence: setattr(state, "notice", sentence),
        )
        self.windows = Windows(state, self.board)
        self.structure = BoardStructure(state, self.board, self.windows, self._say_if_begun)
        problem = self.structure.problem_of_address
        self.tab = TabSession(state, self.board, self._page, problem)
        self.values = BoardValues(
            state, self.results, self.board, self.windows, self._page, self._redraw
        )
        self.messages = BoardMessages(
            state, self.board, self.windows, self._redraw, self.structure.alone_without
        )
        self.player = OscillationPlayer(
            state, self.board.frames, self._page, lambda: self._redraw("oscillation")
        )
        self._train_label: Callable[[], str] = lambda: ""
        self._lesson = state.lesson.name  # name of the lesson at the last step
        self._due: set[str] = set()  # the parts to redraw
        self._parts: dict[str, Callable[[], None]] = {
            "step": self._begin_step,
            "layer": self._move_to_selection,
            "scenario": self._draw_scenario,
            "control": self._draw_control,
            "structure": self._draw_structure,
            "selection": self._draw_selection,
            "drawing": self._draw_settings,
            "location": self._draw_location,
            "focus": self._draw_focus,
            "baseline": self.values.compare,
            "lens": self._draw_lens,
            "session": self.tab.keep,
            "due_session": self._send_due_session,
            "oscillation": self._draw_oscillation,
            "values": self.values.send,
            "version": self._draw_version,
            "change": self._draw_change,
            "dropped": self._draw_dropped,
        }
        self._watch()
        EditEnd(state, self._page)
        self._redraw("structure", "focus", "dropped")

    def show_view(self, name: str) -> None:
        """Show one of the views in `ON_BOARD`."""
        if name != self.structure.view:
            self.structure.view = name
            self._redraw("structure")

    def offer_training(self, label: Callable[[], str], train: Callable[[], None]) -> None:
        """Offer to train a model that has random weights after a change of its sizes.

        ``label`` returns the label of the button, which is empty if the model cannot be trained.
        """
        self._train_label = label
        self.board.handle(TrainMessage, lambda _: train())

    def _is_held(self) -> bool:
        """Return whether a pointer, a training run or an experiment keeps the last edit open."""
        edit = self.state.current.last_edit
        return self.state.dragging or (edit is not None and edit.ended is None and edit.press != 0)

    # -- changes of the state ----------------------------------------------------------------

    def _watch(self) -> None:
        state, results = self.state, self.results
        for parts, is_only_changed in ((CHANGED, True), (SET, False)):
            state.watch(partial(self._redraw_for, parts), [*parts], only_changed=is_only_changed)
        state.watch(self._on_attention_focus, "attention_focus")
        state.watch(self._on_covered, ["covered", "to_read"])
        state.watch(self._on_lesson, "lesson")
        state.watch(self._on_location, "location")
        state.watch(self._on_computing, "is_computing")
        results.param.watch(lambda _event: self._redraw("lens"), "lens")
        results.param.watch(self._on_patch_map, "patch_map")
        results.param.watch(self._on_singles, "singles")

    def _redraw_for(self, parts: Mapping[str, str], *events: param.parameterized.Event) -> None:
        """Redraw the parts that depend on the parameters that were set."""
        self._redraw(*(part for event in events for part in parts[event.name].split()))

    def _begin_step(self) -> None:
        """Begin a step, which is not shown as a change if a lesson opens or closes."""
        name = self.state.lesson.name
        self.board.begin_step(name != self._lesson)
        self._lesson = name

    def _on_lesson(self, event: param.parameterized.Event) -> None:
        if event.new.name != event.old.name:
            self._redraw("step")

    def _on_singles(self, event: param.parameterized.Event) -> None:
        self.board.component.searched = bool(event.new)
        self._redraw("values")

    def _on_attention_focus(self, _event: object) -> None:
        if self.structure.view == "attention":
            self._redraw("structure")

    def _on_covered(self, *_events: object) -> None:
        """Update the numbers after the question that hides some of them has changed."""
        if self.state.baseline is not None:
            self._redraw("baseline")
        if self.state.oscillation.on:
            self._redraw("oscillation")
        self._redraw("values")

    def _on_location(self, event: param.parameterized.Event) -> None:
        old, new = event.old, event.new
        if old.camera != new.camera and not self.messages.is_moving:  # else the browser has moved
            self._redraw("location")
        drawn = [(location.unfolded, location.lens) for location in (old, new)]
        is_other = {"picture": drawn[0] != drawn[1], "formulas": old.only != new.only}
        if is_other.get(self.structure.view):
            self._redraw("structure")
        if new.open_drawer and new.open_drawer != old.open_drawer:
            self._redraw("change")  # an opened drawer replaces the sentence on the last change

    def _on_computing(self, event: param.parameterized.Event) -> None:
        self.board.component.busy = event.new

    def _on_patch_map(self, _event: object) -> None:
        if self.state.scenario.view.plane == "patch":
            self._redraw("values")

    # -- drawing -----------------------------------------------------------------------------

    def _redraw(self, *parts: str) -> None:
        """Redraw parts of the board, once all views have processed the current change."""
        self._due.update(parts)
        self.state.after_change(self._update)

    def _update(self) -> None:
        while self._due:
            part = next(name for name in self._parts if name in self._due)
            self._due.remove(part)
            self._parts[part]()

    def _move_to_selection(self) -> None:
        """Draw the layer and the head of the selected cell."""
        selection, state = self.state.selection, self.state
        if selection is None or self.structure.view != "formulas":
            return
        shown = extent(state.scenario.config, state.trace, state.layer_choice)
        if not (shown.is_whole or shown.shows_row(selection.path, selection.row)):
            state.layer_choice = state.layer_choice.toward(selection.path, selection.row)

    def _draw_scenario(self) -> None:
        """Show a new scenario."""
        before, now = self.structure.scenario, self.state.scenario
        if before is not None and is_other_text(before, now):
            self.board.begin_step(fresh=True)  # a new text is not shown as a change
        if self.state.baseline is not None and before and before.target != now.target:
            self._redraw("baseline")
        self._redraw("structure")

    def _draw_control(self) -> None:
        """Reset the control of a stage to the actual value, by sending the structure again."""
        self.structure.forget()
        self._redraw("structure")

    def _draw_structure(self) -> None:
        state = self.state
        if self.structure.view == "attention":
            focus = resolve_focus(state.trace, state.attention_focus, state.location.followed)
            if focus != state.attention_focus:
                state.attention_focus = focus  # redraws the structure
                return
        if self.structure.show():
            if state.selection and state.cell is None:
                state.select(None)
            self._redraw("selection")
        elif (state.scenario.view.plane == "gradient") != self.values.marks_gradients:
            self._redraw("selection")
        if state.oscillation.on:
            self._redraw("oscillation")
        self._redraw("drawing", "session", "values")

    def _draw_selection(self) -> None:
        if self.values.mark_selection() or self.state.reach:
            self._redraw("values")

    def _draw_settings(self) -> None:
        view = self.state.scenario.view
        self.board.view(
            palette=view.palette,
            scale=view.scale,
            numbers=view.numbers,
            plane=view.plane,
            all_numbers=view.all_numbers,
        )

    def _draw_location(self) -> None:
        self.board.look(self.state.location.camera)

    def _draw_focus(self) -> None:
        self.board.follow(self.state.current.focus.word, self.state.current.focus.back)

    def _draw_lens(self) -> None:
        """Send the board the words of the lens."""
        shown = self.results.lens
        rows = shown.value.rows if shown.status == "ready" else ()
        self.board.lens({row.path: [*row.words] for row in rows})
        if shown.is_offered and self.state.location.lens and self.structure.view == "picture":
            self.state.notice = shown.note or LARGE_LENS

    def _send_due_session(self) -> None:
        """Send the session that was deferred while a number was held."""
        if not self.state.editing:
            self.board.send_due_session()

    def _draw_oscillation(self) -> None:
        cell = self.state.cell
        # Frames of the selected number are sent even if it is not drawn.
        own = set() if cell is None else {cell.stored}
        drawn, begun = self.structure.drawn | own, self.windows.send_words
        if not self.player.play(self.values.reader(), drawn, begun) and self.player.stop():
            self._redraw("values")

    def _draw_version(self) -> None:
        """Report the new version to the board, even if no number changed."""
        self.board.frames.reach(self.state.version)

    def _draw_change(self) -> None:
        """Show the last change and its new words, the shown row, and whether an edit is open."""
        shown = self.state.view_model
        found, new = shown.change, shown.sentence.changed[1:]  # row i writes word i + 1
        train = self._train_label() if found and found.is_untrained else ""
        edit, compared = self.state.current.last_edit, self.state.scenario.view.compares
        self.board.component.update_changed(
            changed={**found._asdict(), "train": train, "compared": compared} if found else {},
            row=self.state.position,
            editing=bool(self.state.editing),
            learned=self._moment() if edit and edit.of == TRAINING else "",
            new_words=[row for row, is_new in enumerate(new) if is_new],
        )

    def _moment(self) -> str:
        """Return the shown moment of training; the steps of a run are too fast to be read."""
        return "In training" if self.state.learning else f"Step {self.state.scenario.steps_taken:,}"

    def _draw_dropped(self) -> None:
        """Show the effect of dropout on the numbers."""
        scenario = self.state.scenario
        said = dropout_sentence(scenario, self.state.trace) if scenario.training else ""
        self.board.component.update_changed(dropped=said)

    def _say_if_begun(self, sentence: str) -> None:
        if self.tab.is_begun:
            self.state.notice = sentence
