"""The chain rule at one number: the factors and product of each term, and the chain."""

from collections.abc import Hashable
from typing import ClassVar

import param

from ...components.messages import AnyMessage
from ...components.order import Order
from ..kit.figure import Figure
from ..kit.messages import DragMessage, IndexMessage, Number


class SetNumber(DragMessage):
    """Drag the shown number to a value."""

    value: Number


class ChainRule(Figure):
    """The numbers that depend on a number, the factors of the chain rule, and their products.

    `data` has the `links` of the chain, each with `name` (in words), `label` (its symbol), `place`,
    `slope` and `gradient`; `at`, the index of the shown link; `is_loss`, whether the last link is
    the loss; of the shown number, `name`, `label`, `value`, `low` and `high` (the ends of its axis)
    and `settable`; its `trial` (None during a drag): the `loss`, the `steps`, the `changes` of the
    loss after each step, and the `least` change above rounding errors; `next`, the numbers computed
    from it, in words; `rows`, one for each term, with `term` (−1: all others), `name`, `label`,
    `place`, `gradient`, `slope` (None for the others), `from`, `to` and the sentence `reads`; the
    `ends` of their sum, the largest of the `gradients` and of the `slopes`, `total`, and `all`, the
    sentence on the sum; the numbers that it is `made_of`, each with `name`, `label` and `slope`;
    `more`, how many of these are left out, or `why`, the reason why there are none.
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
        links = self.data.get("links", [])
        return self.data.get("at"), tuple((link["label"], link["place"]) for link in links)
