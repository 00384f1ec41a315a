"""The messages between the board and the browser, each declared once.

What a browser sends is checked against its declaration (`FROM_BOARD`) and goes to the handler that
is registered for it (`Board.handle`). The browser's typedefs, ``data/messages.js``, are written
from these declarations by ``python -m tests.js.message_types``.
"""

from typing import Annotated, Any, Literal, NotRequired, TypedDict, get_args, get_type_hints

from ..components.order import Order
from ..plain_data import Long, Within

# A rectangle of cells: path, first row and column, last row and column.
Operand = tuple[str, int, int, int, int]

# -- to the browser --------------------------------------------------------------------------------


class ManifestMessage(TypedDict):
    """A new structure; its JSON travels as text, which is cheaper to send than nested objects."""

    type: Literal["manifest"]
    json: str


class FrameMessage(TypedDict):
    """Matrices that changed; the bytes are those of ``wire.pack``.

    The browser's numbers of the matrices in ``stale`` may be out of date: these are off screen, and
    are sent when there is time.
    """

    type: Literal["frame"]
    bytes: bytes
    stale: list[int]


class StaleMessage(TypedDict):
    """The matrices that may still be out of date; the others were read and have not changed."""

    type: Literal["stale"]
    stale: list[int]


class MoveMessage(TypedDict):
    """Draws another part of a matrix in place of ``before``; ``json`` is what changes about it."""

    type: Literal["move"]
    index: int
    before: str
    json: str


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
    operands: list[Operand]


class LookMessage(TypedDict):
    """The visible part of the whole picture (x, y, zoom)."""

    type: Literal["look"]
    camera: tuple[float, float, float] | None


class FollowMessage(TypedDict):
    """The word that is followed; ``back`` is the one behind a selected number."""

    type: Literal["follow"]
    word: tuple[str, int] | None
    back: tuple[str, int] | None


class LensMessage(TypedDict):
    """The words that the output would read off rows; as text, path -> a word for each row."""

    type: Literal["lens"]
    json: str


class ViewSettings(TypedDict):
    """How numbers are drawn."""

    palette: Literal["blue-red", "safe"]
    scale: Literal["fixed", "matrix"]
    numbers: Literal["scientific", "decimal"]
    plane: Literal["value", "gradient", "change", "patch"]
    all_numbers: bool


class ViewMessage(ViewSettings):
    """How numbers are drawn from now on."""

    type: Literal["view"]


class StepMessage(TypedDict):
    """The changes in the next frames belong to another step of the user, or to undo or redo.

    ``fresh``: a lesson begins or ends with them, so that they are shown as no change.
    ``bytes``: the values before the step, for a browser that has not shown them.
    """

    type: Literal["step"]
    fresh: bool
    bytes: bytes | None


class ScenarioMessage(TypedDict):
    """The session as JSON for the tab to keep, with the steps of undo and its version.

    ``file`` is the file of its model as JSON, empty without one; None if the tab has it already.
    """

    type: Literal["scenario"]
    scenario: str
    steps: str
    file: str | None
    version: int


class LinkMessage(TypedDict):
    """The code of the link that was asked for; None where it would be too long."""

    type: Literal["link"]
    code: str | None


class BaselineMessage(TypedDict):
    """The values of matrices when they were pinned; without bytes nothing is pinned."""

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
    | FollowMessage
    | LensMessage
    | ViewMessage
    | StepMessage
    | ScenarioMessage
    | LinkMessage
    | BaselineMessage
)

# -- from the browser ------------------------------------------------------------------------------

# In all messages that name a cell ``of`` is the structure that was shown, as the manifest has it.


class ReadyMessage(TypedDict):
    """The browser can show the board.

    ``link`` is the code in its address; ``saved``, ``steps`` and ``file`` are the session, the
    steps of undo and the file of the model that its tab kept. ``again`` says whether the
    page was reloaded or returned to, ``unsent`` whether an action was still to be sent when the
    page ended.
    """

    type: Literal["ready"]
    link: NotRequired[Long | None]
    saved: NotRequired[bytes | Long | None]
    steps: NotRequired[bytes | Long | None]
    file: NotRequired[bytes | Long | None]
    again: NotRequired[bool]
    unsent: NotRequired[bool]


class AckMessage(TypedDict):
    """A frame was painted."""

    type: Literal["ack"]
    seq: int


class VisibleMessage(TypedDict):
    """Which matrices are on or near the screen."""

    type: Literal["visible"]
    indices: list[int]
    version: int


class SetMessage(TypedDict):
    """A cell was slid or typed; ``ack`` is the frame that was painted last.

    All changes of one cell with the same ``press`` are one step of undo. While the number is
    ``held``, the sentence that the model writes waits for a `ReleaseMessage`.
    """

    type: Literal["set"]
    path: str
    i: int
    j: int
    value: float
    of: NotRequired[str]
    ack: NotRequired[int]
    press: NotRequired[int]
    held: NotRequired[bool]


class ReleaseMessage(TypedDict):
    """A number that was held has been let go."""

    type: Literal["release"]


class HoverMessage(TypedDict):
    """The pointer is on a cell, or on none."""

    type: Literal["hover"]
    path: str | None
    i: int
    j: int


class SelectMessage(TypedDict):
    """A cell was selected, or none; ``press`` is the one that drags it, as where it is set."""

    type: Literal["select"]
    path: str | None
    i: int
    j: int
    press: NotRequired[int]
    of: NotRequired[str]


class RestoreMessage(TypedDict):
    """A cell is to have its learned or computed value again; ``press`` as where it is set."""

    type: Literal["restore"]
    path: str
    i: int
    j: int
    of: NotRequired[str]
    press: NotRequired[int]


class SilenceMessage(TypedDict):
    """A part is to be silenced; ``to`` None releases it. Row and column None are all of them."""

    type: Literal["silence"]
    path: str
    row: NotRequired[int | None]
    column: NotRequired[int | None]
    to: NotRequired[Literal["zero", "mean"] | None]
    of: NotRequired[str]


class OscillateMessage(TypedDict):
    """The oscillation of the selected cell is to begin, to change or to stop."""

    type: Literal["oscillate"]
    on: bool
    amplitude: NotRequired[float | None]
    period: NotRequired[float | None]


class FocusMessage(TypedDict):
    """Another attention is to be shown large."""

    type: Literal["focus"]
    scope: str
    head: int
    is_of_any: NotRequired[bool]  # its strongest pair of all, not of the followed word


class PairMessage(TypedDict):
    """Another pair is to be shown in detail."""

    type: Literal["pair"]
    scope: str
    head: int
    query: int
    key: int
    of: NotRequired[str]


class LookOnlyMessage(TypedDict):
    """In a head, or in every head of the attention, the query is to look only at the key."""

    type: Literal["look_only"]
    scope: str
    head: int
    query: int
    key: int
    everywhere: bool
    of: NotRequired[str]


class PullMessage(TypedDict):
    """A pair's link is pulled until it has this attention weight."""

    type: Literal["pull"]
    scope: str
    head: int
    query: int
    key: int
    value: Annotated[float, Within(0, 1)]
    of: NotRequired[str]


class WindowMessage(TypedDict):
    """The window on a large matrix is to begin at this row and column."""

    type: Literal["window"]
    path: str
    row: int
    column: int


class ChooseMessage(TypedDict):
    """Another layer or head of a large model is to be drawn."""

    type: Literal["choose"]
    name: str
    number: int


class PlaceMessage(TypedDict):
    """A field of the reader's `PageLocation` has changed, or a ``view`` is opened by its name."""

    type: Literal["place"]
    name: Literal["view", "form", "drawer", "camera", "followed", "unfolded"]
    value: str | bool | list[str | int | float] | None


class SettingMessage(TypedDict):
    """A setting of the model that stands in a stage is to have another value."""

    type: Literal["setting"]
    name: str
    value: object


class PlaneMessage(TypedDict):
    """The cells are to show values, or the gradients that run back from the loss."""

    type: Literal["plane"]
    value: Literal["value", "gradient"]


class GotoMessage(TypedDict):
    """Go to a stage or a matrix that is not drawn now."""

    type: Literal["goto"]
    place: str


class AskLinkMessage(TypedDict):
    """Asks for the link of what is on the page, which a `LinkMessage` answers."""

    type: Literal["link"]


class UnkeptMessage(TypedDict):
    """The tab could not keep the session."""

    type: Literal["unkept"]


class UndoMessage(TypedDict):
    """Undo one step."""

    type: Literal["undo"]


class TrainMessage(TypedDict):
    """Train the model, which starts from random numbers."""

    type: Literal["train"]


class EscapeMessage(TypedDict):
    """The reader lets go of what is in focus."""

    type: Literal["escape"]


class RedoMessage(TypedDict):
    """Redo one step."""

    type: Literal["redo"]


FromBoard = (
    ReadyMessage
    | AckMessage
    | VisibleMessage
    | SetMessage
    | ReleaseMessage
    | SelectMessage
    | HoverMessage
    | RestoreMessage
    | SilenceMessage
    | OscillateMessage
    | FocusMessage
    | PairMessage
    | LookOnlyMessage
    | PullMessage
    | WindowMessage
    | ChooseMessage
    | PlaceMessage
    | SettingMessage
    | PlaneMessage
    | GotoMessage
    | AskLinkMessage
    | UnkeptMessage
    | UndoMessage
    | RedoMessage
    | TrainMessage
    | EscapeMessage
)


def kind_of(declared: type) -> str:
    """The one ``type`` that messages of a declaration have."""
    (kind,) = get_args(get_type_hints(declared)["type"])
    return str(kind)


# What a browser may send to a board, by its kind.
FROM_BOARD: dict[str, type[Any]] = {kind_of(each): each for each in get_args(FromBoard)}

_LOOKS = (
    *("place", "window", "choose", "goto", "focus", "pair", "select", "oscillate", "escape"),
    *("ready", "link", "unkept"),
)
# What each kind has to wait for; the others as `Order.OF_SHOWN`.
ORDERS: dict[str, Order] = {
    **dict.fromkeys(("ack", "visible", "hover"), Order.ASIDE),
    **dict.fromkeys(_LOOKS, Order.LOOK),
    **dict.fromkeys(("undo", "redo"), Order.OVER),
    "plane": Order.ALWAYS,
    **dict.fromkeys(("set", "release", "restore"), Order.ON_TOP),
}


def as_text(raw: bytes | str | None) -> str | None:
    """A text that may have been sent as bytes, as long ones are."""
    return raw.decode("utf-8", "replace") if isinstance(raw, bytes) else raw
