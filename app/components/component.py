"""What stands on a page: a Python class with parameters and messages, and an ES module.

A component knows nothing of what carries it to a browser (``carriers``). It is used as Panel's
widgets are: it has a ``value``, a ``label`` and can be ``disabled``; its parameters can be watched,
bound (``pn.bind(f, control)``, ``pn.bind(f, control.param.value)``), depended on, linked to a
parameter of one's own (``from_param``), and it can be placed in any of Panel's layouts.
"""

from __future__ import annotations

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

NOT_OFFERED = "This cannot be chosen now."


class Placed(param.Parameterized):
    """Anything that can be placed on a page: a component, a layout, a text, a chart."""

    visible = param.Boolean(default=True, doc="Whether it is shown.", precedence=-1)

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

    # What carries it, made by a carrier when it is first placed.
    _carried: Any = None

    def __panel__(self) -> Any:
        """The carrier for Panel's layouts, so that it can be placed in any of them."""
        # By name: a component does without its carriers, and without Panel in a worker.
        return import_module(f"{__package__}.carriers.panel").carry(self)


class Component(Placed):
    """A control: what the browser is given are its parameters, by their names.

    A parameter with a negative precedence stays here. What is no JSON is turned into it by
    ``encode``. Of what the user does, a browser may set the properties named in ``accepts``; each
    goes through ``accept``. Only what must be faster than a property, or is no state, is a message
    of its own (``receive``, ``send``): those that a browser may send are declared in ``hears``.

    A watcher that refuses what the user set raises a ValueError with one sentence: the control
    then keeps its last good value and shows the sentence (``problem``).
    """

    value = param.Parameter(default=None, doc="What the control is about.")

    label = param.String(default="", doc="Its name for those who cannot see it.")

    disabled = param.Boolean(default=False, doc="Whether the user can change nothing.")

    problem = param.String(default="", doc="The sentence that says what was wrong with an input.")

    # The properties that a browser may set.
    accepts: ClassVar[tuple[str, ...]] = ()

    # The messages that it may send, each by its kind.
    hears: ClassVar[Mapping[str, type]] = {}

    # What messages and properties have to wait for, by kind and name; others as `Order.OF_SHOWN`.
    orders: ClassVar[Mapping[str, Order]] = {}

    _esm: ClassVar[str] = ""
    _stylesheets: ClassVar[list[str]] = []

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._senders: list[Callable[[Message], None]] = []

    @classmethod
    def from_param(cls, parameter: param.Parameter, /, **params: Any) -> Self:
        """A control of a parameter: each follows the other.

        Args:
            parameter: of an instance, for instance ``settings.param.heads``.
            **params: of the control; its label is the parameter's unless it is given.
        """
        owner, name = parameter.owner, parameter.name
        control = cls(**{"value": getattr(owner, name), "label": parameter.label or "", **params})
        owner.param.watch(lambda event: _set(control, "value", event.new), name)
        control.param.watch(lambda event: _set(owner, name, event.new), "value")
        return control

    # -- to the browser ----------------------------------------------------------------------

    @classmethod
    def property_names(cls) -> tuple[str, ...]:
        """The parameters that a browser is given."""
        return tuple(
            name for name in cls.param if name != "name" and (cls.param[name].precedence or 0) >= 0
        )

    def encode(self, name: str) -> Any:
        """A parameter as JSON has it."""
        return getattr(self, name)

    def send(self, message: Message) -> None:
        """A message to every browser that shows the component; bytes travel as they are."""
        for send in self._senders:
            send(message)

    def connect(self, send: Callable[[Message], None]) -> None:
        """Called by a carrier: from now on messages go there, too."""
        self._senders.append(send)

    def disconnect(self, send: Callable[[Message], None]) -> None:
        """Called by a carrier that shows the component no more."""
        self._senders.remove(send)

    @property
    def places(self) -> Hashable:
        """What the numbers in its messages count, such as rows; of others a message is refused."""
        return ()

    def offers(self, name: str, raw: Any) -> bool:  # noqa: ARG002 -- for those that look at it
        """Whether the control has this to choose; what it has not goes no further."""
        return True

    def renew(self) -> None:
        """Say again all that a browser knows by messages: it has lost some of it."""

    # -- from the browser --------------------------------------------------------------------

    def order_of(self, said: Mapping[str, Any]) -> Order:
        """What a message, or a property that is set, has to wait for."""
        names = [said["type"]] if isinstance(said.get("type"), str) else said
        return max((self.orders.get(name, Order.OF_SHOWN) for name in names), default=Order.LOOK)

    def accept(self, name: str, raw: Any) -> str:
        """Set a property as a browser asks: its declaration checks it, then those who watch it.

        Returns:
            The sentence that says why it was refused; empty if it was not.
        """
        if name not in self.accepts or self.disabled or not self.offers(name, raw):
            return NOT_OFFERED
        return self.attempt(lambda: self.param.update(**{name: raw}), name)

    def attempt(self, change: Callable[[], None], name: str = "value") -> str:
        """Make a change that may be refused; the last good value stays if it is.

        Returns:
            The sentence that says why it was refused; empty if it was not.
        """
        good = getattr(self, name)
        try:
            change()
        except ValueError as error:
            with param.parameterized.discard_events(self):
                setattr(self, name, good)
            self.problem = str(error)
            with suppress(ValueError):  # those who had heard of it already hear that it is not so
                self.param.trigger(name)
            return str(error)
        self.problem = ""
        return ""

    def receive(self, message: object) -> str:
        """Take a message of a browser; what is not as declared is refused.

        Returns:
            The sentence that says why it was refused; empty if it was heard.
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
        """A message out of the browser, for components that have any: one of ``hears``.

        Raises:
            ValueError: it is refused; one sentence, which is shown over the page.
        """


def changes(event: param.parameterized.Event) -> dict[str, Any]:
    """What is new in a dict that was set: name -> value."""
    old = event.old or {}
    return {name: x for name, x in event.new.items() if name not in old or old[name] != x}


def _set(owner: param.Parameterized, name: str, value: Any) -> None:
    """Set a parameter, unless it is that already: to ``param`` most objects differ from all."""
    if getattr(owner, name) != value:
        owner.param.update(**{name: value})


def _value_of(reference: Any) -> Any:
    return reference.param.value if isinstance(reference, Component) else reference


# So that a control itself can stand where its value is meant, as Panel's widgets can.
register_reference_transform(_value_of)


class _Read:
    """Something out of files, read when a carrier first asks a class for it.

    Attributes:
        entry: the first of them.
    """

    def __init__(self, read: Callable[[], Any], entry: Path) -> None:
        self._read = cache(read)
        self.entry = entry

    def __get__(self, _instance: object, _owner: type) -> Any:
        return self._read()


def module(entry: Path) -> Any:
    """A component's module of JavaScript, with all that it imports, as one text."""
    return _Read(lambda: esm(entry), entry)


def module_file(cls: type[Component]) -> Path | None:
    """The file that the ``module`` of a class begins with; None for a class without one."""
    found = getattr_static(cls, "_esm")
    return found.entry if isinstance(found, _Read) else None


def styles(*files: Path, shared: bool = True) -> Any:
    """Style sheets of a component, as a list of one text; with the shared one before them."""
    sheets = (SHARED / "base.css", *files) if shared else files
    return _Read(
        lambda: ["\n".join(file.read_text(encoding="utf-8") for file in sheets)], sheets[0]
    )
