"""What is wrong with a lesson, and where."""

from __future__ import annotations


class LessonProblem(ValueError):
    """One sentence with the file and the line."""

    def __init__(self, file: str, line: int, what: str) -> None:
        super().__init__(f"{file}, line {line}: {what}")
        self.file, self.line, self.what = file, line, what
