"""Where a reader is in a lesson, and what of the lessons is done; checked, whoever says so."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from .plain_data import brief, field, group, whole

MAX_LESSONS = 200
MAX_DONE = 400
MAX_STEP = 999

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")
_DONE = re.compile(r"\d{1,3}(\.\d{1,3})?")
_NOTHING: Mapping[str, tuple[str, ...]] = MappingProxyType({})


def is_lesson_name(raw: Any) -> bool:
    """Whether a lesson could be called so in an address."""
    return isinstance(raw, str) and bool(_NAME.fullmatch(raw))


class LessonPlace(NamedTuple):
    """Where the reader is.

    Attributes:
        name: the lesson that is open; empty for none.
        step: which of its steps, from 0 on.
        done: of each lesson what is done: ``"2"`` is a step that was read, ``"2.1"`` something in
            it that was done or answered.
    """

    name: str = ""
    step: int = 0
    done: Mapping[str, tuple[str, ...]] = _NOTHING

    def went(self, name: str, step: int = 0) -> LessonPlace:
        """At a step of a lesson."""
        return self._replace(name=name, step=step)

    def did(self, what: str) -> LessonPlace:
        """With something of the open lesson done."""
        done = self.done.get(self.name, ())
        if what in done or len(done) >= MAX_DONE or not self.name:
            return self
        return self._replace(done=MappingProxyType({**self.done, self.name: (*done, what)}))

    def has_done(self, what: str) -> bool:
        """Whether something of the open lesson is done."""
        return what in self.done.get(self.name, ())

    def forgot(self, name: str) -> LessonPlace:
        """With nothing of a lesson done."""
        done = {each: what for each, what in self.done.items() if each != name}
        return self._replace(done=MappingProxyType(done))

    def to_dict(self) -> dict[str, Any]:
        """What is other than at the beginning, as JSON has it."""
        found: dict[str, Any] = {}
        if self.name:
            found = {"name": self.name, "step": self.step}
        if self.done:
            found["done"] = {name: list(done) for name, done in self.done.items()}
        return found


def lesson_place_from(raw: Any) -> LessonPlace:
    """The place that plain data stands for.

    Raises:
        ValueError: one sentence on what is wrong with it.
    """
    data = group(raw, set(LessonPlace._fields))
    return LessonPlace(
        field("name", _read_name, data.get("name", "")),
        field("step", lambda step: whole(step, 0, MAX_STEP), data.get("step", 0)),
        MappingProxyType(field("done", _read_done, data.get("done", {}))),
    )


def _read_name(raw: Any) -> str:
    if raw != "" and not is_lesson_name(raw):
        raise ValueError(f"{brief(raw)} is no name of a lesson")
    return str(raw)


def _read_done(raw: Any) -> dict[str, tuple[str, ...]]:
    if not isinstance(raw, dict) or len(raw) > MAX_LESSONS:
        raise ValueError("it is not a list for each lesson")
    for name, done in raw.items():
        _read_name(name)
        if not isinstance(done, list) or len(done) > MAX_DONE:
            raise ValueError(f"of {brief(name)} there is no list")
        for each in done:
            if not isinstance(each, str) or not _DONE.fullmatch(each):
                raise ValueError(f"{brief(each)} is nothing that is done")
    return {name: tuple(dict.fromkeys(done)) for name, done in raw.items()}
