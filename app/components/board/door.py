"""The one door for what a browser says to a board: what is no message does not come in.

What a message may hold stands where messages are declared. Numbers are finite and within the range
of what can be counted on a page, whole ones are whole, texts and lists have a largest length.
"""

from __future__ import annotations

import functools
import logging
import types
import typing
from typing import Any, NotRequired, get_args, get_origin

from . import messages
from .messages import Message

LARGEST = 2**31 - 1  # of whole numbers
FARTHEST = 1e300  # of other numbers; none of what is no number is as near
LONGEST = 1000  # of texts: paths, names
MOST = 100_000  # in a list: matrices that are on the screen

FROM_BOARD: dict[str, type] = {
    "ready": messages.ReadyMessage,
    "ack": messages.AckMessage,
    "visible": messages.VisibleMessage,
    "set": messages.SetMessage,
    "select": messages.CellMessage,
    "hover": messages.CellMessage,
    "restore": messages.RestoreMessage,
    "silence": messages.SilenceMessage,
    "oscillate": messages.OscillateMessage,
    "focus": messages.FocusMessage,
    "pair": messages.PairMessage,
    "pull": messages.PullMessage,
    "window": messages.WindowMessage,
    "choose": messages.ChooseMessage,
    "place": messages.PlaceMessage,
    "setting": messages.SettingMessage,
    "goto": messages.GotoMessage,
    "link": messages.AskLinkMessage,
    "undo": messages.HistoryMessage,
    "redo": messages.HistoryMessage,
}

_LOG = logging.getLogger(__name__)


def admitted(data: object) -> Message | None:
    """The message if it is one, else None, and one short line in the log."""
    if not isinstance(data, dict):
        _LOG.warning("A board takes messages only, not %s.", type(data).__name__)
        return None
    kind = data.get("type")
    declared = FROM_BOARD.get(kind) if isinstance(kind, str) else None
    if declared is None:
        _LOG.warning("A board takes no message %.40r.", kind)
        return None
    wrong = _wrong(data, declared)
    if wrong:
        _LOG.warning("A message %s was refused: its %.40s is none.", kind, wrong)
        return None
    return data


def _wrong(data: Message, declared: type) -> str:
    """The field that is missing, too many or of no such kind; empty if none is."""
    fields = _fields(declared)
    for name in data:
        if name != "type" and name not in fields:
            return str(name)
    for name, (hint, is_needed) in fields.items():
        if name in data:
            if not _is(data[name], hint):
                return name
        elif is_needed:
            return name
    return ""


@functools.cache
def _fields(declared: type) -> dict[str, tuple[Any, bool]]:
    """Name -> what it is declared as, and whether it has to be there."""
    hints = typing.get_type_hints(declared, include_extras=True)
    # Not by `__required_keys__`: of annotations that are kept as text it knows no NotRequired.
    total = declared.__total__  # type: ignore[attr-defined]
    found = {}
    for name, hint in hints.items():
        may_miss = get_origin(hint) is NotRequired
        found[name] = (get_args(hint)[0] if may_miss else hint, total and not may_miss)
    found.pop("type", None)
    return found


def _is(raw: object, hint: Any) -> bool:
    """Whether a value is of a declared kind, and within the limits of all of that kind."""
    if hint is object:
        return True  # who hears of it looks at it
    origin = get_origin(hint)
    if origin in (types.UnionType, typing.Union):
        return any(_is(raw, each) for each in get_args(hint))
    if origin is list:
        (each,) = get_args(hint)
        return isinstance(raw, list) and len(raw) <= MOST and all(_is(x, each) for x in raw)
    if hint is int:
        return type(raw) is int and abs(raw) <= LARGEST
    if hint is float:
        return type(raw) in (int, float) and abs(raw) <= FARTHEST  # type: ignore[arg-type]
    if hint is str:
        return isinstance(raw, str) and len(raw) <= LONGEST
    if hint is bool or hint is type(None):
        return isinstance(raw, bool if hint is bool else type(None))
    raise TypeError(f"Messages declare no {hint}.")
