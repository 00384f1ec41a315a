import asyncio

import pytest
from tinkerformer.board.view import ExploreView
from tinkerformer.features.decode.view import DecodeView
from tinkerformer.features.lessons.dares import OpenDare
from tinkerformer.features.measure.words import WordsSection
from tinkerformer.features.prediction.view import PredictionView
from tinkerformer.features.pull.view import PullView
from tinkerformer.features.tokens.view import TokensView
from tinkerformer.files import catalog
from tinkerformer.lessons.catalog import catalog as lessons
from tinkerformer.model.inference import cost
from tinkerformer.model.scenario.training_data import TrainingData
from tinkerformer.session.results import Results
from tinkerformer.session.state import AppState
from tinkerformer.shell.page import create_page
from tinkerformer.transport.runtime.page_session import PageSession

PHRASES, BLANKS = catalog.first("phrases"), catalog.first("blanks")
EDITED = PHRASES.with_value("output.W_out", (0, 0), 50.0)


def own(letters):
    """Return a model of the user's own pairs; all of these models have the same name."""
    rows = "\n".join(f"{letter} {letter},{letter} x" for letter in letters)
    return catalog.of_pairs(TrainingData("own", rows))


@pytest.fixture
def state():
    return AppState(PHRASES)


@pytest.mark.parametrize("form", ["picture", "formulas", "attention"])
def test_the_model_of_blanks_shows_its_blank_after_another_model_followed_another_row(form):
    page = create_page()
    state = page.state
    state.go("form", form)
    state.go("asked", 1)
    state.go("word", "chat")
    state.change(catalog.chosen("blanks", state.scenario))
    (prediction,) = page.regions["next"]
    assert state.scenario.source[prediction.value] == "<mask>"
    assert state.location.word == ""
    state.go("drawer", "writing")
    body = page.regions["drawer"][0].objects[2]
    opened = body.data["fill"]["opens"] if body.followed is None else body.followed
    assert state.scenario.source[opened] == "<mask>"


def test_after_another_model_opens_no_word_is_marked_as_changed():
    one, other = own("abcde"), own("fghij")
    assert one.model == other.model
    state = AppState(one)
    view = TokensView(state)
    state.change(other.with_writing(True))
    assert not any(view.tokens.written["target"]["changed"])


def test_bars_are_compared_only_within_one_opened_model(state):
    view = PredictionView(state)
    state.trace  # noqa: B018 -- it is shown
    state.change(EDITED.with_writing(True))
    assert view.prediction.before
    for letters in ("abcde", "fghij"):
        state.change(own(letters))
        assert view.prediction.before == {}


def test_the_board_states_no_change_when_another_model_opens():
    state = AppState(own("abcde"))
    view = ExploreView(state)
    state.change(own("fghij"))
    assert not state.editing
    assert view.board.component.changed == {}


def test_the_list_of_a_search_is_removed_when_another_model_opens(state):
    results = Results()
    view = PullView(state, results)
    view.make_written(1, "blanc")
    assert results.singles
    assert view.line.rows
    state.change(BLANKS)
    assert not results.singles
    assert not view.line.visible
    assert view._singles._search.result.value is None


async def test_bars_of_words_are_removed_with_their_model_and_dimmed_after_an_edit(monkeypatch):
    state = AppState(PHRASES)
    section = WordsSection(state, PageSession())
    section.show(True)
    assert section.bars.visible
    monkeypatch.setattr(cost, "INLINE", 0)
    state.change(EDITED)
    assert section.bars.visible
    assert section.bars.pending
    state.change(own("abcde"))
    assert not section.bars.visible


async def test_text_written_by_one_model_is_not_shown_with_another(monkeypatch):
    state = AppState(PHRASES)
    view = DecodeView(state, lambda: None, PageSession())
    view.show(True)
    body = view.column.objects[2]
    assert "greedy" in body.data
    monkeypatch.setattr(cost, "INLINE", 0)
    state.change(EDITED)
    assert "greedy" in body.data
    assert body.pending
    state.change(own("abcde"))
    assert "coming" in body.data
    assert not body.pending


async def test_the_score_of_a_dare_is_not_of_another_model(monkeypatch):
    lesson = next(each for each in lessons().lessons.values() if each.dare_step is not None)
    dare = lesson.steps[lesson.dare_step].dare
    state = AppState(lesson.scenario)
    open_dare = OpenDare(state, PageSession(), lambda: None)
    open_dare.begin(lesson.name, dare, lesson.scenario)
    open_dare.refresh()
    for _ in range(3_000):
        if not open_dare.shown()["busy"]:
            break
        await asyncio.sleep(0.02)
    assert open_dare.told() is not None
    monkeypatch.setattr(cost, "INLINE", 0)
    state.scenario = own("abcde")
    open_dare.refresh()
    assert open_dare.shown()["busy"]
    assert open_dare.told() is None
