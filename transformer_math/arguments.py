"""Checks the arguments of public functions against their annotations.

A function under ``@checked()`` is called only if each argument has the type of its annotation, and
arrays have the declared shape and contain numbers but no NaN. Otherwise the error has one sentence
with the argument, its expected type and its value. Ranges are checked by the functions themselves.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple, ParamSpec, TypeVar

import numpy as np

from transformer_math.checks import WrongArgument, described
from transformer_math.kinds import Array, DType, kind_of
from transformer_math.suggestions import check_names

P = ParamSpec("P")
R = TypeVar("R")
C = TypeVar("C", bound=type)
Aliases = Mapping[str, str] | Callable[[Mapping[str, Any]], Mapping[str, str]]


class Shape(NamedTuple):
    """The axes of an array, by the names of their sizes, after any leading axes if ``is_open``."""

    axes: tuple[str, ...]
    is_open: bool

    @classmethod
    @functools.cache
    def parsed(cls, text: str) -> Shape:
        """Parse the axes of an array: ``"… n d"`` is (…, n, d)."""
        names = tuple(text.split())
        return cls(names[1:], True) if names[:1] == ("…",) else cls(names, False)

    def __str__(self) -> str:
        names = (*("…" for _ in range(self.is_open)), *self.axes)
        return f"({', '.join(names)}{',' * (len(names) == 1)})"


def checked(
    aliases: Aliases | None = None,
    *,
    what: str = "",
    ranges: bool = False,
    reals: Collection[str] = (),
    shapes: Mapping[str, str] | None = None,
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Check the arguments of a function before it runs.

    Args:
        aliases: name of an argument in another library -> its name here, for suggestions; or a
            function that returns this mapping for the arguments of a call.
        what: the name of the function in sentences; by default its own name.
        ranges: whether the function itself checks all numbers and texts, because it knows their
            limits.
        reals: arguments that are arrays of real numbers; whole numbers are converted.
        shapes: argument -> axes of its array, such as ``"… n d"``. Equal names are equal sizes.
    """

    def decorated(function: Callable[P, R]) -> Callable[P, R]:
        @functools.cache  # at the first call, when all classes of annotations are imported
        def signature() -> Signature:
            name = what or function.__name__
            return Signature(function, name, aliases or {}, ranges, reals, shapes or {})

        @functools.wraps(function)
        def call(*values: P.args, **settings: P.kwargs) -> R:
            return function(*signature().read(values, settings), **settings)

        return call

    return decorated


def checked_settings(what: str, aliases: Aliases | None = None) -> Callable[[C], C]:
    """Check the arguments of a class; its ``__post_init__`` checks numbers and texts."""

    def decorated(kind: C) -> C:
        check = checked(aliases, what=what, ranges=True)
        kind.__init__ = check(kind.__init__)  # type: ignore[misc]
        return kind

    return decorated


class Signature:
    """The arguments of a function and the allowed values of each."""

    def __init__(
        self,
        function: Callable[..., Any],
        what: str,
        aliases: Aliases,
        ranges: bool,
        reals: Collection[str],
        shapes: Mapping[str, str],
    ) -> None:
        parameters = inspect.signature(function).parameters.values()
        by_place = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        names = _names_in_annotations(function)
        self._what, self._aliases, self._reals, self._shapes = what, aliases, reals, shapes
        self._kinds = {
            each.name: kind_of(_evaluated(each.annotation, names), ranges)
            for each in parameters
            if each.kind not in (each.VAR_KEYWORD, each.VAR_POSITIONAL)
        }
        self._arrays = {name for name, kind in self._kinds.items() if kind and kind.is_array}
        self._takes_any = any(each.kind is each.VAR_KEYWORD for each in parameters)
        self._positional = [each.name for each in parameters if each.kind in by_place]

    def read(self, values: tuple[Any, ...], settings: dict[str, Any]) -> tuple[Any, ...]:
        """Check the arguments of a call, and convert array-like arguments to arrays.

        Returns:
            The positional arguments; ``settings`` are changed in place.

        Raises:
            UnknownSetting: a name is no argument; the message suggests an argument.
            WrongArgument: an argument has the wrong type or shape, or holds NaN.
        """
        if not self._takes_any and not settings.keys() <= self._kinds.keys():
            known = self._aliases(settings) if callable(self._aliases) else self._aliases
            check_names(self._what, settings, self._kinds, known)
        for name, value in zip(self._positional, values, strict=False):
            self._check(name, value)
        for name, value in settings.items():
            self._check(name, value)
        if self._arrays:
            values = (
                tuple(map(self._array, self._positional, values)) + values[len(self._positional) :]
            )
            settings.update((name, self._array(name, x)) for name, x in settings.items())
        if self._shapes:
            given = {**dict(zip(self._positional, values, strict=False)), **settings}
            check_shapes(given, self._shapes)
        return values

    def _check(self, name: str, value: Any) -> None:
        kind = self._kinds.get(name)
        if kind is not None and not kind.fits(value):
            raise wrong_argument(name, kind.words, value)

    def _array(self, name: str, value: Any) -> Any:
        if value is None or name not in self._arrays:
            return value
        array = np.asarray(value)
        is_whole = array.dtype.kind != "f" and name in self._reals
        return array.astype(np.float64) if is_whole else array


def check_shapes(arrays: Mapping[str, Any], shapes: Mapping[str, str]) -> None:
    """Check that the given arrays have their declared shapes, with equal sizes for equal names.

    Args:
        arrays: name -> array or None.
        shapes: name -> axes, as for ``checked``.

    Raises:
        WrongArgument: an array has another shape.
    """
    sizes: dict[str, tuple[int, str]] = {}  # name -> size, and the argument that has this size
    for name, axes in shapes.items():
        if arrays.get(name) is None:
            continue
        wanted, shape = Shape.parsed(axes), np.shape(arrays[name])
        own = shape[len(shape) - len(wanted.axes) :]
        has_rank = len(shape) >= len(wanted.axes) and (wanted.is_open or len(own) == len(shape))
        other = [
            f" with {axis} = {sizes[axis][0]} as in {sizes[axis][1]}"
            for axis, size in zip(wanted.axes, own, strict=False)
            if axis in sizes and sizes[axis][0] != size
        ]
        if not has_rank or other:
            words = f"an array of the shape {wanted}{other[0] if has_rank else ''}"
            raise WrongArgument(f"{name} is {words}, not {shape}.")
        for axis, size in zip(wanted.axes, own, strict=True):
            sizes.setdefault(axis, (size, name))


def wrong_argument(name: str, words: Sequence[str], value: Any) -> WrongArgument:
    """Return the error for an argument of a wrong type or shape."""
    *others, last = words
    wanted = f"{', '.join(others)} or {last}" if others else last
    return WrongArgument(f"{name} is {wanted}, not {described(value)}{_hint(words, value)}.")


def _hint(words: Sequence[str], value: Any) -> str:
    """Return a clause that corrects a common mistake, after a colon; empty for other values."""
    if "a list of texts" in words and isinstance(value, str):
        return ": text.splitlines() is a list"
    has_word = isinstance(value, str) or (
        isinstance(value, tuple) and any(isinstance(each, str) for each in value)
    )
    is_index = "a tuple of whole numbers" in words
    return ": a word is named by its id" if is_index and has_word else ""


def _names_in_annotations(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the names that annotations of a function may use."""
    return {**vars(sys.modules[function.__module__]), "ArrayLike": Array, "DTypeLike": DType}


def _evaluated(annotation: Any, names: dict[str, Any]) -> Any:
    if annotation is inspect.Parameter.empty:
        return Any
    return eval(annotation, names) if isinstance(annotation, str) else annotation
