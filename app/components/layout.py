"""What else stands on a page: texts, charts, and columns of all of them."""

from __future__ import annotations

from typing import Any

import param

from .component import Placed


class HTML(Placed):
    """A piece of text with markup of our own; what a user typed is escaped before."""

    object = param.String(default="", doc="The markup.")

    def __init__(self, object: str = "", **params: Any) -> None:
        super().__init__(object=object, **params)


class Chart(Placed):
    """A figure of Bokeh's."""

    object = param.Parameter(default=None, doc="The figure; another one takes its place.")

    def __init__(self, object: Any = None, **params: Any) -> None:
        super().__init__(object=object, **params)


class Column(Placed):
    """One thing below the other."""

    objects = param.List(default=[], item_type=Placed, doc="What it holds, from top to bottom.")

    def __init__(self, *objects: Placed, **params: Any) -> None:
        super().__init__(objects=list(objects), **params)
