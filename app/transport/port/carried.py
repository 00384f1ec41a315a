"""Describes components to a browser behind a port, and forwards changes and messages both ways."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import param

from ...components.component import NOT_OFFERED, Component, Placed
from ...components.layout import HTML, Chart, Column
from ...components.order import Order

if TYPE_CHECKING:
    from .port_page import PortPage

LAYOUT = ("visible", "pending", "sizing_mode", "margin", "stylesheets")

PLAIN = (dict, list, tuple, str, int, float, type(None))

Described = dict[str, Any]


class Carried:
    """A component with a number; subclasses define the data that is sent to the browser."""

    kind: str
    watched: tuple[str, ...] = ("object",)

    def __init__(self, placed: Placed, number: int, page: PortPage) -> None:
        self.placed = placed
        self.number = number
        self.page = page
        # By default ``param`` compares old and new values, which is slow for long lists.
        watched = [*self.watched, *LAYOUT]
        self._watcher = placed.param.watch(self._hear, watched, onlychanged=False)

    def described(self) -> Described:
        """Return the description from which the browser creates the component."""
        return {
            "number": self.number,
            "kind": self.kind,
            "properties": {name: self.value(name) for name in self.watched},
            "layout": {name: getattr(self.placed, name) for name in LAYOUT},
        }

    def value(self, name: str) -> Any:
        """Return the value of a watched parameter, in the form that is sent to the browser."""
        return getattr(self.placed, name)

    def order_of(self, content: Mapping[str, Any]) -> Order:  # noqa: ARG002 -- for overrides
        """Return the `Order` of a message or property update from the browser."""
        return Order.LOOK

    def shows_since(self, seen: int, said: Mapping[str, Any]) -> bool:  # noqa: ARG002 -- for overrides
        """Return whether a message sent after ``seen`` property updates is still valid."""
        return True

    def accept(self, properties: Mapping[str, Any]) -> str:  # noqa: ARG002 -- for overrides
        """Refuse properties set by a browser, and return the reason. Components override this."""
        return NOT_OFFERED

    def receive(self, message: Mapping[str, Any]) -> str:  # noqa: ARG002 -- for overrides
        """Refuse a message from a browser, and return the reason. Components override this."""
        return NOT_OFFERED

    def renew(self) -> None:
        """Send the browser all watched parameters again."""
        self.page.note("set", self.number, {name: self.value(name) for name in self.watched})

    def leave(self) -> None:
        """Stop following the component, which has left the page."""
        self.placed.param.unwatch(self._watcher)

    def _hear(self, *events: param.parameterized.Event) -> None:
        if new := [event for event in events if _is_new(event)]:
            self._follow(*new)

    def _follow(self, *events: param.parameterized.Event) -> None:
        names = [event.name for event in events]
        layout = {name: getattr(self.placed, name) for name in names if name in LAYOUT}
        properties = {name: self.value(name) for name in names if name not in LAYOUT}
        if layout:
            self.page.note("layout", self.number, layout)
        if properties := self.news(properties):
            self.page.note("set", self.number, properties)

    def news(self, properties: dict[str, Any]) -> dict[str, Any]:
        """Return the changed properties that the browser does not have yet."""
        return properties


def _is_new(event: param.parameterized.Event) -> bool:
    """Return whether an event has a new value; True for all values other than plain data."""
    if event.type == "triggered" or not isinstance(event.new, PLAIN):
        return True
    try:
        return bool(event.old != event.new)
    except ValueError:  # the comparison of arrays returns an array
        return True


class CarriedComponent(Carried):
    """A control: sends its properties, applies those that a browser sets, and passes messages."""

    kind = "component"
    placed: Component

    def __init__(self, placed: Component, number: int, page: PortPage) -> None:
        self.watched = placed.property_names()
        # The values that the browser is setting now, which are not sent back to it.
        self._browser_has: dict[str, Any] = {}
        self._places = placed.places
        # The number of the last property update that changed any of the component's places, and of
        # the last update that changed each place.
        self._replaced, self._each_replaced = 0, dict[int, int]()
        super().__init__(placed, number, page)
        placed.connect(self._send, page.at_end)

    def described(self) -> Described:
        return {**super().described(), "class": type(self.placed).__name__}

    def value(self, name: str) -> Any:
        return self.placed.encode(name)

    def _follow(self, *events: param.parameterized.Event) -> None:
        super()._follow(*events)
        old, new = self._places, self.placed.places
        if new == old:
            return
        self._places, self._replaced = new, self.page.sets(self.number)
        if isinstance(old, tuple) and isinstance(new, tuple):
            for at, (was, now) in enumerate(zip_longest(old, new)):
                if was != now:
                    self._each_replaced[at] = self._replaced

    def order_of(self, content: Mapping[str, Any]) -> Order:
        return self.placed.order_of(content)

    def shows_since(self, seen: int, said: Mapping[str, Any]) -> bool:
        at = self.placed.place_of(said)
        return seen >= (self._replaced if at is None else self._each_replaced.get(at, 0))

    def accept(self, properties: Mapping[str, Any]) -> str:
        refused = ""
        for name, raw in properties.items():
            if name not in self.placed.accepts:
                refused = refused or NOT_OFFERED
                continue
            self._browser_has[name] = raw
            try:
                refused = self.placed.accept(name, raw) or refused
            finally:
                # The browser does not have a value that was refused or normalized.
                if news := self.news({name: self.value(name)}):
                    self.page.note("set", self.number, news)
                del self._browser_has[name]
        return refused

    def receive(self, message: Mapping[str, Any]) -> str:
        return self.placed.receive(message) or ""

    def renew(self) -> None:
        super().renew()
        self.placed.renew()

    def leave(self) -> None:
        super().leave()
        self.placed.disconnect(self._send, self.page.at_end)

    def news(self, properties: dict[str, Any]) -> dict[str, Any]:
        news = {
            name: value
            for name, value in properties.items()
            if name not in self._browser_has or self._browser_has[name] != value
        }
        self._browser_has.update((name, x) for name, x in news.items() if name in self._browser_has)
        return news

    def _send(self, message: Mapping[str, Any]) -> None:
        self.page.note("message", self.number, message)


class CarriedHTML(Carried):
    """Trusted HTML."""

    kind = "html"


class CarriedColumn(Carried):
    """A vertical stack; removing a child from it removes the child from the page."""

    kind = "column"
    watched = ("objects",)

    def __init__(self, placed: Column, number: int, page: PortPage) -> None:
        self._held: list[Placed] = []
        super().__init__(placed, number, page)

    def value(self, name: str) -> list[Described]:
        objects = list(getattr(self.placed, name))
        kept = set(map(id, objects))
        for gone in (item for item in self._held if id(item) not in kept):
            self.page.drop(gone)
        self._held = objects
        return [self.page.described(item) for item in objects]

    def leave(self) -> None:
        super().leave()
        for item in self._held:
            self.page.drop(item)


class CarriedChart(Carried):
    """A Bokeh figure, which the browser identifies by its id."""

    kind = "chart"

    def __init__(self, placed: Chart, number: int, page: PortPage) -> None:
        self._figure: Any = None
        super().__init__(placed, number, page)

    def value(self, name: str) -> str | None:
        instead, self._figure = self._figure, getattr(self.placed, name)
        return self.page.draw(self._figure, instead)

    def leave(self) -> None:
        super().leave()
        self.page.draw(None, self._figure)


_KINDS: dict[type[Placed], Callable[[Any, int, PortPage], Carried]] = {
    Component: CarriedComponent,
    HTML: CarriedHTML,
    Column: CarriedColumn,
    Chart: CarriedChart,
}


def carried(placed: Placed, number: int, page: PortPage) -> Carried:
    """Wrap a component in the `Carried` subclass for its type."""
    for kind, make in _KINDS.items():
        if isinstance(placed, kind):
            return make(placed, number, page)
    raise TypeError(f"The page cannot carry a {type(placed).__name__}.")
