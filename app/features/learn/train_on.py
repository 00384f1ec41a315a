"""Declares the choice of the training data, with a dialog for the user's own pairs or texts."""

from collections.abc import Callable
from typing import Annotated, Any, ClassVar, Literal, NotRequired

import param

from ...components.component import Message
from ...components.messages import RequestMessage
from ...components.order import Order
from ...components.upload import Later, Opens, then
from ...plain_data import Length

MAX_CELL = 4_000  # characters; more than any text that can be learned


class OpenAt(RequestMessage):
    """All files or a pasted text have been sent; ``row`` is the row of the paste."""

    row: NotRequired[int | None]


class Edit(RequestMessage):
    """A cell of the table was changed."""

    row: int
    column: int
    text: Annotated[str, Length(0, MAX_CELL)]


class Remove(RequestMessage):
    """A row of the table was removed."""

    row: int


class Choose(RequestMessage):
    """A setting of the user's data was chosen."""

    name: Literal["learned", "unit", "encoding"]
    value: str


class Press(RequestMessage):
    """A button of the dialog was pressed."""

    name: Literal["swap", "clear", "undo", "frequent"]


class TrainOn(Opens):
    """The choice of training data (`value`), and a dialog for the user's own data.

    In the dialog, rows are pasted, dropped, opened from files, or typed into a table. `draft` is
    all the data of the dialog; see `own_data_view`. Each callback returns a `Later`, which answers
    once `draft` is up to date. `on_open(files, row)` reads files or a pasted text; if they contain
    no data, the answer is a sentence `elsewhere`. `on_change(message)` handles an `Edit`, `Remove`,
    `Choose` or `Press`. `on_ask()` fills the opened dialog, and `on_train()` starts the training.
    """

    value = param.String(default="", doc="The name of the training data.")
    options = param.List(default=[], doc="Pairs of a name and a label.")
    note = param.String(default="", doc="A description of the training data.")
    own = param.String(default="", doc="The label of the button that opens the dialog.")
    draft = param.Dict(default={}, doc="The content of the dialog.")
    wanted = param.Boolean(default=False, doc="Whether the page opens the dialog.")

    accepts = ("value",)

    hears: ClassVar = {
        **Opens.hears,
        "open": OpenAt,
        "ask": RequestMessage,
        "edit": Edit,
        "remove": Remove,
        "choose": Choose,
        "press": Press,
        "train": RequestMessage,
    }

    orders: ClassVar = {
        **dict.fromkeys(("part", "open", "ask", "edit", "remove", "choose", "press"), Order.LOOK),
        **dict.fromkeys(("value", "train"), Order.ALWAYS),
    }

    holding = ("train",)

    entry = "train_on.js"
    sheets = ("../../components/shared/dialog.css", "train_on.css")

    def __init__(
        self,
        *,
        on_change: Callable[[Message], Later],
        on_ask: Callable[[], Later],
        on_train: Callable[[], Later],
        **params: Any,
    ) -> None:
        super().__init__(**params)
        self._on_change = on_change
        self._on_ask = on_ask
        self._on_train = on_train

    def offers(self, name: str, raw: Any) -> bool:  # noqa: ARG002
        return raw in [option for option, _ in self.options]

    def _on_ask_message(self, _data: Message) -> Later:
        return self._on_ask()

    def _on_open_message(self, data: Message) -> Message | Later:
        return then(self._on_open(self.take_arrived(), data.get("row")), lambda answer: answer)

    def _on_change_message(self, data: Message) -> Later:
        return self._on_change(data)

    _on_edit_message = _on_remove_message = _on_choose_message = _on_change_message
    _on_press_message = _on_change_message

    def _on_train_message(self, _data: Message) -> Later:
        return self._on_train()
