"""The one door for what a browser says to a component: what is no message does not come in.

What a message may hold stands where messages are declared, in a class of each component's own.
Numbers are finite and within the range of what can be counted on a page, whole ones are whole,
texts and lists have a largest length.
"""

from __future__ import annotations

import functools
import types
import typing
from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, get_args, get_origin

from ..security.refusals import short, tell

Message = dict[str, Any]

LARGEST = 2**31 - 1  # of whole numbers
FARTHEST = 1e300  # of other numbers; none of what is no number is as near
LONGEST = 1000  # of texts: paths, names
MOST = 10_000  # in a list: matrices that are on the screen

NO_MESSAGE = "This could not be taken: something in it is missing, or longer than it may be."


class Within(NamedTuple):
    """The range of a number: ``Annotated[float, Within(0, 1)]``; both ends are in it."""

    low: float
    high: float


Long = Annotated[str, 4_000_000]  # a text of many lines: a file, a table of pairs


class Bare(typing.TypedDict):
    """A message that says no more than its kind."""


class Asked(typing.TypedDict):
    """One that wants an answer, which has the same number."""

    id: int


def admitted(data: object, declared: Mapping[str, type], place: str) -> Message | None:
    """The message if it is one, else None, and one short line in the log.

    Args:
        data: what a browser said.
        declared: what may be said, by its kind.
        place: to whom it was said, a word.
    """
    kind = data.get("type") if isinstance(data, dict) else None
    message = declared.get(kind) if isinstance(kind, str) else None
    if not isinstance(data, dict) or message is None:
        tell(f"{place} takes no message {short(data if kind is None else kind)}")
        return None
    wrong = _wrong(data, message)
    if wrong is not None:
        tell(f"of a message {kind} to {place}: {short(wrong)}")
        return None
    return data


def _wrong(data: Message, declared: type) -> object:
    """The field that is missing, too many or of no such kind; None if none is."""
    fields = _fields(declared)
    for name in data:
        if name != "type" and name not in fields:
            return name
    for name, (hint, is_needed) in fields.items():
        if name in data:
            if not _is(data[name], hint):
                return name
        elif is_needed:
            return name
    return None


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
    if check := _PLAIN.get(hint):
        return check(raw)
    origin = get_origin(hint)
    if origin in (types.UnionType, typing.Union):
        return any(_is(raw, each) for each in get_args(hint))
    if origin is list:
        (each,) = get_args(hint)
        return isinstance(raw, list) and len(raw) <= MOST and all(_is(x, each) for x in raw)
    if origin is Literal:
        return isinstance(raw, str) and raw in get_args(hint)
    if origin is Annotated:
        (limit,) = hint.__metadata__
        if isinstance(limit, Within):
            return _is(raw, hint.__origin__) and limit.low <= raw <= limit.high  # type: ignore[operator]
        return isinstance(raw, str) and len(raw) <= limit
    raise TypeError(f"Messages declare no {hint}.")


_PLAIN: dict[Any, typing.Callable[[Any], bool]] = {
    int: lambda raw: type(raw) is int and abs(raw) <= LARGEST,
    float: lambda raw: type(raw) in (int, float) and abs(raw) <= FARTHEST,
    str: lambda raw: isinstance(raw, str) and len(raw) <= LONGEST,
    bool: lambda raw: isinstance(raw, bool),
    bytes: lambda raw: isinstance(raw, bytes),
    type(None): lambda raw: raw is None,
}
