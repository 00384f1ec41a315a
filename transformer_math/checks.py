"""Checks of arguments, whose error messages are one sentence for the user.

The rule of the library: a wrong argument raises ``ValueError`` with one sentence that describes the
valid values. If Python itself would raise another type, the error has both types: ``NoSuchPath`` is
also a ``KeyError``, ``UnknownSetting`` and ``WrongArgument`` are each also a ``TypeError``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from numbers import Integral, Real
from typing import Any, TypeGuard

MAX_SEED = 2**31 - 1
LONGEST = 40  # characters of a value in a sentence


class NoSuchPath(ValueError, KeyError):
    """A pass has no tensor of this path; also a ``KeyError``, as for any mapping."""

    def __str__(self) -> str:
        return str(self.args[0])  # a ``KeyError`` would put the message in quotes


class NoSuchFile(ValueError, FileNotFoundError):
    """A file or a folder does not exist; also a ``FileNotFoundError``, as for ``open``."""

    def __str__(self) -> str:
        return str(self.args[0])


class WrongArgument(ValueError, TypeError):
    """An argument has a wrong type or shape; also a ``TypeError``."""


class UnknownSetting(ValueError, TypeError):
    """There is no setting of this name; also a ``TypeError``, as for any unknown keyword."""


def plain(value: Any) -> Any:
    """Return a scalar of NumPy or PyTorch as a Python number; any other value unchanged."""
    if getattr(value, "ndim", None) == 0 and hasattr(value, "item"):
        return value.item()
    return value


def make_plain(settings: Any) -> None:
    """Apply ``plain`` to each field of a frozen dataclass, so that it can be written as JSON."""
    for field in fields(settings):
        object.__setattr__(settings, field.name, plain(getattr(settings, field.name)))


def check_whole(
    name: str, value: object, low: int, high: int | None = None, otherwise: str = ""
) -> None:
    """Check that a value is an integer in [low, high].

    Args:
        name: the name of the setting, for the message.
        value: its value.
        low: the lowest value allowed.
        high: the highest value allowed; None for no limit.
        otherwise: other allowed values, for the message, such as ``", or None for all"``.

    Raises:
        ValueError: the value is not allowed.
    """
    if not (_is_whole(value) and low <= value <= (math.inf if high is None else high)):
        limits = f"from {low:,}" if high is None else f"from {low:,} to {high:,}"
        raise ValueError(f"{name} is a whole number {limits}{otherwise}, not {described(value)}.")


def check_number(name: str, value: object, low: float, high: float = math.inf) -> None:
    """Check that a value is a finite number in [low, high].

    Raises:
        ValueError: the value is not allowed.
    """
    if not (_is_number(value) and low <= value <= high and value < math.inf):
        limits = f"from {low:g}" if high == math.inf else f"from {low:g} to {high:g}"
        raise ValueError(f"{name} is a number {limits}, not {described(value)}.")


def check_above(
    name: str, value: object, low: float, high: float = math.inf, otherwise: str = ""
) -> None:
    """Check that a value is a finite number in (low, high]; ``otherwise`` as in ``check_whole``.

    Raises:
        ValueError: the value is not allowed.
    """
    if not (_is_number(value) and low < value <= high and value < math.inf):
        limits = f"above {low:g}" + ("" if high == math.inf else f" and at most {high:g}")
        raise ValueError(f"{name} is a number {limits}{otherwise}, not {described(value)}.")


def check_fraction(name: str, value: object) -> None:
    """Check that a value is a number in [0, 1), such as a dropout rate.

    Raises:
        ValueError: the value is not allowed.
    """
    if not (_is_number(value) and 0 <= value < 1):
        raise ValueError(f"{name} lies from 0 to below 1, not {described(value)}.")


def check_choice(name: str, value: object, choices: Sequence[str]) -> None:
    """Check that a value is one of several strings.

    Raises:
        ValueError: the value is not allowed.
    """
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} is one of {', '.join(choices)}, not {described(value)}.")


@contextmanager
def naming(argument: str) -> Iterator[None]:
    """Add the argument's name to the beginning of an error that does not contain the name.

    ``overrides: There is no tensor …`` shows which argument is wrong; the path alone would not.
    """
    try:
        yield
    except ValueError as error:
        message = str(error)
        if not re.search(rf"\b{argument}\b", message):
            error.args = (f"{argument}: {message}", *error.args[1:])
        raise


def described(value: Any) -> str:
    """Describe a value in a sentence: a short value by its ``repr``, any other by its class."""
    value = plain(value)
    kind = getattr(getattr(value, "dtype", None), "kind", "")
    if kind and value.ndim:
        if kind not in "biuf":
            return f"an array of {value.dtype}"
        return "an array with NaN in it" if has_nan(value) else f"an array {value.shape}"
    if isinstance(value, type):
        return f"the class {value.__name__}"
    if type(value).__module__ in ("builtins", "numpy", "pathlib"):
        text = " ".join(repr(value).split())
        return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
    return with_article(type(value).__name__)


def has_nan(array: Any) -> bool:
    """Return whether an array holds NaN."""
    return array.dtype.kind == "f" and bool((array != array).any())


def with_article(name: str) -> str:
    """Return a name with its article: ``a Trace``, ``an Adam``."""
    return f"{'an' if name[:1] in 'AEIOUaeiou' else 'a'} {name}"


def _is_whole(value: object) -> TypeGuard[int]:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, Real) and not isinstance(value, bool)
