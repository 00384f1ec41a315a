"""Sends the browser the numbers that changed.

* A frame contains the matrices that changed since they were last sent.
* One frame is in flight at a time; later changes wait for the next frame, so that none queue.
* While a pointer holds a number, a frame contains only matrices on screen and pinned matrices; all
  others are sent when the browser is idle.
"""

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from . import wire
from .component import BoardComponent
from .shown import Shown

_LOG = logging.getLogger(__name__)
UNREAD = "The numbers of {} could not be read; the page shows all others."
OVERTAKE_SECONDS = 0.1  # least time between two frames sent without waiting for an acknowledgment

# Values, flags and, if they are shown, gradients.
Planes = (
    tuple[np.ndarray, np.ndarray | None] | tuple[np.ndarray, np.ndarray | None, np.ndarray | None]
)
Read = Callable[[str], Planes | None]
ReadFrames = Callable[[str], np.ndarray | None]


class _Orbit(NamedTuple):
    path: str
    i: int
    j: int
    values: list[float]
    period: float
    read: ReadFrames
    gradients: ReadFrames | None
    sent: set[int]  # matrices whose frames were sent

    def read_matrix(self, path: str) -> Planes | None:
        """Return the frames of a matrix and of its gradients; None if its values do not change."""
        frames = self.read(path)
        gradients = None if frames is None or not self.gradients else self.gradients(path)
        return None if frames is None else (frames, None, gradients)


class Frames:
    """Sends the browser the values of the shown matrices, their oscillation and their baseline.

    The class has more than twenty methods, because all share the frame in flight.
    """

    def __init__(
        self,
        component: BoardComponent,
        *,
        selected: Callable[[], str | None],
        clock: Callable[[], float] = time.monotonic,
        is_held: Callable[[], bool] = lambda: False,
        sends_only_visible: Callable[[], bool] = lambda: False,
        say: Callable[[str], None] = lambda _sentence: None,
    ) -> None:
        """Create frames without matrices.

        Args:
            component: the channel to the browser.
            selected: returns the path of the matrix with the selected cell.
            clock: returns the time in seconds, from an arbitrary start.
            is_held: whether frames follow each other quickly, for example while a pointer holds a
                number; matrices off screen then wait until the browser is idle.
            sends_only_visible: whether only matrices on screen are sent, for example while
                something else on the page is dragged.
            say: shows the user a sentence about a matrix that could not be read.
        """
        self.shown: Shown | None = None
        self.in_flight = 0  # the frame that the browser has not painted yet, or 0
        self.painted = -1  # the version of the last painted frame
        self.sends_only_visible = sends_only_visible
        self._component = component
        self._selected = selected
        self._clock = clock
        self._is_held = is_held
        self._say = say
        self._failed: set[str] = set()  # paths whose last read failed
        self._read: Read | None = None
        self._sent: dict[int, tuple[int, int, bytes, bytes | None, bytes | None]] = {}
        self._orbit: _Orbit | None = None
        self._whole = False  # whether the next frame includes matrices off screen
        self._stale = False  # whether matrices off screen may have changed since their last read
        self._unread: set[int] = set()  # matrices whose values in the browser may be out of date
        self._named_stale: list[int] = []  # matrices last reported to the browser as stale
        self._seq = 0
        self._version = 0  # version of the shown values, as counted by the owner
        self._reported: int | None = None  # the version of the last sent frame
        self._baseline: Read | None = None
        self._compared: set[int] = set()  # matrices whose baseline was sent
        self._overtook = float("-inf")
        self._moved: set[int] = set()  # moved matrices whose values are not sent yet

    # -- the matrices ------------------------------------------------------------------------------

    def show(self, shown: Shown) -> None:
        """Send the values of a new structure. Call `refresh` afterwards."""
        self.shown = shown
        self._read = None  # this reader belongs to the previous structure
        self._orbit = None
        self._begin()

    def begin(self) -> None:
        """Prepare to send everything to a browser that has just connected."""
        self.in_flight, self._reported, self.painted = 0, None, -1
        if self._orbit is not None:
            self._orbit.sent.clear()
        self._begin()

    def _begin(self) -> None:
        self._forget_sent()
        self._moved.clear()  # the manifest contains the moved parts
        self._compared.clear()
        self._whole = True

    def move(self, index: int) -> None:
        """Send the values of a matrix that now shows another part, even if it is off screen."""
        self._sent.pop(index, None)
        self._compared.discard(index)
        if self._orbit is not None:
            self._orbit.sent.discard(index)
        self._moved.add(index)

    def see(self, version: int, indices: Iterable[int]) -> None:
        """Set which matrices of a structure are on or near the screen."""
        if self.shown is not None and version == self.shown.version:
            self.shown.see(indices)
            self.flush()

    def visible_paths(self) -> list[str]:
        """Return the paths of matrices on or near the screen, pinned, selected or just moved."""
        shown = self.shown
        return [] if shown is None else [shown.paths[k] for k in self._wanted(shown)]

    # -- their values ------------------------------------------------------------------------------

    def refresh(
        self,
        read: Read,
        version: int = 0,
        is_unchanged: Callable[[str], bool] = lambda _path: False,
    ) -> None:
        """Send the changed matrices to the browser.

        Args:
            read: ``read(path)`` returns a 2-D array, its flags and any gradients, or None.
            version: the version of these values; if it is new, a frame is sent even if no number
                changed.
            is_unchanged: whether ``read(path)`` is known to return the same as before this call, so
                that the path is not read again.
        """
        self._read = read
        self._version = version
        self._stale = True
        self._whole |= self._orbit is None and not self.waits()
        paths = () if self.shown is None else self.shown.paths
        self._unread |= {index for index in self._sent if not is_unchanged(paths[index])}
        self.flush()

    def reach(self, version: int) -> None:
        """Set the version of the shown values, without changing any value."""
        self._version = version
        self.flush()

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
        """Animate cell (i, j) through ``values``, and all matrices that depend on the cell.

        ``values`` are equally spaced in phase over half a sine period, from lowest to highest.
        ``read_frames(path)`` returns an array (len(values), rows, columns), or None if the cell
        does not affect the matrix; ``read_gradients(path)`` does the same for gradients, if shown.
        """
        self._forget_orbit()
        numbers = [float(v) for v in values]
        self._orbit = _Orbit(path, i, j, numbers, float(period), read_frames, read_gradients, set())
        self.flush()

    def stop(self) -> None:
        """End the oscillation. Call `refresh` afterwards to send the original values."""
        if self._orbit is not None:
            self._forget_orbit()
            self._component.post({"type": "orbit_end"})

    @property
    def playing(self) -> bool:
        return self._orbit is not None

    def compare(self, read: Read | None) -> None:
        """Compare with the values of ``read(path)`` from now on; None ends the comparison."""
        self._baseline = read
        self._compared.clear()
        if read is None:
            self._component.post({"type": "baseline", "bytes": None})
        elif self._component.connected and self.shown is not None:
            self._send_baseline(self.shown, self.shown.small_enough(self._wanted(self.shown)))

    def rehearse(self) -> None:
        """Read everything for a first frame without sending it, to raise errors early."""
        if self.shown is None:
            return
        for index in self.shown.small_enough(self._wanted(self.shown)):
            for read in (self._read, self._baseline):
                if read is not None:
                    read(self.shown.paths[index])

    def packed_before_step(self, read: Read) -> bytes | None:
        """Return the packed values before the last step; the browser computes the changes."""
        shown = self.shown
        if shown is None:
            return None
        indices = shown.small_enough(self._wanted(shown))
        entries = [
            entry
            for index in indices
            if (entry := self._entry(read, shown, index, only_values=True))
        ]
        return wire.pack(wire.FRAME, shown.version, 0, entries, 0)

    # -- the frame in flight -----------------------------------------------------------------------

    def land(self, seq: int | None) -> bool:
        """Record that a frame was painted; return whether it was the frame in flight."""
        if seq != self.in_flight:
            return False
        self.in_flight = 0
        self.painted = -1 if self._reported is None else self._reported
        return True

    def rest(self) -> None:
        """Send matrices off screen with the next frame, because the browser is idle."""
        self._whole |= self._stale and self._orbit is None
        self._stale = False

    def waits(self) -> bool:
        """Return whether matrices off screen are deferred."""
        return self._is_held() or self.sends_only_visible()

    def overtake(self) -> None:
        """Send the latest state without waiting for the previous frame's acknowledgment.

        For a program that changes the page while it blocks this thread: acknowledgments are handled
        only after it ends. Limited to a few frames a second, so that none queue.
        """
        now = self._clock()
        if self.in_flight and now - self._overtook >= OVERTAKE_SECONDS:
            self._overtook = now
            self.in_flight = 0
            self.flush()

    def flush(self) -> None:
        """Send the latest state, once all views have processed the current change."""
        self._component.at_end(self._send_latest)

    def _send_latest(self) -> None:
        """Send the latest state, unless a frame is in flight."""
        if (
            self.in_flight
            or not self._component.connected
            or self.shown is None
            or self._read is None
        ):
            return
        self._send_orbit(self.shown)
        self._send_frame(self.shown)

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
        self._component.post(
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
        """Send the baseline of these matrices, except those already sent."""
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
            self._component.post({"type": "baseline", "bytes": packed})

    def _send_frame(self, shown: Shown) -> None:
        wanted = self._wanted(shown)
        self._send_baseline(shown, shown.small_enough(wanted) if self._whole else wanted)
        entries = self._changed_entries(shown)
        is_behind = self._reported != self._version
        may_read = self._stale and self._orbit is None and not self.sends_only_visible()
        if not entries and not is_behind and may_read:
            # Nothing on screen has changed, so no acknowledgment will follow: read all others now.
            self._whole = True
            entries = self._changed_entries(shown)
        stale = sorted(self._unread)
        if entries or is_behind:
            packed = self._packed(shown, wire.FRAME, entries)
            self._component.post({"type": "frame", "bytes": packed, "stale": stale})
        elif len(stale) < len(self._named_stale):
            self._component.post({"type": "stale", "stale": stale})
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
        """Return a matrix in the form to send; None if ``read`` returns None or fails.

        Repeated failures are reported once. With ``only_values``, flags and gradients are left out.
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

    def _packed(self, shown: Shown, kind: int, entries: list[wire.PackedMatrix]) -> bytes:
        self._seq += 1
        self.in_flight = self._seq
        self._reported = self._version
        self._moved -= {entry.matrix for entry in entries}
        return wire.pack(kind, shown.version, self._seq, entries, self._version)

    def _wanted(self, shown: Shown) -> list[int]:
        return shown.wanted(self._selected(), self._moved)

    def _forget_sent(self) -> None:
        self._sent.clear()
        self._unread.clear()
        self._named_stale = []

    def _forget_orbit(self) -> None:
        """Discard the orbit; send the matrices that it animated again."""
        if self._orbit is not None:
            for index in self._orbit.sent:
                self._sent.pop(index, None)
            self._orbit = None
