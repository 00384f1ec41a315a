"""Converts components and layouts to Panel objects."""

from collections.abc import Callable
from typing import Any

import panel as pn
import param
from panel.viewable import Viewable

from ...components.component import Component, Placed
from ...components.layout import HTML, Chart, Column
from .custom import LAYOUT, layout_of, panel_class


def carry(placed: Placed) -> Viewable:
    """Return a component's Panel object; the same at each call, so that it can be placed twice."""
    if placed._carried is None:
        placed._carried = _carrier(placed)
    viewable: Viewable = placed._carried
    return viewable


def _carrier(placed: Placed) -> Viewable:
    if isinstance(placed, Component):
        return panel_class(type(placed))(placed)
    if isinstance(placed, Column):
        column = pn.Column(*map(carry, placed.objects), **layout_of(placed))
        return _following(placed, column, "objects", lambda objects: list(map(carry, objects)))
    if isinstance(placed, HTML):
        return _following(placed, pn.pane.HTML(placed.object, **layout_of(placed)), "object")
    if isinstance(placed, Chart):
        return _following(placed, pn.pane.Bokeh(placed.object, **layout_of(placed)), "object")
    raise TypeError(f"The page cannot carry a {type(placed).__name__}.")


def _following(
    placed: Placed,
    viewable: Viewable,
    content: str,
    made: Callable[[Any], Any] = lambda value: value,
) -> Viewable:
    """Keep a Panel object in sync with a component's content and layout parameters."""

    def follow(*events: param.parameterized.Event) -> None:
        changes = {event.name: event.new for event in events}
        if content in changes:
            changes[content] = made(changes[content])
        viewable.param.update(**changes)

    placed.param.watch(follow, [content, *LAYOUT])
    return viewable
