"""Components of a page: Python classes with parameters and messages, each with an ES module.

A component does not know what carries it to a browser (``carriers``). It is used like Panel's
widgets: it has a ``value``, a ``label`` and can be ``disabled``; its parameters can be watched,
bound (``pn.bind(f, control)``, ``pn.bind(f, control.param.value)``), depended on, linked to a
parameter of another object (``from_param``), and it can be placed in any of Panel's layouts.
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

AtEnd = Callable[[Callable[[], None]], None]  # calls a function before changes are sent

NOT_OFFERED = "This cannot be chosen now."


class Placed(param.Parameterized):
    """Anything that can be placed on a page: a component, a layout, a text, a chart."""

    visible = param.Boolean(default=True, doc="Whether it is shown.", precedence=-1)

    pending = param.String(
        default="",
        doc="What is being computed while an earlier result is shown, which is then dimmed.",
        precedence=-1,
    )

    sizing_mode = param.String(
        default="stretch_width",
        allow_None=True,
        doc="How it takes its room, in Panel's words; None: as large as what it holds.",
        precedence=-1,
    )

    margin = param.Parameter(default=None, doc="Room around it; None: the usual.", precedence=-1)

    stylesheets = param.List(
        default=[], item_type=str, doc="Style sheets beside its own.", precedence=-1
    )

    # Set by a carrier when the component is first placed.
    _carried: Any = None

    def update_changed(self, **values: Any) -> None:
        """Set several parameters at once, but only those whose value differs."""
        new = {name: x for name, x in values.items() if getattr(self, name) != x}
        if new:  # not by ``param.update``, which first reads all parameters
            with param.parameterized.batch_call_watchers(self):
                for name, value in new.items():
                    setattr(self, name, value)

    def __panel__(self) -> Any:
        """The Panel object, so that the component can be placed in any of Panel's layouts."""
        # Imported by name: a component works without carriers, and without Panel in a worker.
        return import_module(f"{__package__.rpartition('.')[0]}.transport.panel").carry(self)


class Component(Placed):
    """A control, whose parameters are sent to the browser under their own names.

    A parameter with negative precedence is not sent; ``encode`` converts one that is not JSON. A
    browser may set only the properties named in ``accepts``, each through ``accept``. Messages
    (``receive``, ``send``) are for data that must be faster than a property or is not state;
    ``hears`` declares those that a browser may send.

    A watcher that refuses a user's value raises a ValueError with one sentence: the control then
    keeps its last good value and shows the sentence (``problem``).
    """

    value = param.Parameter(default=None, doc="What the control is about.")

    label = param.String(default="", doc="Its name for those who cannot see it.")

    disabled = param.Boolean(default=False, doc="Whether the user can change nothing.")

    problem = param.String(default="", doc="The sentence that says what was wrong with an input.")

    # Properties that a browser may set.
    accepts: ClassVar[tuple[str, ...]] = ()

    # Messages that a browser may send, by kind.
    hears: ClassVar[Mapping[str, type]] = {}

    # The `Order` of messages by kind and of properties by name; `Order.OF_SHOWN` if missing.
    orders: ClassVar[Mapping[str, Order]] = {}

    # Its ES module and its style sheets, by their paths from the folder of its Python file. A
    # component ``a/a.py`` without them has ``a.js`` and ``a.css``.
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
            **params: parameters of the control; its label defaults to that of the parameter.
        """
        owner, name = parameter.owner, parameter.name
        control = cls(**{"value": getattr(owner, name), "label": parameter.label or "", **params})
        owner.param.watch(lambda event: _set(control, "value", event.new), name)
        control.param.watch(lambda event: _set(owner, name, event.new), "value")
        return control

    # -- to the browser ----------------------------------------------------------------------

    @classmethod
    def property_names(cls) -> tuple[str, ...]:
        """The parameters that are sent to the browser."""
        return tuple(
            name for name in cls.param if name != "name" and (cls.param[name].precedence or 0) >= 0
        )

    def encode(self, name: str) -> Any:
        """A parameter's value as JSON data."""
        return getattr(self, name)

    def send(self, message: Message) -> None:
        """Send a message to every browser that shows the component; bytes are not encoded."""
        for send in self._senders:
            send(message)

    def at_end(self, function: Callable[[], None]) -> None:
        """Call a function once, before the current changes are sent to the browser.

        Its messages are sent together with them. Without a carrier it is called at once.
        """
        if not self._ends:
            function()
        for end in self._ends:
            end(function)

    def connect(self, send: Callable[[Message], None], at_end: AtEnd | None = None) -> None:
        """Add a function that sends messages to a browser; called by a carrier.

        Args:
            send: sends a message.
            at_end: see `at_end`.
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
        """The objects that indices in messages refer to, such as row labels.

        Messages sent for other objects are refused as out of date.
        """
        return ()

    def place_of(self, said: Mapping[str, Any]) -> int | None:  # noqa: ARG002 -- for overrides
        """The index of the only one of `places` that a message refers to; None for any of them."""
        return None

    def offers(self, name: str, raw: Any) -> bool:  # noqa: ARG002 -- for overrides
        """Whether the control offers this value; others are refused."""
        return True

    def renew(self) -> None:
        """Repeat all messages that a browser needs, because it has missed some."""

    # -- from the browser --------------------------------------------------------------------

    def order_of(self, said: Mapping[str, Any]) -> Order:
        """The `Order` of a message, or of a dict of properties to set."""
        names = [said["type"]] if isinstance(said.get("type"), str) else said
        return max((self.orders.get(name, Order.OF_SHOWN) for name in names), default=Order.LOOK)

    def accept(self, name: str, raw: Any) -> str:
        """Set a property for a browser; the parameter's declaration and then its watchers check it.

        Returns:
            Why it was refused, as a sentence; empty if it was not.
        """
        if name not in self.accepts or self.disabled or not self.offers(name, raw):
            return NOT_OFFERED
        return self.attempt(lambda: self.param.update(**{name: raw}), name)

    def attempt(self, change: Callable[[], None], name: str = "value") -> str:
        """Make a change that may be refused; if it is, the last good value stays.

        Returns:
            Why it was refused, as a sentence; empty if it was not.
        """
        good = getattr(self, name)
        try:
            change()
        except ValueError as error:
            with param.parameterized.discard_events(self):
                setattr(self, name, good)
            self.problem = str(error)
            with suppress(ValueError):  # notifies watchers that already saw the refused value
                self.param.trigger(name)
            return str(error)
        self.problem = ""
        return ""

    def receive(self, message: object) -> str:
        """Handle a message of a browser; a message that does not fit its declaration is refused.

        Returns:
            Why it was refused, as a sentence; empty if it was not.
        """
        checked = checked_message(message, self.hears, type(self).__name__)
        if checked is None:
            return REFUSED
        try:
            self.hear(checked)
        except ValueError as error:
            return str(error)
        return ""

    def hear(self, message: Message) -> None:
        """Handle one of the messages declared in ``hears``; components that have any override this.

        Raises:
            ValueError: the message is refused; its one sentence is shown over the page.
        """


def changes(event: param.parameterized.Event) -> dict[str, Any]:
    """The entries of a dict parameter that an event changed."""
    old = event.old or {}
    return {name: x for name, x in event.new.items() if name not in old or old[name] != x}


def _set(owner: param.Parameterized, name: str, value: Any) -> None:
    """Set a parameter unless it is equal already; ``param`` treats most equal objects as new."""
    if getattr(owner, name) != value:
        owner.param.update(**{name: value})


def _value_of(reference: Any) -> Any:
    return reference.param.value if isinstance(reference, Component) else reference


# Lets a control be passed wherever its value is expected, like Panel's widgets.
register_reference_transform(_value_of)


class _Read:
    """A value computed from files when a carrier first reads the class attribute.

    Attributes:
        entry: the first of the files.
    """

    def __init__(self, read: Callable[[], Any], entry: Path) -> None:
        self._read = cache(read)
        self.entry = entry

    def __get__(self, _instance: object, _owner: type) -> Any:
        return self._read()


def module(entry: Path) -> Any:
    """A component's ES module, bundled with all its imports."""
    return _Read(lambda: esm(entry), entry)


def module_file(cls: type[Component]) -> Path | None:
    """The entry file of a class's ``module``; None for a class without one."""
    found = getattr_static(cls, "_esm")
    return found.entry if isinstance(found, _Read) else None


def styles(*files: Path, shared: bool = True) -> Any:
    """The style sheets of a component as a list of one text, by default after the shared one."""
    sheets = (SHARED / "base.css", SHARED / "cell_name.css", *files) if shared else files
    return _Read(
        lambda: ["\n".join(file.read_text(encoding="utf-8") for file in sheets)], sheets[0]
    )
