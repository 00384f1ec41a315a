"""One message from the browser: its content, its component, and the time of the action."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args

from . import wire

Kind = Literal["set", "message", "compare"]
LAST = 2**53  # largest message number, and largest time in ms
NO_STAMP = "A message has no such stamp."


class BrowserMessage(NamedTuple):
    """A message from the browser.

    Attributes:
        kind: ``set`` sets properties, ``message`` is a component's own message, and ``compare``
            checks that the browser has missed nothing.
        to: the number of the component; 0 for ``compare``.
        content: the properties, or the message.
        number: the sequence number; 0 if no answer is expected.
        at: the time of the action, in seconds of the browser's clock; None if not given.
        model: the model that the page showed at that time; None if not given.
        seen: the number of property updates that the component had received by then; None if not
            given.
    """

    kind: Kind
    to: int
    content: dict[str, Any]
    number: int = 0
    at: float | None = None
    model: str | None = None
    seen: int | None = None


def read(text: str, buffers: Sequence[bytes]) -> BrowserMessage:
    """Parse ``[kind, to, content]`` and an optional stamp; raise ``WireError`` if malformed."""
    said = wire.read(text, buffers)
    if not (isinstance(said, list) and len(said) in (3, 4) and isinstance(said[2], dict)):
        raise wire.WireError("A message has a kind, a number and a content.")
    kind, to, content = said[:3]
    if kind not in get_args(Kind) or type(to) is not int:
        raise wire.WireError(f"There is no message {kind!r:.60} to {to!r:.60}.")
    return BrowserMessage(kind, to, content, *_stamp(said[3] if len(said) == 4 else {}))


def _stamp(raw: object) -> tuple[int, float | None, str | None, int | None]:
    if not isinstance(raw, Mapping) or raw.keys() - {"n", "at", "model", "seen"}:
        raise wire.WireError(NO_STAMP)
    number, at, model, seen = raw.get("n", 0), raw.get("at"), raw.get("model"), raw.get("seen")
    are_counts = all(type(each) is int and 0 <= each < LAST for each in (number, seen or 0))
    is_time = at is None or (type(at) in (int, float) and -LAST < at < LAST)
    if not (are_counts and is_time and (model is None or isinstance(model, str))):
        raise wire.WireError(NO_STAMP)
    return number, None if at is None else float(at) / 1000, model, seen
