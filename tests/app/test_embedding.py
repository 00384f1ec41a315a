import pytest
from tinkerformer.features.share.view import ShareView
from tinkerformer.model.matrices.address import CellAddress
from tinkerformer.session.address import page_address
from tinkerformer.session.lesson_progress import DARE_STEP, LessonProgress
from tinkerformer.session.link import decode
from tinkerformer.session.state import AppState
from tinkerformer.view_model.focus import Followed


class Dialog:
    """The browser's side of the dialog, with the last message that it received."""

    def __init__(self):
        self.state = AppState()
        self.share = ShareView(self.state, lambda: None).share
        self.said = []
        self.share.connect(self.said.append)

    def open(self, stage=""):
        self.share.receive({"type": "ask", "stage": stage})
        return self.said[-1]

    def choose(self, name, value):
        self.share.receive({"type": "embed", "name": name, "value": value})
        return self.said[-1]


@pytest.fixture
def dialog():
    return Dialog()


def address(message):
    return page_address(message["embedding"]["query"])


def test_at_first_the_open_view_is_embedded(dialog):
    dialog.state.go("view", "attention")
    message = dialog.open()
    assert address(message).view == "attention"


def test_the_open_stage_and_the_selected_matrix_are_offered(dialog):
    dialog.state.go("view", "formulas")
    dialog.state.selection = CellAddress("encoder.0.self_attn.head.1.scores", 0, 0)
    message = dialog.open("decoder.0.cross_attn")
    assert address(message).only == "decoder.0.cross_attn"
    assert address(dialog.choose("view", "encoder.0.feed_forward")).only == "encoder.0.feed_forward"
    matrix = "matrix:encoder.0.self_attn.head.1.scores"
    assert address(dialog.choose("view", matrix)).only == matrix


def test_a_frame_of_fixed_height_does_not_follow_the_height_of_the_page(dialog):
    assert dialog.open()["embedding"]["follows"]
    message = dialog.choose("height", "frame")
    assert not message["embedding"]["follows"]
    assert "height" not in message["embedding"]["query"]


@pytest.mark.parametrize(
    ("name", "value"),
    [("view", "attic"), ("view", ["whole"]), ("lock", "doors"), ("tokens", "yes"), ("x", 1)],
)
def test_an_invalid_choice_is_explained_and_changes_nothing(dialog, name, value):
    before = dialog.open()["embedding"]
    message = dialog.choose(name, value)
    assert message["sentence"].endswith(".")
    assert message["embedding"] == before


def test_the_line_contains_the_edits(dialog):
    scenario = dialog.state.scenario
    dialog.state.change(scenario.with_value("source.W_e", (0, 0), 2.0))
    assert decode(dialog.open()["code"]).scenario.edits


@pytest.mark.parametrize("word", [None, Followed("encoder", 4), Followed("decoder", 2)])
def test_the_embedded_page_follows_the_followed_word_of_this_page(dialog, word):
    dialog.state.follow(None if word is None else list(word))
    assert decode(dialog.open()["code"]).place.followed == word


@pytest.mark.parametrize(
    ("step", "name", "found"),
    [
        (("white-cat", 0), "dare:white-cat", ("white-cat", DARE_STEP)),
        (("film", 0), "lesson:film", ("film", 0)),
        (("positions", 2), "lesson:positions", ("positions", 2)),
    ],
)
def test_at_first_an_open_lesson_or_dare_is_embedded(dialog, step, name, found):
    dialog.state.lesson = LessonProgress(*step)
    message = dialog.open()
    [view] = [each for each in message["embedding"]["fields"] if each["name"] == "view"]
    assert view["value"] == view["options"][0][0] == name
    assert (address(message).lesson, address(message).step) == found
    assert address(message).parts is not None
    dialog.state.lesson = LessonProgress()
    assert address(dialog.open()).lesson == ""


def test_the_film_can_be_embedded(dialog):
    dialog.open()
    assert address(dialog.choose("view", "film")).film
