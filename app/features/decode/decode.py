"""Declares the controls of decoding: the choice of method, its settings and its results."""

from collections.abc import Callable
from typing import Any, ClassVar

import param

from ...components.choice import Choice
from ...components.component import Component, Message
from ...components.form.settings_form import SettingsForm
from ...components.messages import AnyMessage
from ...components.order import Order


class Attention(AnyMessage, total=False):
    """A request for the attention at a step of a text or of a sample, or at a node."""

    step: int
    sample: int
    id: int | None


class Blank(AnyMessage):
    """A request for a blank in place of the token at a position."""

    at: int


class DecodeWays(Choice):
    """A row of tabs, one per decoding method."""

    ways = param.List(default=[], doc="Pairs of a name and a label, in order.")

    entry = "ways.js"
    sheets = ("ways.css",)

    def names(self) -> list[str]:
        return [name for name, _ in self.ways]


class DecodeForm(SettingsForm):
    """The settings of one method, in as many lines as needed."""

    sheets = ("../../components/form/form.css", "../../components/form/controls.css", "form.css")


class Decode(Component):
    """The result of one decoding method, step by step or as a tree.

    `data` has the `way` (method), `notes`, and one of: `problem`, if nothing can be decoded;
    `coming`, while the result is not ready; or the result of `decoding`, under the method's name.

    `value` is the selected node of a beam search. `on_attention(message)` is called when the user
    requests the attention at a step: the message has the `step`, also the `sample` if there are
    several, or the `id` of a node. `on_blank(message)` is called when the user requests a blank in
    place of the token at position `at`.
    """

    value = param.Integer(default=None, allow_None=True, doc="The id of the selected node.")

    data = param.Dict(default={}, doc="The data of the drawing.")

    detail = param.Dict(default={}, doc="`id`, `text` and `bars` of the selected node.")

    followed = param.Integer(
        default=None,
        allow_None=True,
        doc="The followed position in the stack that writes; None without one.",
    )

    refused = param.String(default="", doc="Why the attention of a step cannot be shown.")

    accepts = ("value",)

    hears: ClassVar = {"attention": Attention, "blank": Blank}

    orders: ClassVar = {"value": Order.LOOK}

    sheets = ("decode.css", "tree.css")

    def __init__(
        self,
        *,
        on_attention: Callable[[Message], None],
        on_blank: Callable[[Message], None] | None = None,
        **params: Any,
    ) -> None:
        super().__init__(**params)
        self._on_attention, self._on_blank = on_attention, on_blank

    def offers(self, name: str, raw: Any) -> bool:  # noqa: ARG002
        """Return whether a node with this id exists; see `Component.offers`."""
        nodes = self.data.get("beam", {}).get("nodes", ())
        return raw is None or (type(raw) is int and 0 <= raw < len(nodes))

    def hear(self, message: Message) -> None:
        if message["type"] == "attention":
            self._on_attention(message)
        elif self._on_blank is not None:
            self._on_blank(message)
