"""The lessons that there are: those that come with the page, and those of a teacher's folders."""

from __future__ import annotations

import functools
import importlib.resources
import json
import os
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from .format import Lesson
from .problem import LessonProblem
from .reading import name_of, read

FOLDERS = "TINKERFORMER_LESSONS"  # the environment's name for folders, with os.pathsep between
PARSED = "lessons.json"  # where Markdown is not read: the lessons as plain data
MAX_BYTES = 100_000


class Catalog(NamedTuple):
    """The lessons by their names, in their order, and what is wrong with others."""

    lessons: dict[str, Lesson]
    problems: tuple[str, ...]


def add_folders(folders: Iterable[Path]) -> None:
    """Have the lessons of these folders, too, in this process and its children.

    Raises:
        ValueError: there is no such folder.
    """
    found = [str(folder.resolve()) for folder in folders]
    for folder in found:
        if not Path(folder).is_dir():
            raise ValueError(f"There is no folder {folder}.")
    known = [each for each in os.environ.get(FOLDERS, "").split(os.pathsep) if each]
    os.environ[FOLDERS] = os.pathsep.join(dict.fromkeys((*known, *found)))
    catalog.cache_clear()


@functools.cache
def catalog() -> Catalog:
    """All of them, read once. One that is broken is told of, and the others are there."""
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
    """The lesson that plain data stands for; what nobody thought of is a problem of that lesson.

    Raises:
        LessonProblem: one sentence with the file and the line.
    """
    try:
        return read(data)
    except LessonProblem:
        raise
    except Exception as error:
        raise LessonProblem(str(data.get("file")), 1, _unexpected(error)) from error


def parsed() -> list[dict[str, Any]]:
    """The lessons as plain data; of a broken one its file, the line and the problem."""
    own = importlib.resources.files(f"{__package__.partition('.')[0]}.assets") / "lessons"
    ready = own / PARSED
    if ready.is_file():
        found: list[dict[str, Any]] = json.loads(ready.read_text(encoding="utf-8"))
        return found
    return [parsed_file(path) for path in (*own_files(), *_others())]


def own_files() -> list[Path]:
    """Those that come with the page, where they are Markdown."""
    own = importlib.resources.files(f"{__package__.partition('.')[0]}.assets") / "lessons"
    return sorted(Path(str(own)).glob("*.md"))


def parsed_file(path: Path) -> dict[str, Any]:
    """One file as plain data."""
    try:
        name_of(path.name)
        if path.stat().st_size > MAX_BYTES:
            raise LessonProblem(path.name, 1, f"it has more than {MAX_BYTES:,} bytes")
        text = path.read_text(encoding="utf-8")
        # By name: where there is no reader of Markdown, lessons are there as plain data.
        data = import_module(f"{__package__}.markdown.parsing").parse(text, path.name)
        return json.loads(json.dumps(data))  # type: ignore[no-any-return]
    except LessonProblem as problem:
        return {"file": path.name, "line": problem.line, "problem": problem.what}
    except Exception as error:  # whatever a file has in it, the others are read
        return {"file": path.name, "line": 1, "problem": _unexpected(error)}


def _unexpected(error: Exception) -> str:
    return f"it cannot be read: {error or type(error).__name__}"


def _others() -> Iterator[Path]:
    for folder in filter(None, os.environ.get(FOLDERS, "").split(os.pathsep)):
        yield from sorted(Path(folder).glob("*.md"))
