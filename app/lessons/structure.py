"""Checks a lesson against its own model without a page, and reports its problems."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from transformer_math import Trace

from ..board import stages
from ..board.stages.sheet import Viewport
from ..model.inference.forward_pass import ForwardPassRunner
from ..model.matrices.address import CellAddress
from ..model.matrices.covering import Rectangle
from ..model.matrices.extent import LayerChoice
from ..model.matrices.resolved_cell import resolve
from .changes import begun, changed
from .format import (
    Changes,
    Compare,
    Do,
    Film,
    Item,
    Lesson,
    Look,
    Picture,
    Play,
    Predict,
    Step,
    parts_of,
)
from .judging import Right, is_done, judged, right_answer
from .numbers import LiveNumbers
from .pictures import drawn
from .problem import LessonProblem
from .words import unknown_words


def problems(lesson: Lesson) -> list[LessonProblem]:
    """Return all problems of a lesson, in the order of its steps, with its unknown words last."""
    found: list[LessonProblem] = []
    for k, step in enumerate(lesson.steps):
        checked = _Step(lesson, k, found)
        for line, item in zip(step.lines, step.items, strict=True):
            if not isinstance(item, Film):  # see film/checking.py
                checked.attempt(line, partial(checked.look_at, item))
        checked.attempt(step.line, checked.look_at_live)
    if lesson.picture is not None:
        _Step(lesson, 0, found).attempt(
            lesson.lines.get("picture", 1), partial(check_picture, lesson, lesson.picture)
        )
    return found + unknown_words(lesson)


def check_picture(lesson: Lesson, picture: Picture) -> None:
    """Raise ValueError if the picture for the list of lessons cannot be drawn."""
    try:
        drawn(lesson, picture)
    except (LookupError, ValueError) as error:
        said = str(error.args[0]) if error.args else type(error).__name__
        raise ValueError(f"its picture cannot be drawn: {said}") from error


def without_one(changes: Changes) -> Iterator[Changes]:
    """Yield copies that each lack one change of numbers; nothing if there is only one change."""
    cells, settings = changes.cells, changes.settings
    others = [
        name for name in ("text", "target", "dropout") if getattr(changes, name) not in ("", None)
    ]
    if len(cells) + len(settings) + len(others) < 2:
        return
    for k in range(len(cells)):
        yield replace(changes, cells=cells[:k] + cells[k + 1 :])
    for k in range(len(settings)):
        yield replace(changes, settings=settings[:k] + settings[k + 1 :])
    for name in others:
        yield replace(changes, **{name: getattr(Changes(), name)})


def wrong_answer(predict: Predict, right: Right, width: int) -> float:
    """Return a wrong answer: another number, choice or column."""
    if predict.kind == "number":
        return right.value + 10 * predict.tolerance + 1
    count = width if predict.kind == "cell" else len(right.choices)
    return (right.value + 1) % count


class _Step:
    def __init__(self, lesson: Lesson, at: int, found: list[LessonProblem]) -> None:
        self.lesson, self.at, self.found = lesson, at, found
        self.step: Step = lesson.steps[at]
        self.runner, self.aside = ForwardPassRunner(), ForwardPassRunner()
        try:
            self.numbers = LiveNumbers(begun(lesson, at, self.runner), self.runner)
        except ValueError as error:
            found.append(LessonProblem(lesson.file, self.step.line, str(error)))
            self.numbers = LiveNumbers(lesson.scenario, self.runner)

    def attempt(self, line: int, run: Callable[[], None]) -> None:
        try:
            run()
        except (KeyError, ValueError) as error:
            said = str(error.args[0]) if error.args else type(error).__name__
            self.found.append(LessonProblem(self.lesson.file, line, said.rstrip(".")))

    @property
    def trace(self) -> Trace:
        return self.numbers.trace

    def look_at_live(self) -> None:
        for check in self.step.live:
            check(self.numbers)

    def look_at(self, item: Item) -> None:
        if isinstance(item, Look):
            self.look_at_areas(item.cells)
            self.look_at_changes(item.changes)
            self.look_at_parts((*filter(None, (item.part,)), *item.unfold))
        elif isinstance(item, Play):
            if item.cell:
                self.look_for(*item.cell)
            self.look_at_parts(item.parts)
        elif isinstance(item, Compare):
            if changed(self.numbers.scenario, item.change, self.aside) == self.numbers.scenario:
                raise ValueError("what a compare changes is as before")
        elif isinstance(item, Do):
            self.do(item)
        elif isinstance(item, Predict):
            self.predict(item)
        elif isinstance(item, tuple):
            for cell in [part[1:4] for part in parts_of(item, tuple) if part[0] == "cell"]:
                self.look_for(*cell)

    def look_for(self, path: str, row: int, column: int) -> None:
        """Raise KeyError or ValueError if the pass has no such cell."""
        resolve(self.trace, CellAddress(path, row, column))

    def look_at_areas(self, areas: tuple[Rectangle, ...]) -> None:
        for path, *cells in areas:
            self.look_for(path, *cells[:2])
            self.look_for(path, *cells[2:])

    def look_at_parts(self, parts: tuple[str, ...]) -> None:
        of = self.numbers.scenario, self.trace, 1
        viewport = Viewport(LayerChoice(), {})
        drawn = stages.picture.manifest(*of, (), viewport)["whole"]["parts"]
        staged = stages.manifest(*of, viewport)["stages"]
        known = {"all", *(part["id"] for part in drawn), *(stage["id"] for stage in staged)}
        for part in parts:
            if part not in known:
                raise ValueError(f"there is no part {part}; there are {', '.join(sorted(known))}")

    def look_at_changes(self, changes: Changes) -> None:
        if changes.select:
            self.look_for(*changes.select)

    def do(self, item: Do) -> None:
        start = self.numbers
        if item.until(self.before_doing()):
            raise ValueError("what is to be done is done before anything was done")
        self.look_at_changes(item.show)
        after = changed(start.scenario, item.show, self.aside)
        if item.show.train:
            if after.data is None:
                raise ValueError("this model is not trained on the page")
            after = after.trained(after.weights, item.show.train)
        shown = LiveNumbers(
            after,
            self.aside,
            start,
            item.show.select or self.step.look.changes.select,
            item.show.swings,
            item.show.follow or self.step.look.changes.follow,
            item.show.view or self.step.look.changes.view or self.lesson.view,
        )
        item.until(shown)
        # The effect of training can only be checked on the page.
        if not item.show.train and not is_done(item, shown):
            raise ValueError(f"what it shows does not make {item.until.text!r} true")
        for part in without_one(item.show):
            half = changed(start.scenario, part, self.aside)
            if is_done(item, replace(shown, scenario=half)):
                raise ValueError(f"a part of what it shows makes {item.until.text!r} true")

    def before_doing(self) -> LiveNumbers:
        changes = self.step.look.changes
        return LiveNumbers(
            self.numbers.scenario,
            self.runner,
            self.numbers,
            changes.select,
            follows=changes.follow,
            view=changes.view or self.lesson.view,
        )

    def predict(self, item: Predict) -> None:
        self.look_at_areas(item.cover or ())
        right = right_answer(item, self.numbers, self.aside)
        width = 0
        if item.matrix:
            self.look_for(item.matrix, right.row, int(right.value))
            width = int(self.numbers.ask("columns", [item.matrix]))
        for value, is_right in ((right.value, True), (wrong_answer(item, right, width), False)):
            given = (right.row, int(value)) if item.matrix else value
            verdict = judged(item, given, self.numbers, self.aside)
            if verdict.is_right != is_right:
                raise ValueError(f"{value} is judged wrongly")
            if not (is_right or verdict.hint):
                raise ValueError("a wrong answer gets no hint")
        for hint in item.hints:
            if hint.when is not None:
                hint.when(self.numbers, given=int(right.value), right=right.value)
