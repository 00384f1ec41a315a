import json
import logging

import pytest
from tinkerformer.board.tab_session import RESTORED
from tinkerformer.board.view import ExploreView
from tinkerformer.decoding.settings import DecodingSettings
from tinkerformer.features.header.view import HeaderView
from tinkerformer.features.inspector.view import InspectorView
from tinkerformer.features.notice.view import NoticeView
from tinkerformer.features.settings.view import SettingsView
from tinkerformer.features.share.view import ShareView
from tinkerformer.features.tokens.view import TokensView
from tinkerformer.files.open_model import opened as opened_files
from tinkerformer.model.matrices.address import CellAddress
from tinkerformer.model.matrices.extent import LayerChoice
from tinkerformer.model.matrices.reader import MatrixReader
from tinkerformer.model.scenario.limits import MAX_EDITS
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.session import scenario_json, session_json
from tinkerformer.session.link import encode
from tinkerformer.session.restore import Reading, read, restore
from tinkerformer.session.session_json import SavedSession, to_json
from tinkerformer.session.state import AppState
from tinkerformer.session.tab_parts import parted
from tinkerformer.shell import page as pages
from tinkerformer.view_model.page_location import Camera, Followed, PageLocation

from tests.app.trained import dates_file

BEFORE = Scenario().with_value("source.W_e", (2, 2), 1)
PINNED = Scenario().with_tokens("source", ["a", "dog"]).with_setting("d_model", "12")
EDITED = PINNED.with_value("source.W_e", (0, 0), 3).with_view("plane", "change")
VALUES = EDITED.with_view("plane", "value")
SELECTED = ("source.W_e", 0, 1)
HOW = {
    "place": PageLocation(
        camera=Camera(100.5, 50.5, 2.5),
        followed=Followed("encoder", 1),
        unfolded=("encoder.0.W_q",),
    ).at("writing"),
    "layers": LayerChoice(head=1),
    "decode": DecodingSettings(method="beam", beam_size=3),
}
ALL = SavedSession(EDITED, SELECTED, PINNED, **HOW)
NAMES = ["scenario", "selection", "baseline", "attention_focus", "oscillation"]


class Page:
    """The views that a restored session updates, and the browser's side of the board."""

    def __init__(self, monkeypatch, scenario=BEFORE):
        self.messages = []
        self.state = AppState(scenario)
        self.explore = ExploreView(self.state)
        self.header = HeaderView(self.state)
        self.inspector = InspectorView(self.state)
        self.settings, self.tokens = SettingsView(self.state), TokensView(self.state)
        self.share = ShareView(self.state, self.explore.board.frames.rehearse)
        self.notice, self.said = NoticeView(self.state).notice, []
        self.notice.param.watch(lambda event: self._hear(event.new), "said")
        self.explore.board.component.connect(self.messages.append)

    def ready(self, kept, link=None, file=None):
        """Connect the browser with the tab's stored session; the first matrix is visible."""
        board = self.explore.board.component
        board.receive({"type": "ready", "saved": kept, "link": link, "file": file})
        version = self.last("manifest")["version"]
        board.receive({"type": "visible", "indices": [0], "version": version})

    def last(self, kind):
        found = [message for message in self.messages if message["type"] == kind][-1]
        return json.loads(found["json"]) if kind == "manifest" else found

    def _hear(self, said):
        if said["text"]:
            self.said.append(said["text"])

    @property
    def shown(self):
        """Return everything that the views show."""
        manifest = self.last("manifest")
        del manifest["version"]
        axes = manifest.pop("axes")
        for matrix in manifest["matrices"]:
            matrix["axes"] = [axes[k] for k in matrix.get("axes", ())]
        if "selected" in manifest:  # not compared: the place of an earlier selected number
            del manifest["matrices"][manifest["selected"]]
        return {
            "manifest": manifest,
            "kept": self.last("scenario")["scenario"],
            "view": self.last("view"),
            "ring": self.last("selection"),
            "header": self.header.form.fields,
            "settings": self.settings.form.fields,
            "tokens": self.tokens.tokens.lists,
            "details": self.inspector.inspector.details,
            "curve": self.inspector.inspector.curve,
            "compares": self.explore.board.frames._baseline is not None,
        }


@pytest.fixture
def page(monkeypatch):
    return Page(monkeypatch)


def plant(page, breaks, first=False):
    """A watcher that raises if ``breaks(state)``, after or before the other views."""

    def watch(*events):
        if breaks(page.state):
            raise RuntimeError("planted")

    page.state.param.watch(watch, NAMES, precedence=0)
    if first:
        for name in NAMES:
            watchers = page.state.param.watchers[name]["value"]
            watchers.insert(0, watchers.pop())


HAS_BASELINE = lambda state: state.baseline is not None  # noqa: E731
HAS_SELECTION = lambda state: state.selection is not None  # noqa: E731
IS_EDITED = lambda state: state.scenario.source == EDITED.source  # noqa: E731
HAS_EITHER = lambda state: HAS_BASELINE(state) or HAS_SELECTION(state)  # noqa: E731

PARTLY = "What this tab had kept could be opened only in part, without "
NOT_AT_ALL = "What this tab had kept could not be opened. It was read, but the page failed"


def edited_file() -> Scenario:
    found = opened_files({"a.safetensors": dates_file()}, Scenario())
    return found.with_value("source.W_e", (0, 0), 2)


def test_a_reload_restores_a_model_from_a_file_that_the_browser_stores_once(monkeypatch):
    page, again = Page(monkeypatch), Page(monkeypatch)
    page.ready(None)
    assert page.last("scenario")["file"] == ""
    page.state.change(edited_file())
    page.state.baseline = edited_file().without_edits()
    sent = [each["file"] for each in page.messages if each["type"] == "scenario"]
    (file,) = filter(None, sent)
    page.state.change(page.state.scenario.with_value("source.W_e", (0, 1), 3))
    last = page.last("scenario")
    assert last["file"] is None
    assert len(last["scenario"]) < len(file) / 20
    again.ready(last["scenario"], file=file)
    assert again.said == [RESTORED]
    assert again.state.scenario == page.state.scenario
    assert again.state.baseline == page.state.baseline
    assert again.last("scenario")["file"] == file  # the new tab stores the file, too
    page.state.change(Scenario())
    page.state.baseline = None
    assert page.last("scenario")["file"] == ""


@pytest.mark.parametrize("file", [None, "", "{}", "[", '{"name":"a","content":"AAAA"}'])
def test_a_reload_without_a_valid_file_states_whether_it_is_missing_or_wrong(monkeypatch, file):
    page = Page(monkeypatch)
    session, _ = parted(SavedSession(edited_file()))
    page.ready(session, file=file)
    (said,) = page.said
    assert said.startswith("What this tab had kept could not be opened. ")
    assert ("a.safetensors" in said) == (not file)
    assert page.state.scenario == BEFORE


def test_a_whole_session_is_restored_with_one_sentence(page):
    page.ready(to_json(ALL))
    assert page.state.snapshots.take() == ALL
    assert page.said == [RESTORED]
    assert page.shown["compares"]
    assert page.shown["kept"] == to_json(ALL)


@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize(
    ("breaks", "kept", "said"),
    [
        (HAS_BASELINE, SavedSession(VALUES, SELECTED, **HOW), f"{PARTLY}the pinned baseline."),
        (HAS_SELECTION, SavedSession(EDITED, None, PINNED, **HOW), f"{PARTLY}the selected number."),
        (
            HAS_EITHER,
            SavedSession(VALUES, **HOW),
            f"{PARTLY}the pinned baseline and the selected number.",
        ),
        (IS_EDITED, SavedSession(BEFORE), NOT_AT_ALL),
        (lambda state: True, SavedSession(BEFORE), NOT_AT_ALL),
    ],
)
def test_a_reload_restores_whatever_it_can(page, monkeypatch, caplog, breaks, kept, said, first):
    if kept.scenario is BEFORE:
        kept = kept._replace(place=page.state.location)
    plant(page, breaks, first)
    page.ready(to_json(ALL))
    assert page.state.snapshots.take() == kept
    assert len(page.said) == 1
    assert page.said[0].startswith(said)
    assert "planted" in caplog.text
    assert "Traceback" in caplog.text
    # Every view shows the same as if only the valid parts had been restored.
    straight = Page(monkeypatch)
    straight.ready(to_json(kept))
    if breaks(page.state):
        return  # a permanent error also occurs here; the page only has to open
    if kept.scenario is BEFORE:
        straight.state.history = page.state.history
        straight.state.param.trigger("steps")
    assert page.shown == straight.shown


@pytest.mark.parametrize("kept", [to_json(ALL), to_json(SavedSession(BEFORE, SELECTED, BEFORE))])
def test_the_tab_receives_the_restored_session_even_if_the_scenario_is_unchanged(page, kept):
    plant(page, HAS_EITHER)
    page.ready(kept)
    assert page.last("scenario")["scenario"] == to_json(page.state.snapshots.take()) != kept
    assert page.state.snapshots.take().baseline is None


def test_valid_parts_that_cannot_be_drawn_are_omitted(page, monkeypatch):
    def fails(reader, path):
        raise ZeroDivisionError("planted")

    monkeypatch.setattr(MatrixReader, "read_baseline", fails)
    page.ready(to_json(ALL))
    assert page.state.snapshots.take() == SavedSession(VALUES, SELECTED, **HOW)
    assert page.said == [f"{PARTLY}the pinned baseline."]
    assert page.last("frame")


def test_a_structure_that_failed_to_be_drawn_is_drawn_again(page, monkeypatch):
    make, broken = page.explore.structure.manifest, []

    def fails_once(*of):
        if not broken:
            broken.append(of)
            raise KeyError("planted")
        return make(*of)

    monkeypatch.setattr(page.explore.structure, "manifest", fails_once)
    page.ready(to_json(ALL))
    straight = Page(monkeypatch)
    straight.ready(to_json(SavedSession(EDITED, SELECTED, PINNED)))  # the location is dropped first
    assert page.shown == straight.shown


def test_undo_restores_the_page_before_the_restored_session_and_no_failed_attempt(page):
    plant(page, HAS_BASELINE)
    page.ready(to_json(ALL))
    page.state.undo()
    assert page.state.scenario == BEFORE.with_view("plane", "value")
    assert page.state.history.past == []
    page.state.redo()
    assert page.state.scenario == VALUES


def test_a_restore_that_failed_leaves_undo_as_it_was(page):
    page.state.change(BEFORE.with_value("source.W_e", (0, 0), 7))
    before = page.state.scenario
    plant(page, IS_EDITED)
    page.ready(to_json(ALL))
    assert page.state.scenario is before
    assert [step.scenario for step in page.state.history.past] == [BEFORE]


def test_the_sentence_on_an_incomplete_link_calls_it_a_link(page):
    plant(page, HAS_BASELINE)
    page.ready(None, encode(ALL))
    assert page.said == ["This link could be opened only in part, without the pinned baseline."]


def open_file(page, text):
    """Open a file in the Share dialog; return the sentence of the answer."""
    page.share.share.receive({"type": "open", "bytes": text.encode()})
    return page.share.share.problem


def test_an_incomplete_file_opens_in_part(page):
    page.ready(None)
    plant(page, HAS_BASELINE)
    assert open_file(page, to_json(ALL)) == ""
    assert page.state.snapshots.take() == SavedSession(VALUES, SELECTED, **HOW)
    assert page.said == ["This file could be opened only in part, without the pinned baseline."]


def test_a_file_that_cannot_be_opened_changes_nothing(page):
    page.ready(None)
    before = page.shown
    plant(page, IS_EDITED)
    assert open_file(page, to_json(ALL)).startswith("This file could not be opened. It was read")
    assert page.shown == before
    assert open_file(page, "[").startswith("This file could not be opened. It is damaged")


def test_a_selected_number_that_no_matrix_has_is_reported_with_any_structure(page):
    for scenario in (BEFORE, EDITED):
        page.messages.clear()
        page.said.clear()
        page.ready(to_json(SavedSession(scenario, ("no.such", 0, 0))))
        assert page.state.snapshots.take() == SavedSession(scenario)
        assert page.said == [f"{PARTLY}the selected number."]


def test_unreadable_parts_are_omitted_one_by_one():
    state = AppState()
    wrong = {"baseline": {"source": 1}, "selection": "x", "attention": [1], "layers": {"head": "1"}}
    data = {"version": 1, "source": ["a"], **wrong, "place": {"view": "writing"}}
    assert restore(state, read(json.dumps(data)), lambda: None) == (
        "the pinned baseline and the selected number and the chosen attention and the chosen layers"
    )
    scenario = Scenario().with_tokens("source", ["a"])
    assert state.snapshots.take() == SavedSession(scenario, place=PageLocation().at("writing"))


@pytest.mark.parametrize("written", ["[]", "7", "null", '"x"', "{}", '{"version": 1, "x": 1}'])
def test_other_files_are_refused_in_a_sentence(written):
    state = AppState(BEFORE)
    with pytest.raises(ValueError, match=r"\.$"):
        restore(state, read(written), lambda: None)
    assert state.scenario is BEFORE


def fails(_):
    raise TypeError("planted")


def test_a_program_error_in_reading_is_logged_and_reported(monkeypatch, caplog):
    monkeypatch.setattr(session_json, "scenario_from", fails)
    with pytest.raises(ValueError, match="failed to read"), caplog.at_level(logging.ERROR):
        read(to_json(ALL))
    assert "planted" in caplog.text


def test_a_program_error_in_reading_one_part_omits_the_part_and_is_logged(monkeypatch, caplog):
    monkeypatch.setattr(session_json, "location_from", fails)
    with caplog.at_level(logging.ERROR):
        assert read(to_json(ALL)) == Reading(ALL._replace(place=PageLocation()), {"place"})
    assert "planted" in caplog.text


WRONG = dict.fromkeys(session_json.PARTS, 7)


def test_each_part_is_read_once_however_many_are_wrong(monkeypatch):
    """A link of 3,470 letters, with 19,968 edits and nine wrong parts, was read twelve times."""
    found, scenario_from = [], session_json.scenario_from

    def counted(data):
        found.append(data)
        return scenario_from(data)

    monkeypatch.setattr(session_json, "scenario_from", counted)
    edited = {"version": 1, "edits": {"source.W_e": [["the", 0, 1]] * 19_968}}
    reading = read(json.dumps(edited | WRONG))
    assert reading.unread == {*session_json.PARTS}
    assert len(reading.saved.scenario.edits) == 1
    assert found == [{"edits": edited["edits"]}, WRONG["baseline"]]


def test_edits_are_counted_before_their_scenario_is_read(monkeypatch):
    monkeypatch.setattr(scenario_json, "_edits", fails)
    monkeypatch.setattr(scenario_json, "_changes", fails)
    too_many = {"source.W_e": [["the", 0, 1]] * (MAX_EDITS + 1)}
    with pytest.raises(ValueError, match=f"at most {MAX_EDITS:,} edits"):
        read(json.dumps({"version": 1, "edits": too_many}))


def test_every_view_accepts_a_change_of_the_whole_state():
    state = pages.create_page().state
    state.update(
        scenario=EDITED,
        baseline=PINNED,
        selection=CellAddress(*SELECTED),
        reach=True,
        notice="All at once.",
        attention_focus=None,
        location=HOW["place"],
        layer_choice=HOW["layers"],
        decode=HOW["decode"],
        oscillation=state.oscillation._replace(on=False, period=3.0),
    )
    assert state.snapshots.take() == ALL
