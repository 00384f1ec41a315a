"""A user's progress: the open lesson and step, and the completed items of all lessons."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple

from ..plain_data import Length, Matching, Sentence, Then, Within, brief, read

MAX_LESSONS = 200
MAX_DONE = 400
MAX_STEP = 999
DARE_STEP = -1  # the step that has the lesson's dare, until its number is known

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")
_NAME_OR_NONE = re.compile(f"({_NAME.pattern})?")
_DONE = re.compile(r"\d{1,3}(\.\d{1,3})?")
_NOTHING: Mapping[str, tuple[str, ...]] = MappingProxyType({})


def is_lesson_name(name: str) -> bool:
    """Return whether a text has the form of a lesson's name in an address."""
    return bool(_NAME.fullmatch(name))


def _each_once(done: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(done))


def _by_lesson(done: dict[str, tuple[str, ...]]) -> Mapping[str, tuple[str, ...]]:
    for name in done:
        if not is_lesson_name(name):
            raise ValueError(f"{brief(name)} is no name of a lesson")
    return MappingProxyType(done)


_Task = Annotated[str, Matching(_DONE), Sentence("{} is nothing that is done")]
_Done = Annotated[tuple[_Task, ...], Length(0, MAX_DONE), Then(_each_once)]


class LessonProgress(NamedTuple):
    """The open lesson and step, and the completed items."""

    name: Annotated[str, Matching(_NAME_OR_NONE), Sentence("{} is no name of a lesson")] = ""
    step: Annotated[int, Within(0, MAX_STEP)] = 0  # ``DARE_STEP`` until its number is known
    # By lesson: ``"2"`` is a step that was read, ``"2.1"`` an item in step 2 that was done or
    # answered.
    done: Annotated[Mapping[str, _Done], Length(0, MAX_LESSONS), Then(_by_lesson)] = _NOTHING

    def went(self, name: str, step: int = 0) -> LessonProgress:
        """Return a copy with another lesson or step open."""
        return self._replace(name=name, step=step)

    def did(self, what: str) -> LessonProgress:
        """Return a copy in which an item of the open lesson is completed."""
        done = self.done.get(self.name, ())
        if what in done or len(done) >= MAX_DONE or not self.name:
            return self
        return self._replace(done=MappingProxyType({**self.done, self.name: (*done, what)}))

    def has_done(self, what: str) -> bool:
        """Return whether an item of the open lesson is completed."""
        return what in self.done.get(self.name, ())

    def forgot(self, name: str) -> LessonProgress:
        """Return a copy in which no item of a lesson is completed."""
        done = {each: what for each, what in self.done.items() if each != name}
        return self._replace(done=MappingProxyType(done))

    def to_dict(self) -> dict[str, Any]:
        """Return the fields that differ from the initial state, as JSON."""
        found: dict[str, Any] = {}
        if self.name:
            found = {"name": self.name, "step": self.step}
        if self.done:
            found["done"] = {name: list(done) for name, done in self.done.items()}
        return found


def lesson_progress_from(raw: object) -> LessonProgress:
    """Parse a user's progress from plain data; ``ValueError`` if it is invalid."""
    return read(LessonProgress, raw)
