"""A base class for controls that open model files."""

from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple, NotRequired

import param

from .component import Component, Message
from .messages import RequestMessage
from .order import Order

MAX_FILES = 8


class Later(NamedTuple):
    """An answer that takes a long time to compute.

    Attributes:
        make: computes the result in a thread.
        take: called on the page's thread with the result of ``make``; returns the answer.
    """

    make: Callable[[], Any]
    take: Callable[[Any], Any] = lambda made: made


# Opens files, given by name, with the number of heads if the user has chosen it. Returns None, or
# the possible numbers of heads if the user has to choose.
OnOpen = Callable[[dict[str, bytes], int | None], list[int] | Later | None]

# Calls the first function. Passes its result to the second function, or the reason of a failure to
# the third.
Work = Callable[[Callable[[], Any], Callable[[Any], None], Callable[[str], None]], None]


# Defers later actions until the returned function is called.
Hold = Callable[[], Callable[[], None]]


def _nothing() -> Callable[[], None]:
    """Defer nothing."""
    return lambda: None


def at_once(
    make: Callable[[], Any], show: Callable[[Any], None], fail: Callable[[str], None]
) -> None:
    """Run a computation immediately, for a control without a page."""
    try:
        made = make()
    except ValueError as error:
        fail(str(error))
    else:
        show(made)


class Part(RequestMessage):
    """A part of a file; ``first`` marks the first part of the first file of an upload."""

    name: str
    bytes: bytes
    first: bool


class Open(RequestMessage):
    """A request to open the files after all were sent, or after the number of heads was chosen."""

    heads: NotRequired[int | None]


class Opens(Component):
    """A control that opens files.

    Files are sent in parts, because the size of a message is limited. They are kept until they are
    opened or refused. `on_open(files, heads)` raises a ValueError with a sentence to show, or
    returns the possible numbers of heads if the user has to choose. A slow answer is a `Later`,
    which `work` runs; `hold` defers later actions until the answer is complete.
    """

    __abstract = True

    hears: ClassVar = {"part": Part, "open": Open}

    limit = param.Integer(default=64 << 20, doc="The maximum size of an upload, in bytes.")

    orders: ClassVar = {"part": Order.LOOK, "open": Order.ALWAYS}

    # Messages whose slow answer defers later actions.
    holding: ClassVar[tuple[str, ...]] = ("open",)

    def __init__(
        self, *, on_open: OnOpen, work: Work = at_once, hold: Hold = _nothing, **params: Any
    ) -> None:
        super().__init__(**params)
        self._work = work
        self._hold = hold
        self._on_open = on_open
        self._arrived: dict[str, bytearray] = {}  # no lists, whose empty parts would add up

    def hear(self, message: Message) -> None:
        """Answer a request with the method for its kind; a `Later` is sent when it is ready."""
        kind = message["type"]
        self._answer(message, lambda: getattr(self, f"_on_{kind}_message")(message))

    def _answer(self, message: Message, find: Callable[[], Message | Later | None]) -> None:
        try:
            answer = find()
        except ValueError as error:
            answer = {"problem": str(error)}
        if isinstance(answer, Later):
            take = answer.take
            release = self._hold() if message["type"] in self.holding else _nothing()

            def show(made: Any) -> None:
                try:
                    self._answer(message, lambda: take(made))
                finally:
                    release()

            def fail(said: str) -> None:
                self.answer(message, {"problem": said})
                release()

            self._work(answer.make, show, fail)
        elif answer is not None:
            self.answer(message, answer)

    def answer(self, asked: Message, answer: Message) -> None:
        """Answer a request."""
        self.send({"type": "answer", "id": asked["id"], **answer})

    def _on_part_message(self, data: dict[str, Any]) -> dict[str, Any]:
        name, part = data["name"][:120], data["bytes"]
        if data["first"]:
            self._arrived = {}
        if sum(map(len, self._arrived.values())) + len(part) > self.limit:
            self._arrived = {}
            raise ValueError(f"At most {self.limit >> 20} MB are read.")
        if name not in self._arrived and len(self._arrived) == MAX_FILES:
            raise ValueError(f"At most {MAX_FILES} files are read at once.")
        self._arrived.setdefault(name, bytearray()).extend(part)
        return {}

    def take_arrived(self) -> dict[str, bytes]:
        """Remove and return the files that were sent, by name."""
        arrived, self._arrived = self._arrived, {}
        return {name: bytes(whole) for name, whole in arrived.items()}

    def _on_open_message(self, data: dict[str, Any]) -> Message | Later:
        arrived = self._arrived
        files = self.take_arrived()

        def answer(choices: list[int] | None) -> Message:
            if choices is None:
                return {"opened": True}
            self._arrived = arrived
            return {"heads": choices}

        return then(self._on_open(files, data.get("heads")), answer)


def then(found: Any, take: Callable[[Any], Message]) -> Message | Later:
    """Convert a result into an answer; the result may be a `Later`, even a nested one."""
    if isinstance(found, Later):
        return Later(found.make, lambda made: then(found.take(made), take))
    return take(found)
