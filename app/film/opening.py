"""Finds the film of the first view, which a lesson declares."""

from contextlib import suppress

from ..lessons.catalog import catalog
from ..lessons.format import Film, Lesson
from ..lessons.numbers import LiveNumbers

LESSON = "film"


def opening_film() -> Film | None:
    """Return the first film of the lesson ``film``; None if that lesson could not be read."""
    lesson = catalog().lessons.get(LESSON)
    return None if lesson is None else next(iter(films(lesson)), None)


def films(lesson: Lesson) -> list[Film]:
    """Return all films of a lesson, in order."""
    return [item for step in lesson.steps for item in step.items if isinstance(item, Film)]


def button(numbers: LiveNumbers) -> str:
    """Return the label of the button that plays the film; empty if the model cannot show it."""
    film = opening_film()
    if film is None:
        return ""
    with suppress(ValueError):
        numbers.ask("opening_word", ["read"])
        seconds = sum(x.seconds for x in film.scenes if x.when is None or x.when(numbers))
        return f"{''.join(map(str, film.label))} · {seconds:.0f} s"
    return ""
