"""The messages between the board and the browser, each declared once.

A message from a browser is checked against its declaration (`FROM_BOARD`) and passed to the
handler that is registered for it (`Board.handle`). The browser's typedefs, ``data/messages.js``,
are written from these declarations by ``python -m tests.js.message_types``.
"""

from typing import Annotated, Any, Literal, NotRequired, TypedDict, get_args, get_type_hints

from ..components.order import Order
from ..plain_data import Long, Within

# A rectangle of cells: path, first row and column, last row and column.
Operand = tuple[str, int, int, int, int]

# -- to the browser --------------------------------------------------------------------------------


class ManifestMessage(TypedDict):
    """A new structure; its JSON is sent as text, which is faster than nested objects."""

    type: Literal["manifest"]
    json: str


class FrameMessage(TypedDict):
    """Matrices that changed, as bytes from ``wire.pack``.

    The browser's values of the matrices in ``stale`` may be out of date; these matrices are off
    screen and will be sent later.
    """

    type: Literal["frame"]
    bytes: bytes
    stale: list[int]


class StaleMessage(TypedDict):
    """The matrices that may still be out of date; all others were read and have not changed."""

    type: Literal["stale"]
    stale: list[int]


class MoveMessage(TypedDict):
    """Another part of a matrix replaces the part ``before``; ``json`` has the changed fields."""

    type: Literal["move"]
    index: int
    before: str
    json: str


class OrbitMessage(TypedDict):
    """The frames of an oscillation, as bytes from ``wire.pack``."""

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
    """The selected cell, or the cell under the pointer, and its operands."""

    type: Literal["selection", "preview"]
    path: str | None
    i: int
    j: int
    operands: list[Operand]


class LookMessage(TypedDict):
    """The visible part of the whole picture: its center and zoom; None shows all."""

    type: Literal["look"]
    camera: tuple[float, float, float] | None


class FollowMessage(TypedDict):
    """The followed word; ``back`` is the word to follow again when the selection ends."""

    type: Literal["follow"]
    word: tuple[str, int] | None
    back: tuple[str, int] | None


class LensMessage(TypedDict):
    """The words that the output would predict from rows; ``json`` maps a path to a word per row."""

    type: Literal["lens"]
    json: str


class ViewSettings(TypedDict):
    """The settings for drawing numbers."""

    palette: Literal["blue-red", "safe"]
    scale: Literal["fixed", "matrix"]
    numbers: Literal["scientific", "decimal"]
    plane: Literal["value", "gradient", "change", "patch"]
    all_numbers: bool


class ViewMessage(ViewSettings):
    """New settings for drawing numbers."""

    type: Literal["view"]


class StepMessage(TypedDict):
    """The changes in the next frames belong to a new step of the user, or to undo or redo.

    ``fresh``: a lesson begins or ends with this step, so that it is not shown as a change.
    ``bytes``: the values before the step, for a browser that has not shown them.
    """

    type: Literal["step"]
    fresh: bool
    bytes: bytes | None


class ScenarioMessage(TypedDict):
    """The session as JSON, with its undo steps and its version; the tab stores all three.

    ``file`` is the session's model file as JSON, empty without a file; None if the tab has it.
    """

    type: Literal["scenario"]
    scenario: str
    steps: str
    file: str | None
    version: int


class LinkMessage(TypedDict):
    """The code of the requested link; None if the link would be too long."""

    type: Literal["link"]
    code: str | None


class BaselineMessage(TypedDict):
    """The pinned values of matrices; None removes the baseline."""

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

# In messages that name a cell, ``of`` is the digest of the shown structure, from the manifest.


class ReadyMessage(TypedDict):
    """The browser is ready to show the board.

    ``link`` is the code in the address; ``saved``, ``steps`` and ``file`` are the session, its undo
    steps and its model file, as stored in the tab. ``again``: whether the page was reloaded or
    reached by Back or Forward; ``unsent``: whether an action was not sent before the page closed.
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
    """The indices of the matrices on or near the screen."""

    type: Literal["visible"]
    indices: list[int]
    version: int


class SetMessage(TypedDict):
    """A cell was set by a slider or by typing; ``ack`` is the last painted frame.

    All changes of one cell with the same ``press`` are one undo step. While the number is ``held``,
    the model does not write its sentence again before a `ReleaseMessage`.
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
    """A held number was released."""

    type: Literal["release"]


class HoverMessage(TypedDict):
    """The pointer has moved to a cell, or off all cells."""

    type: Literal["hover"]
    path: str | None
    i: int
    j: int


class SelectMessage(TypedDict):
    """A cell was selected, or the selection was cleared; ``press`` as in `SetMessage`."""

    type: Literal["select"]
    path: str | None
    i: int
    j: int
    press: NotRequired[int]
    of: NotRequired[str]


class RestoreMessage(TypedDict):
    """A request to restore a cell's learned or computed value; ``press`` as in `SetMessage`."""

    type: Literal["restore"]
    path: str
    i: int
    j: int
    of: NotRequired[str]
    press: NotRequired[int]


class SilenceMessage(TypedDict):
    """A request to silence a part; ``to`` None restores it. Row or column None stands for all."""

    type: Literal["silence"]
    path: str
    row: NotRequired[int | None]
    column: NotRequired[int | None]
    to: NotRequired[Literal["zero", "mean"] | None]
    of: NotRequired[str]


class OscillateMessage(TypedDict):
    """A request to start, change or stop the oscillation of the selected cell."""

    type: Literal["oscillate"]
    on: bool
    amplitude: NotRequired[float | None]
    period: NotRequired[float | None]


class FocusMessage(TypedDict):
    """A request to enlarge a head of an attention."""

    type: Literal["focus"]
    scope: str
    head: int
    is_of_any: NotRequired[bool]  # whether the pair may be of any word, not only the followed one


class OfPair(TypedDict):
    """A head of an attention, and a query and a key in it."""

    scope: str
    head: int
    query: int
    key: int
    of: NotRequired[str]


class PairMessage(OfPair):
    """A request to show a pair in detail."""

    type: Literal["pair"]


class LookOnlyMessage(OfPair):
    """A request to let a query look only at a key, in one head or in all heads of an attention."""

    type: Literal["look_only"]
    everywhere: bool


class PullMessage(OfPair):
    """A request to set a pair's attention weight, made by pulling the pair's link."""

    type: Literal["pull"]
    value: Annotated[float, Within(0, 1)]


class WindowMessage(TypedDict):
    """A request to move the window on a large matrix to a first row and column."""

    type: Literal["window"]
    path: str
    row: int
    column: int


class ChooseMessage(TypedDict):
    """A request to draw a layer or head of a large model."""

    type: Literal["choose"]
    name: str
    number: int


class PlaceMessage(TypedDict):
    """A field of the user's `PageLocation` has changed, or a ``view`` is opened by its name."""

    type: Literal["place"]
    name: Literal["view", "form", "drawer", "camera", "followed", "unfolded"]
    value: str | bool | list[str | int | float] | None


class SettingMessage(TypedDict):
    """A request to change a setting of the model whose control is part of a stage."""

    type: Literal["setting"]
    name: str
    value: object


class PlaneMessage(TypedDict):
    """A request to show values, or the gradients of the loss."""

    type: Literal["plane"]
    value: Literal["value", "gradient"]


class GotoMessage(TypedDict):
    """A request to go to a stage or a matrix that is not drawn."""

    type: Literal["goto"]
    place: str


class AskLinkMessage(TypedDict):
    """A request for the link of the page, answered by a `LinkMessage`."""

    type: Literal["link"]


class UnkeptMessage(TypedDict):
    """The tab could not keep the session."""

    type: Literal["unkept"]


class UndoMessage(TypedDict):
    """A request to undo one step."""

    type: Literal["undo"]


class ChangesMessage(TypedDict):
    """A request to show how the last edit changed each number."""

    type: Literal["changes"]


class TrainMessage(TypedDict):
    """A request to train the model, which starts from random numbers."""

    type: Literal["train"]


class EscapeMessage(TypedDict):
    """A request to clear the focus."""

    type: Literal["escape"]


class RedoMessage(TypedDict):
    """A request to redo one step."""

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
    | ChangesMessage
    | TrainMessage
    | EscapeMessage
)


def kind_of(declared: type) -> str:
    """Return the ``type`` of the messages of a declaration."""
    (kind,) = get_args(get_type_hints(declared)["type"])
    return str(kind)


# The messages that a browser may send to a board, by kind.
FROM_BOARD: dict[str, type[Any]] = {kind_of(each): each for each in get_args(FromBoard)}

_LOOKS = (
    *("place", "window", "choose", "goto", "focus", "pair", "select", "oscillate", "escape"),
    *("ready", "link", "unkept"),
)
# The order of each kind of message; the other kinds have `Order.OF_SHOWN`.
ORDERS: dict[str, Order] = {
    **dict.fromkeys(("ack", "visible", "hover"), Order.ASIDE),
    **dict.fromkeys(_LOOKS, Order.LOOK),
    **dict.fromkeys(("undo", "redo"), Order.OVER),
    "plane": Order.ALWAYS,
    **dict.fromkeys(("set", "release", "restore"), Order.ON_TOP),
}


def as_text(raw: bytes | str | None) -> str | None:
    """Return a text; long texts are sent as bytes."""
    return raw.decode("utf-8", "replace") if isinstance(raw, bytes) else raw
