"""The server side of the board, the component that draws matrices.

The board has no model and computes nothing. It gets a manifest (the matrices and their layout)
and a function that reads the current value of a path, and keeps the browser up to date:

* a matrix is sent only if it changed since it was last sent and is on screen (or pinned);
* one frame is in flight at a time; changes made meanwhile go with the next, so nothing queues;
* matrices off screen and the session are sent with the same frame, or, while a pointer holds a
  number, when the browser is idle;
* each kind of message from the user goes to the handler that the board's owner registered.
"""

import json
import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, TypeVar, Unpack, cast

import numpy as np
import param

from ..components.component import SHARED, Component, Message, module, styles
from ..manifest import Manifest, MatrixChange, manifest_json
from . import wire
from .messages import (
    FROM_BOARD,
    ORDERS,
    AckMessage,
    FollowMessage,
    LensMessage,
    LookMessage,
    Operand,
    ReadyMessage,
    SelectionMessage,
    SetMessage,
    ToBoard,
    ViewMessage,
    ViewSettings,
    VisibleMessage,
    kind_of,
)
from .shown import Shown

_HERE = Path(__file__).parent
_LOG = logging.getLogger(__name__)
NO_WORDS = "{}"
UNREAD = "The numbers of {} could not be read; the page shows all others."
OVERTAKE_SECONDS = 0.1  # least time between two frames sent without waiting for an acknowledgment

# Values, marks and, if they are shown, gradients.
Planes = (
    tuple[np.ndarray, np.ndarray | None] | tuple[np.ndarray, np.ndarray | None, np.ndarray | None]
)
Read = Callable[[str], Planes | None]
ReadFrames = Callable[[str], np.ndarray | None]
# Does slow work before a `ReadyMessage` is handled, then calls its second argument.
Prepare = Callable[[ReadyMessage, Callable[[], None]], None]
# Raises ValueError if the address (path, row, column), valid in the named structure, now belongs to
# another cell.
CheckCell = Callable[[str, str | None, int | None, int | None], None]

M = TypeVar("M")


class _Orbit(NamedTuple):
    path: str
    i: int
    j: int
    values: list[float]
    period: float
    read: ReadFrames
    gradients: ReadFrames | None
    sent: set[int]  # matrices whose frames the browser has received

    def read_matrix(self, path: str) -> Planes | None:
        """Return the frames of a matrix and of its gradients; None if its values do not change."""
        frames = self.read(path)
        gradients = None if frames is None or not self.gradients else self.gradients(path)
        return None if frames is None else (frames, None, gradients)


class BoardComponent(Component):
    """The board's component: only the channel to and from the browser."""

    locked = param.Boolean(default=False, doc="Whether no number can be dragged.")

    reached = param.String(doc="How much the selected number reaches, where that is marked.")
    changed = param.Dict(
        {}, doc="The last change: `LastChange`, with the button `train`; or empty."
    )

    new_words = param.List(
        default=[], item_type=int, doc="The rows whose written word the last edit changed."
    )

    editing = param.Boolean(default=False, doc="Whether the last edit goes on.")

    learned = param.Boolean(
        default=False, doc="Whether training made it: the focus then stands out, not what changes."
    )

    dropped = param.String(doc="What dropout does to what is shown; empty without dropout.")

    searched = param.Boolean(
        default=False, doc="Whether marks show what a search has found, not what a cell reaches."
    )

    busy = param.Boolean(default=False, doc="Whether a change is being computed, to be shown then.")

    hears: ClassVar = FROM_BOARD

    orders: ClassVar = ORDERS

    _esm: ClassVar[str] = module(_HERE / "board.js")
    _stylesheets: ClassVar[list[str]] = styles(
        *(_HERE / name for name in ("board.css", "attention.css", "picture/picture.css")),
        SHARED.parent / "form" / "controls.css",
        SHARED / "cell_name.css",
        _HERE.parent / "features" / "prediction" / "bars.css",
        shared=False,
    )

    def __init__(
        self,
        receive: Callable[[Message], None],
        overtake: Callable[[], None],
        renew: Callable[[], None],
        painted: Callable[[], int],
    ):
        """Create the component; ``overtake`` and ``renew`` are as in `Board` and `Component`.

        ``painted`` returns the version last painted by the browser.
        """
        super().__init__()
        self.receiver = receive
        self.overtake = overtake
        self._renew = renew
        self.painted = painted

    def hear(self, message: Message) -> None:
        self.receiver(message)

    def renew(self) -> None:
        self._renew()


def _selection(
    path: str | None, i: int, j: int, operands: Iterable[Operand] = ()
) -> SelectionMessage:
    return {"type": "selection", "path": path, "i": i, "j": j, "operands": [*operands]}


class Board:
    """All matrices of the page, drawn on canvases by the browser; place `component` on the page.

    It has a method for each kind of update from a view, because all updates share the frame in
    progress. It is no subclass of Panel's classes, whose `show` and `select` mean something else.
    """

    def __init__(  # noqa: PLR0913 -- all by name
        self,
        *,
        prepare: Prepare | None = None,
        check: CheckCell | None = None,
        clock: Callable[[], float] = time.monotonic,
        is_held: Callable[[], bool] = lambda: False,
        sends_only_visible: Callable[[], bool] = lambda: False,
        before_step: Callable[[], Read | None] = lambda: None,
        say: Callable[[str], None] = lambda _sentence: None,
    ):
        """Create a board without matrices.

        Args:
            prepare: does slow work before ``ready`` is handled.
            check: refuses messages about a cell whose address belongs to another cell by now.
            clock: the time in seconds, from an arbitrary start.
            is_held: whether frames follow each other quickly, as while a pointer holds a number, so
                that matrices off screen and the session wait until the browser is idle.
            sends_only_visible: whether only matrices on screen are sent, and the session is not,
                as while something else on the page is dragged.
            before_step: returns a reader of the values before the last step, for a browser that
                connects after that step; None if there was none.
            say: shows a sentence to the user, about a matrix that could not be read.
        """
        self._say = say
        self._failed: set[str] = set()  # paths that could not be read, the last time
        self._before_step = before_step
        self.component = BoardComponent(
            self._receive, self.overtake, self._begin, lambda: self._painted
        )
        self._prepare = prepare
        self._check = check
        self._clock = clock
        self._is_held = is_held
        self._sends_only_visible = sends_only_visible
        self._handlers: dict[str, Callable[[Any], object]] = {}
        self._shown: Shown | None = None
        self._read: Read | None = None
        self._sent: dict[int, tuple[int, int, bytes, bytes | None, bytes | None]] = {}
        self._orbit: _Orbit | None = None
        self._connected = False
        self._whole = False  # the next frame includes matrices off screen
        self._stale = False  # matrices off screen may have changed since they were last read
        self._unread: set[int] = set()  # the browser's values of these may be out of date
        self._named_stale: list[int] = []  # matrices last reported to the browser as stale
        self._seq = 0
        self._in_flight = 0  # the frame the browser has not painted yet, or 0
        self._version = 0  # of the values shown, as counted by the owner
        self._reported: int | None = None  # the version of the last frame sent
        self._painted = -1  # the version of the last frame painted
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
        self._baseline: Read | None = None
        self._compared: set[int] = set()  # matrices whose baseline the browser has
        self._session: Callable[[], str] | None = None
        self._steps: Callable[[], str] = lambda: ""
        self._file: Callable[[], str | None] = lambda: ""
        self._kept: Callable[[], int] = lambda: 0
        self._is_session_due = False
        self._overtook = float("-inf")
        self._moved: set[int] = set()  # parts whose values the browser needs next

    def __panel__(self) -> BoardComponent:
        return self.component

    # -- for the owner -----------------------------------------------------------------------------

    def handle(self, declared: type[M], handler: Callable[[M], object]) -> None:
        """Register the handler of a message; messages without a handler are ignored."""
        self._handlers[kind_of(declared)] = handler

    def show(self, manifest: Manifest) -> None:
        """Show a new structure. Call `refresh` afterwards."""
        self._shown = Shown(manifest, self.visible_paths())
        self._read = None  # the values read so far belong to the previous structure
        self._forget_sent()
        self._moved.clear()
        self._orbit = None
        self._whole = True
        self._compared.clear()
        self._send_manifest()

    def move(self, path: str, entry: MatrixChange) -> None:
        """Draw another part of a matrix in place of ``path``; ``entry`` has its manifest fields.

        The browser switches once it has the values, so that every number has its own label.
        Call `refresh` afterwards.
        """
        if self._shown is None:
            return
        first = self._shown.move(path, entry)
        self._sent.pop(first, None)
        self._compared.discard(first)
        if self._orbit is not None:
            self._orbit.sent.discard(first)
        self._moved.add(first)
        self._post({"type": "move", "index": first, "before": path, "json": json.dumps(entry)})

    def compare(self, read: Read | None) -> None:
        """Compare with the values of ``read(path)`` from now on; None ends the comparison."""
        self._baseline = read
        self._compared.clear()
        if read is None:
            self._post({"type": "baseline", "bytes": None})
        elif self._connected and self._shown is not None:
            self._send_baseline(self._shown, self._shown.small_enough(self._wanted(self._shown)))

    def preview(self, path: str | None, i: int, j: int, operands: Iterable[Operand]) -> None:
        """Outline the operands of the cell under the pointer."""
        self._post({**_selection(path, i, j, operands), "type": "preview"})

    def refresh(
        self,
        read: Read,
        version: int = 0,
        is_unchanged: Callable[[str], bool] = lambda _path: False,
    ) -> None:
        """Send the changed matrices to the browser.

        Args:
            read: ``read(path)`` returns a 2-D array, its flags and any gradients, or None.
            version: the version of these values; nothing more is sent to a browser that has
                painted it.
            is_unchanged: whether ``read(path)`` is known to return the same as before this call, so
                that the path need not be read again.
        """
        self._read = read
        self._version = version
        self._stale = True
        self._whole |= self._orbit is None and not self._waits()
        paths = () if self._shown is None else self._shown.paths
        self._unread |= {index for index in self._sent if not is_unchanged(paths[index])}
        self._flush()

    def reach(self, version: int) -> None:
        """Set the version of the values shown, without changing any value."""
        self._version = version
        self._flush()

    def play(  # noqa: PLR0913 -- all by name
        self,
        *,
        path: str,
        i: int,
        j: int,
        values: Sequence[float],
        period: float,
        read_frames: ReadFrames,
        read_gradients: ReadFrames | None = None,
    ) -> None:
        """Animate cell (i, j) through ``values``, together with everything that depends on it.

        ``values`` are equally spaced in phase over half a sine period, from lowest to highest.
        ``read_frames(path)`` returns an array (len(values), rows, columns), or None if the cell
        does not affect the matrix; ``read_gradients(path)`` does the same for gradients, if shown.
        """
        self._forget_orbit()
        numbers = [float(v) for v in values]
        self._orbit = _Orbit(path, i, j, numbers, float(period), read_frames, read_gradients, set())
        self._flush()

    def stop(self) -> None:
        """End the oscillation. Call `refresh` afterwards to send the original values."""
        if self._orbit is not None:
            self._forget_orbit()
            self._post({"type": "orbit_end"})

    @property
    def awaited_frame(self) -> int:
        """The number of the frame that the browser has not painted yet; 0 if there is none."""
        return self._in_flight

    @property
    def playing(self) -> bool:
        return self._orbit is not None

    def select(
        self, path: str | None, i: int = 0, j: int = 0, operands: Iterable[Operand] = ()
    ) -> None:
        """Outline a cell and its operands, as (path, row, column, last row, last column)."""
        self._selection = _selection(path, i, j, operands)
        self._post(self._selection)

    def view(self, **chosen: Unpack[ViewSettings]) -> None:
        """Set how numbers are drawn.

        Palette: blue-red or safe. Scale: fixed or matrix. Numbers: scientific or decimal. Plane:
        the value, the loss's gradient, or the value's change since the baseline was pinned. All
        numbers: whether the picture shows weights and symbols from afar.
        """
        view: ViewMessage = {"type": "view", **chosen}
        if view != self._view:  # every change repaints the whole board
            self._view = view
            self._post(view)

    def send_link(self, code: str | None) -> None:
        """Answer the browser's request for a link; None if the link would be too long."""
        self._post({"type": "link", "code": code})

    def begin_step(self, fresh: bool = False) -> None:
        """Notify the browser that later changes belong to a new step of the user.

        If ``fresh``, neither these changes nor earlier ones are shown as changes.
        """
        self._post({"type": "step", "fresh": fresh, "bytes": None})

    def look(self, camera: tuple[float, float, float] | None) -> None:
        """Set the visible part of the whole picture: its center and zoom; None shows all."""
        self._look = {"type": "look", "camera": camera}
        self._post(self._look)

    def follow(self, word: tuple[str, int] | None, back: tuple[str, int] | None) -> None:
        """Set the followed token, and the one to follow again when the selection ends."""
        follow: FollowMessage = {"type": "follow", "word": word, "back": back}
        if follow != self._follow:
            self._follow = follow
            self._post(follow)

    def lens(self, words: Mapping[str, Sequence[str]]) -> None:
        """Label the rows of matrices with words; path -> one word per row."""
        self._lens = {"type": "lens", "json": json.dumps(words, ensure_ascii=False)}
        self._post(self._lens)

    def session(
        self,
        text: Callable[[], str],
        steps: Callable[[], str] = lambda: "",
        version: Callable[[], int] = lambda: 0,
        file: Callable[[], str | None] = lambda: "",
    ) -> None:
        """Publish the session (JSON) as ``window.tinkerformer.scenario()``.

        While a number is held, the session is sent when the browser is idle, or by
        `send_due_session`; otherwise at once.

        Args:
            text: returns the session as JSON; called when it is sent.
            steps: returns the undo steps as JSON.
            version: returns the version of the session.
            file: returns the file of the session's model as JSON; called after ``text``. Empty
                without one; None if it has not changed.
        """
        self._session, self._steps, self._kept, self._file = text, steps, version, file
        self._is_session_due = True
        if not self._waits():
            self.send_due_session()

    def send_due_session(self) -> None:
        """Send the session if sending it was deferred."""
        if self._is_session_due:
            self._send_session()

    def overtake(self) -> None:
        """Send the latest state without waiting for the previous frame's acknowledgment.

        For a program that changes the page while it blocks this thread: acknowledgments are handled
        only after it ends. Limited to a few times a second, so that nothing queues.
        """
        now = self._clock()
        if self._in_flight and now - self._overtook >= OVERTAKE_SECONDS:
            self._overtook = now
            self._in_flight = 0
            self._flush()

    def rehearse(self) -> None:
        """Read everything that a first frame needs without sending it, to raise errors early."""
        if self._shown is None:
            return
        for index in self._shown.small_enough(self._wanted(self._shown)):
            for read in (self._read, self._baseline):
                if read is not None:
                    read(self._shown.paths[index])

    def visible_paths(self) -> list[str]:
        """Return the paths on or near the screen, and the pinned ones."""
        shown = self._shown
        return [] if shown is None else [shown.paths[k] for k in self._wanted(shown)]

    # -- from the browser --------------------------------------------------------------------------

    def _receive(self, message: Message) -> None:
        if "of" in message and self._check is not None:
            try:
                self._check(message["of"], *_cell(message))
            except ValueError:
                self._post(self._selection)  # the browser may have marked the cell already
                raise
        match message["type"]:
            case "ready":
                self._on_ready(cast(ReadyMessage, message))
            case "ack":
                self._on_ack(cast(AckMessage, message))
            case "visible":
                self._on_visible(cast(VisibleMessage, message))
            case "set":
                self._on_set(cast(SetMessage, message))
            case "select":
                self._selection = _selection(message["path"], message["i"], message["j"])
                self._hand_on(message)
            case _:
                self._hand_on(message)

    def _hand_on(self, message: Mapping[str, Any]) -> None:
        """Call the owner's handler of the message, if there is one."""
        handler = self._handlers.get(message["type"])
        if handler is not None:
            handler(message)

    def _on_ready(self, message: ReadyMessage) -> None:
        # Also sent when the component is rendered again: the browser has then lost everything.
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
        self._connected = True
        self._compared.clear()
        self._in_flight, self._reported, self._painted = 0, None, -1
        self._forget_sent()
        self._moved.clear()  # the manifest contains the moved parts
        if self._orbit is not None:
            self._orbit.sent.clear()
        self._whole = True
        self._post(self._view)
        self._send_session()
        self._send_manifest()
        self._send_start()
        self._post(self._look)
        self._post(self._follow)
        if self._lens["json"] != NO_WORDS:
            self._post(self._lens)
        self._flush()
        self._post(self._selection)

    def _on_ack(self, message: AckMessage) -> None:
        if message["seq"] == self._in_flight:
            self._land()
            if not self._sends_only_visible():
                # The browser sends this only when idle: send matrices off screen, too.
                self._whole |= self._stale and self._orbit is None
                self._stale = False
                self.send_due_session()
            self._flush()

    def _on_visible(self, message: VisibleMessage) -> None:
        if self._shown is None or message["version"] != self._shown.version:
            return  # these indices belong to an earlier structure
        self._shown.see(message["indices"])
        self._flush()

    def _on_set(self, message: SetMessage) -> None:
        if message.get("ack") == self._in_flight:
            self._land()
        try:
            self._hand_on(message)
        finally:
            self._flush()  # if nothing else, this sends the version of the painted frame

    def _land(self) -> None:
        """Record that the frame in flight was painted."""
        self._in_flight = 0
        self._painted = -1 if self._reported is None else self._reported

    # -- sending -----------------------------------------------------------------------------------

    def _post(self, message: ToBoard) -> None:
        if self._connected:
            self.component.send(cast(Message, message))

    def _send_session(self) -> None:
        self._is_session_due = False
        if self._connected and self._session is not None:
            self._post(
                {
                    "type": "scenario",
                    "scenario": self._session(),
                    "steps": self._steps(),
                    "file": self._file(),
                    "version": self._kept(),
                }
            )

    def _send_manifest(self) -> None:
        if self._connected and self._shown is not None:
            # As text: Bokeh would walk through every leaf of the dict in Python, json does it in C.
            self._post({"type": "manifest", "json": manifest_json(self._shown.manifest)})

    def _send_start(self) -> None:
        """Send the values before the last step, from which the browser traces the change."""
        read, shown = self._before_step(), self._shown
        if read is None or shown is None:
            return
        indices = shown.small_enough(self._wanted(shown))
        entries = [
            entry
            for index in indices
            if (entry := self._entry(read, shown, index, only_values=True))
        ]
        packed = wire.pack(wire.FRAME, shown.version, 0, entries, 0)
        self._post({"type": "step", "fresh": False, "bytes": packed})

    def _wanted(self, shown: Shown) -> list[int]:
        return shown.wanted(self._selection["path"], self._moved)

    def _forget_sent(self) -> None:
        self._sent.clear()
        self._unread.clear()
        self._named_stale = []

    def _forget_orbit(self) -> None:
        """Discard the orbit, and mark the matrices that had frames to be sent again."""
        if self._orbit is not None:
            for index in self._orbit.sent:
                self._sent.pop(index, None)
            self._orbit = None

    def _flush(self) -> None:
        """Send the latest state, once all views have processed the current change."""
        self.component.at_end(self._send_latest)

    def _send_latest(self) -> None:
        """Send the latest state, unless a frame is in flight."""
        if self._in_flight or not self._connected or self._shown is None or self._read is None:
            return
        self._send_orbit(self._shown)
        self._send_frame(self._shown)

    def _send_orbit(self, shown: Shown) -> None:
        orbit = self._orbit
        if orbit is None:
            return
        entries = []
        for index in self._wanted(shown):
            if index in orbit.sent:
                continue
            if entry := self._entry(orbit.read_matrix, shown, index):
                entries.append(entry)
                orbit.sent.add(index)
        if not entries:
            return
        self._post(
            {
                "type": "orbit",
                "bytes": self._packed(shown, wire.ORBIT, entries),
                "path": orbit.path,
                "i": orbit.i,
                "j": orbit.j,
                "values": orbit.values,
                "period": orbit.period,
            }
        )

    def _send_baseline(self, shown: Shown, indices: Iterable[int]) -> None:
        """Send the baseline of these matrices, if the browser does not have it yet."""
        if self._baseline is None:
            return
        entries = []
        for index in indices:
            if index not in self._compared:
                self._compared.add(index)
                if entry := self._entry(self._baseline, shown, index, only_values=True):
                    entries.append(entry)
        if entries:
            packed = wire.pack(wire.FRAME, shown.version, 0, entries, 0)
            self._post({"type": "baseline", "bytes": packed})

    def _send_frame(self, shown: Shown) -> None:
        wanted = self._wanted(shown)
        self._send_baseline(shown, shown.small_enough(wanted) if self._whole else wanted)
        entries = self._changed_entries(shown)
        is_behind = self._reported != self._version
        may_read = self._stale and self._orbit is None and not self._sends_only_visible()
        if not entries and not is_behind and may_read:
            # Nothing on screen has changed, so no acknowledgment will follow: read the rest now.
            self._whole = True
            entries = self._changed_entries(shown)
        stale = sorted(self._unread)
        if entries or is_behind:
            packed = self._packed(shown, wire.FRAME, entries)
            self._post({"type": "frame", "bytes": packed, "stale": stale})
        elif len(stale) < len(self._named_stale):
            self._post({"type": "stale", "stale": stale})
        else:
            return
        self._named_stale = stale

    def _changed_entries(self, shown: Shown) -> list[wire.PackedMatrix]:
        if self._read is None:
            return []
        entries = []
        swinging = self._orbit.sent if self._orbit else ()
        for index in self._candidates(shown):
            is_known = index in self._sent and index not in self._unread
            if index in swinging or is_known:
                continue
            entry = self._entry(self._read, shown, index)
            if entry is None:
                continue
            self._unread.discard(index)
            if self._sent.get(index) != entry[1:]:
                self._sent[index] = entry[1:]
                entries.append(entry)
        return entries

    def _entry(
        self, read: Read, shown: Shown, index: int, *, only_values: bool = False
    ) -> wire.PackedMatrix | None:
        """Return a matrix to send; None without one, or if reading fails, which is reported once.

        With ``only_values``, marks and gradients are left out.
        """
        path, entry = shown.paths[index], None
        try:
            found = read(path)
            if found is not None:
                values, *others = found
                entry = wire.packed_matrix(index, values, *([] if only_values else others))
        except Exception:
            if path not in self._failed:
                _LOG.exception("A matrix is left out of the frames.")
                self._failed.add(path)
                self._say(UNREAD.format(path))
            return None
        self._failed.discard(path)
        return entry

    def _candidates(self, shown: Shown) -> list[int]:
        wanted = self._wanted(shown)
        if not self._whole:
            return wanted
        self._whole = self._stale = False
        return shown.small_enough(wanted)

    def _waits(self) -> bool:
        """Whether matrices off screen and the session are deferred."""
        return self._is_held() or self._sends_only_visible()

    def _packed(self, shown: Shown, kind: int, entries: list[wire.PackedMatrix]) -> bytes:
        self._seq += 1
        self._in_flight = self._seq
        self._reported = self._version
        self._moved -= {entry.matrix for entry in entries}
        return wire.pack(kind, shown.version, self._seq, entries, self._version)


def _cell(message: Message) -> tuple[str | None, int | None, int | None]:
    """Return the path, row and column that a message names; a None row or column means all."""
    if "scope" in message:
        weights = f"{message['scope']}.head.{message['head']}.weights"
        return weights, message.get("query"), message.get("key")
    if message["type"] == "silence":
        return message["path"], message.get("row"), message.get("column")
    return message["path"], message["i"], message["j"]
