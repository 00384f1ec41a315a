"""Formats a text table of paths and shapes, in which equal layers of a stack are one line."""

from __future__ import annotations

import re
from collections.abc import Iterable

_LAYER = re.compile(r"(encoder|decoder)\.(\d+)\.")


def table(rows: Iterable[tuple[str, str]]) -> str:
    """Return a line for each path and its text; a layer equal to the stack's first is one line."""
    layers: dict[tuple[str, int], list[tuple[str, str]]] = {}
    shown: list[tuple[str, str]] = []
    for path, text in rows:
        match = _LAYER.match(path)
        if match is None:
            shown.append((path, text))
            continue
        stack, number = match[1], int(match[2])
        if (stack, number) not in layers:
            layers[stack, number] = []
            shown.append((f"{stack}.{number}.", ""))
        layers[stack, number].append((path[match.end() :], text))
    lines: list[tuple[str, str]] = []
    for path, text in shown:
        match = _LAYER.fullmatch(path)
        if match is None:
            lines.append((path, text))
            continue
        own = layers[match[1], int(match[2])]
        lowest = min(n for stack, n in layers if stack == match[1])
        first = layers[match[1], lowest]
        if own is not first and own == first:
            lines.append((f"{path}…", f"as {match[1]}.{lowest}"))
        else:
            lines += [(path + leaf, text) for leaf, text in own]
    width = max((len(path) for path, _ in lines), default=0)
    return "\n".join(f"  {path:<{width}}  {text}" for path, text in lines)
