"""Declares lists of tokens, each a line of words: the source, the target, the target vocabulary."""

from collections.abc import Callable
from typing import Any, ClassVar

import param

from ...components.callbacks import Callbacks
from ...components.component import Component, Message
from ...components.messages import AnyMessage
from ...components.order import Order

_NOTHING: dict[str, Any] = {
    "sequence": "",
    "ids": [],
    "unlearned": [],
    "can_write": False,
    "another": "",
    "verdict": "",
    "unjudged": "",
    "unjudged_why": "",
    "in_full": "",
    "restores": "",
    "writes": False,
    "row": None,
    "end": "",
    "title": "",
    "tip": "",
    "can_follow": False,
    "is_learned": False,
    "is_closed": False,
    "moves": "",
}


class OfList(AnyMessage):
    """A message about a list, such as a request for a new text."""

    name: str


class Edited(OfList):
    """Tokens were edited."""

    tokens: list[str]


class Chosen(OfList):
    """A word was chosen in the control next to the list."""

    word: str


class Write(OfList):
    """A choice of whether the model writes the list itself, instead of the user."""

    on: bool


class Look(OfList):
    """A request to follow a word through the model."""

    at: int


class Tokens(Component):
    """Words that can be chosen from a list, typed, added, removed, moved, pasted and followed.

    A list is a dict, `TokenList` in types.js; missing entries get defaults.

    All lists are one component, because each component costs the server a few milliseconds per
    opened page.

    `value` maps the name of each list to its tokens after a finished edit, `chosen` to the word
    chosen beside the list, and `writing` to whether the model writes the list. A watcher rejects a
    value by a ValueError: its message is shown below the list, and the last valid tokens stay.
    """

    value = param.Dict(default={}, doc="List name -> tokens.", precedence=-1)

    chosen = param.Dict(
        default={},
        doc="List name -> the word chosen beside the list, if it has a choice.",
        precedence=-1,
    )

    writing = param.Dict(
        default={}, doc="List name -> whether the model writes the list.", precedence=-1
    )

    lists = param.List(default=[], item_type=dict, doc="Descriptions of the lists, in order.")

    written = param.Dict(
        default={},
        doc="For lists that the model writes: list name -> `probabilities` (None for given "
        "tokens), `changed` (whether the last edit changed the token), the probability of the "
        "`end` (None without an end), and, while a number is held, `would`: the sentence that the "
        "model writes on release. They change with every number; the lists do not.",
    )

    words = param.Dict(
        default={},
        doc="List name -> the words to choose from, as pairs of a kind and its words. Empty if "
        "there are too many.",
    )

    marks = param.Dict(
        default={},
        doc="List name -> positions, or None: `focus`, the word in focus, and whether it is "
        "`followed` or a source of the followed word; `asked`, the word whose alternatives are "
        "shown.",
    )

    numbers = param.Boolean(default=False, doc="Whether each word shows its id and probability.")

    locked = param.Boolean(default=False, doc="Whether tokens can be followed but not changed.")

    layout = param.Selector(
        default="line", objects=["line", "column"], doc="Side by side, or below each other."
    )

    hears: ClassVar = {
        "tokens": Edited,
        "choice": Chosen,
        "write": Write,
        "another": OfList,
        "restore": OfList,
        "look": Look,
    }

    orders: ClassVar = {"look": Order.LOOK}

    # All callbacks get the name of the list.
    on_look = Callbacks[[str, int]]()  # and the position of a clicked word
    on_another = Callbacks[[str]]()  # set a new text; a ValueError refuses the request
    on_restore = Callbacks[[str]]()  # undo the overrides

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self.param.watch(self._take_values, "lists")
        self.param.watch(self._show_values, ["value", "chosen"])
        self._take_values()

    def _take_values(self, *_: Any) -> None:
        value = {entry["name"]: entry["tokens"] for entry in self.lists}
        chosen = {e["name"]: e["choice"]["value"] for e in self.lists if e.get("choice")}
        writing = {entry["name"]: entry.get("writes", False) for entry in self.lists}
        self.update_changed(value=value, chosen=chosen, writing=writing)

    def _show_values(self, *_: Any) -> None:
        self.update_changed(lists=[self._with_value(entry) for entry in self.lists])

    def _with_value(self, entry: dict[str, Any]) -> dict[str, Any]:
        name = entry["name"]
        choice = entry.get("choice")
        if choice:
            choice = {**choice, "value": self.chosen.get(name, choice["value"])}
        return {**entry, "tokens": list(self.value.get(name, entry["tokens"])), "choice": choice}

    def hear(self, message: Message) -> None:
        name, kind = message["name"], message["type"]
        entry = next((entry for entry in self.lists if entry["name"] == name), None)
        if entry is None:
            return
        if kind == "choice" and entry["choice"]:
            self._attempt("chosen", name, message["word"])
        elif kind == "tokens":
            self._attempt("value", name, message["tokens"])
        elif kind == "write":
            self._attempt("writing", name, message["on"])
        elif kind == "restore" and entry.get("restores"):
            self.on_restore.call(name)
        elif kind == "another" and entry.get("another"):
            self._try(name, lambda: self.on_another.call(name))
        elif kind == "look":
            self.on_look.call(name, message["at"])

    def encode(self, name: str) -> Any:
        if name == "lists":
            return [{**_NOTHING, **entry} for entry in self.lists]
        return super().encode(name)

    def _attempt(self, parameter: str, name: str, new: Any) -> None:
        changed = {parameter: {**getattr(self, parameter), name: new}}
        self._try(name, lambda: self.param.update(**changed), parameter)

    def _try(self, name: str, change: Callable[[], Any], parameter: str = "value") -> None:
        sentence = self.attempt(change, parameter)
        self.lists = [
            {**entry, "error": sentence} if entry["name"] == name else entry for entry in self.lists
        ]
