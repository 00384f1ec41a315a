"""One opened page: its components by number, what they tell it, and what it says to them."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from ....plain_data import MAX_ITEMS, MAX_TEXT
from ....runtime.limits import MESSAGE_BYTES
from ....security.refusals import tell
from ...component import Placed
from . import said, wire
from .carried import Carried, Described, carried
from .chart_document import ChartDocument
from .inbox import Inbox
from .port_session import Do, PortSession
from .status import NoModel, PageStatus

_LOG = logging.getLogger(__name__)

Post = Callable[[str, list[bytes]], object]
CHARTS = "charts"


class PortPage:
    """A page behind a port; nothing of it is shared with another one.

    To the page go texts with bytes beside them (``wire``), one for each turn: a list of

        ["place", 0, {region: [thing, ...]}]      what stands where, once; see ``Carried.described``
        ["set", number, {property: value}]        what is new
        ["layout", number, {name: value}]         where and whether it stands
        ["message", number, message]              what a component says
        ["charts", patch, [[id, bytes], ...]]     a patch of Bokeh's document, as text
        ["limits", 0, {letters, items, bytes}]    the largest that a message may be, once
        ["model", 0, {name}]                      which model is shown from now on
        ["answers", 0, {done: [[n, sentence], ...], version, kept}]   what was done, or why it was
                                                  not, and what the page holds then

    and from it come ``["set", number, {property: value}, stamp]``, ``["message", number, message,
    stamp]`` and ``["compare", 0, {posts, version}, stamp]``; what the stamp says is in `said`.

    What a person does is carried out in the order in which it was done, each once, and is answered
    when all that comes of it was said.

    Attributes:
        session: what ``create_page`` takes.
    """

    def __init__(
        self,
        post: Post,
        session: Callable[[Do], PortSession] = PortSession,
        most_bytes: int = MESSAGE_BYTES,
    ) -> None:
        """A page that nothing stands on yet.

        Args:
            post: sends a text and bytes to the page; they arrive in their order.
            session: makes its session, given what changes the page from outside an event.
            most_bytes: of one message out of the browser.
        """
        self._post = post
        self._most_bytes = most_bytes
        self._carried: dict[int, Carried] = {}
        self._numbers: dict[int, int] = {}  # of what stands on the page, by its id
        self._last_number = 0
        self._turns = 0  # that are open, one in the other
        self._pending: list[list[Any]] = []
        self._later: list[Callable[[], None]] = []
        self._sets: Counter[int] = Counter()
        self._charts = ChartDocument(self._chart_changed)
        self._is_open = True
        self._posts = 0
        self._model = ""  # as the browser was told
        self._inbox = Inbox(self._carried.get, self)
        self.session = session(self.do)

    def place(
        self, regions: Mapping[str, Sequence[Placed]], status: PageStatus | None = None
    ) -> None:
        """Say what the page shows, and from now on what changes.

        Args:
            regions: what stands on the page.
            status: what is to be known of the page as a whole.
        """
        self._inbox.status = status or NoModel()
        with self.turn():
            limits = {"letters": MAX_TEXT, "items": MAX_ITEMS, "bytes": self._most_bytes}
            self.note("limits", 0, limits)
            self.note("place", 0, {name: [*map(self.described, x)] for name, x in regions.items()})

    def number_of(self, placed: Placed) -> int:
        """The number of what stands on the page; KeyError for what does not."""
        return self._numbers[id(placed)]

    def receive(self, text: str, buffers: Sequence[bytes] = ()) -> None:
        """Take what the page says. What is wrong with it is logged, and the page goes on."""
        if not self._is_open:
            return
        with self.turn(), _logged("A message from the page was left alone"):
            self._inbox.take(said.read(text, buffers))

    def missed(self, held: Mapping[str, Any]) -> bool:
        """Whether the page lacks something that it was told; it is told all of it again then.

        Args:
            held: the number of ``posts`` that it has taken, and the ``version`` that it shows.
        """
        is_under_way = held.get("posts") != self._posts
        if is_under_way or held.get("version") == self._inbox.status.version:
            return False
        for thing in list(self._carried.values()):
            thing.renew()
        return True

    def do(self, function: Callable[[], None]) -> None:
        """Change the page from outside an event: at once, or after the event that is handled."""
        if self._turns:
            self._later.append(function)
        elif self._is_open:
            with self.turn(), _logged("A change of the page failed"):
                function()

    def close(self) -> None:
        """Nobody sees it any more."""
        self._is_open = False
        for thing in list(self._carried.values()):
            self.drop(thing.placed)
        with _logged("A page did not end as it should"):
            self.session.close()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Hold what changes in here, and post it in its order; within another turn, with that."""
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
        pending, self._pending = self._pending, []
        entries = [
            [CHARTS, *self._charts.patch(entry[1])] if entry[0] == CHARTS else entry
            for entry in pending
        ]
        status = self._inbox.status
        if status.model != self._model:
            self._model = status.model
            entries.append(["model", 0, {"name": self._model}])
        if answers := self._inbox.answers():
            held = {"version": status.version, "kept": status.kept_version}
            entries.append(["answers", 0, {"done": answers, **held}])
        if entries and self._is_open:
            self._posts += 1
            self._post(*wire.write(entries))

    # -- for what stands on it --------------------------------------------------------------------

    def note(self, kind: str, number: int, content: Mapping[str, Any]) -> None:
        """Something to be said to the browser when the turn ends; at once where there is none."""
        with self.turn():
            last = self._pending[-1] if self._pending else None
            if last and kind in ("set", "layout") and last[:2] == [kind, number]:
                last[2] = {**last[2], **content}
            else:
                self._pending.append([kind, number, content])
                self._sets[number] += kind == "set"

    def sets(self, number: int) -> int:
        """How many sets of a thing's properties were noted so far."""
        return self._sets[number]

    def described(self, placed: Placed) -> Described:
        """What the browser is told to show a thing; its number alone, if it shows it already."""
        if id(placed) in self._numbers:
            return {"number": self._numbers[id(placed)]}
        self._last_number += 1
        thing = carried(placed, self._last_number, self)
        self._carried[thing.number], self._numbers[id(placed)] = thing, thing.number
        return thing.described()

    def drop(self, placed: Placed) -> None:
        """A thing stands on the page no more."""
        if id(placed) in self._numbers:
            self._carried.pop(self._numbers.pop(id(placed))).leave()

    def draw(self, figure: Any, instead: Any = None) -> str | None:
        """Put a figure of Bokeh's in another's place, and give its id."""
        return self._charts.replace(instead, figure)

    def _chart_changed(self, event: Any) -> None:
        with self.turn():
            if not self._pending or self._pending[-1][0] != CHARTS:
                self._pending.append([CHARTS, []])
            self._pending[-1][1].append(event)


@contextmanager
def _logged(what: str) -> Iterator[None]:
    """Let nothing that goes wrong end the page."""
    try:
        yield
    except wire.WireError as error:
        tell(str(error))
    except Exception:
        _LOG.exception(what)
