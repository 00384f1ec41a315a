import json

import pytest
from tinkerformer.from_python.program_page import address_of
from tinkerformer.ideas.catalog import IDEA, IDEAS
from tinkerformer.lessons.expressions import Check
from tinkerformer.lessons.markdown.parsing import parse
from tinkerformer.lessons.reading import read
from tinkerformer.model.matrices.address import CellAddress
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.session.address import page_address
from tinkerformer.session.session_json import from_dict, to_dict
from tinkerformer.session.state import AppState
from tinkerformer.shell.page import AT_REST, LEARNS, create_page
from tinkerformer.view_model.page_location import FORMER_VIEWS, VIEWS, PageLocation, location_from

# Name: the room, the form and the drawer that it opens from the first page.
PLACES = {
    "explore": ("explore", "picture", ""),
    "picture": ("explore", "picture", ""),
    "whole": ("explore", "picture", ""),
    "formulas": ("explore", "formulas", ""),
    "stages": ("explore", "formulas", ""),
    "attention": ("explore", "attention", ""),
    **{IDEA + name: ("explore", IDEA + name, "") for name in IDEAS},
    "positions": ("explore", "idea:positions", ""),
    "cost": ("explore", "idea:cost", ""),
    "writing": ("explore", "picture", "writing"),
    "decode": ("explore", "picture", "writing"),
    "measure": ("explore", "picture", "measure"),
    "experiments": ("explore", "picture", "measure"),
    "lessons": ("lessons", "picture", ""),
    "train": ("train", "picture", ""),
    "learn": ("train", "picture", ""),
}


def place(location):
    return location.room, location.form, location.drawer


def test_every_name_is_tested():
    assert set(PLACES) == {*VIEWS, *FORMER_VIEWS}


@pytest.mark.parametrize(("name", "there"), PLACES.items())
def test_each_name_opens_its_place(name, there):
    """From an address, an old link's JSON, a program, a lesson and a message of the browser."""
    assert place(page_address(f"view={name}").location(PageLocation())) == there
    assert place(location_from({"view": name})) == there
    assert place(from_dict({"version": 1, "place": {"view": name}}).place) == there
    assert place(address_of(name, None, "").location(PageLocation())) == there
    state = AppState(Scenario())
    state.go("view", name)
    assert place(state.location) == there
    head = f"---\ntitle: T\nminutes: 1\nscenario: phrases\nview: {name}\n---\n\n## One\n\nText.\n"
    lesson = read(json.loads(json.dumps(parse(head, "01-a.md"))))
    assert place(PageLocation().at(lesson.view)) == there


def test_a_location_with_a_former_name_is_saved_with_the_present_name():
    saved = from_dict({"version": 1, "place": {"view": "experiments", "lens": True}})
    assert to_dict(saved)["place"] == {"drawer": "measure", "lens": True}
    assert from_dict(json.loads(json.dumps(to_dict(saved)))).place == saved.place


def test_explore_keeps_its_form_and_its_drawer_while_another_room_is_open():
    state = AppState(Scenario())
    state.go("form", "formulas")
    state.go("drawer", "writing")
    state.go("room", "train")
    assert (state.location.view, state.location.open_drawer) == ("train", "")
    state.go("room", "explore")
    assert (state.location.view, state.location.open_drawer) == ("formulas", "writing")
    # The name of a form includes a closed drawer, so a lesson that names a form closes it.
    state.go("view", "attention")
    assert place(state.location) == ("explore", "attention", "")


@pytest.mark.parametrize(("name", "raw"), [("room", "attic"), ("form", "train"), ("drawer", 1)])
def test_unknown_names_are_refused(name, raw):
    state = AppState(Scenario())
    with pytest.raises(ValueError, match=name):
        state.go(name, raw)
    assert state.location == PageLocation()


class Open:
    """Numbers of which only the view is read."""

    def __init__(self, view):
        self.view = view

    def ask(self, name, _arguments):
        assert name == "view"
        return self.view

    def at_start(self):
        return self


@pytest.mark.parametrize(("former", "now"), FORMER_VIEWS.items())
def test_a_check_may_compare_the_view_with_a_former_name(former, now):
    assert Check(f"view() == {former!r}")(Open(now))
    assert Check(f"{former!r} == view()")(Open(now))
    assert not Check(f"view() == {former!r}")(Open("nowhere"))
    assert Check(f"{former!r} == 'nowhere' or view() == {now!r}")(Open(now))


def test_the_drawer_shows_its_content_beside_the_picture():
    page = create_page()
    board = page.regions["main"][0]
    writing, measure = page.regions["drawer"]
    assert (board.visible, writing.visible, measure.visible) == (True, False, False)
    page.state.go("drawer", "measure")
    assert (board.visible, writing.visible, measure.visible) == (True, False, True)
    page.state.go("drawer", "writing")
    assert (board.visible, writing.visible, measure.visible) == (True, True, False)
    page.state.go("room", "lessons")
    assert (board.visible, writing.visible, measure.visible) == (False, False, False)


def test_the_drawer_states_that_its_numbers_are_not_the_shown_ones():
    """During an oscillation they are of the number at rest; during training they are late."""
    page = create_page()
    state, drawer = page.state, page.regions["drawer"]
    state.selection = CellAddress("source.sum", 0, 0)
    for on, said in ((True, AT_REST), (False, "")):
        state.oscillation = state.oscillation._replace(on=on)
        assert [each.pending for each in drawer] == [said, said]
    for on, said in ((True, LEARNS), (False, "")):
        state.learning = on
        assert [each.pending for each in drawer] == [said, said]


def test_an_error_while_a_view_opens_is_raised_once(monkeypatch):
    state, locations = create_page().state, []

    def draw(_picture):
        raise KeyError("one")

    monkeypatch.setattr("tinkerformer.ideas.looks.view.MaskPicture.draw", draw)
    state.watch(lambda event: locations.append(event.new), "location", only_changed=False)
    with pytest.raises(KeyError, match="one") as error:
        state.go("view", IDEA + "mask")
    assert error.value.__context__ is None
    state.go("view", "formulas")
    assert len(locations) == 1
