"""The error type for invalid lessons."""

from __future__ import annotations


class LessonProblem(ValueError):
    """A lesson is invalid; the message is one sentence with the file and the line."""

    def __init__(self, file: str, line: int, what: str) -> None:
        super().__init__(f"{file}, line {line}: {what}")
        self.file, self.line, self.what = file, line, what
