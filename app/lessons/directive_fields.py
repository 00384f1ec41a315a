"""Parses the fields of a lesson's directive as declared; an error includes the field's line."""

import re
from collections.abc import Callable, Hashable, Mapping
from typing import Any, TypeVar, cast

from ..plain_data import PlainDataError, brief, fields, needed, read, read_field
from .problem import Collector, LessonProblem, LessonProblems

Data = Mapping[str, Any]
T = TypeVar("T")


class DirectiveFields:
    """The fields of the front matter or of a directive, with their lines."""

    def __init__(self, file: str, data: Data, what: str, found: Collector) -> None:
        """``what`` is the name of the directive, for errors, and ``found`` collects them."""
        self.file, self.what, self.found = file, what, found
        self.fields: Data = data["fields"]
        self.lines: Data = data["lines"]
        self.line: int = data["line"]

    def at(self, name: str) -> int:
        found: int = self.lines.get(name, self.line)
        return found

    def read(self, declared: type[T], instead: Data | None = None) -> T:
        """Parse the fields as a TypedDict, and collect their problems, each with its line.

        Values for missing or invalid required fields come from ``instead``; other invalid fields
        are left out. Without ``instead``, raise ``LessonProblems`` if a field is invalid.
        """
        known = fields(declared)
        problems = [
            self.wrong(name, f"{self.what} has no {brief(name)}; it has {', '.join(known)}")
            for name in self.fields.keys() - known.keys()
        ]
        of_values = [
            self.wrong(name, f"{self.what}: it has no field {brief(name)}, which it needs")
            for name in sorted(needed(cast(Hashable, declared)) - self.fields.keys())
        ]
        given = {name: raw for name, raw in self.fields.items() if name in known}
        while True:
            try:
                data = read(declared, {**(instead or {}), **given})
                break
            except PlainDataError as error:
                name = _field_of(error)
                if name not in given:  # a required field, reported already
                    raise LessonProblems(problems + of_values) from None
                of_values.append(self._problem(error))
                del given[name]
        if of_values and instead is None:
            raise LessonProblems(problems + of_values)
        self.found.problems += problems + of_values
        return data

    def check(self, name: str, check: Callable[[Any], T]) -> T:
        """Apply a function to a field; a rejected field raises ``LessonProblem`` with its line."""
        return self._with_line(lambda: read_field(name, check, self.fields[name]))

    def _with_line(self, function: Callable[[], T]) -> T:
        try:
            return function()
        except PlainDataError as error:
            raise self._problem(error) from None

    def wrong(self, name: str, what: str) -> LessonProblem:
        """Return a problem at the line of a field; at the directive's if the field is missing."""
        return LessonProblem(self.file, self.at(name), what)

    def _problem(self, error: PlainDataError) -> LessonProblem:
        said = f"{error.place or self.what}: {error.what.rstrip('.')}"
        return self.wrong(_field_of(error), said)


def _field_of(error: PlainDataError) -> str:
    """Return the name of the field with an error; empty for a missing field."""
    return re.split(r"[.\[]", error.place)[0]
