"""Checks that data from BokehJS is plain: numbers, texts, lists, objects and bytes.

The same JSON format could also request models, arrays of any type, and texts that decompress to a
thousand times their size; the page uses none of these.
"""

from collections.abc import Collection
from typing import Any

MOST = 20_000  # values in one message
DEEPEST = 12
NO_NUMBERS = ("nan", "+inf", "-inf")
LEAVES = frozenset({str, int, float, bool, type(None)})


def is_plain(raw: object, buffers: Collection[str] = ()) -> bool:
    """Return whether a value contains only plain data, and not too much of it.

    ``buffers`` has the ids of the binary buffers that came with the message.
    """
    level, count = [raw], 0
    for _ in range(DEEPEST):
        deeper: list[Any] = []
        for value in level:
            if type(value) in LEAVES:
                continue
            inside = _inside(value, buffers)
            if inside is None or count + len(inside) > MOST:
                return False
            count += len(inside)
            deeper += inside
        if not deeper:
            return True
        level = deeper
    return False


def _inside(value: Any, buffers: Collection[str]) -> list[Any] | None:
    """Return the items of a list or an object, [] for an encoded number or bytes, or else None."""
    if isinstance(value, list):
        return value
    kind = value.get("type") if isinstance(value, dict) else None
    if kind == "map":
        return entries(value)
    if kind == "number" and value.keys() == {"type", "value"}:
        return [] if value["value"] in NO_NUMBERS else None
    if kind == "bytes" and value.keys() == {"type", "data"}:
        data = value["data"]
        name = data["id"] if isinstance(data, dict) and data.keys() == {"id"} else None
        return [] if isinstance(name, str) and name in buffers else None
    return None


def entries(value: Any) -> list[Any] | None:
    """Return the values of an object in BokehJS's encoding; None unless all its keys are texts."""
    pairs = value.get("entries", [])
    if value.keys() - {"type", "entries"} or not isinstance(pairs, list):
        return None
    found = []
    for pair in pairs:
        if not (isinstance(pair, list) and len(pair) == len(("key", "value"))):
            return None
        if not isinstance(pair[0], str):
            return None
        found.append(pair[1])
    return found
