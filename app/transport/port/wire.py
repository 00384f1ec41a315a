"""Encodes values as JSON text plus binary buffers, for ports that carry both.

Values that JSON lacks are encoded as an object with one key that begins with ``$``; ``wire.js`` is
the counterpart:

    {"$bytes": 2}          the third buffer
    {"$number": "inf"}     a non-finite number: inf, -inf, nan
    {"$object": {...}}     an object that itself has a key beginning with $
"""

import json
import math
from collections.abc import Sequence
from typing import Any

MAX_BYTES = 20 << 20  # the largest message from a browser, as in Bokeh's server
# The deepest nesting; the page's messages are far less deep.
MAX_DEPTH = 60

_NUMBERS = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}


class WireError(ValueError):
    """A malformed message; the text describes the problem."""


def write(value: Any) -> tuple[str, list[bytes]]:
    """Encode a value as text and the bytes in it."""
    buffers: list[bytes] = []

    def put(raw: Any) -> dict[str, int]:
        if not isinstance(raw, bytes | bytearray | memoryview):
            raise TypeError(f"A {type(raw).__name__} cannot be sent.")
        buffers.append(bytes(raw))
        return {"$bytes": len(buffers) - 1}

    try:
        text = json.dumps(
            value, default=put, allow_nan=False, ensure_ascii=False, separators=(",", ":")
        )
    except ValueError:  # it contains NaN or an infinity
        text = ""
    # Most messages end here: visiting every value in Python is slow.
    if not text or text.count('"$') != len(buffers):
        buffers.clear()
        text = json.dumps(_named(value, put), ensure_ascii=False, separators=(",", ":"))
    return text, buffers


def _named(value: Any, put: Any) -> Any:
    if isinstance(value, dict):
        named = {str(key): _named(x, put) for key, x in value.items()}
        return {"$object": named} if any(key.startswith("$") for key in named) else named
    if isinstance(value, list | tuple):
        return [_named(x, put) for x in value]
    if isinstance(value, float) and not math.isfinite(value):
        return {"$number": "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"}
    return put(value) if isinstance(value, bytes | bytearray | memoryview) else value


def read(text: str, buffers: Sequence[bytes] = ()) -> Any:
    """Decode a message of the browser.

    Raise ``WireError`` if it is too large, is not JSON, or refers to missing bytes.
    """
    if not isinstance(text, str) or len(text) + sum(map(len, buffers)) > MAX_BYTES:
        raise WireError(f"A message is a text, with its bytes of at most {MAX_BYTES >> 20} MB.")
    try:
        return _read(json.loads(text, parse_constant=_refuse), buffers, MAX_DEPTH)
    except WireError:
        raise
    except (ValueError, RecursionError) as error:  # ValueError also for a number of 5,000 digits
        raise WireError(f"A message is no JSON: {error}") from error


def _refuse(word: str) -> None:
    raise WireError(f"{word} is not JSON.")


def _read(value: Any, buffers: Sequence[bytes], depth: int) -> Any:
    if depth == 0:
        raise WireError("A message goes too deep.")
    if isinstance(value, list):
        return [_read(x, buffers, depth - 1) for x in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        [(key, x)] = value.items()
        if key.startswith("$"):
            return _special(key, x, buffers, depth)
    return {key: _read(x, buffers, depth - 1) for key, x in value.items()}


def _special(key: str, x: Any, buffers: Sequence[bytes], depth: int) -> Any:
    if key == "$bytes" and type(x) is int and 0 <= x < len(buffers):
        return bytes(buffers[x])
    if key == "$number" and isinstance(x, str) and x in _NUMBERS:
        return _NUMBERS[x]
    if key == "$object" and isinstance(x, dict):
        return {name: _read(y, buffers, depth - 1) for name, y in x.items()}
    raise WireError(f"There is no {key} {x!r:.60}.")
