"""Python's half of the frames that show one page, of which one is alive at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

Post = Callable[[str, list[bytes]], object]
Tell = Callable[[dict[str, str], list[bytes]], object]


class Framed(Protocol):
    """What a frame shows."""

    def open(self, post: Post, left: Callable[[], object]) -> Any:
        """Be shown by a page that has just come; gives the port to it.

        Args:
            post: sends a text and bytes to that page.
            left: called when another one shows it.
        """

    def receive(self, port: Any, text: str, buffers: Sequence[bytes]) -> None:
        """Take what a page says, if it is the one that shows it."""

    def leave(self, port: Any) -> None:
        """Be shown by this page no more."""


class Frames:
    """Every frame of one carrier that shows one page, by the names that they give themselves."""

    def __init__(
        self, framed: Framed, tell: Tell, document: Callable[[], str], bokeh_js: Callable[[], str]
    ) -> None:
        """No frame yet.

        Args:
            framed: what they show.
            tell: sends a message, and bytes beside it, to all frames; it names the one it is for.
            document: the page as one text.
            bokeh_js: what draws charts.
        """
        self._framed = framed
        self._tell = tell
        self._texts = {"want-page": ("page", document), "want-bokeh": ("bokeh", bokeh_js)}
        self._ports: dict[str, Any] = {}

    def hear(self, message: Any, buffers: Sequence[bytes | memoryview] = ()) -> None:
        """Take what a frame says; what is no message of a frame's is left alone."""
        if not isinstance(message, Mapping):
            return
        name, kind, text = (message.get(key) for key in ("frame", "kind", "text"))
        if not (isinstance(name, str) and isinstance(kind, str) and 0 < len(name) <= 60):
            return
        if kind in self._texts:
            answer, made = self._texts[kind]
            self._say(name, answer, made())
        elif kind == "begin":
            self._begin(name)
        elif kind == "say" and name in self._ports and isinstance(text, str):
            self._framed.receive(self._ports[name], text, [bytes(each) for each in buffers])
        elif kind == "gone" and name in self._ports:
            self._framed.leave(self._ports.pop(name))

    def end(self) -> None:
        """No frame of these is there any more."""
        ports, self._ports = self._ports, {}
        for port in ports.values():
            self._framed.leave(port)

    def _begin(self, name: str) -> None:
        self._ports.pop(name, None)  # the same frame anew: its page was loaded again

        def left() -> None:
            if name in self._ports:
                del self._ports[name]
                self._say(name, "left")

        def post(text: str, buffers: list[bytes]) -> None:
            self._say(name, "say", text, buffers)

        self._ports[name] = self._framed.open(post, left)

    def _say(self, name: str, kind: str, text: str = "", buffers: Sequence[bytes] = ()) -> None:
        self._tell({"frame": name, "kind": kind, "text": text}, list(buffers))
