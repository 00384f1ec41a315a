import pytest
from hypothesis import given
from hypothesis import strategies as st
from tinkerformer.board.view import ExploreView
from tinkerformer.components.component import Component
from tinkerformer.components.layout import Column
from tinkerformer.files import catalog
from tinkerformer.session.address import PARTS, EmbedSettings, PageAddress, page_address
from tinkerformer.session.link import encode
from tinkerformer.session.session_json import SavedSession, to_json
from tinkerformer.session.state import AppState
from tinkerformer.shell import create_page
from tinkerformer.view_model.page_location import VIEWS, PageLocation

SCORES = "matrix:encoder.0.self_attn.head.0.scores"


def opened(query, **session):
    """Return the state and the Explore view of a page with an address, after a browser connects."""
    state = AppState(address=page_address(query))
    explore = ExploreView(state)
    explore.board.component.receive({"type": "ready", "again": False, **session})
    return state, explore


def stages_of(explore):
    return [stage["id"] for stage in explore.board.frames.shown.manifest["stages"]]


def components(page):
    found, todo = [], [each for region in page.regions.values() for each in region]
    while todo:
        placed = todo.pop()
        if isinstance(placed, Column):
            todo += placed.objects
        elif isinstance(placed, Component):
            found.append(placed)
    return found


# -- reading and writing addresses -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "address"),
    [
        ("", PageAddress()),
        ("?view=train", PageAddress("train")),
        ("view=encoder.0.self_attn", PageAddress("formulas", "encoder.0.self_attn")),
        (f"view={SCORES}&embed", PageAddress("formulas", SCORES, ("tokens", "answer"))),
        ("embed&show=", PageAddress(parts=())),
        ("embed=1&show=inspector,tokens", PageAddress(parts=("tokens", "inspector"))),
        ("embed=0&lock", PageAddress(lock="all")),
        ("lock=settings", PageAddress(lock="settings")),
        ("view=output&embed=false", PageAddress("formulas", "output")),
    ],
)
def test_an_address_sets_the_options(query, address):
    assert page_address(query) == address


@pytest.mark.parametrize(
    ("query", "said", "same_as"),
    [
        ("view=attic", "no view called “attic”; this is Picture", "view=picture"),
        ("embed&show=tokens,cellar", "no part called “cellar”", "embed&show=tokens"),
        ("lock=doors", "no lock of “doors”; all is locked", "lock"),
        ("view=%ff%fe", "no view called", "view=picture"),
    ],
)
def test_unknown_options_are_reported_and_replaced(query, said, same_as):
    address = page_address(query)
    assert len(address.problems) == 1
    assert said in address.problems[0]
    assert address._replace(problems=()) == page_address(same_as)


@given(st.text(max_size=300))
def test_any_text_can_be_read_as_an_address(query):
    address = page_address(query)
    assert address.view in ("", *VIEWS)
    assert set(address.parts or ()) <= {*PARTS}


@given(
    st.fixed_dictionaries({part: st.booleans() for part in PARTS}),
    st.sampled_from(["", "settings", "all"]),
    st.sampled_from([*VIEWS, SCORES, "decoder.0.cross_attn"]),
)
def test_a_written_address_is_read_back_unchanged(parts, lock, view):
    settings = EmbedSettings(**parts, lock=lock)
    address = page_address(settings.query(view))
    assert address.parts == settings.parts
    assert address.lock == lock
    assert (address.only or address.view) == view
    assert not address.problems


def test_the_line_to_copy_is_short():
    assert EmbedSettings().query("picture") == "view=picture&embed&height=auto"
    assert EmbedSettings(lock="all").query(SCORES) == f"view={SCORES}&embed&lock&height=auto"


# -- what an address opens ------------------------------------------------------------------------


def test_an_address_of_one_stage_opens_that_stage_alone_and_its_full_page_opens_all():
    state, explore = opened("view=decoder.0.cross_attn&embed")
    assert stages_of(explore) == ["decoder.0.cross_attn"]
    assert state.location.view == "formulas"
    assert not state.notice
    _, explore = opened("view=decoder.0.cross_attn")
    assert "decoder.0.cross_attn" in stages_of(explore)
    assert len(stages_of(explore)) > 5


def test_one_matrix_is_alone_with_its_formula():
    state, explore = opened(f"view={SCORES}&embed")
    assert stages_of(explore) == [SCORES]
    manifest = explore.board.frames.shown.manifest
    (row,) = manifest["stages"][0]["rows"]
    (item,) = row["items"]
    entry = manifest["matrices"][item["matrix"]]
    assert entry["path"] == SCORES.removeprefix("matrix:")
    assert (entry["rows"], entry["cols"]) == (len(state.scenario.source),) * 2
    assert "frac" in row["tex"][0]
    # The bars beside it show the likeliest words of the answer.
    assert manifest["matrices"][manifest["likeliest"]]["path"].startswith("output.probabilities")


@pytest.mark.parametrize(
    "path", ["encoder.0.feed_forward.W_1", "source.W_e", "output.logits", "encoder.0.self_attn.q"]
)
def test_an_address_can_open_any_matrix_alone(path):
    _, explore = opened(f"view=matrix:{path}&embed")
    drawn = {
        m["path"].replace("head.0.", "") for m in explore.board.frames.shown.manifest["matrices"]
    }
    assert path in drawn


@pytest.mark.parametrize(
    "asked",
    [
        "matrix:encoder.9.self_attn.q",
        "matrix:no.such",
        "encoder.7.self_attn",
        "a.b.c",
        "matrix:encoder.0.self_attn.head.9.q",
        "matrix:",
    ],
)
def test_a_missing_stage_is_reported_and_all_stages_are_shown(asked):
    state, explore = opened(f"view={asked}&embed")
    assert "output" in stages_of(explore) or state.location.view == "picture"
    assert state.notice
    assert state.notice.count(".") >= 1


def test_a_view_is_checked_against_the_model_of_the_link():
    link = encode(SavedSession(catalog.first("dates"), place=PageLocation().at("train")))
    state, explore = opened("view=encoder.1.self_attn&embed", link=link)
    assert state.scenario.model == "dates"
    layers = state.scenario.settings.encoder_layers
    assert (stages_of(explore) == ["encoder.1.self_attn"]) == (layers > 1)
    assert bool(state.notice) == (layers < 2)


def test_a_reload_opens_the_view_that_the_reader_chose_last():
    saved = to_json(SavedSession(AppState().scenario, place=PageLocation().at("attention")))
    state, _ = opened("view=formulas", saved=saved, again=True)
    assert state.location.view == "attention"
    state, _ = opened("view=formulas", saved=saved, again=False)
    assert state.location.view == "formulas"


def test_a_link_made_of_one_stage_opens_all_of_them_on_a_page_of_its_own():
    link = encode(
        SavedSession(AppState().scenario, place=PageLocation(form="formulas", only="output"))
    )
    state, explore = opened("view=formulas", link=link)
    assert state.location == PageLocation().at("formulas")
    assert len(stages_of(explore)) > 5


# -- parts beside the board -----------------------------------------------------------------------


def test_unrequested_parts_are_not_created():
    full, bare = create_page(), create_page(address=page_address(f"view={SCORES}&embed&show="))
    filled = {name for name, region in bare.regions.items() if region}
    assert filled == {"main", "bar"}  # the bar has the line of a training run that a link repeats
    assert not any(part.visible for part in bare.regions["bar"])
    assert len(bare.regions["main"]) == 3  # the board, its messages, and its navigation
    assert {name for name, region in full.regions.items() if region} == {*full.regions}


@pytest.mark.parametrize("part", PARTS)
def test_each_requested_part_of_the_page_is_created(part):
    region = {
        "tokens": "sentence",
        "answer": "next",
        "settings": "left",
        "tools": "menu",
        "inspector": "right",
        "views": "rooms",
    }[part]
    page = create_page(address=page_address(f"embed&show={part}"))
    assert page.regions[region]


# -- locks ----------------------------------------------------------------------------------------


def changes(state):
    """Return every way to change something, by its name."""
    scenario = state.scenario
    return {
        "a number": scenario.with_value("source.W_e", (0, 0), 5.0),
        "a token": scenario.with_tokens("source", ["the", "cat"]),
        "d_model": scenario.with_settings(scenario.settings.replace(label_smoothing=0.3)),
        "dropout": scenario.with_training(True),
        "the model": catalog.first("dates"),
    }


@pytest.mark.parametrize("name", ["a number", "a token", "d_model", "dropout", "the model"])
@pytest.mark.parametrize("lock", ["", "settings", "all"])
def test_locked_settings_do_not_change_and_a_sentence_explains_it(lock, name):
    state = AppState(address=PageAddress(lock=lock))
    before = state.scenario
    state.change(changes(state)[name])
    is_of_the_model = name in ("d_model", "the model")
    is_refused = lock == "all" or (lock == "settings" and is_of_the_model)
    assert (state.scenario == before) == is_refused
    assert bool(state.notice) == is_refused


def test_a_locked_page_can_show_gradients_and_oscillate_a_number():
    state, explore = opened("lock")
    state.change(state.scenario.with_view("plane", "gradient"))
    assert state.scenario.view.plane == "gradient"
    hear = explore.board.component.receive
    cell = {"path": "source.W_e", "i": 0, "j": 0}
    hear({"type": "select", **cell})
    hear({"type": "oscillate", "on": True, "amplitude": 0.5, "period": 2.0})
    assert state.oscillation.on
    assert not state.notice
    hear({"type": "set", **cell, "value": 3.0, "press": 1})
    assert state.trace["source.W_e"].value[0, 0] != 3.0
    assert state.notice


def test_a_locked_page_opens_the_link_in_its_own_address():
    edited = AppState().scenario.with_value("source.W_e", (0, 0), 3.0)
    state, _ = opened("lock&embed", link=encode(SavedSession(edited)))
    assert state.trace["source.W_e"].value[0, 0] == 3.0
    state.snapshots.start_afresh()
    assert state.fresh_starts == 0


@pytest.mark.parametrize(("lock", "can_train"), [("settings", True), ("all", False)])
def test_locked_controls_cannot_be_pressed(lock, can_train):
    query = f"embed&lock={lock}&show={','.join(PARTS)}"
    page = create_page(address=page_address(query))
    by_name = {type(each).__name__: each for each in components(page)}
    assert by_name["Models"].disabled
    assert by_name["SettingsForm"].disabled or page.regions["left"][0].disabled
    assert by_name["TrainingBar"].disabled != can_train
    assert by_name["Tokens"].locked != can_train
    assert by_name["BoardComponent"].locked != can_train
    assert by_name["Inspector"].locked != can_train
    assert not by_name["Tabs"].disabled
