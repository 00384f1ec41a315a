"""Declares the switch between models, with the upload of a model file."""

from collections.abc import Callable
from typing import Any, ClassVar

import param

from ...components.messages import RequestMessage
from ...components.order import Order
from ...components.upload import Opens


def _at_once(function: Callable[[], None]) -> None:
    function()


class Choose(RequestMessage):
    """A request to switch to a model."""

    name: str


class Models(Opens):
    """A button with the name of the current model, which opens a dialog with all models.

    `value` is the name of the current model. A watcher that cannot switch models raises a
    ValueError, whose message is shown. During the switch, which takes a few seconds for a large
    model, the dialog has a note. `on_afresh` is called to reset everything to the initial state;
    `when_settled` calls a function once the page shows the chosen model.
    """

    models = param.List(
        default=[], item_type=dict, doc="`name`, `label`, `about` and `is_rare` of each model."
    )

    value = param.String(default="", doc="The name of the model in use.")

    shown = param.String(
        default="",
        doc="The name of the model on the page while `value` is being opened; empty: `value`.",
    )

    hears: ClassVar = {**Opens.hears, "afresh": RequestMessage, "choose": Choose}

    orders: ClassVar = {**Opens.orders, "afresh": Order.ALWAYS, "choose": Order.OVER}

    sheets = ("../../components/shared/dialog.css", "models.css")

    def __init__(
        self,
        *,
        on_afresh: Callable[[], None],
        when_settled: Callable[[Callable[[], None]], None] = _at_once,
        **params: Any,
    ) -> None:
        super().__init__(**params)
        self._on_afresh = on_afresh
        self._when_settled = when_settled

    def _on_afresh_message(self, _data: dict[str, Any]) -> dict[str, Any]:
        self._on_afresh()
        return {}

    def _on_choose_message(self, data: dict[str, Any]) -> None:
        name = data["name"]
        if name in [model["name"] for model in self.models]:
            sentence = self.attempt(lambda: self.param.update(value=name))
            if sentence:
                raise ValueError(sentence)
        self._when_settled(lambda: self.answer(data, {}))
