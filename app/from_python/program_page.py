"""A page created by a Python program; browsers connect to it one after another."""

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
from ..session.page_location import FORMER_VIEWS, VIEWS, view_name
from ..stages import alone
from .picture import picture

Post = Callable[[str, list[bytes]], object]


class ProgramPage:
    """A page, and the port of the browser that currently shows it.

    Attributes:
        session: the session whose lock serializes all changes.
        state: the choices on the page.
        title: the model's name.
        query: the query parameters that determine the page's layout.
    """

    def __init__(self, scenario: Scenario, address: PageAddress) -> None:
        """Create a page that no browser shows yet.

        Raises:
            ValueError: the matrix does not exist; the message is one sentence.
        """
        self.session = ProgramSession()
        page = create_page(self.session, address, scenario)
        boards = [each for each in page.regions["main"] if isinstance(each, BoardComponent)]
        (self._board,) = boards
        self.state, self._regions, self._status = page.state, page.regions, page.status
        self._path = address.only.removeprefix(MATRIX)
        if address.only:
            alone.manifest(scenario, self.state.trace, 0, address.only)  # raises if there is none
        # Only for the first browser: later ones continue with the page as it was left.
        # On a locked page the lesson remains the only thing that may be changed.
        kept = address._replace(view="", only="")
        self.state.address = kept if kept.lock else kept._replace(lesson="", step=0)
        self.title = scenario.weights.name if scenario.weights else scenario.model
        self.query = "" if address.parts is None else f"embed&show={','.join(address.parts)}"
        self._port: PortPage | None = None
        self._left: Callable[[], object] = _nothing

    def open(self, post: Post, left: Callable[[], object]) -> PortPage:
        """Connect a browser that has just opened the page; the previous one is disconnected.

        Args:
            post: sends text and binary data to the browser.
            left: called when another browser connects.
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
        """Handle a message, if it comes from the connected browser."""
        with self.session.changing():
            if port is self._port:
                port.receive(text, buffers)

    def leave(self, port: PortPage | None = None) -> None:
        """Disconnect the browser; if a port is given, only if it is the connected one."""
        with self.session.changing():
            if self._port is not None and port in (None, self._port):
                leaving, self._port = self._port, None
                self._left = _nothing
                self.session.port_turn = self.session.port_do = None
                leaving.close()

    @contextmanager
    def changed_by_program(self) -> Iterator[None]:
        """Send changes made in this context to the browser while the program continues."""
        with self.session.changing():
            yield
        with self.session.changing():  # includes what waited for the browser
            self._board.overtake()

    @property
    def is_shown(self) -> bool:
        """Whether the connected browser, if any, has drawn the whole page."""
        with self.session.changing():
            return self._port is None or self._board.painted() >= self.state.version

    def picture(self, name: str) -> str:
        """The current state as SVG with the given id, for where no code runs."""
        with self.session.changing():
            return picture(self.state.scenario, self.state.trace, self._path, name)

    def close(self) -> None:
        """Close the page: no browser can connect again."""
        self.leave()
        self.session.close()

    def can_be_set(self, path: str) -> bool:
        """Whether the numbers of a matrix can be set."""
        scenario: Scenario = self.state.scenario
        return scenario.can_be_set(path)


def address_of(
    view: str, parts: Sequence[str] | None, lock: str | bool, step: int = 1
) -> PageAddress:
    """Build a page address from the arguments of a program.

    Args:
        view: a view, the path of a matrix to show alone, or ``lesson:NAME``.
        parts: the parts around the view; None for the whole page, or the defaults for one matrix.
        lock: what may not be changed; True is everything, as the attribute without a value is.
        step: the step of a lesson, counted from 1.

    Raises:
        ValueError: the view, lesson, step, part or lock does not exist; the message is one
            sentence.
    """
    for part in parts or ():
        if part not in PARTS:
            raise ValueError(
                f"There is no part {part!r:.40} to show; there are {', '.join(PARTS)}."
            )
    if isinstance(lock, bool):
        lock = ALL if lock else ""
    if lock not in ("", SETTINGS, ALL):
        raise ValueError(f"What can be locked is {SETTINGS} or {ALL}, not {lock!r:.40}.")
    kept = None if parts is None else tuple(part for part in PARTS if part in parts)
    if view in VIEWS or view in FORMER_VIEWS:
        return PageAddress(view_name(view), parts=kept, lock=lock)
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
    return PageAddress("formulas", MATRIX + path, BESIDE_MATRIX if kept is None else kept, lock)


def _look_for_step(name: str, step: int) -> None:
    """Check that a lesson has a step.

    Raises:
        ValueError: the lesson or the step does not exist; the message is one sentence.
    """
    lessons = catalog().lessons
    if name not in lessons:
        known = ", ".join(lessons)
        raise ValueError(f"There is no lesson {name!r:.60}; there are {known}.")
    count = len(lessons[name].steps)
    if isinstance(step, bool) or not isinstance(step, int) or not 1 <= step <= count:
        raise ValueError(f"The lesson {name} has steps 1 to {count}, and none {step!r:.40}.")


# The default parts around a single matrix.
BESIDE_MATRIX = ("tokens", "answer", "inspector")


def _nothing() -> None:
    """Do nothing: the placeholder callback while no browser is connected."""
