import math

import numpy as np
import pytest
from tinkerformer.ideas.settings import IdeaSettings, WordsSettings
from tinkerformer.ideas.words_map import computation as words
from tinkerformer.ideas.words_map.words_map import WordsMap
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.matrices.address import CellAddress
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.model.scenario.weights import Weights
from tinkerformer.session.address import page_address
from tinkerformer.session.session_json import from_dict, to_dict
from tinkerformer.shell.page import create_page

from tests.app.idea_page import PHRASES, IdeaPage

PATH = "source.W_e"


class Picture(IdeaPage):
    """A page that shows the map of words."""

    def __init__(self, scenario=PHRASES, **settings):
        super().__init__("words", WordsMap, scenario=scenario, words=WordsSettings(**settings))
        self.map = self.control

    def move(self, word, to, press=1, held=True):
        return super().move(self.map.names.index(word), to, press, held)

    def row(self, word):
        at = self.state.scenario.source_vocabulary.index(word)
        return self.state.trace[PATH].value[at].astype(float)


def singular_plane(table):
    """Return the plane in another way than the page: by eigenvectors of the covariance."""
    _, vectors = np.linalg.eigh(np.cov(table.T))
    return vectors[:, ::-1][:, :2]


def test_the_points_are_the_rows_of_the_table_in_the_plane_of_largest_variance():
    shown = Picture()
    table = shown.state.trace[PATH].value.astype(float)
    expected = (table - table.mean(axis=0)) @ singular_plane(table)
    points = np.array(shown.map.points)
    for k in (0, 1):  # the sign of an axis is arbitrary
        assert np.allclose(np.abs(points[:, k]), np.abs(expected[:, k]), atol=1e-4)
    assert shown.map.names[: len(points)] == list(shown.state.scenario.source_vocabulary)
    share = expected.var(axis=0).sum() / table.var(axis=0).sum()
    assert f"{round(100 * share)} % of how the words differ" in shown.sentence


def test_the_sentence_and_the_list_state_distances_and_angles():
    shown = Picture()
    assert shown.map.names[shown.map.value] == "black"
    black, white, house = (shown.row(word) for word in ("black", "white", "house"))
    apart = math.dist(black, white)
    assert f"“black” and “white” are {apart:.2f} apart" in shown.sentence
    assert f"“black” and “house” {math.dist(black, house):.2f}" in shown.sentence
    index, angle, distance = shown.map.near[0]
    assert shown.map.names[index] == "white"
    cosine = black @ white / math.sqrt((black @ black) * (white @ white))
    assert angle == pytest.approx(math.degrees(math.acos(cosine)), abs=0.06)
    assert distance == pytest.approx(apart, abs=1e-3)


@pytest.mark.parametrize("axes", ["widest", "dimensions", "words"])
def test_a_word_is_dragged_only_within_the_plane_and_the_translation_follows(axes):
    shown = Picture(axes=axes)
    before, points = shown.row("black"), np.array(shown.map.points)
    target = shown.state.trace["output.probabilities"].value.copy()
    k = shown.map.names.index("black")
    for share in (0.3, 1.0):
        assert shown.move("black", points[k] + share * np.array([0.8, -0.6])) == ""
    moved = shown.row("black")
    assert np.array(shown.map.points)[k] == pytest.approx(points[k] + [0.8, -0.6], abs=1e-4)
    assert np.allclose(np.delete(shown.map.points, k, 0), np.delete(points, k, 0))
    # The vector moved as far as the point, so it did not leave the plane.
    assert np.linalg.norm(moved - before) == pytest.approx(1.0, abs=1e-4)
    assert not np.allclose(target, shown.state.trace["output.probabilities"].value)
    assert shown.state.held
    assert shown.say("release") == ""
    assert not shown.state.held
    assert shown.map.is_moved
    shown.state.undo()
    assert np.allclose(shown.row("black"), before)


def test_many_small_moves_end_where_one_large_move_ends():
    many, one = Picture(), Picture()
    start = np.array(one.map.points)[one.map.value]
    for k in range(1, 201):
        many.move("black", start + k / 200 * np.array([1.3, 0.7]))
    one.move("black", start + np.array([1.3, 0.7]))
    assert np.array_equal(many.row("black"), one.row("black"))


def test_restore_returns_one_word_to_its_place():
    shown = Picture()
    before = shown.row("black")
    shown.move("black", (1, 1), press=0, held=False)
    shown.move("white", (1, 1), press=0, held=False)
    moved = shown.row("white")
    assert shown.say("restore", index=shown.map.names.index("black")) == ""
    assert np.array_equal(shown.row("black"), before)
    assert np.array_equal(shown.row("white"), moved)


def test_a_depth_shows_the_text_and_the_distance_of_its_two_words():
    shown = Picture()
    assert shown.say("depth", index=3) == ""
    path = "encoder.0.self_attn.norm"
    assert shown.map.of == path
    assert shown.map.names[0] == "the (0)"
    rows = shown.state.trace[path].value.astype(float)
    assert shown.map.names[shown.map.value] == "the (0)"
    assert (
        f"begin 0.00 apart; after layer 1, self-attention they are {math.dist(*rows[[0, 5]]):.2f}"
        in (shown.sentence)
    )
    # Its directions are those of the table, from the mean of the embeddings.
    table = shown.state.trace[PATH].value.astype(float)
    expected = (rows - math.sqrt(8) * table.mean(axis=0)) @ singular_plane(table)
    assert np.allclose(np.abs(shown.map.points), np.abs(expected), atol=1e-3)
    assert np.allclose(shown.map.trails[2][0], np.array(shown.map.trails[2][0]))
    # A vector of the text can be dragged, too; it is overridden.
    assert shown.move("cat", (0.5, 0.5), press=0, held=False) == ""
    assert {edit.path for edit in shown.state.scenario.edits} == {path}


def test_the_picture_opens_with_the_word_of_the_selected_number():
    page = create_page(address=page_address("view=picture"), scenario=PHRASES)
    page.state.selection = CellAddress("encoder.0.feed_forward.norm", 2, 0)
    page.state.go("view", "idea:words")
    found = page.state.ideas.words
    assert (found.word, found.position, found.depth) == ("cat", 2, 4)


def test_the_first_word_stays_while_other_weights_are_learned():
    shown = Picture()
    word = shown.map.names[shown.map.value]
    for weights, steps in ((None, 0), (PHRASES.weights, 1000)):
        shown.state.replace_weights(weights, steps)
        assert shown.map.names[shown.map.value] == word
    fresh = Picture(PHRASES.trained(None, 0))
    assert fresh.map.names[fresh.map.value] != word  # otherwise this test would prove nothing


def test_undo_of_a_training_run_restores_the_map_before_it():
    shown = Picture()
    state, first = shown.state, shown.map.points
    generator = np.random.default_rng(1)
    state.learning = True
    for steps in range(3):  # far enough for the axes to turn
        arrays = {
            path: array + generator.normal(size=array.shape).astype(np.float32)
            for path, array in state.scenario.weights.arrays.items()
        }
        known = state.scenario.weights
        new = Weights(arrays, known.source_vocabulary, known.target_vocabulary)
        state.replace_weights(new, steps + 1)
        # Axes that are kept are named so, because the widest direction may lie between them.
        assert shown.map.axes == list(words.TURNED)
    state.learning = False
    assert shown.map.points != first
    # After the training, the map is the map of the present numbers.
    fresh = Picture(state.scenario)
    assert (shown.map.points, shown.map.axes) == (fresh.map.points, fresh.map.axes)
    across, down = np.var(shown.map.points, axis=0)
    assert across >= down
    assert shown.map.axes[0] == "words differ most this way"
    state.change(PHRASES)
    assert shown.map.points == first


def test_the_choices_are_stored_in_a_link():
    shown = Picture(axes="words", x_from="cat", x_to="dog")
    saved = shown.state.snapshots.take()
    assert from_dict(to_dict(saved)).ideas == shown.state.ideas
    assert "ideas" not in to_dict(saved._replace(ideas=IdeaSettings()))
    assert shown.map.axes[0] == "cat → dog"
    with pytest.raises(ValueError, match="ideas"):
        from_dict({**to_dict(saved), "ideas": {"words": {"word": 3}}})


def test_words_that_span_no_plane_are_refused_beside_the_choice():
    shown = Picture(axes="words")
    (form,) = [x for x in shown.placed if hasattr(x, "sections")]
    form.receive({"type": "change", "name": "x_to", "value": "black"})  # from black to black
    assert "no length" in form.errors["x_to"]
    assert shown.state.ideas.words.x_to == ""
    form.receive({"type": "change", "name": "x_to", "value": "cat"})
    assert not form.errors
    assert shown.map.axes[0] == "black → cat"


def test_of_a_large_vocabulary_only_the_words_of_the_text_are_drawn(monkeypatch):
    monkeypatch.setattr(words, "MAX_WORDS", 12)
    trace = ForwardPassRunner().trace(PHRASES)
    table = words.table(PHRASES, trace, None, "source")
    assert len(table.words) == 12
    assert {*PHRASES.source} <= {*table.words}
    assert np.array_equal(table.rows, trace[PATH].value[table.ids])
    shown = Picture()
    assert len(shown.map.names) == 12
    before = shown.row("mat")
    shown.move("mat", (1, 1), press=0, held=False)  # its row has another index
    assert not np.array_equal(shown.row("mat"), before)


def test_a_model_of_another_width_can_be_drawn_next():
    shown = Picture(Scenario())
    for width in (4, 12):
        scenario = shown.state.scenario.with_setting("d_model", width)
        shown.state.change(scenario)
        assert len(shown.map.points) == len(shown.map.names)
        assert shown.map.of.endswith("W_e")


def test_the_map_suggests_a_drop_that_changes_the_written_words():
    picture = Picture()
    word, onto = (picture.map.names[k] for k in picture.map.tries)
    before = picture.row(word)
    assert (
        picture.say("drop", index=picture.map.tries[0], onto=picture.map.tries[1], whole=False)
        == ""
    )
    after, other = picture.row(word), picture.row(onto)
    plane = picture.map.points
    assert plane[picture.map.names.index(word)] == pytest.approx(
        plane[picture.map.names.index(onto)], abs=1e-3
    )
    assert not np.allclose(after, before)
    assert not np.allclose(after, other)  # outside the plane, the vector is unchanged
    apart = np.linalg.norm(after - other)
    assert (
        f"still {apart:.2f} apart in the 6 directions that the map does not show"
        in picture.sentence
    )
    assert " is written instead of " in picture.sentence
    assert picture.map.tries == []


def test_dropping_a_word_that_is_not_in_the_text_states_that_it_is_absent():
    picture = Picture()
    house, black = (picture.map.names.index(word) for word in ("house", "black"))
    picture.say("drop", index=house, onto=black, whole=False)
    said = "On the map “house” lies on “black”. It is not in the sentence: what is written stays"
    assert said in picture.sentence


def test_a_drop_that_changes_nothing_suggests_a_complete_one():
    picture = Picture()
    black, white = (picture.map.names.index(word) for word in ("black", "white"))
    picture.say("drop", index=black, onto=white, whole=False)
    assert "what is written stays the same" in picture.sentence
    assert picture.map.onto == white
    picture.say("drop", index=black, onto=white, whole=True)
    np.testing.assert_allclose(picture.row("black"), picture.row("white"), atol=1e-6)
    assert "“black” now has all numbers of “white”" in picture.sentence
    assert "“blanc” is written instead of “noir”" in picture.sentence
    assert picture.map.onto == -1
    assert picture.say("drop", index=black, onto=10_000, whole=True) == ""  # no such word
    np.testing.assert_allclose(picture.row("black"), picture.row("white"), atol=1e-6)


def test_while_a_word_is_dragged_the_header_shows_the_row_that_it_changes():
    picture = Picture()
    picture.state.go("asked", 2)
    assert picture.state.position == 2
    dog = picture.map.points[picture.map.names.index("dog")]
    picture.move("cat", dog)  # while held
    assert picture.state.position == 1  # the row that would write “chien”
    picture.say("release")
    assert picture.state.scenario.target[2] == "chien"
    assert picture.state.position == 1
