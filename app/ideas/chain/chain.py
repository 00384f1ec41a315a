"""The chain rule at one number: two pictures, their product term by term, and the chain."""

from collections.abc import Hashable
from typing import ClassVar

import param

from ...components.messages import AnyMessage
from ...components.order import Order
from ..kit.figure import Figure
from ..kit.messages import DragMessage, IndexMessage, Number


class SetNumber(DragMessage):
    """Drag the shown number."""

    value: Number


class ChainRule(Figure):
    """What changes with a number, how the loss changes with that, and the products, added up.

    `data` has the `links` of the chain, each with `name`, in words, `label`, its symbol, `place`,
    `slope` and `gradient`, the index `at` of the shown one and `is_loss`, whether the last one is
    the loss; of the shown one `name`, `label`, `value`, `low` and `high`, the ends of its axis, and
    `settable`; its `trial` (None while it is dragged): the `loss`, `steps`, the `changes` of the
    loss at each, and the `least` one that means anything; what is `next` to it, in words; the
    `rows`, each with `term` (−1: all others), `name`, `label`, `place`, `gradient`, `slope` (None
    for the others), `from`, `to` and what it `reads` like; the `ends` of their sum, the largest of
    the `gradients` and of the `slopes`, `total`, and what `all` of them come to; what the number is
    `made_of`, each with `name`, `label` and `slope`, how many `more` there are, or `why` none.
    """

    data = param.Dict(default={}, doc="What is shown.")

    hears: ClassVar = {
        "onward": IndexMessage,
        "back": IndexMessage,
        "link": IndexMessage,
        "value": SetNumber,
        "release": AnyMessage,
    }

    orders: ClassVar = {
        **dict.fromkeys(("onward", "back", "link"), Order.LOOK),
        "release": Order.ALWAYS,
    }

    sheets = ("../kit/idea.css", "../kit/bars.css", "chain.css")

    @property
    def places(self) -> Hashable:
        """See `Component.places`."""
        links = self.data.get("links", [])
        return self.data.get("at"), tuple((link["label"], link["place"]) for link in links)
