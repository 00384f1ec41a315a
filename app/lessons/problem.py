"""Declares the error type for invalid lessons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any


class LessonProblem(ValueError):
    """A lesson is invalid; the message is one sentence with the file and the line."""

    def __init__(self, file: str, line: int, what: str) -> None:
        super().__init__(f"{file}, line {line}: {what}")
        self.file, self.line, self.what = file, line, what

    @property
    def all(self) -> tuple[LessonProblem, ...]:
        """All problems of the lesson that were found together with this one."""
        return (self,)


class LessonProblems(LessonProblem):
    """Several problems of a lesson; the message is that of the first.

    Attributes:
        rest: the lesson without the parts that have problems, if it could be read.
    """

    def __init__(self, problems: Sequence[LessonProblem], rest: Any = None) -> None:
        self._all = tuple(sorted(problems, key=lambda problem: problem.line))
        first = self._all[0]
        super().__init__(first.file, first.line, first.what)
        self.rest = rest

    @property
    def all(self) -> tuple[LessonProblem, ...]:
        """All problems, in the order of their lines."""
        return self._all


class Collector:
    """Collects the problems of several parts, so that one problem does not hide the next."""

    def __init__(self) -> None:
        self.problems: list[LessonProblem] = []

    @contextmanager
    def part(self) -> Iterator[None]:
        """Collect the problems that are raised in the context."""
        try:
            yield
        except LessonProblem as problem:
            self.problems += problem.all

    def raise_all(self, rest: Any = None) -> None:
        """Raise the collected problems, if there are any, as ``LessonProblems``."""
        if self.problems:
            raise LessonProblems(self.problems, rest)
