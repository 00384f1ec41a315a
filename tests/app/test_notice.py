import pytest
from tinkerformer.board.view import ExploreView
from tinkerformer.features.models.view import ModelsView
from tinkerformer.features.notice.view import NoticeView
from tinkerformer.files import catalog
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.session.offer import UNDO, Offer
from tinkerformer.session.session_json import SavedSession, to_json
from tinkerformer.session.state import AppState
from tinkerformer.view_model.page_location import PageLocation

FIRST = catalog.first("phrases")
KEPT = SavedSession(
    Scenario().with_value("source.W_e", (0, 0), 3), place=PageLocation().at("attention")
)


class Page:
    """A page without a browser."""

    def __init__(self):
        self.clock = 0.0
        self.state = AppState(clock=lambda: self.clock)
        self.explore = ExploreView(self.state)
        self.models = ModelsView(self.state)
        self.notice = NoticeView(self.state).notice

    def begin(self, **session):
        self.explore.board.component.receive({"type": "ready", **session})

    def press(self, number=None):
        number = self.notice.said.get("number") if number is None else number
        self.notice.receive({"type": "press", "number": number})

    @property
    def says(self):
        return self.notice.said.get("text", ""), self.notice.said.get("button", "")


@pytest.fixture
def page():
    return Page()


def test_a_reload_says_that_the_work_is_restored_and_offers_to_start_again(page):
    page.begin(saved=to_json(KEPT))
    assert page.says[1] == "Start afresh"
    page.press()
    assert page.state.snapshots.take() == SavedSession(FIRST)
    assert page.says == ("", "")
    page.state.undo()
    assert page.state.scenario == KEPT.scenario


@pytest.mark.parametrize("session", [{}, {"saved": to_json(SavedSession(FIRST))}])
def test_a_page_in_its_initial_state_says_nothing(page, session):
    page.begin(**session)
    assert page.says == ("", "")


def test_starting_again_is_offered_as_long_as_it_takes_to_read(page):
    page.begin(saved=to_json(KEPT))
    number = page.notice.said["number"]
    page.clock = 29.0
    page.state.change(page.state.scenario.with_value("source.W_e", (1, 0), 2))
    assert page.says[1] == "Start afresh"
    page.clock = 31.0
    page.state.change(page.state.scenario.with_value("source.W_e", (1, 1), 2))
    assert page.says == ("", "")
    page.press(number)  # a late press of the former button
    assert page.state.scenario.edits != FIRST.edits


def test_an_offer_to_undo_ends_with_the_next_change(page):
    page.state.offer = Offer("Dropout is on.", UNDO)
    page.state.change(page.state.scenario.with_value("source.W_e", (1, 1), 2))
    assert page.says == ("", "")


def test_a_sentence_replaces_an_offer(page):
    page.state.offer = Offer("Something else is here.", UNDO)
    page.state.notice = "Select a number first."
    assert page.says == ("Select a number first.", "")
    before = page.notice.said["number"]
    page.state.notice = "Select a number first."
    assert page.notice.said["number"] > before


def test_pressing_an_offered_undo_undoes_the_change(page):
    page.state.change(page.state.scenario.with_training(True))
    page.state.offer = Offer("Dropout is on.", UNDO)
    page.press()
    assert page.state.scenario == FIRST


def test_the_models_dialog_resets_everything(page):
    page.models.models.value = "dates"
    page.state.change(page.state.scenario.with_training(True))
    page.models.models.receive({"type": "afresh", "id": 1})
    assert page.state.snapshots.take() == SavedSession(FIRST)
    page.models.models.value = "dates"
    assert not page.state.scenario.training
