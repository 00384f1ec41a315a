import pytest
from tinkerformer.features.ideas.view import PICTURES
from tinkerformer.ideas.catalog import IDEA, IDEAS, ideas_of_matrix, ideas_of_part
from tinkerformer.session.address import page_address
from tinkerformer.shell.page import create_page
from tinkerformer.view_model.page_location import FORMS, location_from


def test_every_picture_is_declared_and_every_declaration_has_a_picture():
    assert set(PICTURES) == {IDEA + name for name in IDEAS}
    assert set(PICTURES) <= set(FORMS)
    for idea in IDEAS.values():
        assert idea.shows.endswith(".")
        assert idea.tries.endswith(".")
        assert idea.label


@pytest.mark.parametrize("view", PICTURES)
def test_a_picture_is_created_when_it_is_opened_and_closed_again(view):
    page = create_page(address=page_address(f"view={view}"))
    (column,) = [
        each
        for each in page.regions["main"]
        if getattr(each, "objects", None) and each.visible and not hasattr(each, "hears")
    ]
    (picture,) = column.objects
    assert picture.visible
    assert IDEAS[view.removeprefix(IDEA)].label in picture.objects[0].object
    page.state.go("form", "picture")
    assert not picture.visible
    assert not column.visible


def test_a_part_and_a_matrix_lead_to_their_pictures():
    assert ("idea:positions", IDEAS["positions"].label) in ideas_of_part("source")
    assert ideas_of_matrix("target.positions") == [("idea:positions", IDEAS["positions"].label)]
    assert ideas_of_part("nowhere") == []


def test_an_older_session_names_the_form_as_it_was():
    assert location_from({"form": "positions"}).form == "idea:positions"
    with pytest.raises(ValueError, match="form"):
        location_from({"form": "train"})
