"""Converts annotations to tests of a value, with words for an error.

``int`` requires a whole number that is not Boolean, ``float`` any number but NaN, ``ArrayLike`` a
value that converts to an array of numbers without NaN, and ``np.ndarray`` an array, even with NaN.
The items of a list are tested, too.
"""

from __future__ import annotations

import math
import os
import types
import typing
from collections.abc import Callable, Collection, Iterable, Mapping
from numbers import Real
from typing import Any, Literal, NamedTuple, get_args, get_origin

import numpy as np

from transformer_math.checks import plain, with_article

# Class -> the functions that return its objects, for error messages.
MADE_BY = {
    "Trace": "as model(…) returns it",
    "Transformer": "as Transformer.create(config) returns it",
    "Pairs": "as phrases() returns it",
    "Config": "such as Config(d_model=8)",
    "Decoding": "such as Decoding(start, end, max_length)",
}


class Kind(NamedTuple):
    """A kind of values.

    Attributes:
        words: a description of each allowed type, such as ``a text``.
        fits: the test.
        plural: a description of several values of this kind.
        is_array: whether an array is required, and not only a value that converts to an array.
    """

    words: tuple[str, ...]
    fits: Callable[[Any], bool]
    plural: str = ""
    is_array: bool = False


class Array:
    """Stands for ``ArrayLike`` in annotations."""


class DType:
    """Stands for ``DTypeLike`` in annotations."""


def kind_of(hint: Any, ranges: bool = False) -> Kind | None:
    """Return the kind of values of an annotation; None if all values are allowed.

    Args:
        hint: the annotation, in which ``Array`` stands for ``ArrayLike``.
        ranges: whether numbers and texts are checked elsewhere.
    """
    if ranges and hint in (int, float, str):
        return None
    if hint in _SIMPLE:
        return _SIMPLE[hint]
    origin, parts = get_origin(hint), get_args(hint)
    if origin is None:
        return _object(hint)
    if origin is Literal:
        words = f'"{parts[0]}"' if len(parts) == 1 else f"one of {', '.join(parts)}"
        return Kind((words,), lambda x: isinstance(x, str) and x in parts)
    if origin in (typing.Union, types.UnionType):
        return _any_of([kind_of(each, ranges) for each in parts])
    if origin is Callable:
        return _FUNCTION
    if issubclass(origin, Mapping):
        return _mapping(parts[0])
    if origin is tuple and ... not in parts:  # its items are checked where they are used
        return Kind(("a tuple",), lambda x: isinstance(x, tuple | list), "tuples")
    return _list(origin, parts[0]) if issubclass(origin, Iterable) else _object(origin)


def _any_of(kinds: list[Kind | None]) -> Kind | None:
    known = [each for each in kinds if each is not None]
    if len(known) < len(kinds):
        return None
    tests = [each.fits for each in known]

    def fits(value: Any) -> bool:
        for test in tests:  # noqa: SIM110 - takes less than any(…), in every pass
            if test(value):
                return True
        return False

    return Kind(
        tuple(dict.fromkeys(word for each in known for word in each.words)),
        fits,
        " or ".join(each.plural for each in known),
        any(each.is_array for each in known),
    )


def _mapping(key: Any) -> Kind:
    if key is not str:
        return Kind(("a dict",), lambda x: isinstance(x, Mapping), "dicts")
    return Kind(
        ("a dict with texts as keys",),
        lambda x: isinstance(x, Mapping) and all(isinstance(key, str) for key in x),
        "dicts",
    )


def _list(origin: type, item: Any) -> Kind:
    """Return the kind of a list, a tuple or another collection with items of one kind."""
    name = "tuple" if origin is tuple else "list"
    kind = kind_of(item)
    accepted = (tuple, list) if origin is tuple and item is str else origin
    is_text_itself = item is object  # a text is a sequence of characters

    def fits(value: Any) -> bool:
        if isinstance(value, np.ndarray) and origin is not tuple:
            is_row = value.ndim == 1
        else:
            is_text = isinstance(value, str | bytes)
            is_row = isinstance(value, accepted) and (is_text_itself or not is_text)
        # The items of an iterator are not tested, because they can be read only once.
        has_items = is_row and isinstance(value, Collection | np.ndarray)
        return is_row and (kind is None or not has_items or all(map(kind.fits, value)))

    of = f" of {kind.plural}" if kind is not None and kind.plural else ""
    return Kind((f"a {name}{of}",), fits, f"{name}s")


def _object(hint: Any) -> Kind | None:
    """Return the kind of the objects of a class; None for all objects."""
    if not isinstance(hint, type) or hint is object:
        return None
    if typing.is_typeddict(hint):
        return _mapping(str)
    made_by = f", {MADE_BY[hint.__name__]}" if hint.__name__ in MADE_BY else ""
    words = f"{with_article(hint.__name__)}{made_by}"
    return Kind((words,), lambda x: isinstance(x, hint), f"{hint.__name__} objects")


def _is_whole(value: Any) -> bool:
    if type(value) is int:
        return True
    if isinstance(value, bool | np.bool_):
        return False
    try:
        value.__index__()
    except (AttributeError, TypeError):
        return False
    return True


def _is_number(value: Any) -> bool:
    value = plain(value)
    return isinstance(value, Real) and not isinstance(value, bool) and not math.isnan(value)


def _can_be_array(value: Any) -> bool:
    if not isinstance(value, np.ndarray):
        try:
            value = np.asarray(value)
        except (TypeError, ValueError):  # rows of unequal length
            return False
    return value.dtype.kind in "biuf"


def _is_without_nan(value: Any) -> bool:
    if not _can_be_array(value):
        return False
    array = np.asarray(value)
    return array.dtype.kind != "f" or not np.isnan(array).any()


def _is_dtype(value: Any) -> bool:
    try:
        return value is not None and np.dtype(value).kind in "biuf"
    except (TypeError, ValueError):
        return False


_FUNCTION = Kind(("a function",), callable, "functions")
_NONE = Kind(("None",), lambda x: x is None, "None")
_SIMPLE: dict[Any, Kind | None] = {
    Any: None,
    None: _NONE,
    type(None): _NONE,
    bool: Kind(("True", "False"), lambda x: isinstance(x, bool | np.bool_), "Booleans"),
    int: Kind(("a whole number",), _is_whole, "whole numbers"),
    float: Kind(("a number",), _is_number, "numbers"),
    str: Kind(("a text",), lambda x: isinstance(x, str), "texts"),
    bytes: Kind(("bytes",), lambda x: isinstance(x, bytes), "bytes"),
    os.PathLike: Kind(("a path",), lambda x: isinstance(x, os.PathLike), "paths"),
    Array: Kind(("an array of numbers",), _is_without_nan, "arrays"),
    np.ndarray: Kind(("an array of numbers",), _can_be_array, "arrays", is_array=True),
    DType: Kind(("a type of numbers such as np.float32",), _is_dtype, "types"),
    Callable: _FUNCTION,
}
