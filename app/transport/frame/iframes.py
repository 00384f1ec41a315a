"""The Python side of iframes that show the same page; only one of them is active at a time."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

Post = Callable[[str, list[bytes]], object]
Tell = Callable[[dict[str, str], list[bytes]], object]


class Framed(Protocol):
    """A page that its iframes show, one at a time."""

    def open(self, post: Post, left: Callable[[], object]) -> Any:
        """Start showing the page in a newly loaded iframe and return the port to it.

        ``post`` sends a text and bytes to it; ``left`` is called when another iframe replaces it.
        """

    def receive(self, port: Any, text: str, buffers: Sequence[bytes]) -> None:
        """Handle a message from the active iframe; ignore messages from other iframes."""

    def leave(self, port: Any) -> None:
        """Stop showing the page in this iframe."""


class IFrames:
    """The iframes that show the same page, by the names that their browsers chose."""

    def __init__(
        self, framed: Framed, tell: Tell, document: Callable[[], str], bokeh_js: Callable[[], str]
    ) -> None:
        """Create the registry without any iframe.

        ``tell`` sends a message and its bytes to all iframes; the message names its recipient.
        ``document`` returns the page's HTML, ``bokeh_js`` the source of BokehJS, which draws the
        charts.
        """
        self._framed = framed
        self._tell = tell
        self._texts = {"want-page": ("page", document), "want-bokeh": ("bokeh", bokeh_js)}
        self._ports: dict[str, Any] = {}

    def hear(self, message: Any, buffers: Sequence[bytes | memoryview] = ()) -> None:
        """Handle a message from an iframe; ignore malformed messages."""
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
        """Close the ports of all iframes."""
        ports, self._ports = self._ports, {}
        for port in ports.values():
            self._framed.leave(port)

    def _begin(self, name: str) -> None:
        self._ports.pop(name, None)  # the same iframe after a reload

        def left() -> None:
            if name in self._ports:
                del self._ports[name]
                self._say(name, "left")

        def post(text: str, buffers: list[bytes]) -> None:
            self._say(name, "say", text, buffers)

        self._ports[name] = self._framed.open(post, left)

    def _say(self, name: str, kind: str, text: str = "", buffers: Sequence[bytes] = ()) -> None:
        self._tell({"frame": name, "kind": kind, "text": text}, list(buffers))
