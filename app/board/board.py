"""The server side of the board, the component that draws matrices.

The board has no model and computes nothing. Its owner passes a manifest (the matrices and their
layout) and a function that reads the current value of a path; `Frames` sends the values. The board
sends the session immediately or, while a pointer holds a number, when the browser is idle. It
passes each message from the browser to the handler that the owner registered for its kind.
"""

import json
import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar, Unpack, cast

from ..components.component import Message
from ..manifest import Manifest, MatrixChange, manifest_json
from .component import BoardComponent
from .frames import Frames, Read
from .messages import (
    AckMessage,
    FollowMessage,
    LensMessage,
    LookMessage,
    Operand,
    ReadyMessage,
    SelectionMessage,
    SetMessage,
    ViewMessage,
    ViewSettings,
    kind_of,
)
from .shown import Shown

_LOG = logging.getLogger(__name__)
NO_WORDS = "{}"

# Does slow work before a `ReadyMessage` is handled, then calls its second argument.
Prepare = Callable[[ReadyMessage, Callable[[], None]], None]
# Called with the digest of a structure and the path, row and column of a cell in it; raises
# ValueError if the address belongs to another cell now.
CheckCell = Callable[[str, str | None, int | None, int | None], None]

M = TypeVar("M")


def _selection(
    path: str | None, i: int, j: int, operands: Iterable[Operand] = ()
) -> SelectionMessage:
    return {"type": "selection", "path": path, "i": i, "j": j, "operands": [*operands]}


class Board:
    """All matrices of the page, drawn on canvases by the browser; place `component` on the page.

    It has a method for each kind of update. It does not inherit from a class of Panel, because
    there `show` and `select` have other meanings.
    """

    def __init__(  # noqa: PLR0913 -- all by name
        self,
        *,
        prepare: Prepare | None = None,
        check: CheckCell | None = None,
        before_step: Callable[[], Read | None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
        is_held: Callable[[], bool] = lambda: False,
        sends_only_visible: Callable[[], bool] = lambda: False,
        say: Callable[[str], None] = lambda _sentence: None,
    ):
        """Create a board without matrices; the other arguments are as in `Frames`.

        Args:
            prepare: does slow work before ``ready`` is handled.
            check: raises an error if the cell in a message has another address now.
            before_step: returns a reader of the values before the last step, for a browser that
                connects after that step; None without such a step.
        """
        self.component = BoardComponent(self._receive, self._begin)
        self.frames = Frames(
            self.component,
            selected=lambda: self._selection["path"],
            clock=clock,
            is_held=is_held,
            sends_only_visible=sends_only_visible,
            say=say,
        )
        self._before_step = before_step
        self._prepare = prepare
        self._check = check
        self._handlers: dict[str, Callable[[Any], object]] = {}
        self._selection = _selection(None, 0, 0)
        self._view: ViewMessage = {
            "type": "view",
            "palette": "blue-red",
            "scale": "fixed",
            "numbers": "decimal",
            "plane": "value",
            "all_numbers": False,
        }
        self._look: LookMessage = {"type": "look", "camera": None}
        self._follow: FollowMessage = {"type": "follow", "word": None, "back": None}
        self._lens: LensMessage = {"type": "lens", "json": NO_WORDS}
        self._session: Callable[[], str] | None = None
        self._steps: Callable[[], str] = lambda: ""
        self._file: Callable[[], str | None] = lambda: ""
        self._kept: Callable[[], int] = lambda: 0
        self._is_session_due = False

    def __panel__(self) -> BoardComponent:
        return self.component

    # -- for the owner -----------------------------------------------------------------------------

    def handle(self, declared: type[M], handler: Callable[[M], object]) -> None:
        """Register the handler of a message; messages without a handler are ignored."""
        self._handlers[kind_of(declared)] = handler

    def show(self, manifest: Manifest) -> None:
        """Show a new structure. Call `refresh` afterwards."""
        self.frames.show(Shown(manifest, self.frames.visible_paths()))
        self._send_manifest()

    def move(self, path: str, entry: MatrixChange) -> None:
        """Draw another part of a matrix in place of ``path``; ``entry`` has its fields.

        The browser draws the new part once it has the values, so that labels fit the numbers.
        Call `refresh` afterwards.
        """
        if self.frames.shown is not None:
            index = self.frames.shown.move(path, entry)
            self.frames.move(index)
            self.component.post(
                {"type": "move", "index": index, "before": path, "json": json.dumps(entry)}
            )

    def preview(self, path: str | None, i: int, j: int, operands: Iterable[Operand]) -> None:
        """Show rings around the operands of the cell under the pointer."""
        self.component.post({**_selection(path, i, j, operands), "type": "preview"})

    def select(
        self, path: str | None, i: int = 0, j: int = 0, operands: Iterable[Operand] = ()
    ) -> None:
        """Show rings around a cell and its operands: (path, row, column, last row, last column)."""
        self._selection = _selection(path, i, j, operands)
        self.component.post(self._selection)

    def view(self, **chosen: Unpack[ViewSettings]) -> None:
        """Set how numbers are drawn.

        Palette: blue-red or safe. Scale: fixed or matrix. Numbers: scientific or decimal. Plane:
        the value, the loss's gradient, or the value's change since the baseline was pinned. All
        numbers: whether the picture shows weights and symbols from afar.
        """
        view: ViewMessage = {"type": "view", **chosen}
        if view != self._view:  # every change repaints the whole board
            self._view = view
            self.component.post(view)

    def send_link(self, code: str | None) -> None:
        """Answer the browser's request for a link; None if the link would be too long."""
        self.component.post({"type": "link", "code": code})

    def begin_step(self, fresh: bool = False) -> None:
        """Notify the browser that later changes belong to a new step of the user.

        If ``fresh``, neither these changes nor earlier ones are shown as changes.
        """
        self.component.post({"type": "step", "fresh": fresh, "bytes": None})

    def look(self, camera: tuple[float, float, float] | None) -> None:
        """Set the visible part of the whole picture: its center and zoom; None shows all."""
        self._look = {"type": "look", "camera": camera}
        self.component.post(self._look)

    def follow(self, word: tuple[str, int] | None, back: tuple[str, int] | None) -> None:
        """Set the followed token, and the token to follow again when the selection ends."""
        follow: FollowMessage = {"type": "follow", "word": word, "back": back}
        if follow != self._follow:
            self._follow = follow
            self.component.post(follow)

    def lens(self, words: Mapping[str, Sequence[str]]) -> None:
        """Label the rows of matrices with words; ``words`` maps a path to one word per row."""
        self._lens = {"type": "lens", "json": json.dumps(words, ensure_ascii=False)}
        self.component.post(self._lens)

    def session(
        self,
        text: Callable[[], str],
        steps: Callable[[], str] = lambda: "",
        version: Callable[[], int] = lambda: 0,
        file: Callable[[], str | None] = lambda: "",
    ) -> None:
        """Publish the session (JSON) as ``window.tinkerformer.scenario()``.

        While a number is held, the session is sent when the browser is idle, or by
        `send_due_session`; otherwise immediately.

        Args:
            text: returns the session as JSON; called when the session is sent.
            steps: returns the undo steps as JSON.
            version: returns the version of the session.
            file: returns the file of the session's model as JSON; called after ``text``. Empty
                without a file; None if the file has not changed.
        """
        self._session, self._steps, self._kept, self._file = text, steps, version, file
        self._is_session_due = True
        if not self.frames.waits():
            self.send_due_session()

    def send_due_session(self) -> None:
        """Send the session if it was deferred."""
        if self._is_session_due:
            self._send_session()

    # -- from the browser --------------------------------------------------------------------------

    def _receive(self, message: Message) -> None:
        if "of" in message and self._check is not None:
            try:
                self._check(message["of"], *_cell(message))
            except ValueError:
                self.component.post(self._selection)  # undo the browser's mark of the cell
                raise
        match message["type"]:
            case "ready":
                self._on_ready(cast(ReadyMessage, message))
            case "ack":
                self._on_ack(cast(AckMessage, message))
            case "visible":
                self.frames.see(message["version"], message["indices"])
            case "set":
                self._on_set(cast(SetMessage, message))
            case "select":
                self._selection = _selection(message["path"], message["i"], message["j"])
                self._hand_on(message)
            case _:
                self._hand_on(message)

    def _hand_on(self, message: Mapping[str, Any]) -> None:
        """Call the owner's handler of a message, if one is registered."""
        handler = self._handlers.get(message["type"])
        if handler is not None:
            handler(message)

    def _on_ready(self, message: ReadyMessage) -> None:
        # Sent after each rendering of the component; the browser has lost everything then.
        if self._prepare is None:
            self._open(message)
            return
        try:
            self._prepare(message, lambda: self._open(message))
        except Exception:
            _LOG.exception("The board begins with nothing prepared.")
            self._open(message)

    def _open(self, message: ReadyMessage) -> None:
        try:
            self._hand_on(message)
        except Exception:
            # Without this handler, an error here would break the page at every reload.
            _LOG.exception("The board begins though its owner failed to make ready.")
        self._begin()

    def _begin(self) -> None:
        """Send everything to a browser that has just connected."""
        self.component.connected = True
        self.frames.begin()
        self.component.post(self._view)
        self._send_session()
        self._send_manifest()
        before = self._before_step()
        packed = None if before is None else self.frames.packed_before_step(before)
        if packed is not None:
            self.component.post({"type": "step", "fresh": False, "bytes": packed})
        self.component.post(self._look)
        self.component.post(self._follow)
        if self._lens["json"] != NO_WORDS:
            self.component.post(self._lens)
        self.frames.flush()
        self.component.post(self._selection)

    def _on_ack(self, message: AckMessage) -> None:
        if self.frames.land(message["seq"]):
            if not self.frames.sends_only_visible():
                self.frames.rest()  # the browser acknowledges frames only when idle
                self.send_due_session()
            self.frames.flush()

    def _on_set(self, message: SetMessage) -> None:
        self.frames.land(message.get("ack"))
        try:
            self._hand_on(message)
        finally:
            self.frames.flush()  # send the new version even if no number changed

    # -- sending -----------------------------------------------------------------------------------

    def _send_session(self) -> None:
        self._is_session_due = False
        if self.component.connected and self._session is not None:
            self.component.post(
                {
                    "type": "scenario",
                    "scenario": self._session(),
                    "steps": self._steps(),
                    "file": self._file(),
                    "version": self._kept(),
                }
            )

    def _send_manifest(self) -> None:
        shown = self.frames.shown
        if self.component.connected and shown is not None:
            # Send text: Bokeh would traverse a dict's leaves in Python, but json does so in C.
            self.component.post({"type": "manifest", "json": manifest_json(shown.manifest)})


def _cell(message: Message) -> tuple[str | None, int | None, int | None]:
    """Return the path, row and column that a message names; None stands for all rows or columns."""
    if "scope" in message:
        weights = f"{message['scope']}.head.{message['head']}.weights"
        return weights, message.get("query"), message.get("key")
    if message["type"] == "silence":
        return message["path"], message.get("row"), message.get("column")
    return message["path"], message["i"], message["j"]
