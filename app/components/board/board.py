"""Board: the server's half of the component that draws matrices.

It holds no model and computes nothing. It is handed a manifest (what there is) and a function that
reads the current value of a path, and it sees to it that the browser shows the latest of both:

* a matrix travels only if it changed since it was last sent and is on screen (or pinned);
* one frame is under way at a time; what changes meanwhile goes with the next: nothing ever queues;
* what the user does goes to the handlers that its owner registers, one for each kind of message.
"""

import json
import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, TypeVar, Unpack, cast

import numpy as np
import param

from ...manifest import Manifest, MatrixChange
from ..component import Component, Message, module, styles
from . import wire
from .messages import (
    FROM_BOARD,
    ORDERS,
    AckMessage,
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
DRAG_SECONDS = 0.3  # edits that follow one another sooner are one drag
NO_WORDS = "{}"
OVERTAKE_SECONDS = 0.1  # between two frames of which no word is waited for

# Values, marks and, where they are shown, gradients.
Plain = tuple[np.ndarray, np.ndarray | None]
Read = Callable[[str], Plain | tuple[np.ndarray, np.ndarray | None, np.ndarray | None] | None]
ReadFrames = Callable[[str], np.ndarray | None]
# Prepares for what the browser is ready with, and then calls its second argument.
Prepare = Callable[[ReadyMessage, Callable[[], None]], None]
# Raises a ValueError if the cell (path, row, column) of the structure named is now another one.
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
    sent: set[int]  # matrices whose frames the browser has


class BoardComponent(Component):
    """What stands on the page: nothing but the way to the browser and back."""

    locked = param.Boolean(default=False, doc="Whether no number can be dragged.")

    busy = param.Boolean(default=False, doc="Whether a change is being computed, to be shown then.")

    hears: ClassVar = FROM_BOARD

    orders: ClassVar = ORDERS

    _esm: ClassVar[str] = module(_HERE / "board.js")
    _stylesheets: ClassVar[list[str]] = styles(
        *(_HERE / name for name in ("board.css", "attention.css", "whole/whole.css")),
        _HERE / "../form/controls.css",
        shared=False,
    )

    def __init__(
        self,
        receive: Callable[[Message], None],
        overtake: Callable[[], None],
        renew: Callable[[], None],
        painted: Callable[[], int],
    ):
        """What stands on the page of a board.

        Args:
            receive: takes what the browser says.
            overtake: see `Board.overtake`.
            renew: see `Component.renew`.
            painted: gives the version that the browser has painted.
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
    """All matrices of the page, drawn by the browser on canvases. `component` is what to place.

    Not a Panel class itself: those already have a `show` and a `select` that mean something else.
    """

    def __init__(
        self,
        *,
        prepare: Prepare | None = None,
        check: CheckCell | None = None,
        clock: Callable[[], float] = time.monotonic,
    ):
        """A board that shows nothing yet.

        Args:
            prepare: does what takes long before ``ready`` is handled.
            check: refuses messages about a cell whose address now belongs to another.
            clock: seconds, from any start.
        """
        self.component = BoardComponent(
            self._receive, self.overtake, self._begin, lambda: self._painted
        )
        self._prepare = prepare
        self._check = check
        self._clock = clock
        self._handlers: dict[str, Callable[[Any], object]] = {}
        self._shown: Shown | None = None
        self._read: Read | None = None
        self._sent: dict[int, tuple[int, int, bytes, bytes | None, bytes | None]] = {}
        self._orbit: _Orbit | None = None
        self._connected = False
        self._whole = False  # the next frame includes what is off screen, too
        self._stale = False  # what is off screen may have changed since it was last read
        self._unread: set[int] = set()  # what the browser has of these may be no longer so
        self._named_stale: list[int] = []  # those that it was told of
        self._seq = 0
        self._in_flight = 0  # the frame the browser has not painted yet, or 0
        self._version = 0  # of what is shown, as its owner counts
        self._told: int | None = None  # that of the last frame
        self._painted = -1  # that of the last one that was painted
        self._is_set = False  # whether it is a number that was set that changes the page now
        self._selection = _selection(None, 0, 0)
        self._view: ViewMessage = {
            "type": "view",
            "palette": "blue-red",
            "scale": "fixed",
            "numbers": "decimal",
            "plane": "value",
        }
        self._look: LookMessage = {"type": "look", "camera": None, "followed": None}
        self._lens: LensMessage = {"type": "lens", "json": NO_WORDS}
        self._baseline: Read | None = None
        self._compared: set[int] = set()  # matrices whose baseline the browser has
        self._session: Callable[[], str] | None = None
        self._steps: Callable[[], str] = lambda: ""
        self._kept: Callable[[], int] = lambda: 0
        self._is_session_due = False
        self._session_sent = float("-inf")
        self._overtook = float("-inf")
        self._moved: set[int] = set()  # parts of which the browser waits for the values

    def __panel__(self) -> BoardComponent:
        return self.component

    # -- what the owner calls ----------------------------------------------------------------------

    def handle(self, declared: type[M], handler: Callable[[M], object]) -> None:
        """Have messages of this declaration handled; those without a handler are ignored."""
        self._handlers[kind_of(declared)] = handler

    def show(self, manifest: Manifest) -> None:
        """Show this structure from now on. Follow it with `refresh`."""
        self._shown = Shown(manifest, self.visible_paths())
        self._read = None  # what was read is of the structure before
        self._forget_sent()
        self._moved.clear()
        self._orbit = None
        self._whole = True
        self._compared.clear()
        self._send_manifest()

    def move(self, path: str, entry: MatrixChange) -> None:
        """Draw another part of a matrix in the place of one: ``entry`` is what is new about it.

        The browser changes over when it has the values, so that no number ever stands under
        another's label. Follow it with `refresh`.
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
        """Compare with other values from now on, by ``read(path)``; None compares with nothing."""
        self._baseline = read
        self._compared.clear()
        if read is None:
            self._post({"type": "baseline", "bytes": None})
        elif self._connected and self._shown is not None:
            self._send_baseline(self._shown, self._shown.small_enough(self._wanted(self._shown)))

    def preview(self, path: str | None, i: int, j: int, operands: Iterable[Operand]) -> None:
        """Ring what the cell under the pointer was made from."""
        self._post({**_selection(path, i, j, operands), "type": "preview"})

    def refresh(self, read: Read, version: int = 0) -> None:
        """Bring the screen up to date.

        Args:
            read: ``read(path)`` gives a 2-D array, its flags and perhaps its gradients, or None.
            version: of what is read; a browser that has painted it is told no other.
        """
        self._read = read
        self._version = version
        self._stale = True
        self._unread = set(self._sent)
        self._flush()

    def reach(self, version: int) -> None:
        """What is shown is of this version, of which no number is another."""
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
        """Let cell (i, j) swing through ``values`` and all that depends on it follow.

        ``values`` stand at equal phase steps over half a sine, from lowest to highest;
        ``read_frames(path)`` gives (len(values), rows, columns), or None for what is not reached;
        ``read_gradients(path)`` gives the same of the gradients, where they are shown.
        """
        self._forget_orbit()
        numbers = [float(v) for v in values]
        self._orbit = _Orbit(path, i, j, numbers, float(period), read_frames, read_gradients, set())
        self._flush()

    def stop(self) -> None:
        """End the orbit. Follow it with `refresh`, which sends the value that was kept."""
        if self._orbit is not None:
            self._forget_orbit()
            self._post({"type": "orbit_end"})

    @property
    def playing(self) -> bool:
        return self._orbit is not None

    def select(
        self, path: str | None, i: int = 0, j: int = 0, operands: Iterable[Operand] = ()
    ) -> None:
        """Ring a cell, and its operands: rectangles (path, row, column, last row, last column)."""
        self._selection = _selection(path, i, j, operands)
        self._post(self._selection)

    def view(self, **chosen: Unpack[ViewSettings]) -> None:
        """Change how numbers are drawn.

        Palette: blue-red or safe. Scale: fixed or matrix. Numbers: scientific or decimal. Plane:
        the value, the loss's gradient, or the value's change since the baseline was pinned.
        """
        view: ViewMessage = {"type": "view", **chosen}
        if view != self._view:  # all of the board is painted anew
            self._view = view
            self._post(view)

    def send_link(self, code: str | None) -> None:
        """Answer the browser that asked for a link; None where that would be too long."""
        self._post({"type": "link", "code": code})

    def begin_step(self) -> None:
        """What moves from now on is moved by another step than what moved before."""
        self._post({"type": "step"})

    def look(
        self, camera: tuple[float, float, float] | None, followed: tuple[str, int] | None
    ) -> None:
        """Show this of the whole picture.

        Args:
            camera: its middle and the zoom; None for all of it.
            followed: the stack and the position of a word whose way alone is shown.
        """
        self._look = {"type": "look", "camera": camera, "followed": followed}
        self._post(self._look)

    def lens(self, words: Mapping[str, Sequence[str]]) -> None:
        """Write these words beside the rows of matrices, path -> a word for each row."""
        self._lens = {"type": "lens", "json": json.dumps(words, ensure_ascii=False)}
        self._post(self._lens)

    def session(
        self,
        text: Callable[[], str],
        steps: Callable[[], str] = lambda: "",
        version: Callable[[], int] = lambda: 0,
    ) -> None:
        """Publish the session (JSON) as ``window.tinkerformer.scenario()``.

        A single edit's goes with its numbers, so that whoever sees them can reload; amid a drag it
        waits until the pointer is idle.

        Args:
            text: is asked for it when it is sent.
            steps: is asked for those of undo.
            version: is asked which one it is.
        """
        self._session, self._steps, self._kept = text, steps, version
        is_drag = self._clock() - self._session_sent < DRAG_SECONDS
        if not self._is_set or not is_drag:
            self._send_session()
        else:
            self._is_session_due = True

    def overtake(self) -> None:
        """Send the latest without waiting for word of the frame before.

        For a program that changes the page while it keeps this thread: it hears no word until it
        is done. So that nothing queues it does so a few times a second.
        """
        now = self._clock()
        if self._in_flight and now - self._overtook >= OVERTAKE_SECONDS:
            self._overtook = now
            self._in_flight = 0
            self._flush()

    def rehearse(self) -> None:
        """Read all that a first frame holds, and send nothing: what cannot be drawn raises here."""
        if self._shown is None:
            return
        for index in self._shown.small_enough(self._wanted(self._shown)):
            for read in (self._read, self._baseline):
                if read is not None:
                    read(self._shown.paths[index])

    def visible_paths(self) -> list[str]:
        """Paths on or near the screen, and the pinned ones."""
        shown = self._shown
        return [] if shown is None else [shown.paths[k] for k in self._wanted(shown)]

    # -- what the browser says ---------------------------------------------------------------------

    def _receive(self, message: Message) -> None:
        if "of" in message and self._check is not None:
            try:
                self._check(message["of"], *_cell(message))
            except ValueError:
                self._post(self._selection)  # the browser has marked the cell already, perhaps
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
        """Call the owner's handler, if it has one."""
        handler = self._handlers.get(message["type"])
        if handler is not None:
            handler(message)

    def _on_ready(self, message: ReadyMessage) -> None:
        # Also said when the component is drawn anew: then the browser has forgotten everything.
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
            # Whatever it is, a board that does not begin would be a dead page, at every reload.
            _LOG.exception("The board begins though its owner failed to make ready.")
        self._begin()

    def _begin(self) -> None:
        """Send the browser everything."""
        self._connected = True
        self._compared.clear()
        self._in_flight, self._told, self._painted = 0, None, -1
        self._forget_sent()
        self._moved.clear()  # the manifest has them where they now are
        if self._orbit is not None:
            self._orbit.sent.clear()
        self._whole = True
        self._post(self._view)
        self._send_session()
        self._send_manifest()
        self._post(self._look)
        if self._lens["json"] != NO_WORDS:
            self._post(self._lens)
        self._flush()
        self._post(self._selection)

    def _on_ack(self, message: AckMessage) -> None:
        if message["seq"] == self._in_flight:
            self._land()
            # Sent by itself only when the pointer is idle: time for what is off screen.
            self._whole, self._stale = self._stale and self._orbit is None, False
            if self._is_session_due:
                self._send_session()
            self._flush()

    def _on_visible(self, message: VisibleMessage) -> None:
        if self._shown is None or message["version"] != self._shown.version:
            return  # these indices belong to a structure that is gone
        self._shown.see(message["indices"])
        self._flush()

    def _on_set(self, message: SetMessage) -> None:
        if message.get("ack") == self._in_flight:
            self._land()
        self._is_set = True
        try:
            self._hand_on(message)
        finally:
            self._is_set = False
            self._flush()  # of the frame that was painted, if of nothing else

    def _land(self) -> None:
        """The frame that was under way is painted."""
        self._in_flight = 0
        self._painted = -1 if self._told is None else self._told

    # -- sending -----------------------------------------------------------------------------------

    def _post(self, message: ToBoard) -> None:
        if self._connected:
            self.component.send(cast(Message, message))

    def _send_session(self) -> None:
        self._is_session_due = False
        self._session_sent = self._clock()
        if self._connected and self._session is not None:
            scenario, steps, version = self._session(), self._steps(), self._kept()
            self._post(
                {"type": "scenario", "scenario": scenario, "steps": steps, "version": version}
            )

    def _send_manifest(self) -> None:
        if self._connected and self._shown is not None:
            # As text: Bokeh would walk through every leaf of the dict in Python, json does it in C.
            self._post({"type": "manifest", "json": json.dumps(self._shown.manifest)})

    def _wanted(self, shown: Shown) -> list[int]:
        return shown.wanted(self._selection["path"], self._moved)

    def _forget_sent(self) -> None:
        self._sent.clear()
        self._unread.clear()
        self._named_stale = []

    def _forget_orbit(self) -> None:
        """The browser shows frames of the orbit where it had values: those must be sent anew."""
        if self._orbit is not None:
            for index in self._orbit.sent:
                self._sent.pop(index, None)
            self._orbit = None

    def _flush(self) -> None:
        """Send the latest state, unless the browser has yet to paint the last."""
        if self._in_flight or not self._connected or self._shown is None or self._read is None:
            return
        if self._send_orbit(self._shown):
            return  # acknowledged like a frame; what else has changed goes next
        self._send_frame(self._shown)

    def _send_orbit(self, shown: Shown) -> bool:
        orbit = self._orbit
        if orbit is None:
            return False
        entries = []
        for index in self._wanted(shown):
            if index in orbit.sent:
                continue
            frames = orbit.read(shown.paths[index])
            if frames is not None:
                gradients = orbit.gradients(shown.paths[index]) if orbit.gradients else None
                entries.append(wire.packed_matrix(index, frames, None, gradients))
                orbit.sent.add(index)
        if not entries:
            return False
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
        return True

    def _send_baseline(self, shown: Shown, indices: Iterable[int]) -> None:
        """What was pinned of these matrices, as far as the browser does not have it."""
        if self._baseline is None:
            return
        entries = []
        for index in indices:
            if index not in self._compared:
                self._compared.add(index)
                pinned = self._baseline(shown.paths[index])
                if pinned is not None:
                    entries.append(wire.packed_matrix(index, pinned[0]))
        if entries:
            packed = wire.pack(wire.FRAME, shown.version, 0, entries, 0)
            self._post({"type": "baseline", "bytes": packed})

    def _send_frame(self, shown: Shown) -> None:
        wanted = self._wanted(shown)
        self._send_baseline(shown, shown.small_enough(wanted) if self._whole else wanted)
        entries = self._changed_entries(shown)
        is_behind = self._told != self._version
        if not entries and not is_behind and self._stale and self._orbit is None:
            # Nothing on screen has changed: no word of it will come back, so the rest is read now.
            self._whole, self._stale = True, False
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
            current = self._read(shown.paths[index])
            if current is None:
                continue
            entry = wire.packed_matrix(index, *current)
            self._unread.discard(index)
            if self._sent.get(index) != entry[1:]:
                self._sent[index] = entry[1:]
                entries.append(entry)
        return entries

    def _candidates(self, shown: Shown) -> list[int]:
        wanted = self._wanted(shown)
        if not self._whole:
            return wanted
        self._whole = False
        return shown.small_enough(wanted)

    def _packed(self, shown: Shown, kind: int, entries: list[wire.PackedMatrix]) -> bytes:
        self._seq += 1
        self._in_flight = self._seq
        self._told = self._version
        self._moved -= {entry.matrix for entry in entries}
        return wire.pack(kind, shown.version, self._seq, entries, self._version)


def _cell(message: Message) -> tuple[str | None, int | None, int | None]:
    """The cell that a message names: its path, its row and its column; None for all of them."""
    if "scope" in message:
        weights = f"{message['scope']}.head.{message['head']}.weights"
        return weights, message.get("query"), message.get("key")
    if message["type"] == "silence":
        return message["path"], message.get("row"), message.get("column")
    return message["path"], message["i"], message["j"]
