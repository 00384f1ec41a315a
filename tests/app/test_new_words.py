import pytest
from tinkerformer.board.view import ExploreView
from tinkerformer.features.tokens.view import TokensView
from tinkerformer.model.inference.writing import with_written_target
from tinkerformer.session.state import AppState


class Page:
    def __init__(self):
        self.state = AppState()
        self.picture = ExploreView(self.state).board.component
        self.row = TokensView(self.state).tokens

    @property
    def marked(self):
        """Return the words marked in the picture; check that the sentence marks the same words."""
        target, marks = self.state.scenario.target, self.row.written["target"]["changed"]
        in_picture = [target[row + 1] for row in self.picture.new_words]
        assert in_picture == [word for word, new in zip(target, marks, strict=True) if new]
        return in_picture


@pytest.fixture
def page():
    return Page()


def test_an_edit_marks_its_words_and_undo_and_redo_mark_none(page):
    state = page.state
    assert page.marked == []
    state.change(state.scenario.with_value("source.embedding", (1, 2), -4.0))
    assert page.marked == ["la", "assise"]
    state.undo()
    assert page.marked == []
    state.redo()
    assert page.marked == []


def test_after_all_numbers_are_restored_no_word_is_marked(page):
    state = page.state
    state.change(state.scenario.with_value("source.embedding", (1, 2), -4.0))
    edited = state.scenario.with_value("source.embedding", (2, 2), -4.0)
    state.change(edited)
    state.change(state.scenario.without_edits())
    assert page.marked == []
    assert page.picture.changed["cause"]
    assert not page.picture.changed["is_traced"]
    words = state.scenario.with_tokens("source", ["the", "white", *state.scenario.source[2:]])
    state.change(words)
    assert page.marked, "no edit is taken back"


def test_during_and_after_a_drag_picture_and_sentence_mark_the_same_words(page):
    state = page.state
    changed = state.scenario.with_value("source.embedding", (1, 2), -4.0)
    state.change(changed, of="E", press=1, held=True)
    assert page.marked == []  # the sentence still has the earlier words
    state.release()
    assert page.marked == ["la", "assise"]


def test_after_an_experiment_is_kept_both_mark_the_same_words(page):
    state = page.state
    start = state.scenario
    result = with_written_target(start.with_value("source.embedding", (1, 2), -4.0), state.runner)
    state.experiment.show(result, start)
    assert page.marked == ["la", "assise"]
    state.experiment.keep()
    assert page.marked == ["la", "assise"]


def test_the_picture_receives_the_words_changed_by_training_and_by_an_edit(page):
    state = page.state
    assert not page.picture.learned
    state.learning = True
    state.replace_weights(None, 5)
    assert (page.picture.editing, page.picture.learned) == (True, "In training")
    state.learning = False
    assert (page.picture.editing, page.picture.learned) == (False, "Step 5")
    state.change(state.scenario.with_value("source.embedding", (1, 2), 3.0))
    assert not page.picture.learned


def test_words_typed_by_the_reader_are_not_marked(page):
    state = page.state
    state.change(state.scenario.with_writing(False))
    state.change(state.scenario.with_tokens("target", ["<sos>", "la", "poule"]))
    assert page.picture.new_words == []
