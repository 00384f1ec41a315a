"""Labeled controls made from descriptions of fields."""

from collections.abc import Mapping
from typing import Any, ClassVar, NotRequired

import param

from ..callbacks import Callbacks
from ..component import Component, Message
from ..messages import AnyMessage
from ..order import Order

WITHOUT_VALUE = ("action", "note", "output")


class Changed(AnyMessage):
    """A field's value was changed or typed, or a button was pressed (no value)."""

    name: str
    value: NotRequired[object]


class Fields(Component):
    """Several controls in one component.

    One component per control would cost the server several milliseconds per control and page.

    A field is a dict with `name`, `label`, `kind` and, by kind:

    - `integer`, `number`: `value`, optional `minimum`, `maximum`, `step` (added by − and +)
    - `choice`: `value`, `options` as `[[value, label], ...]`
    - `switch`: `value`, optional `key` (turns the switch, anywhere on the page)
    - `text`: `value`, optional `live` (also sent during typing)
    - `action`: a button
    - `note`: `value`, a line to read
    - `output`: `value`, a result, optional `tone` (`good`, `bad`)

    and optionally `help` (a sentence), `group` (heading; fields of one group are shown together),
    `folded` (the group starts closed), `disabled`, `hidden`, `place` (`line` or `menu`: the style
    properties `--line-<name>` and `--menu-<name>` show one of the two), and for an action `title`
    and `room` (its longest label, which sets its width).

    A watcher of `value` refuses a value by a ValueError, whose sentence is shown at the field.
    `on_press` callbacks receive the names of pressed buttons, and may refuse in the same way.
    """

    value = param.Parameter(default=None, doc="The values of the fields.", precedence=-1)

    fields = param.List(default=[], item_type=dict, doc="Descriptions of the controls, in order.")

    errors = param.Dict(default={}, doc="Field name -> a sentence that is shown below it.")

    layout = param.Selector(
        default="column", objects=["column", "row"], doc="A column, or a line in the header."
    )

    on_press = Callbacks[[str]]()  # the name of the pressed button

    hears: ClassVar = {"change": Changed, "typing": Changed}

    # Orders by field name.
    orders: ClassVar = dict.fromkeys(("undo", "redo"), Order.OVER)

    sheets: ClassVar[tuple[str, ...]] = ("form.css", "controls.css")

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self.param.watch(lambda _: self.param.trigger("fields"), "disabled")

    def encode(self, name: str) -> Any:
        """Return a parameter as JSON data; while the form is disabled, all its fields are, too."""
        if name == "fields" and self.disabled:
            return [{**field, "disabled": True} for field in self.fields]
        return super().encode(name)

    def order_of(self, said: Mapping[str, Any]) -> Order:
        """Return the `Order` of the changed or pressed field."""
        name = said.get("name")
        return self.orders.get(name, Order.OF_SHOWN) if isinstance(name, str) else Order.OF_SHOWN

    def hear(self, message: Message) -> None:
        """Handle a field that was changed, typed into or pressed."""
        name, kind = message["name"], message["type"]
        field = next((field for field in self.fields if field["name"] == name), None)
        if field is None or field.get("disabled"):
            return
        if kind == "typing" and field.get("live"):
            sentence = self.type_in(field["name"], message.get("value"))
        elif kind != "change" or field["kind"] in ("note", "output"):
            return
        elif not _is_offered(field, message.get("value")):
            sentence = ""  # this kind of field cannot have such a value
        elif field["kind"] == "action":
            sentence = self.attempt(lambda: self.press(field["name"]))
        else:
            sentence = self.attempt(lambda: self.change(field["name"], message.get("value")))
        # Show one error at a time: an older error may be out of date.
        self.errors = {field["name"]: sentence} if sentence else {}

    def change(self, name: str, raw: Any) -> None:
        """Set a field to the value that the user typed or chose.

        Raises:
            ValueError: the value does not fit; the message is one sentence.
        """
        raise NotImplementedError

    def type_in(self, name: str, raw: Any) -> str:  # noqa: ARG002 -- for forms that take texts
        """Handle a text that is still being typed; return its error, or an empty string."""
        return ""

    def press(self, name: str) -> None:
        """Press a button."""
        self.on_press.call(name)


class Form(Fields):
    """A form made from individually described fields.

    `value` maps the name of each field to its value. `value_input` maps the name of each live text
    to the text at every keystroke. The value of a number is the typed text.
    """

    value = param.Dict(default={}, doc="Field name -> value.", precedence=-1)

    value_input = param.Dict(default={}, doc="The same, also while the user types.", precedence=-1)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self.param.watch(self._take_values, "fields")
        self.param.watch(self._show_values, "value")
        self._take_values()

    def change(self, name: str, raw: Any) -> None:
        """Set a field's value; see `Fields.change`."""
        self.value = {**self.value, name: raw}

    def type_in(self, name: str, raw: Any) -> str:
        """Set a live text; see `Fields.type_in`."""
        typed = {**self.value_input, name: raw}
        return self.attempt(lambda: self.param.update(value_input=typed), "value_input")

    def _take_values(self, *_: Any) -> None:
        values = {f["name"]: f["value"] for f in self.fields if f["kind"] not in WITHOUT_VALUE}
        if values != self.value:
            self.value = values
        with param.parameterized.discard_events(self):
            self.value_input = {}  # intermediate texts are outdated

    def _show_values(self, *_: Any) -> None:
        fields = [
            {**field, "value": self.value[field["name"]]} if field["name"] in self.value else field
            for field in self.fields
        ]
        if fields != self.fields:
            self.fields = fields


def _is_offered(field: dict[str, Any], raw: Any) -> bool:
    """Return whether a user can enter a value in a field."""
    if field["kind"] == "switch":
        return isinstance(raw, bool)
    if field["kind"] == "choice":
        return any(type(raw) is type(value) and raw == value for value, _ in field["options"])
    return field["kind"] == "action" or isinstance(raw, (str, int, float))
