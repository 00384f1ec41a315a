"""Components on a page that is served: Panel's custom components and panes."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any, ClassVar

import panel as pn
import param
from panel.custom import JSComponent
from panel.viewable import Viewable

from ..component import Component, Placed
from ..layout import HTML, Chart, Column

# What a thing's place on the page is; Panel knows it by the same names.
_LAYOUT = ("visible", "sizing_mode", "margin", "stylesheets")


def carry(placed: Placed) -> Viewable:
    """What Panel places for a thing; the same each time, so that it can stand in several places."""
    if placed._carried is None:
        placed._carried = _carrier(placed)
    viewable: Viewable = placed._carried
    return viewable


def _carrier(placed: Placed) -> Viewable:
    if isinstance(placed, Component):
        return _panel_class(type(placed))(placed)
    if isinstance(placed, Column):
        column = pn.Column(*map(carry, placed.objects), **_layout(placed))
        return _following(placed, column, "objects", lambda objects: list(map(carry, objects)))
    if isinstance(placed, HTML):
        return _following(placed, pn.pane.HTML(placed.object, **_layout(placed)), "object")
    if isinstance(placed, Chart):
        return _following(placed, pn.pane.Bokeh(placed.object, **_layout(placed)), "object")
    raise TypeError(f"There is no way to carry a {type(placed).__name__}.")


def _layout(placed: Placed) -> dict[str, Any]:
    found = {name: getattr(placed, name) for name in _LAYOUT}
    return {name: value for name, value in found.items() if value is not None or name != "margin"}


def _following(
    placed: Placed,
    viewable: Viewable,
    content: str,
    made: Callable[[Any], Any] = lambda value: value,
) -> Viewable:
    """Let what Panel shows follow a thing's content and its place."""

    def follow(*events: param.parameterized.Event) -> None:
        changes = {event.name: event.new for event in events}
        if content in changes:
            changes[content] = made(changes[content])
        viewable.param.update(**changes)

    placed.param.watch(follow, [content, *_LAYOUT])
    return viewable


class _Carrier(JSComponent):
    """A component's place on a page of Panel's: its properties go down, what is accepted goes up.

    Panel's defaults listen to every property of every component, look for compiled bundles and
    hold back what a user does for 50 ms; none of that is wanted here, at every page that is opened.
    """

    __abstract = True

    _bundle_path: ClassVar[None] = None
    _linked_properties: ClassVar[tuple[str, ...]] = ()
    _priority_changes: ClassVar[list[str]] = []

    def __init__(self, component: Component) -> None:
        cls = type(component)
        names = cls.property_names()
        super().__init__(**{name: component.encode(name) for name in names}, **_layout(component))
        self.component = component
        component.connect(self._send_msg)
        component.param.watch(self._follow, [*names, *_LAYOUT])
        if cls.accepts:
            self.param.watch(self._take, list(cls.accepts))

    def _follow(self, *events: param.parameterized.Event) -> None:
        changes = {
            event.name: event.new if event.name in _LAYOUT else self.component.encode(event.name)
            for event in events
        }
        self.param.update(**changes)

    def _take(self, *events: param.parameterized.Event) -> None:
        for event in events:
            if event.new != self.component.encode(event.name):
                self.component.accept(event.name, event.new)
                # What was refused, or made uniform, is not what the component has.
                self.param.update(**{event.name: self.component.encode(event.name)})

    def _handle_msg(self, data: Any) -> None:
        if isinstance(data, dict):
            self.component.receive(data)

    @classmethod
    def _render_esm(cls, compiled: Any = True, server: bool = False) -> str:
        """The module as it is: Panel would take its indentation apart at every opened page."""
        return cls._esm


# Panel's class for each class of components; classes are the program's, not a page's.
_CLASSES: dict[type[Component], type[_Carrier]] = {}


def _panel_class(cls: type[Component]) -> type[_Carrier]:
    """A class of Panel's with the same properties, made when first asked for."""
    if cls not in _CLASSES:
        body = {
            "__module__": __name__,
            "__doc__": cls.__doc__,
            "_esm": cls._esm,
            "_stylesheets": cls._stylesheets,
            "_linked_properties": cls.accepts,
            "_priority_changes": list(cls.accepts),
            **{name: param.Parameter(allow_None=True) for name in cls.property_names()},
        }
        _CLASSES[cls] = types.new_class(cls.__name__, (_Carrier,), {}, lambda own: own.update(body))
    return _CLASSES[cls]
