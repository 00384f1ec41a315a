"""Handles the user's actions on the board: each message becomes a change of the state."""

import math
from collections.abc import Callable

from ..explain import ablation, attend_only
from ..explain.value import shown_operands
from ..model.matrices.address import CellAddress
from ..model.matrices.attention import AttentionFocus, resolve_focus, strongest
from ..model.matrices.oscillation import Oscillation
from ..model.matrices.resolved_cell import ResolvedCell, resolve, resolve_if_there
from ..model.scenario.matrix_address import matrix_address
from ..session.followed_token import followed_side
from ..session.state import AppState
from . import stages
from .board import Board
from .messages import (
    FROM_BOARD,
    ChangesMessage,
    ChooseMessage,
    EscapeMessage,
    FocusMessage,
    GotoMessage,
    HoverMessage,
    LookOnlyMessage,
    OscillateMessage,
    PairMessage,
    PlaceMessage,
    PlaneMessage,
    RedoMessage,
    ReleaseMessage,
    RestoreMessage,
    SelectMessage,
    SetMessage,
    SettingMessage,
    SilenceMessage,
    UndoMessage,
    WindowMessage,
)
from .windows import Windows


class BoardMessages:
    """Handles messages about matrices; `TabSession` handles messages about the session.

    The method ``on_x`` handles the messages of kind ``x``.
    """

    def __init__(
        self,
        state: AppState,
        board: Board,
        windows: Windows,
        redraw: Callable[[str], None],
        alone_without: Callable[[str], str],
    ) -> None:
        """Create the handlers; ``redraw`` redraws a part of `ExploreView` by name."""
        self._state = state
        self._board = board
        self._windows = windows
        self._redraw = redraw
        self._alone_without = alone_without
        self.is_moving = False  # whether the location is being set to what the browser reported
        for kind, declared in FROM_BOARD.items():
            if handler := getattr(self, f"on_{kind}", None):
                board.handle(declared, handler)

    def on_hover(self, message: HoverMessage) -> None:
        """Show rings around the operands of the cell under the pointer."""
        path, i, j = message["path"], message["i"], message["j"]
        cell = self._cell(path, i, j)
        runner, scenario = self._state.runner, self._state.scenario
        found = [] if cell is None else shown_operands(runner, scenario, cell)
        self._board.preview(None if cell is None else path, i, j, found)

    def on_undo(self, _: UndoMessage) -> None:
        """Undo one step."""
        self._state.undo()

    def on_changes(self, _: ChangesMessage) -> None:
        """Show how the last edit changed each number."""
        edit, scenario = self._state.current.last_edit, self._state.scenario
        if edit is not None and edit.before.opened_model == scenario.opened_model:
            self._state.compare(edit.before)

    def on_redo(self, _: RedoMessage) -> None:
        """Redo one step."""
        self._state.redo()

    def on_select(self, message: SelectMessage) -> None:
        """Select a cell, or clear the selection."""
        cell = self._cell(message["path"], message["i"], message["j"])
        selection = None if cell is None else cell.address
        if cell is not None and (alone := self._alone_without(cell.stored)):
            self._state.refuse(f"{cell.path} is not shown here, where {alone} is shown alone.")
            return
        self._state.select(selection, message.get("press", 0))

    def on_escape(self, _: EscapeMessage) -> None:
        """Clear the focus."""
        self._state.escape()

    def on_set(self, message: SetMessage) -> None:
        """Set a cell to the value from a slider or text field."""
        path, i, j = message["path"], message["i"], message["j"]
        with self._state.refusing((KeyError, ValueError)):
            cell = resolve(self._state.trace, CellAddress(path, i, j))
            changed = self._state.scenario.with_value(cell.stored, cell.full, message["value"])
            of, press = ("value", path, i, j), message.get("press", 0)
            self._state.change(changed, of, press, held=message.get("held", False))

    def on_release(self, _: ReleaseMessage) -> None:
        """End the drag of a number."""
        self._state.release()

    def on_restore(self, message: RestoreMessage) -> None:
        """Reset a cell to its learned or computed value."""
        path, i, j = message["path"], message["i"], message["j"]
        with self._state.refusing((KeyError, ValueError)):
            cell = resolve(self._state.trace, CellAddress(path, i, j))
            self._state.oscillation = self._state.oscillation._replace(on=False)
            released = self._state.scenario.without_value(cell.stored, cell.full)
            self._state.change(released, ("value", path, i, j), message.get("press", 0))

    def on_silence(self, message: SilenceMessage) -> None:
        """Silence a part of the model, or restore it."""
        scenario = self._state.scenario
        part = message["path"], message.get("row"), message.get("column")
        with self._state.refusing():
            changed = ablation.with_silence(scenario, part, message.get("to"))
            if changed != scenario:
                self._state.change(changed)

    def on_oscillate(self, message: OscillateMessage) -> None:
        """Start or stop the oscillation of the selected cell.

        An oscillation changes no value permanently; afterwards the cell has its original value.
        """
        now, on = self._state.oscillation, message["on"]
        requested = Oscillation(
            _within(message.get("amplitude"), 0.01, 10.0, now.amplitude),
            _within(message.get("period"), 0.5, 20.0, now.period),
            on,
        )
        selected = self._state.selection
        if on and not (selected and self._state.scenario.can_be_set(selected.path)):
            self._state.refuse("Select a number first; then it can oscillate.")
            return
        if on and selected and (alone := self._alone_without(matrix_address(selected.path).stored)):
            self._state.refuse(f"{selected.path} is not shown here, where {alone} is shown alone.")
            return
        self._state.swing(requested)

    def on_focus(self, message: FocusMessage) -> None:
        """Enlarge an attention head, with its strongest pair in detail.

        Only pairs with the followed word count, unless the message asks for any word.
        """
        trace = self._state.trace
        requested = resolve_focus(trace, AttentionFocus(message["scope"], message["head"]))
        followed, side = self._state.location.followed, None
        if not message.get("is_of_any"):
            side = followed_side(followed, requested.scope)
        token = {side: followed.position} if followed and side else {}
        self._show_pair(strongest(trace, requested.scope, requested.head, **token))

    def on_pair(self, message: PairMessage) -> None:
        """Show a pair in detail."""
        place = message["head"], message["query"], message["key"]
        focus = AttentionFocus(message["scope"], *place)
        self._show_pair(resolve_focus(self._state.trace, focus))

    def _show_pair(self, pair: AttentionFocus) -> None:
        """Show a pair; if the weight of the previous pair is selected, select this pair's weight.

        If a word is followed, follow the word of this pair instead.
        """
        state = self._state
        followed = state.location.followed
        side = followed_side(followed, pair.scope)
        if followed and side and followed.position != getattr(pair, side):
            state.go("followed", [followed.stack, getattr(pair, side)])
        before = resolve_focus(state.trace, state.attention_focus)
        if state.selection is None or state.selection != _weight_of(before):
            state.attention_focus = pair
        else:
            still = state.oscillation._replace(on=False)
            state.update(attention_focus=pair, selection=_weight_of(pair), oscillation=still)

    def on_look_only(self, message: LookOnlyMessage) -> None:
        """Let a query attend only to one key, in one head or in all heads of its attention."""
        state, everywhere = self._state, message["everywhere"]
        place = message["head"], message["query"], message["key"]
        with state.refusing((KeyError, ValueError)):
            weight = resolve(state.trace, _weight_of(AttentionFocus(message["scope"], *place)))
            state.change(attend_only.only_at(state.scenario, weight, everywhere))

    def on_window(self, message: WindowMessage) -> None:
        """Move the window on a large matrix."""
        self._windows.go(message["path"], message["row"], message["column"])
        self._redraw("values")

    def on_choose(self, message: ChooseMessage) -> None:
        """Draw a different layer or head of a large model."""
        choice = self._state.layer_choice
        with self._state.refusing():
            self._state.layer_choice = choice.with_choice(message["name"], message["number"])

    def on_goto(self, message: GotoMessage) -> None:
        """Draw the layer of a stage or matrix that is not drawn now."""
        self._state.layer_choice = self._state.layer_choice.toward(message["place"])

    def on_setting(self, message: SettingMessage) -> None:
        """Change a setting whose control is part of a stage."""
        scenario, name = self._state.scenario, message["name"]
        try:
            if name in stages.settings.NAMES:
                changed = scenario.with_setting(name, message["value"])
                self._state.change(changed, ("setting", name))
        except ValueError as error:
            self._state.refuse(str(error))
            self._redraw("control")

    def on_place(self, message: PlaceMessage) -> None:
        """Record the browser's move to another view or part of the whole picture."""
        self.is_moving = True
        try:
            if message["name"] == "followed":
                self._state.follow(message["value"])
            else:
                self._state.go(message["name"], message["value"])
        except ValueError as error:
            self._state.refuse(str(error))
        finally:
            self.is_moving = False

    def on_plane(self, message: PlaneMessage) -> None:
        """Show values, or gradients."""
        scenario = self._state.scenario
        if message["value"] != scenario.view.plane:
            self._state.change(scenario.with_view("plane", message["value"]))

    def _cell(self, path: str | None, i: int, j: int) -> ResolvedCell | None:
        """Return the cell at an address from the browser; None if the cell does not exist."""
        return resolve_if_there(self._state.trace, CellAddress(path, i, j)) if path else None


def _weight_of(pair: AttentionFocus) -> CellAddress:
    return CellAddress(f"{pair.scope}.head.{pair.head}.weights", pair.query, pair.key)


def _within(value: float | None, low: float, high: float, otherwise: float) -> float:
    if not isinstance(value, (int, float)) or not math.isfinite(value):
        return otherwise
    return min(max(float(value), low), high)
