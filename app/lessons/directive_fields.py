"""The fields of a lesson's directive, parsed as declared; an error has the field's line."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from ..plain_data import PlainDataError, brief, fields, read, read_field
from .problem import Collector, LessonProblem

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
            LessonProblems: fields are invalid; each problem has the line of its field.
        """
        known = fields(declared)
        found = Collector()
        for name in self.fields.keys() - known.keys():
            said = f"{self.what} has no {brief(name)}; it has {', '.join(known)}"
            found.problems.append(LessonProblem(self.file, self.at(name), said))
        given = {name: raw for name, raw in self.fields.items() if name in known}
        while True:
            try:
                data = read(declared, given)
                break
            except PlainDataError as error:
                name = _field_of(error)
                if name or given.keys() == self.fields.keys() & known.keys():
                    found.problems.append(self._problem(error))
                if name not in given:  # a field is missing: in the file, or as it was invalid
                    break
                del given[name]
        found.raise_all()
        return data

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
            raise self._problem(error) from None

    def _problem(self, error: PlainDataError) -> LessonProblem:
        said = f"{error.place or self.what}: {error.what.rstrip('.')}"
        return LessonProblem(self.file, self.at(_field_of(error)), said)


def _field_of(error: PlainDataError) -> str:
    """The name of the field that an error is in; empty for a field that is missing."""
    return re.split(r"[.\[]", error.place)[0]
