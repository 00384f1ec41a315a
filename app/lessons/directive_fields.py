"""The fields of a lesson's directive, parsed as declared; an error has the field's line."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from ..plain_data import PlainDataError, brief, fields, read, read_field
from .problem import LessonProblem

Data = Mapping[str, Any]
T = TypeVar("T")


class DirectiveFields:
    """The fields of the front matter or of a directive, with their lines."""

    def __init__(self, file: str, data: Data, what: str) -> None:
        """
        Args:
            file: the lesson's file, for errors.
            data: the fields and their lines.
            what: what they are the fields of, for errors.
        """
        self.file, self.what = file, what
        self.fields: Data = data["fields"]
        self.lines: Data = data["lines"]
        self.line: int = data["line"]

    def at(self, name: str) -> int:
        found: int = self.lines.get(name, self.line)
        return found

    def read(self, declared: type[T]) -> T:
        """Parse all fields as declared.

        Raises:
            LessonProblem: a field is invalid; the message has its line.
        """
        known = fields(declared)
        for name in self.fields:
            if name not in known:
                said = f"{self.what} has no {brief(name)}; it has {', '.join(known)}"
                raise LessonProblem(self.file, self.at(name), said)
        return self._with_line(lambda: read(declared, self.fields))

    def check(self, name: str, check: Callable[[Any], T]) -> T:
        """Apply a function to one field.

        Raises:
            LessonProblem: the function rejected the field; the message has its line.
        """
        return self._with_line(lambda: read_field(name, check, self.fields[name]))

    def _with_line(self, function: Callable[[], T]) -> T:
        try:
            return function()
        except PlainDataError as error:
            name = re.split(r"[.\[]", error.place)[0]
            place = error.place or self.what
            said = f"{place}: {error.what.rstrip('.')}"
            raise LessonProblem(self.file, self.at(name), said) from None
