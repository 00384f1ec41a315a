import json
from typing import Literal, get_args, get_origin, get_type_hints

import pytest
from tinkerformer.features.ideas.view import PICTURES
from tinkerformer.ideas.catalog import IDEA, IDEAS, ideas_of_matrix, ideas_of_part
from tinkerformer.view_model.page_location import FORMS, location_from

from tests.app.idea_page import MODELS, IdeaPage


def test_every_picture_is_declared_and_every_declaration_has_a_picture():
    assert set(PICTURES) == {IDEA + name for name in IDEAS}
    assert set(PICTURES) <= set(FORMS)
    for idea in IDEAS.values():
        assert idea.shows.endswith(".")
        assert idea.tries.endswith(".")
        assert idea.label


def test_a_part_and_a_matrix_name_their_pictures():
    assert ("idea:positions", IDEAS["positions"].label) in ideas_of_part("source")
    assert ideas_of_matrix("target.positions") == [("idea:positions", IDEAS["positions"].label)]
    assert ideas_of_part("nowhere") == []


def test_a_session_of_an_earlier_version_opens_the_picture_that_it_names():
    assert location_from({"form": "positions"}).form == "idea:positions"
    with pytest.raises(ValueError, match="form"):
        location_from({"form": "train"})


def name_of(view):
    return view.removeprefix(IDEA)


SAMPLES = {int: 1, float: 0.5, bool: False}
SETS_NO_NUMBER = {"idea:cost", "idea:positions"}  # these open without a word in focus


def messages(component):
    """Yield a message of each kind that a component accepts."""
    for kind, fields in component.hears.items():
        hints = {name: hint for name, hint in get_type_hints(fields).items() if name != "type"}
        yield {
            "type": kind,
            **{
                name: get_args(hint)[0] if get_origin(hint) is Literal else SAMPLES.get(hint, 0)
                for name, hint in hints.items()
            },
        }


def deeds(shown):
    """Choose each option of each field, then send each message; yield after each."""
    yield
    for form in [each for each in shown.placed if hasattr(each, "fields")]:
        for field in form.fields:
            options = field.get("options", [])
            for value, _ in options[:: 1 + len(options) // 8]:
                form.receive({"type": "change", "name": field["name"], "value": value})
                yield
    for component in [each for each in shown.placed if hasattr(each, "hears")]:
        for message in messages(component):
            component.receive(message)
            yield


@pytest.mark.parametrize("scenario", MODELS.values(), ids=MODELS)
@pytest.mark.parametrize("view", PICTURES)
def test_every_model_has_every_picture_with_finite_numbers(view, scenario):
    shown = IdeaPage(name_of(view), scenario=scenario)
    for _ in deeds(shown):
        for each in shown.placed:
            for name in getattr(each, "property_names", tuple)():
                json.dumps(each.encode(name), allow_nan=False)
        assert any(getattr(each, "object", "") for each in shown.placed if each.visible)


@pytest.mark.parametrize("view", PICTURES)
@pytest.mark.parametrize("lock", ["", "all"])
def test_a_drag_in_a_picture_sets_a_number_unless_the_page_is_locked(view, lock):
    shown = IdeaPage(name_of(view), lock=lock)
    before, heard = shown.state.scenario, [x for x in shown.placed if hasattr(x, "hears")]
    assert all(x.can_move == (not lock) for x in heard if hasattr(x, "can_move"))
    is_set = False
    for component, message in [(x, message) for x in heard for message in messages(x)]:
        component.receive(message)
        is_set |= shown.state.scenario != before
    assert is_set == (not lock and view not in SETS_NO_NUMBER)


@pytest.mark.parametrize("view", PICTURES)
def test_a_closed_picture_computes_nothing_and_an_open_picture_follows_changes(view, monkeypatch):
    shown, drawn = IdeaPage(name_of(view)), []
    draw = PICTURES[view].draw
    monkeypatch.setattr(PICTURES[view], "draw", lambda self: (drawn.append(self), draw(self)))
    column = next(
        each
        for each in shown.page.regions["main"]
        if shown.placed[0] in getattr(each, "objects", [])
    )
    for is_open in (True, False, True):
        shown.state.go("view", view if is_open else "picture")
        assert column.visible == shown.placed[0].visible == is_open
        assert IDEAS[name_of(view)].label in shown.placed[1].object
        drawn.clear()
        shown.state.change(shown.state.scenario.with_tokens("source", ["the", "cat", str(is_open)]))
        assert bool(drawn) == is_open
