"""The Experiments view: its sections, made when it is opened and computed while it is open."""

from __future__ import annotations

from tinkerformer.state import AppState
from tinkerformer.views.experiments.view import ExperimentsView


def test_sections_are_made_when_the_view_is_opened_first():
    view = ExperimentsView(AppState())
    assert not view.column.visible
    assert not view.column.objects
    view.show(True)
    assert view.column.visible
    assert len(view.column.objects) > 1
    made = view.column.objects
    view.show(False)
    view.show(True)
    assert view.column.objects == made


def test_each_section_says_what_question_it_answers():
    view = ExperimentsView(AppState())
    view.show(True)
    for column in view.column.objects:
        head = column.objects[0].object
        assert head.startswith("<h2>")
        assert "?" in head
