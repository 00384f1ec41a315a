"""A lesson out of plain data: every field and check is read, or one sentence says where not."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from ..files import catalog
from ..inference.forward_pass import ForwardPassRunner
from ..matrices.address import CellAddress
from ..plain_data import brief, whole
from ..scenario.scenario import Scenario
from ..session.page_location import VIEWS
from ..session.session_json import VERSION, from_dict
from .changes import changed
from .expressions import Check, CheckError
from .format import Changes, Compare, Do, Hint, Item, Lesson, Look, Play, Predict, Step, Text
from .problem import LessonProblem

Data = Mapping[str, Any]
MAX_STEPS = 60
MAX_ITEMS = 60
MAX_TITLE = 100
MAX_TRAINED = 1_000  # steps that somebody waits for
SHOWN = ("inspector",)
STACKS = {"source": "encoder", "target": "decoder"}

_NAME = re.compile(r"(?:\d+-)?([a-z0-9][a-z0-9-]{0,59})")
_CELL = re.compile(r"([\w.]{1,100})\[(\d{1,6}),\s*(\d{1,6})\]")
_CELLS = re.compile(r"([\w.]{1,100})\[(\d{1,6})(?::(\d{1,6}))?,\s*(\d{1,6})(?::(\d{1,6}))?\]")
_CHANGES = ("text", "target", "settings", "set", "dropout", "plane", "select", "follow", "view")
_HEAD = ("title", "minutes", "about", "scenario", "view", "show")
# What stands in each directive.
FIELDS: Mapping[str, tuple[str, ...]] = {
    "look": (*_CHANGES, "part", "cells", "unfold", "keep"),
    "play": ("label", "cell", "amplitude", "follow", "parts"),
    "do": ("do", "until", "show", "hint", "hints", "because"),
    "predict": (
        *("ask", "answer", "tolerance", "choices", "matrix", "row"),
        *("then", "because", "hint", "hints", "cover"),
    ),
    "compare": ("before", "after", "change"),
}


def name_of(file: str) -> str:
    """A lesson's name in addresses, by that of its file: ``03-attention.md`` is ``attention``."""
    found = _NAME.fullmatch(PurePath(file).stem)
    if not found:
        raise LessonProblem(file, 1, "a lesson’s file is named in small letters, digits and “-”")
    return found[1]


def read(data: Data) -> Lesson:
    """The lesson that plain data stands for.

    Raises:
        LessonProblem: one sentence with the file and the line.
    """
    return _Reader(str(data["file"])).lesson(data)


class _Reader:
    def __init__(self, file: str) -> None:
        self.file = file
        self.runner = ForwardPassRunner()
        self.live: list[Check] = []

    def wrong(self, line: int, what: str) -> LessonProblem:
        return LessonProblem(self.file, line, what)

    def lesson(self, data: Data) -> Lesson:
        head = _Fields(self, data["head"], "the front matter")
        head.no_others(_HEAD)
        steps = data["steps"]
        if not 0 < len(steps) <= MAX_STEPS:
            raise self.wrong(1, f"a lesson has 1 to {MAX_STEPS} steps, and this has {len(steps)}")
        view = head.take("view", _view, "whole")
        return Lesson(
            name_of(self.file),
            self.file,
            head.take("title", _title),
            head.take("minutes", _minutes),
            head.take("scenario", self._scenario),
            view,
            tuple(map(self._step, steps)),
            head.take("show", _shown, ()),
            head.take("about", _words, ""),
        )

    def _scenario(self, raw: Any) -> Scenario:
        if isinstance(raw, str):
            return _model(raw)
        if not isinstance(raw, dict):
            raise ValueError("it is the name of a model, or a group of fields")
        fields = dict(raw)
        own = {name: fields.pop(name) for name in ("text",) if name in fields}
        saved = from_dict({"version": VERSION, **fields})
        changes = Changes(text=_words(own.get("text", "")))
        return changed(saved.scenario, changes, self.runner)

    def _step(self, data: Data) -> Step:
        self.live = []
        line, items = data["line"], data["items"]
        if not isinstance(data["title"], str) or not 0 < len(data["title"]) <= MAX_TITLE:
            raise self.wrong(line, f"a step’s title has 1 to {MAX_TITLE} characters")
        if len(items) > MAX_ITEMS:
            raise self.wrong(line, f"a step has at most {MAX_ITEMS} parts")
        found = tuple(map(self._item, items))
        looks = [k for k, item in enumerate(found) if isinstance(item, Look)]
        if len(looks) > 1:
            raise self.wrong(items[looks[1]]["line"], "a step has at most one look")
        lines = tuple(item.get("line", line) for item in items)
        return Step(data["title"], found, tuple(self.live), lines, line)

    def _item(self, data: Data) -> Item:
        if data["kind"] == "text":
            return (self._text(data["block"]),)
        kinds: dict[str, Callable[[_Fields], Item]] = {
            "look": self._look,
            "play": self._play,
            "do": self._do,
            "predict": self._predict,
            "compare": self._compare,
        }
        if data["kind"] not in kinds:
            known = ", ".join(kinds)
            raise self.wrong(
                data["line"], f"there is no directive {brief(data['kind'])}; there are {known}"
            )
        fields = _Fields(self, data, data["kind"])
        fields.no_others(FIELDS[data["kind"]])
        return kinds[data["kind"]](fields)

    # -- directives ------------------------------------------------------------------------------

    def _look(self, fields: _Fields) -> Look:
        return Look(
            fields.take("part", _part, ""),
            fields.take("cells", _cells, ()),
            fields.take("unfold", _parts, ()),
            fields.changes(),
            fields.take("keep", _flag, False),
        )

    def _play(self, fields: _Fields) -> Play:
        play = Play(
            fields.text("label") or ("Play",),
            fields.take("cell", _cell, None),
            fields.take("amplitude", _positive, 2.0),
            fields.take("follow", _follow, None),
            fields.take("parts", _parts, ()),
        )
        if (play.cell is None) == (not play.parts):
            raise self.wrong(fields.line, "a play has a cell that swings, or parts to go through")
        return play

    def _do(self, fields: _Fields) -> Do:
        return Do(
            fields.text("do", is_needed=True),
            fields.take("until", Check),
            fields.take("show", lambda raw: self._group_of_changes(raw, "train")),
            fields.hints(),
            fields.text("because"),
        )

    def _predict(self, fields: _Fields) -> Predict:
        predict = Predict(
            fields.text("ask", is_needed=True),
            fields.take("answer", Check),
            fields.take("tolerance", _positive, 0.0),
            fields.take("choices", _choices, ()),
            fields.take("matrix", _path, ""),
            fields.take("row", lambda raw: Check(str(raw)), None),
            fields.take("then", self._group_of_changes, Changes()),
            fields.text("because"),
            fields.hints(),
            fields.take("cover", _cover, None),
        )
        if bool(predict.matrix) != (predict.row is not None):
            raise self.wrong(fields.line, "a cell to click has a matrix and a row")
        if predict.kind == "number" and not predict.tolerance:
            raise self.wrong(fields.line, "a number has a tolerance, or there are choices")
        if not predict.hints:
            raise self.wrong(fields.line, "a prediction has a hint for a wrong answer")
        return predict

    def _compare(self, fields: _Fields) -> Compare:
        return Compare(
            fields.text("before") or ("Before",),
            fields.text("after") or ("After",),
            fields.take("change", self._group_of_changes),
        )

    def _group_of_changes(self, raw: Any, *more: str) -> Changes:
        if not isinstance(raw, dict) or not raw:
            raise ValueError("it is a group of changes")
        others = [name for name in raw if name not in (*_CHANGES, "swings", *more)]
        if others:
            raise ValueError(f"there is no change called {brief(others[0])}")
        return _changes(raw)

    # -- text ------------------------------------------------------------------------------------

    def _text(self, part: Any) -> Any:
        """The same as tuples, with links to cells and live numbers read."""
        if isinstance(part, str):
            return part
        mark, *inside = part
        if mark == "live":
            expression, line = inside
            self.live.append(self._check(expression, line))
            return ("live", len(self.live) - 1)
        if mark in ("cell", "view"):
            to, line, *words = inside
            try:
                goal = _cell(to) if mark == "cell" else (_view(to),)
            except ValueError as error:
                raise self.wrong(line, str(error)) from None
            return (mark, *goal, *map(self._text, words))
        return (mark, *map(self._text, inside))

    def _check(self, expression: str, line: int) -> Check:
        try:
            return Check(expression)
        except CheckError as error:
            raise self.wrong(line, str(error)) from None


class _Fields:
    """The fields of the front matter or of a directive, with the line of each."""

    def __init__(self, reader: _Reader, data: Data, what: str) -> None:
        self.reader, self.what = reader, what
        self.fields: Data = data["fields"]
        self.lines: Data = data["lines"]
        self.line: int = data["line"]

    def at(self, name: str) -> int:
        found: int = self.lines.get(name, self.line)
        return found

    def no_others(self, known: Sequence[str]) -> None:
        for name in self.fields:
            if name not in known:
                raise self.reader.wrong(
                    self.at(name), f"{self.what} has no {brief(name)}; it has {', '.join(known)}"
                )

    def take(self, name: str, reader: Callable[[Any], Any], *otherwise: Any) -> Any:
        """One field as its reader has it; without ``otherwise`` it has to be there."""
        if name not in self.fields:
            if otherwise:
                return otherwise[0]
            raise self.reader.wrong(self.line, f"{self.what} has no {name}")
        raw = self.fields[name]
        try:
            return reader(str(raw) if reader is Check else raw)
        except ValueError as error:
            said = str(error).rstrip(".")
            raise self.reader.wrong(self.at(name), f"{name}: {said}") from None

    def text(self, name: str, *, is_needed: bool = False) -> Text:
        raw = self.fields.get(name)
        if raw is None and not is_needed:
            return ()
        if not isinstance(raw, list) or not raw:
            raise self.reader.wrong(self.at(name), f"{self.what} has no {name}, which is a text")
        return tuple(map(self.reader._text, raw))

    def hints(self) -> tuple[Hint, ...]:
        """Those with a condition, in order, and last the one for all else."""
        raw = self.fields.get("hints", [])
        line = self.at("hints")
        if not isinstance(raw, list) or not all(isinstance(each, dict) for each in raw):
            raise self.reader.wrong(line, "hints is a list of groups with when and say")
        found = []
        for each in raw:
            if set(each) != {"when", "say"} or not isinstance(each["say"], list):
                raise self.reader.wrong(line, "a hint of hints has when and say")
            check = self.reader._check(str(each["when"]), line)
            found.append(Hint(tuple(map(self.reader._text, each["say"])), check))
        last = self.text("hint")
        return (*found, Hint(last)) if last else tuple(found)

    def changes(self) -> Changes:
        given = {name: raw for name, raw in self.fields.items() if name in _CHANGES}
        for name in given:
            # Each by itself, so that what is wrong is said of its line.
            self.take(name, lambda raw, name=name: _changes({name: raw}))  # type: ignore[misc]
        return _changes(given)


def _changes(raw: Data) -> Changes:
    settings = raw.get("settings", {})
    if not isinstance(settings, dict):
        raise ValueError("settings are a group of names and values")
    cells = raw.get("set", {})
    if not isinstance(cells, dict):
        raise ValueError("set is a group of cells and numbers")
    return Changes(
        _words(raw.get("text", "")),
        _words(raw.get("target", "")),
        tuple(settings.items()),
        tuple((_cell(cell), _number(value)) for cell, value in cells.items()),
        None if "dropout" not in raw else _flag(raw["dropout"]),
        _plane(raw.get("plane", "")),
        _cell(raw["select"]) if "select" in raw else None,
        _follow(raw["follow"]) if "follow" in raw else None,
        _view(raw["view"]) if "view" in raw else "",
        _flag(raw.get("swings", False)),
        whole(1, MAX_TRAINED)(raw["train"]) if "train" in raw else 0,
    )


def _model(raw: str) -> Scenario:
    return catalog.first(raw)


def _words(raw: Any) -> str:
    if not isinstance(raw, str) or len(raw) > 400:
        raise ValueError(f"{brief(raw)} is no text of at most 400 characters")
    return raw


def _title(raw: Any) -> str:
    if not isinstance(raw, str) or not 0 < len(raw) <= MAX_TITLE:
        raise ValueError(f"a title has 1 to {MAX_TITLE} characters")
    return raw


def _minutes(raw: Any) -> int:
    if isinstance(raw, bool) or not isinstance(raw, int) or not 0 < raw <= 600:
        raise ValueError(f"{brief(raw)} are no minutes")
    return raw


def _number(raw: Any) -> float:
    if isinstance(raw, bool) or not isinstance(raw, int | float):
        raise ValueError(f"{brief(raw)} is no number")
    try:
        return float(raw)
    except OverflowError:
        raise ValueError(f"{brief(raw)} is too large") from None


def _positive(raw: Any) -> float:
    if not 0 < _number(raw) <= 1e6:
        raise ValueError(f"{brief(raw)} is not greater than 0 and at most 1,000,000")
    return float(raw)


def _flag(raw: Any) -> bool:
    if not isinstance(raw, bool):
        raise ValueError(f"{brief(raw)} is neither true nor false")
    return raw


def _view(raw: Any) -> str:
    if not isinstance(raw, str) or raw not in VIEWS:
        raise ValueError(f"there is no view called {brief(raw)}; there are {', '.join(VIEWS)}")
    return str(raw)


def _plane(raw: Any) -> str:
    if raw not in ("", "value", "gradient", "change"):
        raise ValueError("it is value, gradient or change")
    return str(raw)


def _shown(raw: Any) -> tuple[str, ...]:
    if not isinstance(raw, list) or any(each not in SHOWN for each in raw):
        raise ValueError(f"it is a list of {', '.join(SHOWN)}")
    return tuple(raw)


def _path(raw: Any) -> str:
    if not isinstance(raw, str) or not re.fullmatch(r"[\w.]{1,100}", raw):
        raise ValueError(f"{brief(raw)} is no path of a matrix")
    return raw


def _part(raw: Any) -> str:
    return _path(raw)


def _parts(raw: Any) -> tuple[str, ...]:
    if not isinstance(raw, list) or not 0 < len(raw) <= MAX_ITEMS:
        raise ValueError("it is a list of parts")
    return tuple(map(_part, raw))


def _cell(raw: Any) -> CellAddress:
    found = _CELL.fullmatch(raw.strip()) if isinstance(raw, str) else None
    if not found:
        raise ValueError(f"{brief(raw)} is no cell: write path[row, column]")
    return CellAddress(found[1], int(found[2]), int(found[3]))


def _cells(raw: Any) -> tuple[tuple[str, int, int, int, int], ...]:
    if not isinstance(raw, list) or not 0 < len(raw) <= MAX_ITEMS:
        raise ValueError("it is a list of cells, path[row, column] or path[0:2, 1:3]")
    rectangles = []
    for each in raw:
        found = _CELLS.fullmatch(each.strip()) if isinstance(each, str) else None
        if not found:
            raise ValueError(f"{brief(each)} is no cell: write path[row, column]")
        path, i, i2, j, j2 = found.groups()
        rectangles.append((path, int(i), int(j), int(i2 or i), int(j2 or j)))
    return tuple(rectangles)


def _cover(raw: Any) -> tuple[tuple[str, int, int, int, int], ...]:
    if raw is False:
        return ()
    if not isinstance(raw, list):
        raise ValueError("it is a list of cells, or false where the number may be read")
    return _cells(raw)


def _follow(raw: Any) -> tuple[str, int]:
    found = re.fullmatch(r"(source|target) (\d{1,3})", raw) if isinstance(raw, str) else None
    if not found:
        raise ValueError("it is a side and a position, as in “source 2”")
    return STACKS[found[1]], int(found[2])


def _choices(raw: Any) -> tuple[Text, ...] | Check:
    if isinstance(raw, str):
        return Check(raw)
    if not isinstance(raw, list) or not 2 <= len(raw) <= 12:
        raise ValueError("there are 2 to 12 of them, or a check that gives tokens")
    return tuple((str(each),) for each in raw)
