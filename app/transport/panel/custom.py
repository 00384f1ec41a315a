"""Wraps a component as a custom component of Panel."""

import types
from functools import partial
from typing import Any, ClassVar

import panel as pn
import param

from ...components.component import Component, Placed
from .module import Module

# Layout parameters, which have the same names in Panel.
LAYOUT = ("visible", "sizing_mode", "margin", "stylesheets")


def layout_of(placed: Placed) -> dict[str, Any]:
    """Return the layout parameters of a component, as arguments for Panel."""
    found = {name: getattr(placed, name) for name in LAYOUT}
    return {name: value for name, value in found.items() if value is not None or name != "margin"}


class Carrier(Module):
    """A component inside a Panel app: sends its properties and applies changes by the browser.

    Overrides Panel's defaults, which watch every property of every component and delay the user's
    changes by 50 ms.
    """

    __abstract = True

    _linked_properties: ClassVar[tuple[str, ...]] = ()

    def __init__(self, component: Component) -> None:
        cls = type(component)
        names = cls.property_names()
        super().__init__(**{name: component.encode(name) for name in names}, **layout_of(component))
        self.component = component
        component.connect(self._send_msg)
        component.param.watch(self._follow, [*names, *LAYOUT])
        if cls.accepts:
            self.param.watch(self._take, list(cls.accepts))

    def _follow(self, *events: param.parameterized.Event) -> None:
        changes = {
            event.name: event.new if event.name in LAYOUT else self.component.encode(event.name)
            for event in events
        }
        self.param.update(**changes)

    def _take(self, *events: param.parameterized.Event) -> None:
        for event in events:
            if event.new != self.component.encode(event.name):
                self.component.accept(event.name, event.new)
                # The component may have refused or normalized the value.
                self.param.update(**{event.name: self.component.encode(event.name)})

    def _server_change(
        self, doc: Any, ref: str, _subpath: str | None, attr: str, _old: Any, new: Any
    ) -> None:
        """Apply a change from the browser immediately, without Panel's delay."""
        if attr in self._changing.get(ref, []):
            self._changing[ref].remove(attr)  # only an echo of what was sent
        else:
            self._events.update({attr: new})
            self._change_event(doc)

    def _handle_msg(self, data: Any) -> None:
        """Handle a message once Panel knows that the browser has loaded the page.

        Before that, Panel drops each change, as if it had not sent the page yet. After a session
        was restored, only the board would appear.
        """
        if pn.state.loaded:
            self._take_message(data)
        else:
            pn.state.onload(partial(self._take_message, data))

    def _take_message(self, data: Any) -> None:
        """Handle a message, and answer it if it has a number."""
        if isinstance(data, dict) and data.keys() == {"answer", "message"}:
            problem = self.component.receive(data["message"])
            self._send_msg({"answered": data["answer"], "problem": problem})
        else:
            self.component.receive(data)


# Panel classes by component class; shared by all pages of the process.
_CLASSES: dict[type[Component], type[Carrier]] = {}


def panel_class(cls: type[Component]) -> type[Carrier]:
    """Return the Panel class with the same properties, created on first use."""
    if cls not in _CLASSES:
        body = {
            "__module__": __name__,
            "__doc__": cls.__doc__,
            "_esm": cls._esm,
            "_stylesheets": cls._stylesheets,
            "_linked_properties": cls.accepts,
            **{name: param.Parameter(allow_None=True) for name in cls.property_names()},
        }
        _CLASSES[cls] = types.new_class(cls.__name__, (Carrier,), {}, lambda own: own.update(body))
    return _CLASSES[cls]
