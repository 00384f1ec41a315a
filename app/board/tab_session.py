"""The session in the browser's tab: opened at the start, stored for a reload, shared by a link."""

from collections.abc import Callable
from typing import Any

from ..session import link as permalink
from ..session.offer import AFRESH, Offer
from ..session.opening import SessionOpener
from ..session.opening_location import opening_location
from ..session.restore import Found, in_part, restore
from ..session.saved_history import HistoryWriter, read_history
from ..session.session_json import json_text
from ..session.state import AppState
from ..session.tab_parts import joined, parted
from ..transport.runtime.page_session import PageSession
from .board import Board
from .messages import AskLinkMessage, ReadyMessage, UnkeptMessage, as_text

RESTORED = "Your earlier work in this tab is restored."
UNSENT = "Your last change was lost when the page closed. Please do it again."
UNKEPT = (
    "This browser has no room left to store this tab: a reload would lose what you do from now "
    "on. Share gives you a link to it."
)
KEEP_SECONDS = 1.0  # least time between two saves during training; longer for a large session
KEPT_A_SECOND = 200_000  # characters of a session for which a second suffices


class TabSession:
    """Opens the session that a browser sends, and sends the current session for storage."""

    def __init__(
        self, state: AppState, board: Board, page: PageSession, problem: Callable[[], str]
    ) -> None:
        """``problem`` returns a sentence if the model lacks the stage or matrix of the address."""
        self.is_begun = False  # whether a browser has connected
        self._state = state
        self._board = board
        self._problem = problem
        self._opener = SessionOpener(state, page)
        self._found: Found | None = None  # the browser's session, until it is opened
        self._history = HistoryWriter()
        self._kept = 0.0
        self._kept_size = 0
        self._file: dict[str, Any] | None = None  # the file of the session's model
        self._file_sent: dict[str, Any] | None = None
        # Set it before the browser connects, so that the first words have their marks.
        state.location = opening_location(state)
        board.handle(ReadyMessage, self.on_ready)
        board.handle(AskLinkMessage, self.on_ask_link)
        board.handle(UnkeptMessage, self.on_unkept)

    def prepare(self, message: ReadyMessage, go_on: Callable[[], None]) -> None:
        """Read the session that the browser sent, in a thread if large, then call ``go_on``."""

        def opens(found: Found) -> None:
            self._found = found
            go_on()

        self._opener.cancel()
        try:
            link, saved = message.get("link"), as_text(message.get("saved"))
            if saved is not None:
                saved = joined(saved, as_text(message.get("file")))
            written = saved if link is None else permalink.unpacked(link)
        except ValueError as error:
            opens(error)  # `on_ready` reports the error
            return
        if written is None:
            go_on()
        else:
            self._opener.open(written, opens)

    def on_ready(self, message: ReadyMessage) -> None:
        """Open the link, or the session that this tab stored before a reload, if any.

        Then go to the place that the address names, unless a reloaded tab stored another place.
        """
        link, again = message.get("link"), message.get("again", False)
        self.is_begun, self._file_sent = True, None
        what = "This link" if link is not None else "What this tab had kept"
        before, said = (self._state.scenario, self._state.baseline), ""
        found, self._found = self._found, None
        try:
            if found is not None:
                said = in_part(what, restore(self._state, found, self._board.frames.rehearse))
                if link is not None:
                    self._state.shared = self._state.scenario
                else:
                    self._take_steps(as_text(message.get("steps")))
            is_kept = found is not None and link is None and again
            self._open_place(is_kept)
            said = " ".join(filter(None, (said, *self._state.address.problems, self._problem())))
        except ValueError as error:
            said = f"{what} could not be opened. {error}"
        finally:
            self.keep()  # replaces a stored session that could not be opened completely
        is_restored = link is None and before != (self._state.scenario, self._state.baseline)
        if is_restored:
            said = " ".join(filter(None, (said or RESTORED, self._training())))
        if message.get("unsent", False):
            said = f"{said} {UNSENT}".strip()
        if is_restored:
            self._state.offer = Offer(said, AFRESH)
        elif said:
            self._state.notice = said

    def _open_place(self, is_kept: bool) -> None:
        """Go to the place that the address names, unless a reloaded tab stored another place."""
        state = self._state
        if not is_kept:
            state.location = state.address.location(state.location)
            state.lesson = state.address.lesson_progress(state.lesson)
        if state.address.parts is None and state.location.only:
            state.go("only", "")  # a standalone page shows all stages

    def _take_steps(self, written: str | None) -> None:
        """Restore the undo steps that the tab stored, if any."""
        try:
            self._state.history = read_history(written or "")
        except ValueError:
            self._state.history.is_cut = True
        self._state.steps += 1

    def _training(self) -> str:
        """Return a sentence on the step of an unfinished training run; empty if there is none."""
        scenario, moments = self._state.scenario, self._state.moments
        is_over = scenario.steps_taken >= scenario.recipe.steps
        if is_over or moments is None or not moments.are_of(scenario):
            return ""
        return f"Its training is at step {scenario.steps_taken:,}: press Continue to go on."

    def on_ask_link(self, _: AskLinkMessage) -> None:
        """Send the link of the current session."""
        self._board.send_link(permalink.shared_link(self._state.snapshots.take())[0])

    def on_unkept(self, _: UnkeptMessage) -> None:
        """Notify the user that the tab could not store the session."""
        self._state.notice = UNKEPT

    def keep(self) -> None:
        """Let the browser store the session, for a reload.

        The session is serialized only when it is sent, not at every move of a slider. During
        training it is sent at intervals.
        """
        now = self._state.clock()
        pause = KEEP_SECONDS * max(1.0, self._kept_size / KEPT_A_SECOND)
        if not self._state.learning or now - self._kept >= pause:
            self._kept = now
            self._board.session(
                self._session,
                self._steps,
                lambda: self._state.kept_version,
                self._changed_file,
            )

    def _steps(self) -> str:
        state = self._state
        now, _ = state.filmed or (state.experiment.start, None)
        return self._history.text(state.history, now)

    def _session(self) -> str:
        text, self._file = parted(self._state.snapshots.take())
        self._kept_size = len(text)
        return text

    def _changed_file(self) -> str | None:
        """Return the session's model file as JSON; empty without a file; None if already sent."""
        file, self._file_sent, sent = self._file, self._file, self._file_sent
        if file is None:
            return ""
        return None if file is sent else json_text(file)
