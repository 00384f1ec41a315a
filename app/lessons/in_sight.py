"""Finds questions whose answer is visible on the page while the question is open."""

import math
from contextlib import suppress

from ..model.inference.forward_pass import ForwardPassRunner
from ..model.matrices.covering import is_covered
from .changes import begun, moves_numbers
from .covering import asked_cell, calls, covered, to_read
from .format import Lesson, Predict
from .judging import right_answer
from .numbers import LiveNumbers
from .problem import LessonProblem

LEAST = 0.005  # two decimals of a loss are shown
WRITING = frozenset({"word", "written", "writes", "right"})  # functions about the written words


def answers_in_sight(lesson: Lesson) -> list[LessonProblem]:
    """Return a note for each question whose answer can be read off the page at its step.

    Visible answers are: a number whose cell is not covered; a number or choice that a picture of an
    idea shows; the loss of guessing, beside the curves of Train; a choice that is the only one
    among the written words; and all words that the model writes. The result of a change is not
    visible yet.
    """
    found: list[LessonProblem] = []
    for k, step in enumerate(lesson.steps):
        runner = ForwardPassRunner()
        for line, item in zip(step.lines, step.items, strict=True):
            if not isinstance(item, Predict) or moves_numbers(item.then):
                continue
            with suppress(LookupError, ValueError, TypeError):  # reported as a problem elsewhere
                view = step.look.changes.view or lesson.view
                said = _in_sight(item, LiveNumbers(begun(lesson, k, runner), runner), view)
                if said:
                    found.append(LessonProblem(lesson.file, line, said))
    return found


def _in_sight(item: Predict, numbers: LiveNumbers, view: str) -> str:
    """Return a sentence on where a view shows the answer; empty if it does not."""
    if any(name in WRITING for name, _ in calls(item, numbers)):
        return "the answer is in sight: the page shows what the model writes; ask with then"
    if view.startswith("idea:") and (covered(item, numbers) or to_read(item, numbers)):
        return "the answer is in sight: a picture of an idea shows its numbers; ask with then"
    if item.kind == "number":
        guessing = math.log(len(numbers.scenario.output_vocabulary))
        if view == "train" and abs(item.answer(numbers) - guessing) < LEAST:
            return "the answer is in sight: Train shows the loss of guessing; ask in another view"
        cell = asked_cell(item, numbers)
        if cell is None or item.cover is None:
            return ""  # the cell is covered, or the answer is computed from several numbers
        if is_covered(covered(item, numbers), *cell):
            return ""
        path, row, column = cell
        return (
            f"the number that it asks for is in sight: cover does not hide {path}[{row}, {column}]"
        )
    if item.kind != "choice":
        return ""
    right = right_answer(item, numbers, ForwardPassRunner())
    written = set(numbers.scenario.target)
    words = [" ".join(map(str, each)) for each in right.choices]
    answer = words[int(right.value)]
    if answer in written and sum(word in written for word in words) == 1:
        return f"the answer is in sight: “{answer}” is the only choice among the written words"
    return ""
