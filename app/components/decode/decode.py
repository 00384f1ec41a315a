"""Decoding: the ways to choose from, their settings, and what comes of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import param

from ..component import Component, styles
from ..esm import esm
from ..form.settings_form import SettingsForm

HERE = Path(__file__).parent


class DecodeWays(Component):
    """A line of tabs, one for each way of decoding; `on_choose(name)` hears which was pressed."""

    ways = param.List(default=[], doc="Pairs of a name and a label, in order.")

    chosen = param.String(default="", doc="The name of the one that is open.")

    _esm = esm(HERE / "ways.js")
    _stylesheets = styles(HERE.parent / "tabs" / "tabs.css", HERE / "ways.css")

    def __init__(self, *, on_choose: Callable[[str], None], **params: Any) -> None:
        super().__init__(**params)
        self._on_choose = on_choose

    def receive(self, data: dict[str, Any]) -> None:
        if data.get("type") == "choose" and data.get("name") in [name for name, _ in self.ways]:
            self._on_choose(data["name"])


class DecodeForm(SettingsForm):
    """The settings of one way, in lines as long as there is room for."""

    _stylesheets = styles(HERE.parent / "form" / "form.css", HERE / "form.css")


class Decode(Component):
    """What one way of decoding does, step by step or as a tree.

    `data` has the `way`, `notes`, perhaps a `problem` that says why nothing can be decoded, and
    else under the name of the way what `decoding` gives of it.  `detail` is the selected node
    of a beam search.

    `on_message` hears `{"type": "select", "id": node}`, and `{"type": "attention", …}` with the
    `step` of a text, the `sample` it is in if there are several, or the `id` of a node.
    """

    data = param.Dict(default={}, doc="What is shown.")

    detail = param.Dict(default={}, doc="`id`, `text` and `bars` of the selected node.")

    refused = param.String(default="", doc="Why the attention of a step cannot be shown.")

    _esm = esm(HERE / "decode.js")
    _stylesheets = styles(HERE / "decode.css", HERE / "tree.css")

    def __init__(self, *, on_message: Callable[[dict[str, Any]], None], **params: Any) -> None:
        super().__init__(**params)
        self._on_message = on_message

    def receive(self, data: dict[str, Any]) -> None:
        self._on_message(data)
