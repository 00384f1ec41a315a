"""Texts, charts, and columns that stack components."""

from typing import Any

import param

from .component import Placed


class HTML(Placed):
    """Trusted HTML; anything that a user typed must be escaped first."""

    object = param.String(default="", doc="The markup.")

    def __init__(self, object: str = "", **params: Any) -> None:
        super().__init__(object=object, **params)


class Chart(Placed):
    """A Bokeh figure."""

    object = param.Parameter(default=None, doc="The figure; a new figure replaces it.")

    def __init__(self, object: Any = None, **params: Any) -> None:
        super().__init__(object=object, **params)


class Column(Placed):
    """A vertical stack of components."""

    objects = param.List(default=[], item_type=Placed, doc="The components, from top to bottom.")

    def __init__(self, *objects: Placed, **params: Any) -> None:
        super().__init__(objects=list(objects), **params)
