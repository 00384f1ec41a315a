"""Components of a page: Python classes with parameters and messages, each with an ES module.

A component does not depend on its carrier, which connects it to a browser (``transport``). It is
used like Panel's widgets: it has a ``value`` and a ``label``, and can be ``disabled``; it can be
placed in any of Panel's layouts. Its parameters can be watched, bound (``pn.bind(f, control)``,
``pn.bind(f, control.param.value)``), or linked to a parameter of another object (``from_param``).
"""

import sys
from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from inspect import getattr_static
from pathlib import Path
from typing import Any, ClassVar, Self

import param
from param.parameterized import register_reference_transform

from .esm import esm
from .messages import REFUSED, checked_message
from .messages import Message as Message
from .order import Order

SHARED = Path(__file__).parent / "shared"

AtEnd = Callable[[Callable[[], None]], None]  # schedules a function before changes are sent

NOT_OFFERED = "This cannot be chosen now."


class Placed(param.Parameterized):
    """Anything that can be placed on a page: a component, a layout, a text, a chart."""

    visible = param.Boolean(default=True, doc="Whether the component is shown.", precedence=-1)

    pending = param.String(
        default="",
        doc="A description of what is being computed. The earlier result stays, dimmed.",
        precedence=-1,
    )

    sizing_mode = param.String(
        default="stretch_width",
        allow_None=True,
        doc="The sizing mode, as in Panel; None: the size of the content.",
        precedence=-1,
    )

    margin = param.Parameter(default=None, doc="The margin, as in Panel.", precedence=-1)

    stylesheets = param.List(
        default=[], item_type=str, doc="Additional style sheets.", precedence=-1
    )

    # Set by a carrier when the component is first placed.
    _carried: Any = None

    def update_changed(self, **values: Any) -> None:
        """Set several parameters at once, but only those whose value differs."""
        new = {name: x for name, x in values.items() if getattr(self, name) != x}
        if new:  # avoid ``param.update``, which first reads all parameters
            with param.parameterized.batch_call_watchers(self):
                for name, value in new.items():
                    setattr(self, name, value)

    def __panel__(self) -> Any:
        """Return the Panel object of the component, for Panel's layouts."""
        # Import Panel only here, because components also work without it, as in a worker.
        return import_module(f"{__package__.rpartition('.')[0]}.transport.panel").carry(self)


class Component(Placed):
    """A control. Its parameters are sent to the browser under the same names.

    A parameter with negative precedence is not sent; ``encode`` converts a value that is not JSON.
    A browser may set only the properties named in ``accepts``, each through ``accept``. Messages
    (``receive``, ``send``) carry data that is not state, or that must arrive faster than a
    property. ``hears`` declares the messages that a browser may send.

    A watcher refuses a user's value by a ValueError with one sentence: the control then keeps its
    last good value and shows the sentence (``problem``).
    """

    value = param.Parameter(default=None, doc="The value of the control.")

    label = param.String(default="", doc="The accessible name.")

    disabled = param.Boolean(default=False, doc="Whether the user cannot change anything.")

    problem = param.String(default="", doc="A sentence that describes an invalid input.")

    # Properties that a browser may set.
    accepts: ClassVar[tuple[str, ...]] = ()

    # Messages that a browser may send, by kind.
    hears: ClassVar[Mapping[str, type]] = {}

    # The `Order` of messages by kind and of properties by name; `Order.OF_SHOWN` if missing.
    orders: ClassVar[Mapping[str, Order]] = {}

    # The paths of the ES module and the style sheets, relative to the folder of the Python file.
    # The defaults for ``a/a.py`` are ``a.js`` and ``a.css``.
    entry: ClassVar[str]
    sheets: ClassVar[tuple[str, ...]]

    _esm: ClassVar[str] = ""
    _stylesheets: ClassVar[list[str]] = []

    def __init_subclass__(cls, **others: Any) -> None:
        super().__init_subclass__(**others)
        own = vars(cls)
        file = Path(getattr(sys.modules.get(cls.__module__), "__file__", None) or "")
        is_first = file.stem == file.parent.name and module_file(cls) is None
        entry = own.get("entry", f"{file.stem}.js" if is_first else "")
        sheets = own.get("sheets", (f"{file.stem}.css",) if is_first else ())
        if entry and "_esm" not in own:
            cls._esm = module(file.parent / entry)
        if sheets and "_stylesheets" not in own:
            cls._stylesheets = styles(*(file.parent / sheet for sheet in sheets))

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._senders: list[Callable[[Message], None]] = []
        self._ends: list[AtEnd] = []

    @classmethod
    def from_param(cls, parameter: param.Parameter, /, **params: Any) -> Self:
        """Create a control of a parameter and keep the two in sync.

        Args:
            parameter: of an instance, for instance ``settings.param.heads``.
            **params: parameters of the control; the label defaults to the parameter's label.
        """
        owner, name = parameter.owner, parameter.name
        control = cls(**{"value": getattr(owner, name), "label": parameter.label or "", **params})
        owner.param.watch(lambda event: _set(control, "value", event.new), name)
        control.param.watch(lambda event: _set(owner, name, event.new), "value")
        return control

    # -- to the browser ----------------------------------------------------------------------

    @classmethod
    def property_names(cls) -> tuple[str, ...]:
        """Return the names of the parameters that are sent to the browser."""
        return tuple(
            name for name in cls.param if name != "name" and (cls.param[name].precedence or 0) >= 0
        )

    def encode(self, name: str) -> Any:
        """Return a parameter's value as JSON data."""
        return getattr(self, name)

    def send(self, message: Message) -> None:
        """Send a message to every browser that shows the component; bytes are not encoded."""
        for send in self._senders:
            send(message)

    def at_end(self, function: Callable[[], None]) -> None:
        """Call a function once, before the current changes are sent to the browser.

        The function's messages are sent with these changes. Without a carrier, call it immediately.
        """
        if not self._ends:
            function()
        for end in self._ends:
            end(function)

    def connect(self, send: Callable[[Message], None], at_end: AtEnd | None = None) -> None:
        """Add a function that sends messages to a browser; called by a carrier.

        Args:
            send: sends a message.
            at_end: schedules a function, as the method `at_end` does.
        """
        self._senders.append(send)
        if at_end is not None:
            self._ends.append(at_end)

    def disconnect(self, send: Callable[[Message], None], at_end: AtEnd | None = None) -> None:
        """Remove a function that `connect` added; called by a carrier."""
        self._senders.remove(send)
        if at_end is not None:
            self._ends.remove(at_end)

    @property
    def places(self) -> Hashable:
        """The objects to which the indices in messages refer, such as row labels.

        A message sent while the page showed other objects is refused as out of date.
        """
        return ()

    def place_of(self, said: Mapping[str, Any]) -> int | None:  # noqa: ARG002 -- for overrides
        """Return the index in `places` to which a message refers; None for all of them."""
        return None

    def offers(self, name: str, raw: Any) -> bool:  # noqa: ARG002 -- for overrides
        """Return whether a browser may set the property ``name`` to this value."""
        return True

    def renew(self) -> None:
        """Send again all messages that a browser needs, after it has missed some."""

    # -- from the browser --------------------------------------------------------------------

    def order_of(self, said: Mapping[str, Any]) -> Order:
        """Return the `Order` of a message, or of a dict of properties to set."""
        names = [said["type"]] if isinstance(said.get("type"), str) else said
        return max((self.orders.get(name, Order.OF_SHOWN) for name in names), default=Order.LOOK)

    def accept(self, name: str, raw: Any) -> str:
        """Set a property to a browser's value, if the parameter and its watchers accept the value.

        Returns:
            The reason for a refusal, as a sentence; empty if the value is accepted.
        """
        if name not in self.accepts or self.disabled or not self.offers(name, raw):
            return NOT_OFFERED
        return self.attempt(lambda: self.param.update(**{name: raw}), name)

    def attempt(self, change: Callable[[], None], name: str = "value") -> str:
        """Make a change; if a ValueError refuses it, restore the last good value of ``name``.

        Returns:
            The reason for a refusal, as a sentence; empty if the change is made.
        """
        good = getattr(self, name)
        try:
            change()
        except ValueError as error:
            with param.parameterized.discard_events(self):
                setattr(self, name, good)
            self.problem = str(error)
            with suppress(ValueError):  # notify watchers that have already read the refused value
                self.param.trigger(name)
            return str(error)
        self.problem = ""
        return ""

    def receive(self, message: object) -> str:
        """Handle a browser's message; refuse a message that does not fit its declaration.

        A disabled component ignores messages.

        Returns:
            The reason for a refusal, as a sentence; empty if the message is accepted.
        """
        checked = checked_message(message, self.hears, type(self).__name__)
        if checked is None:
            return REFUSED
        if self.disabled:
            return ""
        try:
            self.hear(checked)
        except ValueError as error:
            return str(error)
        return ""

    def hear(self, message: Message) -> None:
        """Handle a message declared in ``hears``; components with messages override this method.

        Raises:
            ValueError: the message is refused; the page shows the error's sentence.
        """


def changes(event: param.parameterized.Event) -> dict[str, Any]:
    """Return the entries of a dict parameter that are new or changed in an event."""
    old = event.old or {}
    return {name: x for name, x in event.new.items() if name not in old or old[name] != x}


def _set(owner: param.Parameterized, name: str, value: Any) -> None:
    """Set a parameter if its value differs; ``param`` notifies even for most equal objects."""
    if getattr(owner, name) != value:
        owner.param.update(**{name: value})


def _value_of(reference: Any) -> Any:
    return reference.param.value if isinstance(reference, Component) else reference


# Let a control be passed wherever its value is expected, like Panel's widgets.
register_reference_transform(_value_of)


class _Read:
    """A value computed from files when a carrier first reads the class attribute.

    Attributes:
        entry: the first file.
    """

    def __init__(self, read: Callable[[], Any], entry: Path) -> None:
        self._read = cache(read)
        self.entry = entry

    def __get__(self, _instance: object, _owner: type) -> Any:
        return self._read()


def module(entry: Path) -> Any:
    """Return a component's ES module, bundled with all its imports."""
    return _Read(lambda: esm(entry), entry)


def module_file(cls: type[Component]) -> Path | None:
    """Return the entry file of a component's ES module; None for a class without a module."""
    found = getattr_static(cls, "_esm")
    return found.entry if isinstance(found, _Read) else None


def styles(*files: Path, shared: bool = True) -> Any:
    """Return a list with one text: a component's style sheets, by default after the shared ones."""
    sheets = (SHARED / "base.css", SHARED / "cell_name.css", *files) if shared else files
    return _Read(
        lambda: ["\n".join(file.read_text(encoding="utf-8") for file in sheets)], sheets[0]
    )
