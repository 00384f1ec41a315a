"""Validates plain data, as parsed from JSON, and converts it to declared types.

Each kind of external data (messages, links, saved sessions, lessons) has one declaration; `read`
checks the data against it, and reports the first error with its place. Supported types are:

* ``bool``, ``int``, ``float``, ``str``, ``bytes``, ``None``, ``object`` (not checked), a
  ``Literal`` of texts, and unions of these;
* ``list[X]``, ``tuple[X, ...]`` and ``tuple[X, Y]``, which are lists in JSON, and ``dict[str, X]``
  (or a ``Mapping``);
* a ``TypedDict``, a ``NamedTuple`` and a dataclass, which are objects in JSON, with no other
  fields; a dataclass may also have fields that are not in the data (`UNREAD`).

By default numbers must be finite, and texts and lists at most as long as ``MAX_TEXT`` and
``MAX_ITEMS``. ``Annotated`` types add other limits and checks: `Within`, `Length`, `Matching`,
`OneOf`, `Then`, `From`, `InOrder`, and `Sentence` for the message of a failed check.
"""

from __future__ import annotations

import dataclasses
import re
import types
import typing
from collections.abc import Callable, Mapping
from functools import cache
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, TypeVar, get_args, get_origin

from .typed_text import has_whole_characters, isolated, quoted

MAX_WHOLE = 2**31 - 1
MAX_NUMBER = 1e300  # excludes infinity and NaN
MAX_TEXT = 1_000  # characters; enough for paths and names
MAX_ITEMS = 10_000  # items of a list; enough for all matrices on the screen

T = TypeVar("T")
Read = Callable[[Any], Any]


class PlainDataError(ValueError):
    """Plain data is invalid; the message is one sentence.

    Attributes:
        what: the sentence without the place, in lower case.
        place: the place of the error, such as ``place.camera[2]``; empty for the whole data.
    """

    def __init__(self, what: str, place: str = "") -> None:
        said = what.rstrip(".")
        where = f"The field “{place}” is wrong: {said}" if place else said[:1].upper() + said[1:]
        super().__init__(f"{where}.")
        self.what, self.place = what, place

    def within(self, name: str | int) -> PlainDataError:
        """Return the error with the name of an enclosing field or an index added to its place."""
        outer = f"[{name}]" if isinstance(name, int) else name
        dot = "." if self.place and not self.place.startswith("[") else ""
        return PlainDataError(self.what, f"{outer}{dot}{self.place}")


class Within(NamedTuple):
    """An inclusive range for a number."""

    low: float
    high: float


class Length(NamedTuple):
    """Limits on the characters of a text, or on the items of a list or dict."""

    least: int
    most: int


class Matching(NamedTuple):
    """A regular expression that the whole text must match."""

    pattern: re.Pattern[str]


class OneOf(NamedTuple):
    """The allowed texts."""

    texts: tuple[str, ...]


class Then(NamedTuple):
    """A function of the parsed value; the text of its ValueError becomes the error message."""

    function: Callable[[Any], Any]


class From(NamedTuple):
    """A value built by a function from another declared type; see `Then`."""

    declared: Any
    function: Callable[[Any], Any]


class InOrder(NamedTuple):
    """Marks a NamedTuple that is encoded as a list in JSON, not as an object."""


class Sentence(NamedTuple):
    """The error message for an invalid value, which replaces ``{}``."""

    text: str


# The metadata of a dataclass's field that is not in the data.
UNREAD: Mapping[str, bool] = types.MappingProxyType({"is_unread": True})
Long = Annotated[str, Length(0, 4_000_000)]  # a file, a table of pairs, or a session


def read(declared: type[T], raw: object) -> T:
    """Parse plain data as a value of the declared type.

    Raises:
        PlainDataError: the data is invalid; the message has the place.
    """
    found: T = reader(declared)(raw)
    return found


def read_field(name: str, check: Callable[[Any], T], raw: object) -> T:
    """Apply a function to one field, and add the field's name to any error.

    Raises:
        PlainDataError: the function rejected the value.
    """
    try:
        return check(raw)
    except PlainDataError as error:
        raise error.within(name) from None
    except ValueError as error:
        raise PlainDataError(str(error), name) from None


def fields(declared: Any) -> Mapping[str, Any]:
    """Return the fields of a TypedDict, a NamedTuple or a dataclass: name -> type."""
    return _fields(declared)


@cache
def needed(declared: Any) -> frozenset[str]:
    """Return the required fields of a TypedDict, a NamedTuple or a dataclass."""
    hints = fields(declared)
    if typing.is_typeddict(declared):
        # Not __required_keys__, which ignores NotRequired in annotations that are stored as text.
        is_total = declared.__total__
        return frozenset(n for n, hint in hints.items() if is_total and not _may_lack(hint))
    if dataclasses.is_dataclass(declared):
        missing = dataclasses.MISSING
        given = [
            x for x in dataclasses.fields(declared) if x.default is x.default_factory is missing
        ]
        return frozenset(x.name for x in given)
    return frozenset(hints) - frozenset(declared._field_defaults)


def _may_lack(hint: Any) -> bool:
    return get_origin(hint) is NotRequired


@cache
def _fields(declared: Any) -> Mapping[str, Any]:
    hints = typing.get_type_hints(declared, include_extras=True)
    if dataclasses.is_dataclass(declared):
        for each in dataclasses.fields(declared):
            if each.metadata == UNREAD:
                del hints[each.name]
    return hints


def different_fields(value: Any) -> dict[str, Any]:
    """Return the fields of a NamedTuple that differ from its defaults, as JSON, for `read`."""
    usual = value._field_defaults
    return {
        name: list(each) if isinstance(each, tuple) else each
        for name, each in value._asdict().items()
        if each != usual[name]
    }


def brief(raw: object) -> str:
    """Return a value quoted for an error message, cut to 40 characters."""
    if isinstance(raw, str):
        text = raw
    elif isinstance(raw, int) and abs(raw) >= 10**12:
        text = "a number"
    else:
        text = repr(raw)
    return f"“{isolated(text[:40])}…”" if len(text) > 40 else quoted(text)


# -- a parser for each declared type --------------------------------------------------------------


def reader(declared: Any) -> Read:
    """Return the function that parses one declared type."""
    return _reader(declared)


@cache
def _reader(declared: Any) -> Read:
    if declared in _PLAIN:
        return _PLAIN[declared]
    origin, parts = get_origin(declared), get_args(declared)
    if origin is Annotated:
        return _annotated(parts[0], parts[1:])
    if origin in (types.UnionType, typing.Union):
        return _union(tuple(map(reader, parts)))
    if origin is Literal:
        return _text(OneOf(parts))
    if origin is list:
        return _list(reader(parts[0]), list)
    if origin is tuple:
        return _list(reader(parts[0]), tuple) if parts[1:] == (...,) else _tuple(parts, tuple)
    if origin in (dict, Mapping):
        return _dict(reader(parts[1]))
    if typing.is_typeddict(declared):
        return _group(declared)
    if hasattr(declared, "_fields") or dataclasses.is_dataclass(declared):
        group = _group(declared)
        return lambda raw: declared(**group(raw))
    raise TypeError(f"Plain data cannot be declared as {declared}.")


def _annotated(base: Any, limits: tuple[Any, ...]) -> Read:
    # Some limits are part of the base parser; other limits wrap it.
    own = tuple(limit for limit in limits if isinstance(limit, Within | Length | Matching | OneOf))
    made = next((limit for limit in limits if isinstance(limit, From)), None)
    if made is not None:
        inner = _then(reader(made.declared), made.function)
    elif InOrder() in limits:
        inner = _tuple(tuple(fields(base).values()), lambda values: base(*values))
    elif own:
        inner = _limited(base, own)
    else:
        inner = reader(base)
    for limit in limits:
        if isinstance(limit, Then):
            inner = _then(inner, limit.function)
        elif isinstance(limit, Sentence):
            inner = _sentence(inner, limit.text)
    return inner


def _limited(base: Any, limits: tuple[Any, ...]) -> Read:
    if base is int:
        return whole(*limits[0])
    if base is float:
        return _number(*limits[0])
    if base is str:
        return _text(*limits)
    if get_origin(base) in (dict, Mapping):
        return _dict(reader(get_args(base)[1]), limits[0])
    if get_origin(base) in (list, tuple):
        return _list(reader(get_args(base)[0]), get_origin(base), limits[0])
    raise TypeError(f"{base} has no limits of this kind.")


def _then(inner: Read, function: Callable[[Any], Any]) -> Read:
    def read(raw: Any) -> Any:
        value = inner(raw)
        try:
            return function(value)
        except PlainDataError:
            raise
        except ValueError as error:
            raise PlainDataError(str(error)) from None

    return read


def _sentence(inner: Read, text: str) -> Read:
    def read(raw: Any) -> Any:
        try:
            return inner(raw)
        except PlainDataError as error:
            if error.place:  # a nested error already has its own message
                raise
            raise PlainDataError(text.replace("{}", brief(raw))) from None

    return read


def _union(readers: tuple[Read, ...]) -> Read:
    if len(readers) == 2 and readers[1] is _none:
        first = readers[0]
        return lambda raw: None if raw is None else first(raw)

    def read(raw: Any) -> Any:
        for each in readers:
            try:
                return each(raw)
            except PlainDataError:
                continue
        raise PlainDataError(f"{brief(raw)} is not allowed here")

    return read


def whole(low: float, high: float) -> Callable[[Any], int]:
    """Return a parser of integers in an inclusive range."""

    def read(raw: Any) -> int:
        if type(raw) is int and low <= raw <= high:
            return raw
        raise PlainDataError(f"{brief(raw)} is not a whole number from {low} to {high}")

    return read


def _number(low: float, high: float) -> Read:
    span = f"not a number from {low:,} to {high:,}" if high < MAX_NUMBER else "no number"

    def read(raw: Any) -> float:
        if (type(raw) is float or type(raw) is int) and low <= raw <= high:
            return float(raw)
        is_large = type(raw) is int and high == MAX_NUMBER
        raise PlainDataError(f"{brief(raw)} is {'too large' if is_large else span}")

    return read


def _text(*limits: Any) -> Read:
    """Return a parser of text with limits on its length, pattern or choices."""
    least, most = next((x for x in limits if isinstance(x, Length)), Length(0, MAX_TEXT))
    choice = frozenset(t for x in limits if isinstance(x, OneOf) for t in x.texts)
    pattern = next((x.pattern for x in limits if isinstance(x, Matching)), None)

    def read(raw: Any) -> str:
        if not isinstance(raw, str):
            raise PlainDataError(f"{brief(raw)} is no text")
        if not least <= len(raw) <= most:
            raise PlainDataError(f"{brief(raw)} has not {least} to {most:,} characters")
        if choice and raw not in choice:
            raise PlainDataError(f"{brief(raw)} is none of {', '.join(sorted(choice))}")
        if pattern is not None and not pattern.fullmatch(raw):
            raise PlainDataError(f"{brief(raw)} is not allowed here")
        return raw

    return read


def _bool(raw: Any) -> bool:
    if isinstance(raw, bool):
        return raw
    raise PlainDataError(f"{brief(raw)} is neither true nor false")


def _bytes(raw: Any) -> bytes:
    if isinstance(raw, bytes):
        return raw
    raise PlainDataError("it is not bytes")


def _none(raw: Any) -> None:
    if raw is not None:
        raise PlainDataError(f"{brief(raw)} is not nothing")


def _list(item: Read, make: Callable[[list[Any]], Any], length: Length | None = None) -> Read:
    least, most = length or Length(0, MAX_ITEMS)

    def read(raw: Any) -> Any:
        if not isinstance(raw, list):
            raise PlainDataError("it is not a list")
        if not least <= len(raw) <= most:
            raise PlainDataError(f"it is not a list of {least} to {most:,} items")
        return make(_items(raw, item))

    return read


def _items(raw: list[Any], item: Read) -> list[Any]:
    found: list[Any] = []
    try:
        for each in raw:
            found.append(item(each))
    except PlainDataError as error:
        raise error.within(len(found)) from None
    return found


def _tuple(parts: tuple[Any, ...], make: Callable[[list[Any]], Any]) -> Read:
    readers = tuple(map(reader, parts))

    def read(raw: Any) -> Any:
        if not isinstance(raw, list) or len(raw) != len(readers):
            raise PlainDataError(f"it is not a list of {len(readers)} items")
        values = iter(readers)
        return make(_items(raw, lambda each: next(values)(each)))

    return read


def _dict(value: Read, length: Length | None = None) -> Read:
    least, most = length or Length(0, MAX_ITEMS)

    def read(raw: Any) -> dict[str, Any]:
        if not isinstance(raw, dict) or not least <= len(raw) <= most:
            raise PlainDataError("it is not a group of fields")
        found = {}
        for name, each in raw.items():
            try:
                found[name] = value(each)
            except PlainDataError as error:
                raise error.within(isolated(name[:40])) from None
        return found

    return read


def _group(declared: Any) -> Read:
    of_group = needed(declared)
    readers = {
        name: reader(get_args(hint)[0] if _may_lack(hint) else hint)
        for name, hint in fields(declared).items()
    }

    def read(raw: Any) -> dict[str, Any]:
        if not isinstance(raw, dict):
            raise PlainDataError("it is not a group of fields")
        found = {}
        for name, value in raw.items():
            each = readers.get(name)
            if each is None:
                what = f"it has a field {brief(name)} that this page does not know"
                raise PlainDataError(what)
            try:
                found[name] = each(value)
            except PlainDataError as error:
                raise error.within(name) from None
        if not of_group <= found.keys():
            missing = brief(min(of_group - found.keys()))
            raise PlainDataError(f"it has no field {missing}, which it needs")
        return found

    return read


def _as_it_is(raw: Any) -> Any:
    return raw


def _whole_characters(text: str) -> str:
    if not has_whole_characters(text):
        raise ValueError("it has half of a character")
    return text


_PLAIN: dict[Any, Read] = {
    bool: _bool,
    int: whole(-MAX_WHOLE, MAX_WHOLE),
    float: _number(-MAX_NUMBER, MAX_NUMBER),
    str: _text(),
    bytes: _bytes,
    type(None): _none,
    object: _as_it_is,
}

# Only text that can be encoded: no half of a surrogate pair.
WholeText = Annotated[str, Then(_whole_characters)]
