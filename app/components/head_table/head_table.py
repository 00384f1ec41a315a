"""A table of heads: what is right without each, and a switch that silences it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar, TypedDict

import param

from ..component import Component, Message, module, styles
from ..messages import AnyMessage

HERE = Path(__file__).parent


class HeadRow(TypedDict):
    """What is known of a head.

    Attributes:
        label: where it is.
        right: how many come out right with it silenced; empty where nobody knows what is right.
        right_change: of that by it, with its sign.
        share: of all that come out wrong by it, 0 to 1.
        probability: of the answer, with it silenced.
        change: of that by it, with its sign.
        silent: whether it is silenced on the page.
    """

    label: str
    right: str
    right_change: str
    share: float
    probability: str
    change: str
    silent: bool


class Switched(AnyMessage):
    """A switch was pressed."""

    row: int


class HeadTable(Component):
    """Shows heads; `on_switch` hears whose switch was pressed, by its row."""

    rows = param.List(default=[], item_type=dict, doc="A `HeadRow` for each head.")

    head = param.Dict(
        default={},
        doc="`right` and `probability`, titles of columns; `now`, `right_now` and "
        "`probability_now`, the line of all as it is. Without `right` there is no such column.",
    )

    hears: ClassVar = {"switch": Switched}

    _esm = module(HERE / "head_table.js")
    _stylesheets = styles(HERE / "head_table.css")

    def __init__(self, **params: object) -> None:
        super().__init__(**params)
        self._on_switch: list[Callable[[int], None]] = []

    def on_switch(self, callback: Callable[[int], None]) -> None:
        """Call this with the row of each switch that is pressed."""
        self._on_switch.append(callback)

    @property
    def places(self) -> tuple[str, ...]:
        """See `Component.places`: which head each row is."""
        return tuple(row["label"] for row in self.rows)

    def hear(self, message: Message) -> None:
        """A switch was pressed: only one that there is."""
        row = message["row"]
        if 0 <= row < len(self.rows) and not self.disabled:
            for callback in self._on_switch:
                callback(row)
