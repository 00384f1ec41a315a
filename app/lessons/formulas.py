"""Finds the formulas of a lesson, with their lines."""

import dataclasses
from collections.abc import Iterator
from typing import NamedTuple

from .format import Lesson

KINDS = {"math": False, "display": True}


class Formula(NamedTuple):
    """A formula in TeX."""

    line: int  # of the text or directive that contains it
    tex: str
    display: bool  # whether it is set on a separate line


def formulas(lesson: Lesson) -> list[Formula]:
    """Return all formulas of a lesson, including hints and answers, without duplicates."""
    found: dict[Formula, None] = {}
    for step in lesson.steps:
        for line, item in zip(step.lines, step.items, strict=True):
            found.update({Formula(line, *each): None for each in _in(item)})
    return list(found)


def _in(part: object) -> Iterator[tuple[str, bool]]:
    """Yield the formulas in a text, or in the texts of a directive."""
    if dataclasses.is_dataclass(part) and not isinstance(part, type):
        for field in dataclasses.fields(part):
            yield from _in(getattr(part, field.name))
    elif isinstance(part, tuple):
        if len(part) == 2 and part[0] in KINDS and isinstance(part[1], str):
            yield part[1], KINDS[part[0]]
        for each in part:
            yield from _in(each)
