"""Decoding: the ways to choose from, their settings, and what comes of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import param

from ..choice import Choice
from ..component import Component, Message, module, styles
from ..form.settings_form import SettingsForm
from ..messages import AnyMessage
from ..order import Order

HERE = Path(__file__).parent


class Attention(AnyMessage, total=False):
    """The attention of a step is asked for: of a text, of one of several, or of a node."""

    step: int
    sample: int
    id: int | None


class DecodeWays(Choice):
    """A line of tabs, one for each way of decoding."""

    ways = param.List(default=[], doc="Pairs of a name and a label, in order.")

    _esm = module(HERE / "ways.js")
    _stylesheets = styles(HERE / "ways.css")

    def names(self) -> list[str]:
        """See `Choice.names`."""
        return [name for name, _ in self.ways]


class DecodeForm(SettingsForm):
    """The settings of one way, in lines as long as there is room for."""

    _stylesheets = styles(
        HERE.parent / "form" / "form.css", HERE.parent / "form" / "controls.css", HERE / "form.css"
    )


class Decode(Component):
    """What one way of decoding does, step by step or as a tree.

    `data` has the `way`, `notes`, perhaps a `problem` that says why nothing can be decoded, or
    `coming`, why it is not there yet, and else under the name of the way what `decoding` gives of
    it.  `detail` is the selected node of a beam search.

    `value` is the selected node of a beam search. `on_attention(message)` hears that the attention
    of a step is to be shown: with the `step` of a text, the `sample` it is in if there are several,
    or the `id` of a node.
    """

    value = param.Integer(default=None, allow_None=True, doc="The id of the selected node.")

    data = param.Dict(default={}, doc="What is shown.")

    detail = param.Dict(default={}, doc="`id`, `text` and `bars` of the selected node.")

    refused = param.String(default="", doc="Why the attention of a step cannot be shown.")

    accepts = ("value",)

    hears: ClassVar = {"attention": Attention}

    orders: ClassVar = {"value": Order.LOOK}

    _esm = module(HERE / "decode.js")
    _stylesheets = styles(HERE / "decode.css", HERE / "tree.css")

    def __init__(self, *, on_attention: Callable[[Message], None], **params: Any) -> None:
        super().__init__(**params)
        self._on_attention = on_attention

    def offers(self, name: str, raw: Any) -> bool:  # noqa: ARG002
        """See `Component.offers`: only a node that there is."""
        nodes = self.data.get("beam", {}).get("nodes", ())
        return raw is None or (type(raw) is int and 0 <= raw < len(nodes))

    def hear(self, message: Message) -> None:
        """The attention of a step is asked for."""
        if not self.disabled:
            self._on_attention(message)
