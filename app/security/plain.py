"""Whether something is plain: what BokehJS writes of numbers, texts, lists, objects and bytes.

In the same JSON a browser could ask for models, arrays of any type, and texts that are inflated
from a thousandth of their size; no page of ours has a use for that.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

MOST = 20_000  # values in one message
DEEPEST = 12
NO_NUMBERS = ("nan", "+inf", "-inf")
LEAVES = frozenset({str, int, float, bool, type(None)})


def is_plain(raw: object, buffers: Collection[str] = ()) -> bool:
    """Whether a value holds nothing but what is plain, and not too much of it.

    Args:
        raw: as it stands in the message.
        buffers: names of the bytes that came with it.
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
    """What else a list or an object holds; None if it is neither, nor what stands for a value."""
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
    """The values of an object of texts, as BokehJS writes one; None if it is none."""
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
