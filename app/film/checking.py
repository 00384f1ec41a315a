"""Checks a lesson's films against its model, and reports problems."""

from ..lessons.changes import begun
from ..lessons.format import Film, Lesson
from ..lessons.numbers import LiveNumbers
from ..lessons.problem import LessonProblem
from ..model.inference.forward_pass import ForwardPassRunner
from .prepared import after_changes, prepare_scene

MAX_CAPTION = 140  # characters, about two lines
READ = 22.0  # maximum reading speed in characters per second


def problems(lesson: Lesson) -> list[LessonProblem]:
    """Return all problems of a lesson's films, in the order of their scenes."""
    return [
        problem
        for k, step in enumerate(lesson.steps)
        for line, item in zip(step.lines, step.items, strict=True)
        if isinstance(item, Film)
        for problem in _of_film(lesson, k, line, item)
    ]


def _of_film(lesson: Lesson, step: int, line: int, film: Film) -> list[LessonProblem]:
    runner, aside, found = ForwardPassRunner(), ForwardPassRunner(), []
    numbers = LiveNumbers(begun(lesson, step, runner), runner)
    for n, scene in enumerate(film.scenes, 1):
        try:
            numbers = after_changes(scene, numbers, aside)
            shown = prepare_scene(film, scene, numbers)
        except (KeyError, ValueError) as error:
            said = str(error.args[0]) if error.args else type(error).__name__
            found.append(LessonProblem(lesson.file, line, f"scene {n}: {said.rstrip('.')}"))
            continue
        if shown is None:
            continue
        length = len(plain(shown.caption))
        if length > MAX_CAPTION:
            what = f"scene {n}: its caption has {length} characters, of at most {MAX_CAPTION}"
            found.append(LessonProblem(lesson.file, line, what))
        elif length > READ * scene.seconds:
            what = f"scene {n}: {length} characters are not read in {scene.seconds:g} seconds"
            found.append(LessonProblem(lesson.file, line, what))
    return found


def plain(text: object) -> str:
    """Return a caption as plain text without marks."""
    if not isinstance(text, tuple):
        return str(text)
    is_mark = text and text[0] in ("em", "strong", "code", "math")
    return "".join(map(plain, text[1:] if is_mark else text))
