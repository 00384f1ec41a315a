"""The open lesson and the list of lessons, without a browser."""

import json

import numpy as np
import pytest
from tinkerformer.features.lessons.view import LessonsView
from tinkerformer.lessons.catalog import catalog
from tinkerformer.lessons.changes import begun
from tinkerformer.lessons.format import Compare
from tinkerformer.lessons.live_text import written
from tinkerformer.model.matrices.address import CellAddress
from tinkerformer.model.matrices.covering import COVERED
from tinkerformer.model.matrices.reader import MatrixReader
from tinkerformer.session.address import page_address
from tinkerformer.session.lesson_progress import LessonProgress, lesson_progress_from
from tinkerformer.session.link import decode, encode
from tinkerformer.session.offer import UNDO
from tinkerformer.session.session_json import from_json, to_json
from tinkerformer.session.state import AppState
from tinkerformer.shell.page import create_page

FILM = catalog().lessons["film"]


@pytest.fixture
def view() -> LessonsView:
    return LessonsView(AppState())


def says(view: LessonsView, /, **message: object) -> None:
    view.panel.receive(message)


def test_the_list_opens_a_lesson_at_the_first_unread_step(view):
    view.list_view.show(True)
    [film, *_] = view.list_view.list.lessons
    assert (film["name"], film["done"], film["steps"]) == ("film", 0, len(FILM.steps))
    view.list_view.list.receive({"type": "open", "name": "film"})
    assert view.panel.value["heading"] == FILM.steps[0].title
    assert view.state.location.view == "picture"
    says(view, type="go", step=1)
    says(view, type="close")
    assert not view.panel.value
    assert view.list_view.list.lessons[0]["done"] == 1
    view.list_view.list.receive({"type": "open", "name": "film"})
    assert view.panel.value["step"] == 1
    view.list_view.list.receive({"type": "open", "name": "film", "afresh": True})
    assert view.panel.value["step"] == 0


def test_a_wrong_answer_gets_its_hint_and_the_right_one_is_stored(view):
    view.state.lesson = LessonProgress("film", 2)
    [at] = FILM.steps[2].tasks
    assert view.panel.states[at]["done"] is False
    says(view, type="answer", item=at, given=1)
    assert view.panel.states[at]["mark"] == "Not yet"
    first = view.panel.states[at]["hint"]
    says(view, type="answer", item=at, given=0)
    assert view.panel.states[at]["hint"] != first
    says(view, type="answer", item=at, given=3)
    assert view.panel.states[at]["done"]
    assert view.state.lesson.done["film"] == (f"2.{at}", "2")


ATTENTION = catalog().lessons["attention"]
ASKED = CellAddress("source.unprojected.raw_scores", 3, 2)


def test_the_page_hides_an_answer_until_it_is_given():
    page = create_page(address=page_address("?view=lesson:attention"))
    [panel], state = page.regions["lesson"], page.state
    [inspector] = page.regions["right"]
    [at] = ATTENTION.steps[0].tasks
    number = float(state.trace[ASKED.path].value[3, 2])

    def read(path: str = ASKED.path):
        return MatrixReader(state.shown, covered=state.covered).read(path)

    assert np.isnan(read().values[3, 2])
    assert np.count_nonzero(np.isnan(read().values)) == 1
    assert read().marks[3, 2] == COVERED
    state.selection = ASKED
    assert (inspector.value, inspector.details["covered"]) == (None, True)
    assert not inspector.details["editable"]
    assert f"{number:.2f}" not in json.dumps(inspector.details)
    # Numbers that are computed from it do not reveal it either.
    state.selection = CellAddress("source.unprojected.scores", 3, 2)
    assert "arithmetic" not in inspector.details
    assert inspector.value is not None
    panel.receive({"type": "answer", "item": at, "given": number + 9})
    assert np.isnan(read().values[3, 2])
    panel.receive({"type": "show", "item": at})
    assert state.covered == ()
    assert read().values[3, 2] == np.float32(number)
    assert "arithmetic" in inspector.details
    panel.receive({"type": "go", "step": 1})
    assert {path for path, *_ in state.covered} == {
        "source.unprojected.scores",
        "source.unprojected.masked_scores",
    }
    panel.receive({"type": "close"})
    assert state.covered == ()


def test_a_covered_probability_is_also_hidden_in_the_sentence():
    page = create_page()
    [tokens] = page.regions["sentence"]
    assert None not in tokens.written["target"]["probabilities"][1:]
    page.state.covered = (("output.probabilities", 2, 8, 2, 8),)
    known = tokens.written["target"]["probabilities"]
    assert known[3] is None
    assert None not in known[4:]


def test_a_task_detects_its_action_and_can_show_it(view):
    last = len(FILM.steps) - 1
    view.state.lesson = LessonProgress("film", last)
    do, _ = FILM.steps[last].tasks
    assert view.panel.states[do]["done"] is False
    state = view.state
    state.change(
        state.scenario.with_tokens("source", ["a", "small", "mouse", "runs", "under", "the", "bed"])
    )
    assert view.panel.states[do]["done"]
    assert any("une petite souris" in each for each in view.panel.live)
    view.state.lesson = LessonProgress("film", last)
    view.list_view.list.receive({"type": "open", "name": "film", "afresh": True})
    view.state.lesson = LessonProgress("film", last)
    says(view, type="show", item=do)
    assert view.panel.states[do]["done"]
    assert state.scenario.source[2] == "mouse"


def test_a_task_waits_for_its_training_to_end():
    asked: list[int] = []
    state = AppState()
    view = LessonsView(state, train=asked.append)
    last = len(catalog().lessons["learning"].steps) - 1
    state.lesson = LessonProgress("learning", last)
    *_, do = catalog().lessons["learning"].steps[last].tasks
    assert not view.panel.states[do]["done"]
    says(view, type="show", item=do)
    assert asked == [100]
    assert not view.panel.states[do]["done"]
    state.change(state.scenario.trained(None, 0))
    state.replace_weights(None, 99)
    assert not view.panel.states[do]["done"]
    state.replace_weights(None, 100)
    assert view.panel.states[do]["done"]


def test_a_step_begins_with_its_own_scenario_and_can_be_undone(view):
    state = view.state
    before = state.scenario.with_tokens("source", ["the", "hen"])
    state.change(before)
    view.state.lesson = LessonProgress("film", 1)
    assert state.scenario.source == FILM.scenario.source
    state.change(state.scenario.with_tokens("source", ["the", "dog"]))
    says(view, type="again")
    assert state.scenario.source == FILM.scenario.source
    state.undo()
    assert state.scenario.source == ("the", "dog")
    assert view.panel.value["step"] == 1


def test_leaving_a_lesson_restores_the_page_before_and_opens_the_list(view):
    state = view.state
    mine = state.scenario.with_tokens("source", ["the", "hen"])
    state.change(mine)
    mine = state.scenario
    state.selection = CellAddress("source.W_e", 6, 0)
    state.go("unfolded", ["encoder.0.self_attn"])
    view.list_view.show(True)
    view.list_view.list.receive({"type": "open", "name": "film"})
    says(view, type="go", step=len(FILM.steps) - 1)
    do, _ = FILM.steps[-1].tasks
    says(view, type="show", item=do)
    inside = state.scenario
    # A reload during the lesson restores the lesson and the page before.
    again = AppState()
    reloaded = LessonsView(again)
    again.snapshots.restore(from_json(to_json(state.snapshots.take(), with_weights=True)))
    for each in (view, reloaded):
        state = each.state
        says(each, type="close")
        assert (state.scenario, state.location.view, each.panel.value) == (mine, "lessons", {})
        assert state.selection == CellAddress("source.W_e", 6, 0)
        assert state.location.unfolded == ("encoder.0.self_attn",)
        assert state.offer.what == UNDO
        assert state.before_lesson is None
        state.undo()
        assert state.scenario == inside
    assert "before" not in to_json(view.state.snapshots.take(), with_weights=True)


def test_closing_a_lesson_without_changes_offers_no_undo(view):
    view.state.lesson = LessonProgress("film", 0)
    says(view, type="close")
    assert (view.state.location.view, view.state.offer) == ("lessons", None)


def test_a_step_opens_the_view_that_it_names(view):
    view.state.lesson = LessonProgress("film", 0)
    says(view, type="open", view="measure")
    assert view.state.location.open_drawer == "measure"
    says(view, type="open", view="nowhere")
    says(view, type="open", view=["picture"])
    assert (view.state.location.open_drawer, view.state.notice) == ("measure", "")


def test_a_number_is_requested_with_as_many_decimals_as_are_accepted(view):
    asked = {}
    for name, step in (("attention", 0), ("learning", 0), ("film", 7)):
        view.state.lesson = LessonProgress(name, step)
        found = [each for each in view.panel.value["items"] if "decimals" in each]
        asked[name] = found[0]["decimals"]
    assert asked == {"attention": 2, "learning": 2, "film": 0}


COMPARED = [
    (name, k, at)
    for name, lesson in catalog().lessons.items()
    for k, step in enumerate(lesson.steps)
    for at, item in enumerate(step.items)
    if isinstance(item, Compare)
]


@pytest.mark.parametrize(("name", "step", "at"), COMPARED)
def test_before_and_after_show_the_right_scenario_whatever_happened_between(view, name, step, at):
    state = view.state
    state.lesson = LessonProgress(name, step)
    before = state.scenario
    assert view.panel.states[at]["after"] is False
    says(view, type="compare", item=at, after=True)
    after = state.scenario
    assert after != before
    assert (view.panel.states[at]["after"], state.baseline) == (True, before)
    state.undo()
    assert (view.panel.states[at]["after"], state.scenario) == (False, before)
    says(view, type="compare", item=at, after=True)
    assert (view.panel.states[at]["after"], state.scenario) == (True, after)
    state.change(state.scenario.with_value("source.W_e", (0, 0), 3.0))
    assert view.panel.states[at]["after"] is None
    says(view, type="compare", item=at, after=True)
    assert (view.panel.states[at]["after"], state.scenario) == (True, after)


@pytest.mark.parametrize(("name", "step", "at"), COMPARED)
def test_after_a_reload_a_comparison_can_switch_from_after_to_before(view, name, step, at):
    view.state.lesson = LessonProgress(name, step)
    before = view.state.scenario
    says(view, type="compare", item=at, after=True)
    again = AppState()
    reloaded = LessonsView(again)
    again.snapshots.restore(from_json(to_json(view.state.snapshots.take(), with_weights=True)))
    assert reloaded.panel.states[at]["after"] is True
    says(reloaded, type="compare", item=at, after=False)
    assert reloaded.panel.states[at]["after"] is False
    assert again.scenario.settings == before.settings
    assert again.baseline is None


@pytest.mark.parametrize(
    "message",
    [
        {"type": "go", "step": 99},
        {"type": "go", "step": -1},
        {"type": "go", "step": "1"},
        {"type": "go", "step": True},
        {"type": "answer", "item": 99, "given": 1},
        {"type": "answer", "item": 0, "given": float("nan")},
        {"type": "answer", "item": 0, "given": "1"},
        {"type": "answer", "item": 0},
        {"type": "show", "item": 0},
        {"type": "play", "item": 0},
        {"type": "compare", "item": 0, "after": 1},
        {"type": ["go"]},
        {"type": "open"},
        {"type": "open", "view": 3},
        {"type": "open", "view": "lessons.x"},
    ],
)
def test_invalid_messages_change_nothing(view, message):
    view.state.lesson = LessonProgress("film", 2)
    before = view.state.snapshots.take(), view.panel.states
    view.panel.receive(message)
    assert (view.state.snapshots.take(), view.panel.states) == before


def test_progress_is_stored_in_the_tab_and_links_have_only_the_step():
    state = AppState()
    state.lesson = LessonProgress("film", 3).did("3").did("3.1")
    assert from_json(to_json(state.snapshots.take(), with_weights=True)).lesson == state.lesson
    assert decode(encode(state.snapshots.take())).lesson == LessonProgress("film", 3)
    view, other = LessonsView(state), state.scenario.with_tokens("source", ["the", "hen"])
    state.snapshots.restore(
        state.snapshots.take()._replace(scenario=other, lesson=LessonProgress("film", 4))
    )
    assert view.panel.value["step"] == 4
    assert state.scenario.source == ("the", "hen")


@pytest.mark.parametrize(
    "raw",
    [
        {"name": "../film"},
        {"name": 3},
        {"step": -1},
        {"step": 1.5},
        {"done": []},
        {"done": {"film": "3"}},
        {"done": {"film": ["x"]}},
        {"done": {"A b": []}},
        {"other": 1},
        [],
    ],
)
def test_progress_in_a_file_is_checked(raw):
    with pytest.raises(ValueError, match=r"field|group|fields"):
        lesson_progress_from(json.loads(json.dumps(raw)))


def test_an_address_opens_a_step():
    address = page_address("?view=lesson:film&step=3&embed")
    assert (address.lesson, address.step, address.problems) == ("film", 2, ())
    page = create_page(address=address)
    [panel] = page.regions["lesson"]
    assert panel.value["step"] == 2
    assert page.state.location.view == "picture"
    assert page_address("?view=lesson:film&step=x").problems
    assert page_address("?view=lesson:film&step=0").step == 0
    page = create_page(address=page_address("?view=lesson:film&step=99"))
    assert page.regions["lesson"][0].value["step"] == 0
    assert "steps" in page.state.notice


@pytest.mark.parametrize("query", ["?view=lesson:nothing", "?view=lesson:", "?view=lesson:../a"])
def test_an_unknown_lesson_opens_the_list_with_a_sentence(query):
    page = create_page(address=page_address(query))
    [panel] = page.regions["lesson"]
    assert not panel.value
    assert page.state.location.view == "lessons"
    assert page.state.notice.startswith("There is no lesson called")
    assert page.state.notice.count(".") <= 3


LOCKED = "?lock&embed&show=views"


def other_model() -> str:
    return next(
        name for name, lesson in catalog().lessons.items() if lesson.scenario.model != "phrases"
    )


def test_a_locked_page_opens_only_the_lesson_in_its_address():
    page = create_page(address=page_address(LOCKED))
    [panel], state = page.regions["lesson"], page.state
    before, other = state.scenario, other_model()
    state.go("view", "lessons")
    state.lesson = LessonProgress(other)
    assert (state.scenario, state.lesson.name, panel.value) == (before, "", {})
    assert state.location.view == "lessons"
    assert state.notice


def other_text() -> tuple[str, int]:
    """Return a step that changes the text, of a lesson that begins with the page's first text."""
    first = AppState()
    for name, lesson in catalog().lessons.items():
        for k in range(len(lesson.steps)):
            scenario = begun(lesson, k, first.runner).with_view_settings(first.scenario.view)
            if scenario != first.scenario:
                if k:
                    return name, k
                break
    raise AssertionError("there is none")


def test_a_locked_page_does_not_go_to_a_step_with_another_text():
    name, step = other_text()
    page = create_page(address=page_address(LOCKED))
    [panel], state = page.regions["lesson"], page.state
    state.lesson = LessonProgress(name, step - 1)
    before = state.scenario
    assert panel.value["step"] == step - 1
    panel.receive({"type": "go", "step": step})
    assert (state.scenario, state.lesson.step, panel.value["step"]) == (before, step - 1, step - 1)
    assert state.notice


def test_a_locked_page_goes_through_the_lesson_of_its_address_and_can_restart_it():
    name = other_model()
    lesson = catalog().lessons[name]
    page = create_page(address=page_address(f"{LOCKED}&view=lesson:{name}"))
    [panel], state = page.regions["lesson"], page.state
    assert state.scenario.model == lesson.scenario.model
    panel.receive({"type": "go", "step": len(lesson.steps) - 1})
    assert panel.value["step"] == len(lesson.steps) - 1
    state.snapshots.start_afresh()
    assert not state.notice
    assert (state.fresh_starts, panel.value["step"]) == (1, 0)
    assert state.scenario.source == begun(lesson, 0, state.runner).source
    assert state.scenario.model == lesson.scenario.model


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.5, "0.5"),
        (-1.25, "−1.25"),
        (2136, "2,136"),
        (1e-9, "1.0e−09"),
        (0.0, "0"),
        (float("-inf"), "−∞"),
        (True, "yes"),
        ("noir", "noir"),
        (("a", "b"), "a b"),
    ],
)
def test_numbers_in_texts_are_written_like_those_of_the_page(value, text):
    assert written(value) == text


@pytest.mark.parametrize(("step", "position"), [(3, 2), (4, 2)])
def test_the_bars_show_the_position_of_the_word_that_a_step_follows(step, position):
    page = create_page(address=page_address(f"?view=lesson:cross-attention&step={step}"))
    assert page.state.position == position
