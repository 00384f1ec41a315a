import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tinkerformer.board.view import ExploreView
from tinkerformer.decoding.settings import DecodingSettings
from tinkerformer.explain.opening_row import opening_word
from tinkerformer.files import catalog
from tinkerformer.model.matrices.extent import LayerChoice
from tinkerformer.model.scenario.limits import MAX_TOKENS
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.session.link import decode, encode
from tinkerformer.session.session_json import SavedSession
from tinkerformer.session.state import AppState
from tinkerformer.shell import navigation, room_tabs
from tinkerformer.shell import page as pages
from tinkerformer.view_model.page_location import (
    MAX_DISTANCE,
    MAX_PART_LENGTH,
    MAX_WORD_LENGTH,
    MAX_ZOOM,
    MIN_ZOOM,
    VIEWS,
    Followed,
    PageLocation,
    location_from,
)

DISTANCES = st.floats(-MAX_DISTANCE, MAX_DISTANCE)
CAMERAS = st.tuples(DISTANCES, DISTANCES, st.floats(MIN_ZOOM, MAX_ZOOM)).map(list)
FOLLOWED = st.tuples(st.sampled_from(["encoder", "decoder"]), st.integers(0, MAX_TOKENS - 1))
PARTS = st.lists(st.text(st.characters(codec="utf-8"), max_size=MAX_PART_LENGTH), max_size=9)
PLACES = st.fixed_dictionaries(
    {},
    optional={
        "view": st.sampled_from(list(VIEWS)),
        "camera": st.none() | CAMERAS,
        "followed": st.none() | FOLLOWED.map(list),
        "unfolded": PARTS,
        "word": st.text(st.characters(codec="utf-8"), max_size=MAX_WORD_LENGTH),
        "lens": st.booleans(),
    },
)
LAYERS = st.builds(LayerChoice, *[st.integers(-1, 99)] * 5)
DECODING = st.builds(
    DecodingSettings,
    method=st.sampled_from(["comparison", "greedy", "beam", "sample"]),
    beam_size=st.integers(1, 10),
    temperature=st.floats(0, 5),
    max_length=st.none() | st.integers(1, 30),
)


@given(raw=PLACES, layers=LAYERS, decoding=DECODING)
def test_a_link_opens_the_same_place(raw, layers, decoding):
    saved = SavedSession(Scenario(), place=location_from(raw), layers=layers, decode=decoding)
    back = decode(encode(saved))
    assert back == saved
    if raw.get("camera"):
        for exact, kept in zip(raw["camera"], back.place.camera, strict=True):
            assert kept == pytest.approx(exact, rel=1e-4)


def test_a_location_from_the_browser_is_checked_like_one_from_a_link():
    state = AppState(Scenario())
    state.go("camera", [10, 20, 1.5])
    state.go("followed", ["decoder", 2])
    assert state.location == PageLocation(camera=(10, 20, 1.5), followed=("decoder", 2), asked=2)
    for name, raw in {"camera": [0, 0, -1], "view": 3, "elsewhere": 1}.items():
        with pytest.raises(ValueError, match=name):
            state.go(name, raw)
    assert state.location.camera == (10, 20, 1.5)


@pytest.fixture
def page(monkeypatch):
    """The state of a page, its board, and the tabs of its rooms and forms."""
    states, views, tabs = [], [], []
    keep = lambda found, kind: lambda *a, **k: found.append(kind(*a, **k)) or found[-1]  # noqa: E731
    monkeypatch.setattr(pages, "AppState", keep(states, AppState))
    monkeypatch.setattr(pages, "ExploreView", keep(views, ExploreView))
    kept = keep(tabs, navigation.Tabs)
    for module in (room_tabs, navigation):
        monkeypatch.setattr(module, "Tabs", kept)
    pages.create_page()
    return states[0], views[0], *tabs[:2]


def begin(explore, **session):
    """Connect a browser, with a link or an address."""
    explore.board.component.receive({"type": "ready", **session})


def test_a_link_opens_its_view_and_the_tabs_show_its_name(page):
    state, explore, rooms, forms = page
    place = location_from({"view": "attention"})
    begin(explore, link=encode(SavedSession(Scenario(), place=place)))
    assert (rooms.value, forms.value) == ("explore", "attention")
    stages = explore.board.frames.shown.manifest["stages"]
    assert stages[0]["id"].startswith("attention")
    rooms.accept("value", "lessons")
    assert state.location.view == "lessons"
    assert not explore.board.component.visible
    kept = {"room": "lessons", "form": "attention"}
    assert json.loads(explore.board._session())["place"] == kept


def test_an_open_lesson_is_in_the_room_of_lessons_whatever_it_shows(page):
    state, _, rooms, _ = page
    state.lesson = state.lesson.went("vectors")
    assert (state.location.view, rooms.value) == ("picture", "lessons")
    rooms.receive({"type": "again"})
    assert (state.location.view, state.lesson.name) == ("lessons", "vectors")
    state.go("view", "picture")
    assert rooms.value == "lessons"
    rooms.accept("value", "explore")  # opening another room leaves the lesson
    assert (state.location.room, state.lesson.name, rooms.value) == ("explore", "", "explore")


def test_the_followed_lane_moves_with_its_word_and_ends_with_it():
    state = AppState()
    words = list(state.scenario.source)
    state.go("followed", ["encoder", words.index("cat")])
    del words[words.index("black")]
    state.change(state.scenario.with_tokens("source", words))
    assert state.location.followed == ("encoder", words.index("cat"))
    words[words.index("cat")] = "dog"  # another word at the same position
    state.change(state.scenario.with_tokens("source", words))
    assert state.location.followed == ("encoder", words.index("dog"))
    words.remove("dog")
    state.change(state.scenario.with_tokens("source", words))
    assert state.location.followed is None


def test_another_model_opens_with_its_own_most_telling_word():
    state = AppState()
    state.go("followed", ["decoder", 1])
    state.change(catalog.first("dates"))
    assert state.location.followed == opening_word(state.scenario, state.trace)


@pytest.mark.parametrize("lane", [["decoder", 63], ["encoder", 7]])
def test_a_link_to_a_missing_lane_follows_none(lane):
    state = AppState()
    saved = SavedSession(catalog.first("phrases"), place=PageLocation(followed=Followed(*lane)))
    state.snapshots.restore(saved)
    assert state.location.followed is None
    state.snapshots.restore(saved._replace(place=PageLocation(followed=Followed("encoder", 6))))
    assert state.location.followed == ("encoder", 6)


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("encoder.0.self_attn", "encoder.0.self_attn"),
        ("output", "output"),
        ("matrix:source.W_e", "matrix:source.W_e"),
        ("source.W_e", "matrix:source.W_e"),
        ("stages", "formulas"),
        ("decode", "writing"),
    ],
)
def test_every_place_has_one_name_that_opens_it(name, called):
    there = PageLocation().at(name)
    assert there.called == called
    assert PageLocation().at(there.called) == there
    assert there.at("attention").called == "attention"


def test_choosing_formulas_again_keeps_one_stage_and_coming_from_the_picture_shows_all():
    alone = PageLocation().at("encoder.0.self_attn")
    assert alone.changed("form", "formulas") == alone
    assert alone.changed("form", "picture").changed("form", "formulas").only == ""
    assert alone.at("formulas").only == ""


@pytest.mark.parametrize("name", ["lessons.x", "encoder", "a b.c", "", "lesson:film"])
def test_an_unknown_view_is_refused(name):
    with pytest.raises(ValueError, match="there is no view called"):
        PageLocation().at(name)
