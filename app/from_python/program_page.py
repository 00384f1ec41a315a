"""A page that a Python program creates; one browser at a time is connected to it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any

from transformer_math.arguments import checked, wrong_argument
from transformer_math.checks import described

from ..board.stages import alone
from ..lessons.catalog import catalog
from ..model.inference.forward_pass import ForwardPassRunner
from ..model.scenario.lock import ALL, SETTINGS
from ..model.scenario.scenario import Scenario
from ..session import open_lesson
from ..session.address import DARE, FILM, LESSON, PARTS, PageAddress, view_and_part
from ..session.lesson_progress import DARE_STEP
from ..shell import create_page
from ..transport.port import PortPage
from ..transport.runtime.concurrency import event_loop
from ..transport.runtime.program_session import ProgramSession
from ..view_model.page_location import MATRIX, VIEWS
from .naming import name_of
from .picture import picture

Post = Callable[[str, list[bytes]], object]


class ProgramPage:
    """A page, and the port of the browser that currently shows it."""

    def __init__(self, scenario: Scenario, address: PageAddress) -> None:
        """Create a page that no browser shows yet; ``ValueError`` if its matrix does not exist."""
        self.session = ProgramSession()  # its lock serializes all changes
        self.parts = address.parts
        # With all views, because a program may open any of them.
        page = create_page(self.session, address._replace(only=""), scenario)
        self.state, self._regions, self._status = page.state, page.regions, page.status
        self.results = page.results
        self._path = address.only.removeprefix(MATRIX) if address.only.startswith(MATRIX) else ""
        if address.only:
            self._look_for_part(address.only, scenario)
            self.state.location = address.location(self.state.location)
        # The view is only for the first browser; later ones continue with the page as it is.
        # On a locked page the lesson is kept, because it is all that the reader may change.
        kept = address._replace(view="", only="")
        self.state.address = kept if kept.lock else kept._replace(lesson="", step=0)
        # Determines the page's layout.
        self.query = "" if address.parts is None else f"embed&show={','.join(address.parts)}"
        self._port: PortPage | None = None
        self._left: Callable[[], object] = lambda: None

    def open(self, post: Post, left: Callable[[], object]) -> PortPage:
        """Connect a browser that has just opened the page; the previous one is disconnected.

        ``post`` sends text and binary data; ``left`` is called when another browser connects.
        """
        with self.session.changing():
            before = self._left
            self.leave()
            before()
            port, self._left = PortPage(post), left
            self._port = port
            self.session.port_turn, self.session.port_do = port.turn, port.do
            self.session.home = event_loop()
            port.place(self._regions, self._status)
        return port

    def receive(self, port: PortPage, text: str, buffers: Sequence[bytes] = ()) -> None:
        """Handle a message, if it comes from the connected browser."""
        with self.session.changing():
            if port is self._port:
                port.receive(text, buffers)

    def leave(self, port: PortPage | None = None) -> None:
        """Disconnect the browser; given a port, only if the browser is connected to this port."""
        with self.session.changing():
            if self._port is not None and port in (None, self._port):
                leaving, self._port = self._port, None
                self._left = lambda: None
                self.session.port_turn = self.session.port_do = self.session.home = None
                leaving.close()

    @contextmanager
    def changed_by_program(self) -> Iterator[None]:
        """Send changes made in this context to the browser while the program continues."""
        with self.session.changing():
            yield
        with self.session.changing():  # includes changes that waited for the browser
            self._status.overtake()

    @property
    def is_shown(self) -> bool:
        """Whether the connected browser, if any, has drawn the whole page."""
        with self.session.changing():
            return self._port is None or self._status.painted_version >= self.state.version

    def picture(self, name: str) -> str:
        """Return the current state as SVG with the given id, for documents without code."""
        with self.session.changing():
            return picture(self.state.scenario, self.state.trace, self._path, name)

    @property
    def title(self) -> str:
        """The model's name."""
        with self.session.changing():
            return name_of(self.state.scenario)

    def say(self, sentence: str) -> None:
        """Show a sentence over the page."""
        with self.session.changing():
            self.state.notice = sentence

    def withdraw(self, sentence: str) -> None:
        """Hide a sentence that no longer applies, if it is the last sentence shown."""
        with self.session.changing():
            if self.state.notice == sentence:
                self.state.notice = ""

    def close(self) -> None:
        """Close the page: no browser can connect again."""
        self.leave()
        self.session.close()

    def check_view(self, view: Any, scenario: Scenario) -> None:
        """Raise ``TypeError`` if a view is not a text, and ``ValueError`` if it does not exist."""
        address = address_of(view, self.parts, "")
        if address.only:
            self._look_for_part(address.only, scenario)

    def go(self, view: str) -> None:
        """Go to a view, stage, matrix, film, lesson or dare by its name.

        Close an open film or lesson first. Raise ``ValueError`` if the lock forbids the lesson.
        """
        state = self.state
        if state.lesson.name and view not in (f"{LESSON}{state.lesson.name}", self.lesson_view):
            open_lesson.leave(state)
        if view == FILM:
            state.film = True
        elif view.startswith((LESSON, DARE)):
            state.film = False  # undoes a scene's changes before the lesson begins
            name = view.removeprefix(LESSON).removeprefix(DARE)
            step = DARE_STEP if view.startswith(DARE) else 0
            state.lesson = state.lesson.went(name, step)
            if state.lesson.name != name:
                raise ValueError(state.refused)
        else:
            state.go("view", view)
            state.film = False

    @property
    def view(self) -> str:
        """The name of the current view, as in addresses."""
        return self.lesson_view or (FILM if self.state.film else self.state.location.called)

    @property
    def lesson_view(self) -> str:
        """The name of the open lesson or dare as a view; empty without an open lesson."""
        name, step = self.state.lesson.name, self.state.lesson.step
        lesson = catalog().lessons.get(name)
        is_dare = lesson is not None and step in (lesson.dare_step, DARE_STEP)
        return f"{DARE if is_dare else LESSON}{name}" if name else ""

    def _look_for_part(self, only: str, scenario: Scenario) -> None:
        """Raise ``ValueError`` with one sentence if the model lacks a stage or a matrix."""
        trace = self.state.trace
        if scenario != self.state.scenario:
            trace = ForwardPassRunner().trace(scenario)
        alone.manifest(scenario, trace, 0, only)


@checked()
def address_of(
    view: Any, parts: Sequence[str] | str | None, lock: str | bool, step: int = 1
) -> PageAddress:
    """Build a page address from the arguments of a program.

    Args:
        view: a view, a stage or a matrix to show alone, ``lesson:NAME`` or ``dare:NAME``.
        parts: the parts around the view, as a list or a text separated by commas; None for the
            whole page, or the default parts beside a single view.
        lock: what must not be changed; True means everything.
        step: the step of a lesson, counted from 1.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: the view, lesson, step, part or lock does not exist; the message is one
            sentence.
    """
    if isinstance(parts, str):
        parts = [part.strip() for part in parts.split(",") if part.strip()]
    for part in () if parts is None else parts:
        if part not in PARTS:
            raise ValueError(f"parts are some of {', '.join(PARTS)}, and not {described(part)}.")
    if isinstance(lock, bool):
        lock = ALL if lock else ""
    if lock not in ("", SETTINGS, ALL):
        raise ValueError(f"lock is {SETTINGS} or {ALL}, not {described(lock)}.")
    kept = None if parts is None else tuple(part for part in PARTS if part in parts)
    if not isinstance(view, str):
        raise wrong_argument("view", ("the name of a view", "a path"), view)
    if view.startswith((LESSON, DARE)):
        name, at = _lesson_and_step(view, step)
        return PageAddress(parts=kept, lock=lock, lesson=name, step=at)
    try:
        found, only = view_and_part(view)
    except ValueError:
        near = get_close_matches(view, VIEWS, 1)
        meant = f"; {near[0]} is meant" if near else ""
        raise ValueError(
            f"There is no view {view!r:.60}{meant}. There are {', '.join(VIEWS)}, paths of stages "
            f"and of matrices, and lessons as {LESSON}{next(iter(catalog().lessons), 'NAME')}."
        ) from None
    if only and kept is None:
        kept = BESIDE_PART
    return PageAddress(found, only, kept, lock, film=view == FILM)


def _lesson_and_step(view: str, step: int) -> tuple[str, int]:
    """Return a view's lesson or dare, and its step from 0; ``ValueError`` if it does not exist."""
    lessons = catalog().lessons
    name = view.removeprefix(DARE).removeprefix(LESSON)
    if view.startswith(DARE):
        dares = [each.name for each in lessons.values() if each.dare_step is not None]
        if name not in dares:
            raise ValueError(
                f"There is no dare {name!r:.60} to view; there are {', '.join(dares)}."
            )
        return name, DARE_STEP
    if name not in lessons:
        known = ", ".join(lessons)
        raise ValueError(f"There is no lesson {name!r:.60} to view; there are {known}.")
    count = len(lessons[name].steps)
    if not 1 <= step <= count:
        raise ValueError(f"The lesson {name} has steps 1 to {count}, and no step {step}.")
    return name, step - 1


# The default parts around a single stage or matrix.
BESIDE_PART = ("tokens", "answer", "inspector")
