"""Checks of what is given, whose error messages are one sentence for the user.

The rule of the library: what is given wrong raises ``ValueError``, whose message is one sentence
that says what is asked for. Where Python itself would raise another type, the error is of both:
``NoSuchPath`` is a ``KeyError`` too, and ``UnknownSetting`` a ``TypeError``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import fields
from numbers import Integral, Real
from typing import Any, TypeGuard

MAX_SEED = 2**31 - 1


class NoSuchPath(ValueError, KeyError):
    """A pass has no tensor of this path; also a ``KeyError``, as of any mapping."""

    def __str__(self) -> str:
        return str(self.args[0])  # a ``KeyError`` would put it in quotes


class UnknownSetting(ValueError, TypeError):
    """There is no setting of this name; also a ``TypeError``, as of any unknown keyword."""


def plain(value: Any) -> Any:
    """A scalar of NumPy or PyTorch as a Python number; any other value unchanged."""
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
        otherwise: what else is allowed, for the message, such as ``", or None for all"``.

    Raises:
        ValueError: it is not.
    """
    if not (_is_whole(value) and low <= value <= (math.inf if high is None else high)):
        limits = f"from {low:,}" if high is None else f"from {low:,} to {high:,}"
        raise ValueError(f"{name} is a whole number {limits}{otherwise}, not {value!r}.")


def check_number(name: str, value: object, low: float, high: float = math.inf) -> None:
    """Check that a value is a finite number in [low, high].

    Raises:
        ValueError: it is not.
    """
    if not (_is_number(value) and low <= value <= high and value < math.inf):
        limits = f"from {low:g}" if high == math.inf else f"from {low:g} to {high:g}"
        raise ValueError(f"{name} is a number {limits}, not {value!r}.")


def check_above(
    name: str, value: object, low: float, high: float = math.inf, otherwise: str = ""
) -> None:
    """Check that a value is a finite number in (low, high]; ``otherwise`` as in ``check_whole``.

    Raises:
        ValueError: it is not.
    """
    if not (_is_number(value) and low < value <= high and value < math.inf):
        limits = f"above {low:g}" + ("" if high == math.inf else f" and at most {high:g}")
        raise ValueError(f"{name} is a number {limits}{otherwise}, not {value!r}.")


def check_fraction(name: str, value: object) -> None:
    """Check that a value is a number in [0, 1), such as a dropout rate.

    Raises:
        ValueError: it is not.
    """
    if not (_is_number(value) and 0 <= value < 1):
        raise ValueError(f"{name} lies from 0 to below 1, not {value!r}.")


def check_choice(name: str, value: object, choices: Sequence[str]) -> None:
    """Check that a value is one of several strings.

    Raises:
        ValueError: it is not.
    """
    if value not in choices:
        raise ValueError(f"{name} is one of {', '.join(choices)}, not {value!r}.")


def _is_whole(value: object) -> TypeGuard[int]:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, Real) and not isinstance(value, bool)
