"""Loads the available lessons: those of the page, and those in the user's folders."""

import functools
import importlib.resources
import json
import os
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from .format import Lesson
from .problem import Collector, LessonProblem
from .reading import name_of, read

FOLDERS = "TINKERFORMER_LESSONS"  # environment variable: folders, separated by os.pathsep
PARSED = "lessons.json"  # the lessons as plain data, for installations without a Markdown parser
MAX_BYTES = 100_000


class Catalog(NamedTuple):
    """The valid lessons by name, in order, and the problems of the invalid lessons."""

    lessons: dict[str, Lesson]
    problems: tuple[str, ...]


def add_folders(folders: Iterable[Path]) -> None:
    """Add the lessons of some folders, in this process and its children."""
    found = [str(folder.resolve()) for folder in folders]
    for folder in found:
        if not Path(folder).is_dir():
            raise ValueError(f"There is no folder {folder}.")
    known = [each for each in os.environ.get(FOLDERS, "").split(os.pathsep) if each]
    os.environ[FOLDERS] = os.pathsep.join(dict.fromkeys((*known, *found)))
    catalog.cache_clear()


@functools.cache
def catalog() -> Catalog:
    """Return all valid lessons, and the problems of the others; read the files only once."""
    lessons: dict[str, Lesson] = {}
    problems: list[str] = []
    for data in parsed():
        try:
            if "problem" in data:
                raise LessonProblem(data["file"], data["line"], data["problem"])
            lesson = read_safely(data)
            if lesson.name in lessons:
                other = lessons[lesson.name].file
                raise LessonProblem(lesson.file, 1, f"{other} has the same name in addresses")
            lessons[lesson.name] = lesson
        except LessonProblem as problem:
            problems.append(f"{problem}.")
    return Catalog(lessons, tuple(problems))


def read_safely(data: dict[str, Any]) -> Lesson:
    """Build a lesson from plain data; an unexpected error becomes a problem of that lesson."""
    try:
        return read(data)
    except LessonProblem:
        raise
    except Exception as error:
        raise LessonProblem(str(data.get("file")), 1, _unexpected(error)) from error


def parsed() -> list[dict[str, Any]]:
    """Return all lessons as plain data; an invalid lesson has only file, line and problem."""
    own = importlib.resources.files(f"{__package__.partition('.')[0]}.assets") / "lessons"
    ready = own / PARSED
    if ready.is_file():
        found: list[dict[str, Any]] = json.loads(ready.read_text(encoding="utf-8"))
        return found
    return [parsed_file(path) for path in (*own_files(), *other_files())]


def own_files() -> list[Path]:
    """Return the page's own lesson files; none if they are not installed as Markdown."""
    own = importlib.resources.files(f"{__package__.partition('.')[0]}.assets") / "lessons"
    return sorted(Path(str(own)).glob("*.md"))


def parsed_file(path: Path) -> dict[str, Any]:
    """Return one lesson file as plain data."""
    try:
        return _parsed(path)
    except LessonProblem as problem:
        return {"file": path.name, "line": problem.line, "problem": problem.what}


def looked_through(path: Path) -> tuple[Lesson | None, list[LessonProblem]]:
    """Parse a lesson file as far as possible; return the lesson or None, and all problems."""
    found = Collector()
    rest: Any = None
    try:
        rest = _parsed(path)
    except LessonProblem as problem:
        found.problems += problem.all
        rest = getattr(problem, "rest", None)
    if rest is None or rest["head"] is None:
        return None, found.problems
    lesson: Lesson | None = None
    try:
        lesson = read_safely(rest)
    except LessonProblem as problem:
        found.problems += problem.all
        lesson = getattr(problem, "rest", None)
    return lesson, found.problems


def _parsed(path: Path) -> dict[str, Any]:
    """Return one lesson file as plain data; ``LessonProblem`` if it cannot be read."""
    try:
        name_of(path.name)
        if path.stat().st_size > MAX_BYTES:
            raise LessonProblem(path.name, 1, f"it has more than {MAX_BYTES:,} bytes")
        text = path.read_text(encoding="utf-8")
        # Imported here because some installations have no Markdown parser; see PARSED.
        data = import_module(f"{__package__}.markdown.parsing").parse(text, path.name)
        return json.loads(json.dumps(data))  # type: ignore[no-any-return]
    except LessonProblem:
        raise
    except Exception as error:  # one broken file must not affect the others
        raise LessonProblem(path.name, 1, _unexpected(error)) from error


def _unexpected(error: Exception) -> str:
    return f"it cannot be read: {error or type(error).__name__}"


def other_files() -> Iterator[Path]:
    """Yield the lesson files in the user's folders."""
    for folder in filter(None, os.environ.get(FOLDERS, "").split(os.pathsep)):
        yield from sorted(Path(folder).glob("*.md"))
