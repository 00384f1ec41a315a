"""Chooses the columns of a table that are the sources and the targets."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from transformer_math.data.languages import language

_ROLES = {
    **dict.fromkeys(("source", "src", "input", "x"), "source"),
    **dict.fromkeys(("target", "tgt", "output", "y"), "target"),
}
# Words of a label without information, as in "source_text" or "French sentences".
_FILLERS = frozenset({"text", "texts", "sentence", "sentences", "word", "words", "phrases"})
# Codes of Indonesian and Norwegian; in a header with more than two languages, they are numbers.
_NUMBERS = frozenset({"id", "no"})
_BETWEEN_WORDS = re.compile(r"[\s_/.:-]+")
UNNAMED = "column "  # begins the name of a column that has no label
_SHOWN = 16  # characters of a cell in the name of a column

Cells = Sequence[str | None]


class Columns(NamedTuple):
    """The columns of a table that are used for training.

    Attributes:
        source: the index of the column of sources.
        target: the index of the column of targets.
        names: the names of these two columns.
        ignored: the names of the other columns.
        width: the number of columns.
        has_header: whether the first line contains the names.
    """

    source: int
    target: int
    names: tuple[str, str]
    ignored: tuple[str, ...]
    width: int
    has_header: bool


def columns_of(
    rows: Sequence[Cells], names: Sequence[str] = (), *, may_have_header: bool = False
) -> Columns:
    """Return the columns of pairs.

    These are the columns with a header such as ``source, target``, or with the names of two
    languages; else the first two columns with text; else the first two columns.

    Args:
        rows: the first rows.
        names: the names of the columns, if they are known.
        may_have_header: whether the first row may have the names.
    """
    header = rows[0] if may_have_header and rows else names
    chosen = labeled(header)
    if chosen is not None:
        labels = [_name(label, at) for at, label in enumerate(header)]
        return _columns(*chosen, labels, has_header=may_have_header)
    counts = Counter(len(row) for row in rows if len(row) > 1)
    width = len(names) or min(counts, key=lambda n: (-counts[n], n), default=2)
    whole = [row for row in rows if len(row) == width]
    texts = [at for at in range(width) if any(_is_text(row[at]) for row in whole)]
    source, target = texts[:2] if len(texts) > 1 else (0, 1)
    labels = [names[at] if at < len(names) else _numbered(at) for at in range(max(width, 2))]
    found = _columns(source, target, labels, has_header=False)
    if names:
        return found
    others = (at for at in range(width) if at not in (source, target))
    return found._replace(ignored=tuple(labels[at] + _beginning(whole, at) for at in others))


def labeled(header: Cells) -> tuple[int, int] | None:
    """Return the columns of sources and targets in a header; None if the row is not a header."""
    roles = [_role(label or "") for label in header]
    if "source" in roles and "target" in roles:
        return roles.index("source"), roles.index("target")
    codes = [language(_core(label or "")) for label in header]
    if len(set(codes) - {None}) > 2:
        codes = [None if code in _NUMBERS else code for code in codes]
    first = next((at for at, code in enumerate(codes) if code), None)
    if first is None:
        return None
    second = next((at for at, code in enumerate(codes) if code not in (None, codes[first])), None)
    return None if second is None else (first, second)


def is_label(text: str) -> bool:
    """Return whether a text names a side or a language."""
    return _role(text) is not None or language(text) is not None


def _columns(source: int, target: int, labels: list[str], *, has_header: bool) -> Columns:
    ignored = tuple(label for at, label in enumerate(labels) if at not in (source, target))
    return Columns(
        source, target, (labels[source], labels[target]), ignored, len(labels), has_header
    )


def _role(label: str) -> str | None:
    return _ROLES.get(_core(label).lower())


def _core(label: str) -> str:
    """Return a label without its uninformative words."""
    words = _BETWEEN_WORDS.split(label.strip())
    core = [word for word in words if word.lower() not in _FILLERS]
    # The hyphen of "en-US" is part of the label.
    return label.strip() if core == words else " ".join(core)


def _is_text(cell: str | None) -> bool:
    """Return whether a cell has more than a whole number."""
    return cell is not None and not cell.isdecimal()


def _name(label: str | None, at: int) -> str:
    return (label or "").strip() or _numbered(at)


def _numbered(at: int) -> str:
    number = at + 1  # counted from 1, like the rows of a spreadsheet
    return f"{UNNAMED}{number}"


def _beginning(rows: Sequence[Cells], at: int) -> str:
    """Return the beginning of a column, in brackets after its number."""
    text = next((row[at] for row in rows if row[at]), None)
    if text is None:
        return ""
    return f" (“{text[:_SHOWN]}{'…' if len(text) > _SHOWN else ''}”)"
