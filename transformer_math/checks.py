"""What a setting may be, and the one sentence that says so where it is not."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import fields
from numbers import Integral, Real
from typing import Any, TypeGuard


def plain(value: Any) -> Any:
    """A number as Python's own, also one that NumPy or PyTorch computed; all else as it is."""
    if getattr(value, "ndim", None) == 0 and hasattr(value, "item"):
        return value.item()
    return value


def make_plain(settings: Any) -> None:
    """Each field of a frozen dataclass as Python's own number, so that it can become JSON."""
    for field in fields(settings):
        object.__setattr__(settings, field.name, plain(getattr(settings, field.name)))


def check_whole(
    name: str, value: object, low: int, high: int | None = None, otherwise: str = ""
) -> None:
    """A whole number of a range; ``otherwise`` says what else is allowed: ``", or None for all"``.

    Raises:
        ValueError: it is none, or out of the range.
    """
    if not (_is_whole(value) and low <= value <= (math.inf if high is None else high)):
        limits = f"from {low:,}" if high is None else f"from {low:,} to {high:,}"
        raise ValueError(f"{name} is a whole number {limits}{otherwise}, not {value!r}.")


def check_number(name: str, value: object, low: float, high: float = math.inf) -> None:
    """A finite number from ``low`` to ``high``.

    Raises:
        ValueError: it is none, or out of the range.
    """
    if not (_is_number(value) and low <= value <= high and value < math.inf):
        limits = f"from {low:g}" if high == math.inf else f"from {low:g} to {high:g}"
        raise ValueError(f"{name} is a number {limits}, not {value!r}.")


def check_above(
    name: str, value: object, low: float, high: float = math.inf, otherwise: str = ""
) -> None:
    """A finite number above ``low`` and at most ``high``; ``otherwise`` as for ``check_whole``.

    Raises:
        ValueError: it is none, or out of the range.
    """
    if not (_is_number(value) and low < value <= high and value < math.inf):
        limits = f"above {low:g}" + ("" if high == math.inf else f" and at most {high:g}")
        raise ValueError(f"{name} is a number {limits}{otherwise}, not {value!r}.")


def check_fraction(name: str, value: object) -> None:
    """A number from 0 to below 1: a rate of dropout, a β of Adam, the ε of label smoothing.

    Raises:
        ValueError: it is none, or out of the range.
    """
    if not (_is_number(value) and 0 <= value < 1):
        raise ValueError(f"{name} lies from 0 to below 1, not {value!r}.")


def check_choice(name: str, value: object, choices: Sequence[str]) -> None:
    """One of several words.

    Raises:
        ValueError: it is none of them.
    """
    if value not in choices:
        raise ValueError(f"{name} is one of {', '.join(choices)}, not {value!r}.")


def _is_whole(value: object) -> TypeGuard[int]:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, Real) and not isinstance(value, bool)
