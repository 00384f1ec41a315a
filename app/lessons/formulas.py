"""Finds the formulas of a lesson, with their lines."""

from typing import NamedTuple

from .format import Lesson, parts_of


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
            for part in parts_of(item, tuple):
                match part:
                    case ("math" | "display" as kind, str(tex)):
                        found[Formula(line, tex, kind == "display")] = None
    return list(found)
