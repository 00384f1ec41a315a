import json

import numpy as np
import pytest
from tinkerformer.board import tab_session
from tinkerformer.board.view import ExploreView
from tinkerformer.files import catalog
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.matrices.address import CellAddress
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.model.scenario.silences import Silence
from tinkerformer.session import tab_parts
from tinkerformer.session.link import encode
from tinkerformer.session.session_json import SavedSession
from tinkerformer.session.state import AppState

CELL = CellAddress("source.W_e", 1, 3)


class Page:
    """An explore view, and a browser that paints only on request."""

    def __init__(self) -> None:
        self.messages: list[dict] = []
        self.state = AppState(Scenario())
        self.view = ExploreView(self.state)
        self.view.board.component.connect(self.messages.append)
        self.say("ready")
        self.paint()

    def say(self, kind: str, **data) -> None:
        self.view.board.component.receive({"type": kind, **data})

    def seq(self) -> int:
        frames = [m["bytes"] for m in self.messages if m["type"] == "frame"]
        return int(np.frombuffer(frames[-1], "<i4", 8)[3])

    def paint(self) -> None:
        self.say("ack", seq=self.seq())

    def slide(self, k: int, value: float) -> None:
        path, i, j = CELL
        self.say("set", path=path, i=i, j=j, value=value, press=1, ack=self.seq())

    def kept(self) -> list[dict]:
        return [json.loads(m["scenario"]) for m in self.messages if m["type"] == "scenario"]


@pytest.fixture
def page() -> Page:
    return Page()


def alone(only: str) -> Page:
    """A page that shows one stage or matrix, as a frame of a course page does."""
    page = Page()
    page.state.address = page.state.address._replace(only=only, parts=("inspector",))
    page.state.location = page.state.location._replace(form="formulas", only=only)
    page.view.show_view("formulas")
    page.paint()
    return page


@pytest.mark.parametrize(
    ("only", "here"),
    [
        ("encoder.0.self_attn", "encoder.0.self_attn.head.1.W_q"),
        ("matrix:encoder.0.self_attn.head.1.W_q", "encoder.0.self_attn.head.1.W_q"),
    ],
)
def test_a_page_of_one_stage_refuses_to_select_or_oscillate_numbers_outside(only, here):
    page = alone(only)
    page.say("select", path=here, i=0, j=1)
    assert page.state.selection == (here, 0, 1)
    page.say("select", path="decoder.0.cross_attn.head.0.W_q", i=0, j=1)
    name = only.removeprefix("matrix:")
    said = f"decoder.0.cross_attn.head.0.W_q is not shown here, where {name} is shown alone."
    assert page.state.refused == said
    assert page.state.selection == (here, 0, 1)
    page.say("oscillate", on=True, amplitude=None, period=None)
    assert page.state.oscillation.on
    page.say("oscillate", on=False, amplitude=None, period=None)
    page.state.selection = CellAddress("decoder.0.cross_attn.head.0.W_q", 0, 1)  # by a program
    page.say("oscillate", on=True, amplitude=None, period=None)
    assert not page.state.oscillation.on
    assert page.state.refused == said


def test_a_slider_is_kept_once_when_the_pointer_is_idle(page, monkeypatch):
    written = []
    monkeypatch.setattr(
        tab_session, "parted", lambda saved: written.append(saved) or tab_parts.parted(saved)
    )
    page.state.selection = CELL
    page.paint()
    written.clear()
    page.messages.clear()
    page.messages.append({"type": "frame", "bytes": np.zeros(8, "<i4").tobytes()})
    for k in range(1, 9):
        page.slide(k, k / 4)
    assert written == []
    page.paint()
    assert [saved.scenario for saved in written] == [page.state.scenario]
    assert page.kept()[-1]["edits"] == {"source.W_e": [["cat", 3, 2]]}
    assert page.kept()[-1]["selection"] == list(CELL)
    page.slide(9, 9 / 4)
    written.clear()
    page.say("release")
    assert [saved.scenario for saved in written] == [page.state.scenario]


def test_new_values_keep_the_structure_and_new_tokens_replace_it(page):
    assert "step" not in [m["type"] for m in page.messages]  # there is no edit to compare with
    page.messages.clear()
    page.state.change(page.state.scenario.with_value("source.W_e", (1, 3), 2))
    page.state.change(page.state.scenario.with_view("palette", "safe"))
    assert "manifest" not in {m["type"] for m in page.messages}
    page.state.change(page.state.scenario.with_tokens("source", ["a", "b"]))
    (manifest,) = [json.loads(m["json"]) for m in page.messages if m["type"] == "manifest"]
    assert manifest["axes"][0]["labels"] == ["a", "b"]
    page.say("select", path="decoder.0.cross_attn.head.0.W_q", i=0, j=1)
    assert page.state.selection == ("decoder.0.cross_attn.head.0.W_q", 0, 1)


HEAD = "encoder.0.self_attn.head.1.context"


def structure(page) -> dict:
    return json.loads([m for m in page.messages if m["type"] == "manifest"][-1]["json"])


@pytest.mark.parametrize("view", ["picture", "formulas", "attention", "train"])
def test_the_board_receives_the_silenced_parts_and_can_restore_them(page, view):
    page.view.show_view(view)
    assert "silenced" not in structure(page)
    page.say("silence", path=HEAD, row=None, column=None, to="mean")
    assert page.state.scenario.silences == (Silence(HEAD, to="mean"),)
    (part,) = structure(page)["silenced"]
    assert part == {
        **{"path": HEAD, "row": None, "column": None, "to": "mean"},
        "label": "head 2",
        "words": "head 2 of encoder layer 1, self-attention",
        "unheard": [1],
    }
    page.say("silence", path=HEAD, row=None, column=None, to=None)
    assert not page.state.scenario.silences
    assert "silenced" not in structure(page)


@pytest.mark.parametrize(
    "asked",
    [
        {"path": "source.W_e", "to": "zero"},
        {"path": HEAD, "to": "none"},
        {"path": 3, "to": "zero"},
        {"path": HEAD, "row": 99, "to": "zero"},
        {"path": HEAD, "column": -1, "to": "zero"},
    ],
)
def test_parts_that_cannot_be_silenced_are_refused(page, asked):
    page.say("silence", **asked)
    assert not page.state.scenario.silences


def test_a_silenced_token_is_named_by_its_row_if_the_text_has_that_row(page):
    page.say("silence", path="source.sum", row=5, to="zero")
    assert structure(page)["silenced"][0]["words"] == "row “mat” of source"
    page.state.change(page.state.scenario.with_tokens("source", ["a", "b"]))
    assert page.state.scenario.silences
    assert "silenced" not in structure(page) or not structure(page)["silenced"]


def test_a_number_that_is_not_drawn_can_oscillate(page):
    page.view.show_view("picture")  # the picture has folded this part
    page.paint()
    page.state.selection = CellAddress(HEAD, 1, 1)
    page.paint()
    page.say("oscillate", on=True)
    assert page.state.oscillation.on
    assert [m["path"] for m in page.messages if m["type"] == "orbit"] == [HEAD]


def test_the_backward_pass_shows_gradients_and_is_a_setting_of_the_view():
    page = Page()
    page.messages.clear()
    page.say("plane", value="gradient")
    assert page.state.scenario.view.plane == "gradient"
    assert [m["plane"] for m in page.messages if m["type"] == "view"] == ["gradient"]
    assert page.state.trace["source.W_e"].grad is not None
    page.say("plane", value="value")
    assert page.state.scenario == Scenario()


def test_choosing_a_pair_makes_the_page_follow_its_word(page):
    state, cross = page.state, "decoder.0.cross_attn"
    state.go("view", "attention")
    pair = {"scope": cross, "head": 1, "query": 2, "key": 1}
    state.go("followed", None)
    page.say("pair", **pair)
    assert state.location.followed is None
    state.go("followed", ["decoder", 0])
    page.say("pair", **pair)
    assert state.location.followed == ("decoder", 2)
    # Each press on a head keeps the word; the board requests the head's strongest pair.
    for _ in range(2):
        page.say("focus", scope=cross, head=0)
        assert state.attention_focus[:3] == (cross, 0, 2)
    page.say("focus", scope=cross, head=0, is_of_any=True)
    weights = state.trace[f"{cross}.weights"].value[0]
    best = np.unravel_index(int(weights.argmax()), weights.shape)
    assert state.attention_focus[2:] == best
    assert state.location.followed == ("decoder", best[0])
    # A source word is a key here, and has no row in the decoder's self-attention.
    state.go("followed", ["encoder", 0])
    page.say("pair", **pair)
    assert state.location.followed == ("encoder", 1)
    page.say("pair", **{**pair, "scope": "decoder.0.self_attn", "key": 0})
    assert state.location.followed == ("encoder", 1)


def test_views_without_the_picture_receive_the_words_of_the_rows():
    page = Page()
    page.view.show_view("attention")
    manifests = [json.loads(m["json"]) for m in page.messages if m["type"] == "manifest"]
    assert {lanes["stack"]: lanes["words"] for lanes in manifests[-1]["lanes"]} == {
        "encoder": [*page.state.scenario.source],
        "decoder": [*page.state.scenario.target],
    }
    page.view.show_view("picture")
    manifests = [json.loads(m["json"]) for m in page.messages if m["type"] == "manifest"]
    assert "lanes" not in manifests[-1]


def test_opening_a_link_sends_the_unedited_numbers_of_the_rows_that_are_written_now():
    first = catalog.first("phrases")
    edited = first.with_value("source.embedding", (1, 2), 1.55)
    messages: list[dict] = []
    view = ExploreView(AppState(first))
    view.board.component.connect(messages.append)
    code = encode(SavedSession(edited))
    view.board.component.receive({"type": "ready", "link": code, "saved": None, "again": False})
    kinds = [message["type"] for message in messages]
    assert kinds.index("manifest") < kinds.index("step") < kinds.index("frame")
    (start,) = (message["bytes"] for message in messages if message["type"] == "step")
    (frame,) = (message["bytes"] for message in messages if message["type"] == "frame")
    now = view.state.scenario
    assert now.target != first.target
    before = ForwardPassRunner().trace(first.with_written(now.target))
    for path in ("source.embedding", "output.probabilities"):
        assert before[path].value.astype("<f4").tobytes() in start
        assert view.state.trace[path].value.astype("<f4").tobytes() in frame
        assert view.state.trace[path].value.astype("<f4").tobytes() not in start


def test_an_edit_calls_one_watcher_of_the_board(monkeypatch):
    state, told = AppState(), []
    redraw = ExploreView._redraw_for
    monkeypatch.setattr(
        ExploreView,
        "_redraw_for",
        lambda view, parts, *events: (
            told.append({e.name for e in events}),
            redraw(view, parts, *events),
        ),
    )
    view = ExploreView(state)
    told.clear()
    state.change(state.scenario.with_value("output.W_out", (0, 3), 4.0), press=1, held=True)
    assert [names for names in told if "scenario" in names] == [told[-1]]
    assert told[-1] >= {"scenario", "editing", "dragging"}
    assert view.structure.scenario is state.scenario
