"""Every setting of the model in one component.

One component for all settings keeps opening the page cheap: a widget of its
own for each would cost the server several milliseconds apiece.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import param

from ..component import Component, styles
from ..esm import esm

HERE = Path(__file__).parent


class Form(Component):
    """Labeled controls made from a list of field descriptions.

    A field is a dict with `name`, `label`, `kind` and, by kind:

    - `integer`, `number`: `value`, optional `minimum`, `maximum`, `step` (what − and + add)
    - `choice`: `value`, `options` as `[[value, label], ...]`
    - `switch`: `value`
    - `text`: `value`, optional `live` (also sent while it is typed)
    - `action`: a button
    - `note`: `value`, a line to read
    - `output`: `value`, a result, optional `tone` (`good`, `bad`)

    and optionally `help` (a sentence), `group` (heading; fields of one group
    stand together), `folded` (the group starts closed), `disabled` and `hidden`.

    `on_change(name, value)` hears of every change and may return the sentence
    that says what is wrong with it.  A number arrives as the text that was
    typed, an action with the value None.  `on_typing(name, value)` hears of
    a live text at every keystroke, in the same way.
    """

    fields = param.List(default=[], item_type=dict, doc="Descriptions of the controls, in order.")

    errors = param.Dict(default={}, doc="A sentence to show beside a control, by the field's name.")

    layout = param.Selector(
        default="column", objects=["column", "row"], doc="A side's column, or a line in the header."
    )

    _esm = esm(HERE / "form.js")
    _stylesheets = styles(HERE / "form.css")

    def __init__(
        self,
        *,
        on_change: Callable[[str, Any], str | None] | None = None,
        on_typing: Callable[[str, Any], str | None] | None = None,
        **params: Any,
    ) -> None:
        super().__init__(**params)
        self._listeners = {"change": on_change, "typing": on_typing}

    def receive(self, data: dict) -> None:
        names = {field["name"] for field in self.fields}
        if data.get("type") not in self._listeners or data.get("name") not in names:
            return
        name, listener = data["name"], self._listeners[data["type"]]
        sentence = listener(name, data.get("value")) if listener else None
        # One sentence at a time: an older one may no longer be true.
        self.errors = {name: sentence} if sentence else {}
        # A refused value leaves `fields` as it was, which alone would send the browser nothing.
        self.send({"type": "answer", "name": name})
