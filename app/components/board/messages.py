"""The messages between the board and the browser; ``data/types.js`` has the same names there."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from ..order import Order

# A rectangle of cells: path, row, column, last row and last column.
Operand = tuple[str, int, int, int, int]
SentOperand = list[str | int]  # the same; no tuples travel


class ManifestMessage(TypedDict):
    """A new structure. As text: Bokeh would walk through every leaf of a dict."""

    type: Literal["manifest"]
    json: str


class FrameMessage(TypedDict):
    """Matrices that changed; the bytes are those of ``wire.pack``.

    Of those named in ``stale`` the browser has numbers that are perhaps no longer so: they are off
    screen, and come when there is time.
    """

    type: Literal["frame"]
    bytes: bytes
    stale: list[int]


class StaleMessage(TypedDict):
    """What else was stale has been read, and was as it was: no frame."""

    type: Literal["stale"]
    stale: list[int]


# Another part of a matrix in the place of one; ``json`` is what is new about it.
MoveMessage = TypedDict(
    "MoveMessage", {"type": Literal["move"], "index": int, "from": str, "json": str}
)


class OrbitMessage(TypedDict):
    """The frames of an oscillation; the bytes are those of ``wire.pack``."""

    type: Literal["orbit"]
    bytes: bytes
    path: str
    i: int
    j: int
    values: list[float]
    period: float


class OrbitEndMessage(TypedDict):
    """The oscillation is over."""

    type: Literal["orbit_end"]


class SelectionMessage(TypedDict):
    """The selected cell, or the one under the pointer, and what it was computed from."""

    type: Literal["selection", "preview"]
    path: str | None
    i: int
    j: int
    operands: list[SentOperand]


class LookMessage(TypedDict):
    """What of the whole picture is to be in sight, and the word that is followed."""

    type: Literal["look"]
    camera: tuple[float, float, float] | None
    followed: tuple[str, int] | None


class LensMessage(TypedDict):
    """The words that the output would read off rows; as text, path -> a word for each row."""

    type: Literal["lens"]
    json: str


class ViewChoices(TypedDict, total=False):
    """How numbers are drawn; what is not named stays."""

    palette: str
    scale: str
    numbers: str
    plane: str


class ViewMessage(ViewChoices):
    """How numbers are drawn, all of it."""

    type: Literal["view"]


class StepMessage(TypedDict):
    """What the frames to come move is moved by another step of the reader, forth or back."""

    type: Literal["step"]


class ScenarioMessage(TypedDict):
    """The session as JSON, for the tab to keep, of a version of what is kept."""

    type: Literal["scenario"]
    scenario: str
    steps: str  # of undo
    version: int


class LinkMessage(TypedDict):
    """The code of the link that was asked for; None where it would be too long."""

    type: Literal["link"]
    code: str | None


class BaselineMessage(TypedDict):
    """What matrices were when they were pinned; without bytes nothing is pinned."""

    type: Literal["baseline"]
    bytes: bytes | None


ToBoard = (
    ManifestMessage
    | FrameMessage
    | StaleMessage
    | MoveMessage
    | OrbitMessage
    | OrbitEndMessage
    | SelectionMessage
    | LookMessage
    | LensMessage
    | ViewMessage
    | StepMessage
    | ScenarioMessage
    | LinkMessage
    | BaselineMessage
)


class ReadyMessage(TypedDict, total=False):
    """The browser is there, perhaps with a link, or with what the tab kept."""

    link: object
    saved: object
    steps: object
    again: object  # whether the page was reloaded, or come back to
    unsent: object  # whether something was not done yet when the page ended


class AckMessage(TypedDict):
    """A frame was painted."""

    seq: int


class VisibleMessage(TypedDict):
    """Which matrices are on or near the screen."""

    indices: list[int]
    version: int


# In all messages that name a cell ``of`` is the structure that was shown, as the manifest has it.


class SetMessage(TypedDict):
    """A cell was slid or typed; ``ack`` is the frame that was painted last.

    Whatever sets one cell with one number of ``press`` is one step of undo.
    """

    path: str
    i: int
    j: int
    value: float
    of: NotRequired[str]
    ack: NotRequired[int]
    press: NotRequired[int]


class PointedMessage(TypedDict):
    """A cell is pointed at, or none."""

    path: str | None
    i: int
    j: int


class SelectMessage(PointedMessage):
    """A cell was selected, or none."""

    of: NotRequired[str]


class RestoreMessage(TypedDict):
    """A cell is to be as it was; ``press`` as where it is set."""

    path: str
    i: int
    j: int
    of: NotRequired[str]
    press: NotRequired[int]


class SilenceMessage(TypedDict):
    """A part is to be silenced, or with nothing to silence it to released."""

    path: str
    row: NotRequired[int | None]
    column: NotRequired[int | None]
    to: NotRequired[str | None]
    of: NotRequired[str]


class OscillateMessage(TypedDict):
    """The selected cell is to swing, or to stop."""

    on: bool
    amplitude: NotRequired[float | None]
    period: NotRequired[float | None]


class FocusMessage(TypedDict):
    """Another attention is to be shown large."""

    scope: str
    head: int


class PairMessage(TypedDict):
    """Another pair is to be shown in detail."""

    scope: str
    head: int
    query: int
    key: int
    of: NotRequired[str]


class PullMessage(PairMessage):
    """A pair's link is pulled until it has this weight."""

    value: float


class WindowMessage(TypedDict):
    """The window on a large matrix is to stand elsewhere."""

    path: str
    row: int
    column: int


class ChooseMessage(TypedDict):
    """Another layer or head is to be drawn."""

    name: str
    number: int


class PlaceMessage(TypedDict):
    """Where the reader is: the view; the camera, the word followed and what is unfolded."""

    name: str
    value: object


class SettingMessage(TypedDict):
    """A setting of the model that stands in a stage is to be another."""

    name: str
    value: object


class GotoMessage(TypedDict):
    """A stage or a matrix that is not drawn now is to be gone to."""

    place: str


class AskLinkMessage(TypedDict):
    """The link of what is on the page is asked for."""

    type: Literal["link"]


class UnkeptMessage(TypedDict):
    """The tab could not keep the session."""

    type: Literal["unkept"]


class HistoryMessage(TypedDict):
    """Undo or redo; the type says which."""

    type: Literal["undo", "redo"]


# All that a browser may say to a board, by its kind.
FROM_BOARD: dict[str, type] = {
    "ready": ReadyMessage,
    "ack": AckMessage,
    "visible": VisibleMessage,
    "set": SetMessage,
    "select": SelectMessage,
    "hover": PointedMessage,
    "restore": RestoreMessage,
    "silence": SilenceMessage,
    "oscillate": OscillateMessage,
    "focus": FocusMessage,
    "pair": PairMessage,
    "pull": PullMessage,
    "window": WindowMessage,
    "choose": ChooseMessage,
    "place": PlaceMessage,
    "setting": SettingMessage,
    "goto": GotoMessage,
    "link": AskLinkMessage,
    "undo": HistoryMessage,
    "redo": HistoryMessage,
    "unkept": UnkeptMessage,
}

_LOOKS = (
    *("place", "window", "choose", "goto", "focus", "pair", "select", "oscillate"),
    *("ready", "link", "unkept"),
)
# What each has to wait for; others are of what is shown.
ORDERS: dict[str, Order] = {
    **dict.fromkeys(("ack", "visible", "hover"), Order.ASIDE),
    **dict.fromkeys(_LOOKS, Order.LOOK),
    **dict.fromkeys(("undo", "redo"), Order.OVER),
    **dict.fromkeys(("set", "restore"), Order.ON_TOP),
}
