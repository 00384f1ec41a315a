"""Describes a lesson before it starts."""

from typing import Any

from ...lessons.format import Lesson


def about(lesson: Lesson) -> dict[str, Any]:
    """Return the head of a lesson as the page shows it: sentences, and a line of facts."""
    by = f"by {lesson.author}" if lesson.author else ""
    return {
        "about": lesson.about,
        "goals": list(lesson.goals),
        "facts": [x for x in (lesson.level, f"{lesson.minutes} min") if x],
        "source": " · ".join(filter(None, (by, lesson.license))),
    }
