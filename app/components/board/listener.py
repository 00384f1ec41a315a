"""What a board reports to its owner."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Arrival(NamedTuple):
    """With what a browser comes.

    Attributes:
        link: the code of the link in its address.
        saved: what its tab kept.
        steps: those of undo, which it kept beside that.
        again: whether the page was reloaded, or come back to.
        unsent: whether something was asked for and not done yet when the page ended.
    """

    link: str | None = None
    saved: str | None = None
    steps: str | None = None
    again: bool = False
    unsent: bool = False


class BoardListener:
    """Hears what the user does on a board; by itself it does nothing with it."""

    def prepare(self, arrival: Arrival, go_on: Callable[[], None]) -> None:  # noqa: ARG002
        """Before it is heard that the browser is there: what takes long, and then ``go_on``."""
        go_on()

    def on_ready(self, arrival: Arrival) -> None:
        """The browser is there, perhaps with a link, or with what its tab kept."""

    def check(self, of: str, path: str | None, row: int | None, column: int | None) -> None:
        """A cell is named, as it was called in a structure that is perhaps shown no more.

        Raises:
            ValueError: another cell has this address now; one sentence.
        """

    def on_hover(self, path: str | None, i: int, j: int) -> None:
        """The pointer is on a cell, or on none."""

    def on_link(self) -> str | None:
        """The code of the link of all this; None where it would be too long."""
        return None

    def on_unkept(self) -> None:
        """The tab could not keep the session, as it did so far; said once."""

    def on_undo(self) -> None:
        """One step back."""

    def on_redo(self) -> None:
        """One step forward again."""

    def on_select(self, path: str | None, i: int, j: int) -> None:
        """A cell was clicked, or none."""

    def on_set(self, path: str, i: int, j: int, value: float, press: int) -> None:
        """A cell was slid or typed."""

    def on_restore(self, path: str, i: int, j: int, press: int) -> None:
        """A cell is to be as it was."""

    def on_silence(self, path: str, row: int | None, column: int | None, to: str | None) -> None:
        """A part is to be silenced to something, or with None released."""

    def on_oscillate(self, on: bool, amplitude: float | None, period: float | None) -> None:
        """The selected cell is to swing, or to stop."""

    def on_focus(self, scope: str, head: int) -> None:
        """Another attention is to be shown large."""

    def on_pair(self, scope: str, head: int, query: int, key: int) -> None:
        """Another pair is to be shown in detail."""

    def on_pull(self, scope: str, head: int, query: int, key: int, weight: float) -> None:
        """A link is pulled: its weight, a share, is to be another."""

    def on_window(self, path: str, row: int, column: int) -> None:
        """The window on a large matrix is to stand elsewhere."""

    def on_choose(self, name: str, number: int) -> None:
        """Another layer or head of a large model is to be drawn."""

    def on_place(self, name: str, raw: object) -> None:
        """The reader is elsewhere on the whole picture: ``raw`` is what the browser says of it."""

    def on_setting(self, name: str, value: object) -> None:
        """A setting that stands in a stage is to be another."""

    def on_goto(self, place: str) -> None:
        """A stage or a matrix that is not drawn now is to be gone to."""
