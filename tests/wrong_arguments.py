"""Calls public functions with each argument wrong in turn, and checks the error.

A call either works or raises ``ValueError`` or ``TypeError`` with one sentence that names the
argument, or ``OSError`` for a path without a file. Impossible values are derived from the
annotation; values out of range are listed with the call.
"""

import inspect
import itertools
import re
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

NAN = float("nan")
RAW = re.compile("has no attribute|unsupported operand|got an unexpected|object is not|__")


class Stranger:
    """An object that no function can use."""

    def __repr__(self) -> str:
        return "<a stranger>"


# Values of types that most arguments do not have. If a function accepts one, the call must work.
OTHERS: dict[str, Any] = {
    "None": None,
    "a stranger": Stranger(),
    "a class": Stranger,
    "a text": "nonsense",
    "no text": "",
    "bytes": b"x",
    "a fraction": 2.5,
    "NaN": NAN,
    "infinity": float("inf"),
    "a negative number": -7,
    "True": True,
    "a complex number": 1 + 2j,
    "a list": [],
    "a list of strangers": [Stranger()],
    "a ragged list": [[1], [2, 3]],
    "a dict": {"nonsense": 1},
    "an array of NaN": np.full((2, 3), NAN),
    "an array of another shape": np.ones((2, 3, 5, 2)),
    "an array of texts": np.array(["a", "b"]),
}


@dataclass
class Call:
    """A valid call of a public function, and values that are out of range.

    Attributes:
        function: the function.
        arguments: name -> a valid value.
        wrong: name -> further values that must be refused.
        called: name -> another word for the argument in sentences.
        alike: pairs of arguments whose swapped values no function can detect.
    """

    function: Callable[..., Any]
    arguments: Mapping[str, Any]
    wrong: Mapping[str, list[Any]] = field(default_factory=dict)
    called: Mapping[str, str] = field(default_factory=dict)
    alike: tuple[tuple[str, str], ...] = ()

    def __call__(self, **changed: Any) -> Any:
        result = self.function(**{**self.arguments, **changed})
        return list(itertools.islice(result, 2)) if inspect.isgenerator(result) else result


def wrong_calls(calls: Mapping[str, Call]) -> list[Any]:
    """Return parameters of a test: each argument of each call, and each pair of them swapped."""
    found = []
    for name, call in calls.items():
        pairs = itertools.combinations(call.arguments, 2)
        for names in (*((argument,) for argument in call.arguments), *pairs):
            are_functions = len(names) > 1 and all(callable(call.arguments[x]) for x in names)
            if names not in call.alike and not are_functions:
                found.append(pytest.param(call, names, id=f"{name}-{' and '.join(names)}"))
    return found


def faults(call: Call, names: tuple[str, ...]) -> list[str]:
    """Return the faults of the refusals of a call whose arguments of these names are wrong."""
    if len(names) > 1:
        swapped = dict(zip(names, (call.arguments[name] for name in reversed(names)), strict=True))
        return _faults(call, swapped, must_fail=False)
    (name,) = names
    found = []
    for value in OTHERS.values():
        if callable(value) and callable(call.arguments[name]):
            continue  # a function of the caller, which may raise anything
        given = value.copy() if isinstance(value, np.ndarray) else value  # the call may change it
        found += _faults(call, {name: given}, must_fail=isinstance(value, Stranger))
    for value in call.wrong.get(name, ()):
        found += _faults(call, {name: value}, must_fail=True)
    return found


def _faults(call: Call, changed: Mapping[str, Any], must_fail: bool) -> list[str]:
    shown = ", ".join(f"{name}={value!r:.60}" for name, value in changed.items())
    words = [*changed, *(call.called[name] for name in changed if name in call.called)]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            call(**changed)
    except (ValueError, TypeError) as error:
        return [f"{shown}: {fault}" for fault in _faults_of_sentence(str(error), words)]
    except OSError as error:  # as any function that opens a file
        return [] if error.filename is not None else [f"{shown}: no name of the file: {error}"]
    except Exception as error:  # any other error is a fault
        return [f"{shown}: {type(error).__name__}: {error!s:.200}"]
    return [f"{shown}: accepted"] if must_fail else []


def _faults_of_sentence(message: str, names: list[str]) -> list[str]:
    """Return whether a message is one sentence that names one of the arguments."""
    if not re.fullmatch(r"[^\n]{8,700}\.", message) or RAW.search(message):
        return [f"a raw error: {message!s:.300}"]
    if not any(re.search(rf"\b{name}s?\b", message) for name in names):
        return [f"no name of the argument: {message}"]
    return []
