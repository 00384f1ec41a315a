"""Builds a lesson from plain data; an error is one sentence with the file and the line."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import PurePath
from typing import Any, TypeVar

from ..files import catalog
from ..model.inference.forward_pass import ForwardPassRunner
from ..model.scenario.scenario import Scenario
from ..plain_data import brief, read_field, reader
from ..plain_data import fields as declared_fields
from ..session.session_json import VERSION, from_dict
from ..view_model.page_location import FIRST_VIEW
from .changes import changed
from .directive_fields import Data, DirectiveFields
from .directives import DIRECTIVES, Front, LookData
from .expressions import Check, CheckError
from .field_types import MAX_ITEMS, MAX_TITLE, Marked, MaybeMarked, View, Words, cell
from .format import (
    MEASURES,
    Changes,
    Compare,
    Dare,
    Do,
    Film,
    Hint,
    Item,
    Lesson,
    Look,
    Play,
    Predict,
    Scene,
    Step,
    Text,
    changes_of,
)
from .problem import Collector, LessonProblem

MAX_STEPS = 60
T = TypeVar("T", Play, Do, Predict, Compare, Film, Scene, Hint)
Task = TypeVar("Task", Do, Predict)

_NAME = re.compile(r"(?:\d+-)?([a-z0-9][a-z0-9-]{0,59})")


def name_of(file: str) -> str:
    """Return a lesson's name in addresses: ``attention`` for the file ``03-attention.md``."""
    found = _NAME.fullmatch(PurePath(file).stem)
    if not found:
        raise LessonProblem(file, 1, "a lesson’s file is named in small letters, digits and “-”")
    return found[1]


def read(data: Data) -> Lesson:
    """Build a lesson from plain data.

    If the data are invalid, raise ``LessonProblems`` with all problems and, if possible, the
    lesson without its invalid parts.
    """
    return _Reader(str(data["file"])).lesson(data)


class _Reader:
    def __init__(self, file: str) -> None:
        self.file = file
        self.runner = ForwardPassRunner()
        self.live: list[Check] = []
        self.found = Collector()

    def wrong(self, line: int, what: str) -> LessonProblem:
        return LessonProblem(self.file, line, what)

    def lesson(self, data: Data) -> Lesson:
        head = DirectiveFields(self.file, data["head"], "the front matter", self.found)
        front = scenario = None
        with self.found.part():
            front = head.read(Front, {"title": "?", "minutes": 1, "scenario": None})
        if "scenario" in head.fields:
            with self.found.part():
                scenario = head.check("scenario", self._scenario)
        steps = data["steps"]
        dares = [x for each in steps for x in each["items"] if x["kind"] == "dare"]
        with self.found.part():
            if len(dares) > 1:
                raise self.wrong(dares[1]["line"], "a lesson has at most one dare")
            if not 0 < len(steps) <= MAX_STEPS:
                said = f"a lesson has 1 to {MAX_STEPS} steps, and this has {len(steps)}"
                raise self.wrong(1, said)
        read_steps = tuple(map(self._step, steps))
        lesson = None
        if front is not None and scenario is not None:
            lesson = self._lesson(front, scenario, read_steps, head.lines)
        self.found.raise_all(lesson)
        assert lesson is not None  # without a lesson, `raise_all` has raised the problems
        return lesson

    def _lesson(
        self, front: Front, scenario: Scenario, steps: tuple[Step, ...], lines: Data
    ) -> Lesson:
        own: dict[str, Any] = {"view": FIRST_VIEW, **front, "scenario": scenario}
        return Lesson(name_of(self.file), self.file, steps=steps, lines=lines, **own)

    def _scenario(self, raw: object) -> Scenario:
        if isinstance(raw, str):
            return catalog.first(raw)
        if not isinstance(raw, dict):
            raise ValueError("it is the name of a model, or a group of fields")
        own = {**raw}
        text: str = read_field("text", reader(Words), own.pop("text", ""))
        saved = from_dict({"version": VERSION, **own})
        return changed(saved.scenario, Changes(text=text), self.runner)

    def _step(self, data: Data) -> Step:
        """Return a step without its invalid items, and collect their problems."""
        self.live = []
        line, items = data["line"], data["items"]
        found: list[Item] = []
        lines: list[int] = []
        for each in items[:MAX_ITEMS]:
            with self.found.part():
                found.append(self._item(each))
                lines.append(each.get("line", line))
        with self.found.part():
            if not isinstance(data["title"], str) or not 0 < len(data["title"]) <= MAX_TITLE:
                raise self.wrong(line, f"a step’s title has 1 to {MAX_TITLE} characters")
            if len(items) > MAX_ITEMS:
                raise self.wrong(line, f"a step has at most {MAX_ITEMS} parts")
            looks = [each["line"] for each in items if each["kind"] == "look"]
            if len(looks) > 1:
                raise self.wrong(looks[1], "a step has at most one look")
        return Step(data["title"], tuple(found), tuple(self.live), tuple(lines), line)

    def _item(self, data: Data) -> Item:
        if data["kind"] == "text":
            return (self._text(data["block"]),)
        if data["kind"] not in DIRECTIVES:
            known = ", ".join(DIRECTIVES)
            raise self.wrong(
                data["line"], f"there is no directive {brief(data['kind'])}; there are {known}"
            )
        fields = DirectiveFields(self.file, data, data["kind"], self.found)
        read_kind: Callable[[DirectiveFields], Item] = getattr(self, f"_{data['kind']}")
        return read_kind(fields)

    # -- directives ------------------------------------------------------------------------------

    def _look(self, fields: DirectiveFields) -> Look:
        own: dict[str, Any] = {**fields.read(LookData, {})}
        changes = changes_of(own)
        names = {"part", "cells", "unfold", "keep"} & own.keys()
        return Look(changes=changes, **{name: own[name] for name in names})

    def _play(self, fields: DirectiveFields) -> Play:
        play = self._with_texts(fields.read(Play), label=("Play",))
        if (play.cell is None) == (not play.parts):
            raise self.wrong(fields.line, "a play has a cell that swings, or parts to go through")
        return play

    def _do(self, fields: DirectiveFields) -> Do:
        return self._with_hint(self._with_texts(fields.read(Do)))

    def _predict(self, fields: DirectiveFields) -> Predict:
        predict = self._with_hint(self._with_texts(fields.read(Predict)))
        if bool(predict.matrix) != (predict.row is not None):
            raise self.wrong(fields.line, "a cell to click has a matrix and a row")
        if predict.kind == "number" and not predict.tolerance:
            raise self.wrong(fields.line, "a number has a tolerance, or there are choices")
        if not predict.hints:
            raise self.wrong(fields.line, "a prediction has a hint for a wrong answer")
        return predict

    def _compare(self, fields: DirectiveFields) -> Compare:
        return self._with_texts(fields.read(Compare), before=("Before",), after=("After",))

    def _film(self, fields: DirectiveFields) -> Film:
        film = fields.read(Film)
        # The live numbers in captions belong to the film, not to the step's text.
        of_step, self.live = self.live, []
        scenes = tuple(self._scene(each, fields.at("scenes")) for each in film.scenes)
        film = self._with_texts(film, label=("Play the film",))
        live, self.live = tuple(self.live), of_step
        return replace(film, scenes=scenes, live=live)

    def _scene(self, read: Scene, line: int) -> Scene:
        scene = self._with_texts(read)
        if (scene.lifts or scene.carries or scene.writes) and scene.follow is None:
            raise self.wrong(line, "a scene that lifts, carries or writes a word follows one")
        camera = scene.camera or ("parts" if scene.parts else "all")
        return replace(scene, camera=camera)

    def _dare(self, fields: DirectiveFields) -> Dare:
        dare = fields.read(Dare)
        # As in a film, the live numbers in the sentence belong to an attempt, not to the page.
        of_step, self.live = self.live, []
        shows = self._marked(dare.shows)
        live, self.live = tuple(self.live), of_step
        if dare.measure not in MEASURES[dare.may]:
            known = " or ".join(MEASURES[dare.may])
            raise self.wrong(fields.at("measure"), f"of {dare.may}, {known} is measured")
        if dare.most and dare.may not in ("parameters", "attention"):
            raise self.wrong(fields.at("most"), f"of {dare.may} there is no most")
        return replace(dare, dare=self._marked(dare.dare), shows=shows, live=live)

    # -- text ------------------------------------------------------------------------------------

    def _with_texts(self, part: T, **usual: Text) -> T:
        """Convert the texts of a part to nested tuples; ``usual`` has the default texts."""
        own: dict[str, Any] = {
            name: self._marked(getattr(part, name)) or usual.get(name, ())
            for name, declared in declared_fields(type(part)).items()
            if declared in (Marked, MaybeMarked)
        }
        return replace(part, **own)

    def _with_hint(self, task: Task) -> Task:
        """Convert the hints; hints with a condition come first, and the default hint last."""
        hints: tuple[Hint, ...] = tuple(map(self._with_texts, task.hints))
        if task.hint:
            hints = (*hints, Hint(None, task.hint))
        return replace(task, hint=(), hints=hints)

    def _marked(self, parts: Text) -> Text:
        return tuple(map(self._text, parts))

    def _text(self, part: Any) -> Any:
        """Convert text to nested tuples, and parse its links to cells and its live numbers."""
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
                goal = cell(to) if mark == "cell" else (reader(View)(to),)
            except ValueError as error:
                raise self.wrong(line, str(error)) from None
            return (mark, *goal, *map(self._text, words))
        return (mark, *map(self._text, inside))

    def _check(self, expression: str, line: int) -> Check:
        try:
            return Check(expression)
        except CheckError as error:
            raise self.wrong(line, str(error)) from None
