"""Formats data as Python source code."""

from __future__ import annotations

import base64
import textwrap
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from transformer_math.ops.tensor import Index


def word_list(name: str, values: Sequence[str]) -> str:
    """Return the assignment of a list of words, wrapped to lines of moderate length."""
    rows = _rows((f"{str(value)!r}, " for value in values), 92)
    if len(rows) == 1:
        return f"{name} = [{rows[0][:-2]}]"
    return "\n".join([f"{name} = [", *(f"    {row[:-1]}" for row in rows), "]"])


def cell_dictionary(cells: Mapping[Index, float]) -> str:
    """Return a dict index -> number, wrapped to lines of moderate length."""
    rows = _rows((f"{index!r}: {value!r}, " for index, value in cells.items()), 88)
    if len(rows) == 1:
        return f"{{{rows[0][:-2]}}}"
    return "\n".join(["{", *(f"        {row[:-1]}" for row in rows), "    }"])


def _rows(entries: Iterable[str], longest: int) -> list[str]:
    """Join entries to rows of at most this many characters."""
    rows = [""]
    for entry in entries:
        if len(rows[-1] + entry) > longest:
            rows.append("")
        rows[-1] += entry
    return rows


def dictionary(name: str, comment: str, entries: Sequence[str]) -> str:
    """Return the assignment of a dict below a comment, with each entry on its own lines."""
    return "\n".join([f"# {comment}", f"{name} = {{", *(f"    {entry}," for entry in entries), "}"])


def encoded(array: np.ndarray) -> str:
    """Return the bytes of an array as a base64 string literal."""
    text = base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()
    if len(text) <= 60:
        return f'"{text}"'
    lines = "\n".join(textwrap.wrap(text, 100))
    return f'"""\n{lines}"""'
