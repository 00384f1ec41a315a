"""A component as a custom component of Panel's."""

from __future__ import annotations

import types
from functools import partial
from hashlib import sha256
from typing import Any, ClassVar

import panel as pn
import param
from panel.custom import JSComponent
from panel.models.esm import DataEvent

from ....runtime.early import may_wait
from ....runtime.patches import let_set
from ....runtime.turn import turn
from ...component import Component, Placed

# What a thing's place on the page is; Panel knows it by the same names.
LAYOUT = ("visible", "sizing_mode", "margin", "stylesheets")


def layout_of(placed: Placed) -> dict[str, Any]:
    """Where and how large a thing is, in Panel's words."""
    found = {name: getattr(placed, name) for name in LAYOUT}
    return {name: value for name, value in found.items() if value is not None or name != "margin"}


class Carrier(JSComponent):
    """A component's place on a page of Panel's: its properties go down, what is accepted goes up.

    Panel's defaults listen to every property of every component, look for compiled bundles and
    hold back what a user does for 50 ms; none of that is wanted here, at every page that is opened.
    """

    __abstract = True

    _bundle_path: ClassVar[None] = None
    _bundle_name: ClassVar[str]
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
                # What was refused, or made uniform, is not what the component has.
                self.param.update(**{event.name: self.component.encode(event.name)})

    def _server_change(
        self, doc: Any, ref: str, _subpath: str | None, attr: str, _old: Any, new: Any
    ) -> None:
        """What a browser set, at once and in the document's turn, as Panel takes messages."""
        if attr in self._changing.get(ref, []):
            self._changing[ref].remove(attr)  # it only says back what it was sent
        else:
            self._events.update({attr: new})
            with turn(doc):
                self._change_event(doc)

    def _register_events(self, *names: str, model: Any, doc: Any, comm: Any) -> None:
        """Hear what a browser sends to the model from the document itself.

        Bokeh asks every model that hears of an event whether it is the one, and Panel counts each
        as work under way that no page shows: a third of what an edit costs the server.
        """
        if comm is not None:
            super()._register_events(*names, model=model, doc=doc, comm=comm)
            return
        model.subscribed_events.add(DataEvent.event_name)
        # Documents refuse events of models by name, but call whoever stands here.
        doc.callbacks._event_callbacks[DataEvent.event_name].append(partial(self._hear, model.id))

    def _hear(self, own: str, event: Any) -> None:
        """A message to this model, or to another one of the page."""
        if event.model is not None and event.model.id == own:
            try:
                self._handle_msg(event.data)
            except Exception as error:
                pn.state._handle_exception(error)

    def _handle_msg(self, data: Any) -> None:
        if pn.state.loaded:
            self._receive(data)
        elif may_wait(pn.state.curdoc, data):
            pn.state.onload(partial(self._receive, data))

    def _receive(self, data: object) -> None:
        """Take a message, when Panel has heard that the browser has the page.

        Before that it takes every change for a part of the page that is yet to be sent, and drops
        it: of a kept session the board alone would come back.
        """
        with turn(pn.state.curdoc):
            self.component.receive(data)

    def _get_properties(self, doc: Any) -> dict[str, Any]:
        """The module as a bundle, which is taken as it is.

        All else the browser translates into older JavaScript whenever a page is opened: 0.8 s.
        """
        return {**super()._get_properties(doc), "bundle": type(self)._bundle_name}

    @classmethod
    def _render_esm(cls, *_: Any, **__: Any) -> str:
        """The module as it is: Panel would take its indentation apart at every opened page."""
        return str(cls._esm)


# Panel's class for each class of components; classes are the program's, not a page's.
_CLASSES: dict[type[Component], type[Carrier]] = {}


def panel_class(cls: type[Component]) -> type[Carrier]:
    """A class of Panel's with the same properties, made when first asked for."""
    if cls not in _CLASSES:
        body = {
            "__module__": __name__,
            "__doc__": cls.__doc__,
            "_esm": cls._esm,
            "_bundle_name": sha256(cls._esm.encode()).hexdigest(),
            "_stylesheets": cls._stylesheets,
            "_linked_properties": cls.accepts,
            **{name: param.Parameter(allow_None=True) for name in cls.property_names()},
        }
        made: Any = types.new_class(cls.__name__, (Carrier,), {}, lambda own: own.update(body))
        let_set(made._data_model, cls.accepts)
        _CLASSES[cls] = made
    return _CLASSES[cls]
