"""A page that a program made. Browsers that show it come and go; it is one and the same page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from ..components.board.board import BoardComponent
from ..components.carriers.port import PortPage
from ..lessons.catalog import catalog
from ..page import create_page
from ..runtime.program_session import ProgramSession
from ..scenario.lock import ALL, SETTINGS
from ..scenario.scenario import Scenario
from ..session.address import LESSON, MATRIX, PARTS, PageAddress
from ..session.page_location import VIEWS
from ..stages import alone
from .picture import picture

Post = Callable[[str, list[bytes]], object]


class ProgramPage:
    """The page, and the browser that shows it now, at the other end of a port.

    Attributes:
        session: through whose lock all changes go.
        state: what is chosen.
        title: what the model is called.
        query: what an address would say of how it looks.
    """

    def __init__(self, scenario: Scenario, address: PageAddress) -> None:
        """A page that nobody shows yet.

        Raises:
            ValueError: there is no such matrix; one sentence.
        """
        self.session = ProgramSession()
        page = create_page(self.session, address, scenario)
        boards = [each for each in page.regions["main"] if isinstance(each, BoardComponent)]
        (self._board,) = boards
        self.state, self._regions, self._status = page.state, page.regions, page.status
        self._path = address.only.removeprefix(MATRIX)
        if address.only:
            alone.manifest(scenario, self.state.trace, 0, address.only)  # raises if there is none
        # Opened once: a browser that comes later finds the page as it was left.
        # The lesson of a locked page stays what may be changed there.
        kept = address._replace(view="", only="")
        self.state.address = kept if kept.lock else kept._replace(lesson="", step=0)
        self.title = scenario.weights.name if scenario.weights else scenario.model
        self.query = "" if address.parts is None else f"embed&show={','.join(address.parts)}"
        self._port: PortPage | None = None
        self._left: Callable[[], object] = _nothing

    def open(self, post: Post, left: Callable[[], object]) -> PortPage:
        """Be shown by a browser that has just come; one that showed the page before does no more.

        Args:
            post: sends a text and bytes to it.
            left: called when another one shows the page.
        """
        with self.session.changing():
            before = self._left
            self.leave()
            before()
            port, self._left = PortPage(post), left
            self._port = port
            self.session.port_turn, self.session.port_do = port.turn, port.do
            port.place(self._regions, self._status)
        return port

    def receive(self, port: PortPage, text: str, buffers: Sequence[bytes] = ()) -> None:
        """Take what a browser says, if it is the one that shows the page."""
        with self.session.changing():
            if port is self._port:
                port.receive(text, buffers)

    def leave(self, port: PortPage | None = None) -> None:
        """Be shown by nobody; by the browser at this port no more, if one is given."""
        with self.session.changing():
            if self._port is not None and port in (None, self._port):
                leaving, self._port = self._port, None
                self._left = _nothing
                self.session.port_turn = self.session.port_do = None
                leaving.close()

    @contextmanager
    def changed_by_program(self) -> Iterator[None]:
        """What is done in here is seen while the program goes on."""
        with self.session.changing():
            yield
        with self.session.changing():  # what was due when that had reached the browser is done, too
            self._board.overtake()

    @property
    def is_shown(self) -> bool:
        """Whether the browser that shows the page has painted all of it, if any shows it."""
        with self.session.changing():
            return self._port is None or self._board.painted() >= self.state.version

    def picture(self, name: str) -> str:
        """How it is now, as SVG of this name, for where nothing runs."""
        with self.session.changing():
            return picture(self.state.scenario, self.state.trace, self._path, name)

    def close(self) -> None:
        """Nobody comes back to the page."""
        self.leave()
        self.session.close()

    def can_be_set(self, path: str) -> bool:
        """Whether a matrix has numbers that can be set."""
        scenario: Scenario = self.state.scenario
        return scenario.can_be_set(path)


def address_of(view: str, parts: Sequence[str] | None, lock: str, step: int = 1) -> PageAddress:
    """What a program asks for, as an address has it.

    Args:
        view: one of the page's, the path of a matrix, which then stands alone, or ``lesson:NAME``.
        parts: what stands beside the view; None: all of the page, or what goes with one matrix.
        lock: what nobody may change.
        step: of a lesson, from 1 on.

    Raises:
        ValueError: there is no such view, lesson, step, part or lock; one sentence.
    """
    for part in parts or ():
        if part not in PARTS:
            raise ValueError(
                f"There is no part {part!r:.40} to show; there are {', '.join(PARTS)}."
            )
    if lock not in ("", SETTINGS, ALL):
        raise ValueError(f"What can be locked is {SETTINGS} or {ALL}, not {lock!r:.40}.")
    kept = None if parts is None else tuple(part for part in PARTS if part in parts)
    if view in VIEWS:
        return PageAddress(view, parts=kept, lock=lock)
    if view.startswith(LESSON):
        name = view.removeprefix(LESSON)
        _look_for_step(name, step)
        return PageAddress(parts=kept, lock=lock, lesson=name, step=step - 1)
    path = view.removeprefix(MATRIX)
    if "." not in path:
        views = ", ".join(VIEWS)
        raise ValueError(
            f"There is no view {view!r:.60}; there are {views}, paths of matrices, and lessons "
            f"as {LESSON}{next(iter(catalog().lessons), 'NAME')}."
        )
    return PageAddress("stages", MATRIX + path, BESIDE_MATRIX if kept is None else kept, lock)


def _look_for_step(name: str, step: int) -> None:
    """See that there is this step of this lesson.

    Raises:
        ValueError: there is not; one sentence.
    """
    lessons = catalog().lessons
    if name not in lessons:
        known = ", ".join(lessons)
        raise ValueError(f"There is no lesson {name!r:.60}; there are {known}.")
    count = len(lessons[name].steps)
    if isinstance(step, bool) or not isinstance(step, int) or not 1 <= step <= count:
        raise ValueError(f"The lesson {name} has steps 1 to {count}, and none {step!r:.40}.")


# What goes with one matrix where nothing is said.
BESIDE_MATRIX = ("tokens", "answer", "inspector")


def _nothing() -> None:
    """Nobody is there to hear of it."""
