"""One opened page: its components by number, and the messages to and from the browser."""

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from ...components.component import Placed
from ...plain_data import MAX_ITEMS, MAX_TEXT
from ..runtime.limits import MESSAGE_BYTES
from ..security.refusals import tell
from . import browser_message, wire
from .carried import Carried, Described, carried
from .chart_document import ChartDocument
from .inbox import Inbox
from .port_session import Do, PortSession
from .status import NoModel, PageStatus

_LOG = logging.getLogger(__name__)

Post = Callable[[str, list[bytes]], object]
CHARTS = "charts"
HOLD_SECONDS = 1.0  # the longest wait for a browser to paint a frame before the next is sent


class PortPage:
    """A page behind a port; it shares no data with other pages.

    Python sends one text with bytes (see ``wire``) per turn, a list of

        ["place", 0, {region: [component, ...]}]  the layout, once; see ``Carried.described``
        ["set", number, {property: value}]        changed properties
        ["layout", number, {name: value}]         changed layout parameters
        ["message", number, message]              a message of a component
        ["charts", patch, [[id, bytes], ...]]     a patch of the Bokeh document, as text
        ["limits", 0, {letters, items, bytes}]    the largest message accepted, once
        ["model", 0, {name}]                      the model shown from now on
        ["answers", 0, {done: [[n, sentence], ...], version, kept}]   completed messages, with
                                                  the reasons of refusals; the page's versions

    The browser sends ``["set", number, {property: value}, stamp]``, ``["message", number, message,
    stamp]`` and ``["compare", 0, {posts, version}, stamp]``; see `browser_message` for the stamp.
    Each of the user's actions is applied once, in order, and answered after all its results were
    sent. While the browser has a frame of numbers to paint, nothing is sent; see `_flush`.
    """

    def __init__(
        self,
        post: Post,
        session: Callable[[Do], PortSession] = PortSession,
        most_bytes: int = MESSAGE_BYTES,
    ) -> None:
        """Create an empty page.

        ``post`` sends a text and bytes to the browser, in order. ``session`` creates the page's
        session from a function that runs a change. The browser's messages have at most
        ``most_bytes``.
        """
        self._post = post
        self._most_bytes = most_bytes
        self._carried: dict[int, Carried] = {}
        self._numbers: dict[int, int] = {}  # of components on the page, by id()
        self._last_number = 0
        self._unposted: set[int] = set()  # numbers whose descriptions have not been sent
        self._turns = 0  # nesting depth of open turns
        self._pending: list[list[Any]] = []
        self._later: list[Callable[[], None]] = []
        self._ends: list[Callable[[], None]] = []
        self._sets: Counter[int] = Counter()
        self._charts = ChartDocument(self._chart_changed)
        self._is_open = True
        self._posts = 0
        self._frame, self._framed = 0, 0.0  # the last posted frame, and its time
        self._model = ""  # as last sent to the browser
        self._inbox = Inbox(self._carried.get, self)
        self.session = session(self.do)  # the argument for ``create_page``

    def place(
        self, regions: Mapping[str, Sequence[Placed]], status: PageStatus | None = None
    ) -> None:
        """Send the page's components, by region, and from now on all their changes."""
        self._inbox.status = status or NoModel()
        with self.turn():
            limits = {"letters": MAX_TEXT, "items": MAX_ITEMS, "bytes": self._most_bytes}
            self.note("limits", 0, limits)
            self.note("place", 0, {name: [*map(self.described, x)] for name, x in regions.items()})

    def number_of(self, placed: Placed) -> int:
        """Return the number of a component; raises KeyError if it is not on the page."""
        return self._numbers[id(placed)]

    def receive(self, text: str, buffers: Sequence[bytes] = ()) -> None:
        """Handle a message of the browser; errors in it are logged and do not end the page."""
        if not self._is_open:
            return
        with self.turn(), _logged("A message from the page was left alone"):
            self._inbox.take(browser_message.read(text, buffers))

    def missed(self, held: Mapping[str, Any]) -> bool:
        """Return whether the browser lacks something that was sent; if so, send all again.

        ``held`` has the number of ``posts`` that the browser received, and the ``version`` it
        shows.
        """
        self._frame = 0  # do not delay the answer
        is_under_way = held.get("posts") != self._posts
        if is_under_way or held.get("version") == self._inbox.status.version:
            return False
        for thing in list(self._carried.values()):
            thing.renew()
        return True

    def do(self, function: Callable[[], None]) -> None:
        """Run a change that no event causes: immediately, or after the current turn."""
        if self._turns:
            self._later.append(function)
        elif self._is_open:
            with self.turn(), _logged("A change of the page failed"):
                function()

    def close(self) -> None:
        """End the page, which has no viewers left."""
        self._is_open = False
        for thing in list(self._carried.values()):
            self.drop(thing.placed)
        with _logged("A page did not end as it should"):
            self.session.close()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Collect changes and send them at the end; a nested turn sends with the outer turn."""
        self._turns += 1
        try:
            yield
        finally:
            if self._turns == 1:
                self._flush()
            self._turns -= 1
        while self._later and not self._turns:
            self.do(self._later.pop(0))

    def _flush(self) -> None:
        """Post all changes as one message, unless the browser has yet to paint a frame.

        In that case the changes are posted together with the next frame's numbers, so that the
        browser never shows only part of a change. After ``HOLD_SECONDS`` both are sent even if the
        browser has not acknowledged the previous frame.
        """
        self._end_turn()
        status, now = self._inbox.status, time.monotonic()
        if status.awaited_frame and status.awaited_frame == self._frame:
            if now - self._framed < HOLD_SECONDS:
                return
            status.overtake()
            self._end_turn()
        self._frame, self._framed = status.awaited_frame, now
        pending, self._pending = self._pending, []
        entries = [
            [CHARTS, *self._charts.patch(entry[1])] if entry[0] == CHARTS else entry
            for entry in pending
        ]
        if status.model != self._model:
            self._model = status.model
            entries.append(["model", 0, {"name": self._model}])
        if answers := self._inbox.answers():
            held = {"version": status.version, "kept": status.kept_version}
            entries.append(["answers", 0, {"done": answers, **held}])
        if entries and self._is_open:
            self._posts += 1
            self._unposted.clear()
            self._post(*wire.write(entries))

    def _end_turn(self) -> None:
        while self._ends:
            with _logged("A part of a change failed"):
                self._ends.pop(0)()

    # -- for components ----------------------------------------------------------------------------

    def note(self, kind: str, number: int, content: Mapping[str, Any]) -> None:
        """Queue a message for the browser until the turn ends; send it now outside a turn."""
        with self.turn():
            last = self._pending[-1] if self._pending else None
            if last and kind in ("set", "layout") and last[:2] == [kind, number]:
                last[2] = {**last[2], **content}
            else:
                self._pending.append([kind, number, content])
                self._sets[number] += kind == "set"

    def at_end(self, function: Callable[[], None]) -> None:
        """Call a function once, before the changes of this turn are sent."""
        with self.turn():
            if function not in self._ends:
                self._ends.append(function)

    def sets(self, number: int) -> int:
        """Return the number of property updates queued for a component so far."""
        return self._sets[number]

    def described(self, placed: Placed) -> Described:
        """Return the description of a component; only its number if the browser has it."""
        if id(placed) not in self._numbers:
            self._last_number += 1
            thing = carried(placed, self._last_number, self)
            self._carried[thing.number], self._numbers[id(placed)] = thing, thing.number
            self._unposted.add(thing.number)
        number = self._numbers[id(placed)]
        # Until the description is sent, each update includes it, and may replace an earlier update.
        return self._carried[number].described() if number in self._unposted else {"number": number}

    def drop(self, placed: Placed) -> None:
        """Remove a component from the page."""
        if id(placed) in self._numbers:
            self._carried.pop(self._numbers.pop(id(placed))).leave()

    def draw(self, figure: Any, instead: Any = None) -> str | None:
        """Replace one Bokeh figure by another and return the new figure's id."""
        return self._charts.replace(instead, figure)

    def _chart_changed(self, event: Any) -> None:
        with self.turn():
            if not self._pending or self._pending[-1][0] != CHARTS:
                self._pending.append([CHARTS, []])
            self._pending[-1][1].append(event)


@contextmanager
def _logged(what: str) -> Iterator[None]:
    """Log any exception instead of letting it end the page."""
    try:
        yield
    except wire.WireError as error:
        tell(str(error))
    except Exception:
        _LOG.exception(what)
