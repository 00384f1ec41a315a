import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tinkerformer.lessons.catalog import catalog
from tinkerformer.lessons.changes import begun, changed, moves_numbers
from tinkerformer.lessons.covering import calls, covered, to_read
from tinkerformer.lessons.format import Do, Predict
from tinkerformer.lessons.in_sight import answers_in_sight
from tinkerformer.lessons.judging import is_done, right_answer
from tinkerformer.lessons.numbers import LiveNumbers
from tinkerformer.lessons.open_step import STRAYED, OpenStep
from tinkerformer.lessons.structure import without_one
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.matrices.covering import TO_READ
from tinkerformer.model.matrices.oscillation import Oscillation
from tinkerformer.model.matrices.reader import MatrixReader
from tinkerformer.session.lesson_progress import LessonProgress
from tinkerformer.shell.page import create_page
from tinkerformer.view_model.lesson import Judgment
from tinkerformer.view_model.moment import Moment
from tinkerformer.view_model.page_location import PageLocation
from tinkerformer.view_model.state import State
from tinkerformer.view_model.view_model import ViewModel

from transformer_math.ops.tensor import head_path

LESSONS = catalog().lessons
Task = tuple[str, int, int]  # lesson, step and item


def tasks(kind: type) -> Iterator[Task]:
    for name, lesson in LESSONS.items():
        for k, step in enumerate(lesson.steps):
            for at, item in enumerate(step.items):
                if isinstance(item, kind):
                    yield name, k, at


# The questions that can be answered before anything is changed.
QUESTIONS = [
    (name, k, at)
    for name, k, at in tasks(Predict)
    if not moves_numbers(LESSONS[name].steps[k].items[at].then)
]
# The text of this one gives the score of *cat* and *sat*, and asks for that of *sat* and *cat*.
SYMMETRIC = ("attention", 0, 4)


@pytest.fixture
def at_step(request: pytest.FixtureRequest) -> tuple[Any, Any, LiveNumbers]:
    """Return a page at the step of a task, the task, and the numbers there."""
    name, k, at = request.param
    page = create_page()
    state = page.state
    state.lesson = LessonProgress(name, k)
    return page, LESSONS[name].steps[k].items[at], LiveNumbers(state.scenario, state.runner)


def painted(state: Any) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the numbers of every matrix, one matrix for each head, as the board shows them."""
    reader = MatrixReader(state.shown, covered=state.covered, to_read=state.to_read)
    for path, tensor in state.trace.tensors.items():
        heads = tensor.dims[:1] == ("head",)
        for each in [head_path(path, h) for h in range(tensor.shape[0])] if heads else [path]:
            found = reader.read(each)
            if found is not None:
                yield each, found.values


def stated(of: Any) -> list[str]:
    """Return the texts of the page: of the header, bars, inspector and lesson."""
    state, regions = of.state, of.regions
    [panel], [inspector] = regions["lesson"], regions["right"]
    model = state.view_model
    shown = panel.value["items"], panel.live, panel.states
    parts = [*shown, inspector.details, model.sentence.probabilities, model.bars.before]
    return [json.dumps(part, default=str) for part in parts]


@pytest.mark.parametrize(
    "at_step", [each for each in QUESTIONS if each != SYMMETRIC], indirect=True, ids=str
)
def test_the_page_does_not_show_the_answer_of_an_open_question(at_step):
    of, question, numbers = at_step
    right = right_answer(question, numbers, ForwardPassRunner()).value
    asked = covered(question, numbers)
    if question.kind == "number" and right != round(right):
        for text in stated(of):
            found = [float(x) for x in re.findall(r"-?\d+\.\d+", text.replace("−", "-"))]
            near = [x for x in found if abs(x - right) <= 0.0006]  # after rounding
            assert not near, f"{near} of {text}"
        if asked:
            for path, values in painted(of.state):
                assert not (values == np.float32(right)).any(), path
    if question.kind == "choice":
        reads = [call for call in calls(question, numbers) if call.name == "argmax_row"]
        assert not [name for name, _ in calls(question, numbers) if name in ("word", "writes")]
        if any(".cross_attn." in call.arguments[0] for call in reads):
            assert of.state.view_model.marks["source"]["focus"] != int(right)


@pytest.mark.parametrize("at_step", QUESTIONS, indirect=True, ids=str)
def test_a_cell_that_the_reader_looks_up_is_shown_and_not_stated(at_step):
    of, question, numbers = at_step
    state = of.state
    reader = MatrixReader(state.shown, covered=state.covered, to_read=state.to_read)
    for path, i, j, i2, j2 in to_read(question, numbers):
        found = reader.read(path)
        area = slice(i, i2 + 1), slice(j, j2 + 1)
        assert np.isfinite(found.values[area]).all()
        assert (found.marks[area] & TO_READ).all()
    [panel] = of.regions["lesson"]
    for at in LESSONS[state.lesson.name].steps[state.lesson.step].tasks:
        panel.receive({"type": "show", "item": at})
    assert (state.covered, state.to_read) == ((), ())


@pytest.mark.parametrize("name", LESSONS)
def test_no_lesson_shows_an_answer_before_it_is_given(name):
    assert answers_in_sight(LESSONS[name]) == []


DEEDS = [
    task for task in tasks(Do) if not LESSONS[task[0]].steps[task[1]].items[task[2]].show.train
]


@pytest.mark.parametrize(("name", "k", "at"), DEEDS)
def test_a_task_is_done_only_when_all_changes_of_its_solution_are_made(name, k, at):
    lesson, runner = LESSONS[name], ForwardPassRunner()
    do = lesson.steps[k].items[at]
    start = LiveNumbers(begun(lesson, k, runner), runner)

    def done(scenario: Any) -> bool:
        return is_done(do, start.with_scenario(scenario, ForwardPassRunner()))

    assert not done(start.scenario)
    assert done(changed(start.scenario, do.show, runner))
    for part in without_one(do.show):
        assert not done(changed(start.scenario, part, runner)), part
    if not do.show.text:  # another text is not the required one
        aside = replace(do.show, text="the small dog sat on the mat")
        assert not done(changed(start.scenario, aside, runner))


@pytest.mark.parametrize(("name", "k", "at"), [*tasks(Do)])
def test_the_result_of_a_task_depends_only_on_the_state_and_the_completed_items(name, k, at):
    """Without a page, the step judges any state, and remembers no earlier one."""
    lesson, runner = LESSONS[name], ForwardPassRunner()
    start, do = begun(lesson, k, runner), lesson.steps[k].items[at]
    step = OpenStep(lesson, k, start, runner, ForwardPassRunner())

    def judged(scenario: Any, *done: str) -> Judgment:
        state = State.first(scenario, PageLocation(), Oscillation())
        return ViewModel(Moment(state, runner, step=step, done=done)).lesson

    shown = changed(start, do.show, runner)
    for scenario, is_shown in ((start, False), (shown, not do.show.train), (start, False)):
        found = judged(scenario)
        assert (at in found.finished, found.states[at]["done"]) == (is_shown, is_shown)
        assert ("because" in found.states[at]) == is_shown
    questions = [i for i, item in enumerate(step.step.items) if isinstance(item, Predict)]
    answered = judged(start, f"{k}.{at}", *(f"{k}.{i}" for i in questions))
    assert answered.states[at] == {**answered.states[at], "done": True, "mark": "Done"}
    assert (answered.covered, answered.to_read) == ((), ())
    assert at not in answered.finished


def test_a_task_reports_that_another_part_was_changed():
    page = create_page()
    state, [panel] = page.state, page.regions["lesson"]
    state.lesson = LessonProgress("vectors", 3)
    [at] = LESSONS["vectors"].steps[3].tasks
    words = [*state.scenario.source]
    state.change(state.scenario.with_tokens("source", ["the", "black", "dog", *words[3:]]))
    assert not panel.states[at]["done"]
    assert panel.states[at]["hint"] == [STRAYED]


def test_no_word_is_marked_as_new_when_a_step_begins_or_the_lesson_is_closed():
    page = create_page()
    state, [panel] = page.state, page.regions["lesson"]
    before = state.scenario
    for name in ("vectors", "shapes", "vectors"):
        step = 1 if name == "shapes" else 3
        state.lesson = LessonProgress(name, step)
        assert not any(state.view_model.sentence.changed)
        [at] = LESSONS[name].steps[step].tasks
        panel.receive({"type": "show", "item": at})
        assert any(state.view_model.sentence.changed)
    panel.receive({"type": "close"})
    assert state.scenario == before
    assert not any(state.view_model.sentence.changed)
    assert not state.view_model.bars.before
    assert state.view_model.change is None
