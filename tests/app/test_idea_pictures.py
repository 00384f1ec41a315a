import numpy as np
import pytest
from tinkerformer.ideas.clocks.computation import (
    Encoding,
    angle,
    clocks_shown,
    encoding_of,
    nearest_sentence,
)
from tinkerformer.ideas.clocks.view import PositionsPicture
from tinkerformer.ideas.looks.view import MaskPicture
from tinkerformer.ideas.normalizing.view import LayerNormPicture
from tinkerformer.ideas.settings import IdeaSettings
from tinkerformer.ideas.temperature.view import SoftmaxPicture
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.session.state import AppState

from tests.app.idea_page import DRAG, KEY, choose, fields, opened, said
from transformer_math import positional
from transformer_math.explain import clocks

# -- clocks ---------------------------------------------------------------------------------------


def test_the_clocks_turn_with_the_position_and_the_shift():
    state, picture = opened(PositionsPicture)
    picture.clocks.receive({"type": "move", "what": "position", "value": 17, **DRAG})
    picture.clocks.receive({"type": "move", "what": "shift", "value": -2, **DRAG})
    data = picture.clocks.data
    assert (data["position"], data["shift"]) == (17, -2)
    row = encoding_of(state.scenario).row(17)
    np.testing.assert_allclose(row, positional.sinusoidal(18, 8)[17], atol=1e-12)
    np.testing.assert_allclose(np.sin(17 * np.array(data["speeds"])), row[0::2])
    product = positional.sinusoidal(18, 8)
    assert f"positions 17 and 15 is {product[17] @ product[15]:.3f}" in said(picture)
    assert "2 words back, the hands turn by 115°, 11°, 1.1° and 0.11°" in said(picture)
    assert state.history.past == []  # looking at positions is no step


def test_a_word_can_be_given_another_position_and_its_own_again():
    state, picture = opened(PositionsPicture)
    choose(picture, "positions.word", 1)
    picture.clocks.receive({"type": "move", "what": "position", "value": 9000, **KEY})
    row = state.trace["source.positions"].value[1]
    np.testing.assert_allclose(row, positional.sinusoidal(9001, 8)[9000], atol=1e-6)
    assert picture.clocks.data["position"] == 9000
    assert picture.clocks.data["tokens"][1] == ["black", 9000, True]
    assert picture.clocks.data["last"] == 10_000
    assert "“black” the position 9,000 instead of 1" in said(picture)
    picture.clocks.receive({"type": "move", "what": "position", "value": 1, **KEY})
    assert not state.scenario.edits


@pytest.mark.parametrize("what", ["position", "shift"])
@pytest.mark.parametrize("word", [-1, 0])
def test_a_missing_position_or_word_is_refused(what, word):
    state, picture = opened(PositionsPicture)
    choose(picture, "positions.word", word)
    before = state.ideas, state.scenario
    assert picture.clocks.receive({"type": "move", "what": what, "value": -10_001, **KEY})
    assert (state.ideas, state.scenario) == before


def test_the_text_names_the_positions_that_are_most_similar():
    _, picture = opened(PositionsPicture)
    found = clocks.nearest(10_000, 8, False, "float32")
    assert (found.first, found.second) == (0, 6283)
    assert "the two most alike are 0 and 6,283" in picture._distinct.object
    assert "all 10,001 rows stay different" in picture._distinct.object
    assert "cannot be told apart" in nearest_sentence(found._replace(same=7))


def test_the_picture_suggests_a_position_that_changes_the_written_words():
    state, picture = opened(PositionsPicture)
    state.go("asked", 2)
    label = fields(picture)["tell"]["label"]
    assert label.startswith("Try: give “black” the position ")
    before = state.scenario.target
    picture.choices.form.receive({"type": "change", "name": "tell", "value": True})
    position = int(label.rpartition(" ")[2])
    np.testing.assert_allclose(
        state.trace["source.positions"].value[1], positional.sinusoidal(10, 8)[position], atol=1e-6
    )
    assert state.scenario.target != before
    assert sorted(state.scenario.target) == sorted(before)  # the same words in another order
    assert f"“black” now has the position {position} instead of 1" in picture._moved.object
    assert "tell" not in fields(picture)


def test_the_text_states_correctly_how_similarity_depends_on_distance():
    _, picture = opened(PositionsPicture)
    alike = clocks.kernel(0, np.arange(65), 8)
    assert alike[6] > alike[3]
    assert f"falls to {alike[3]:.2f} at distance 3" in picture._alike.object
    assert f"rises again, to {alike[6]:.2f} at 6" in picture._alike.object


@pytest.mark.parametrize("kind", ["learned", "none"])
def test_without_sinusoids_there_are_no_clocks(kind):
    state, picture = opened(PositionsPicture, Scenario())
    assert picture._dials.visible
    state.change(state.scenario.with_setting("positions", kind))
    assert not picture._dials.visible
    assert "choose sine and cosine" in picture._charts.objects[0].object


def test_a_wide_model_shows_a_selection_of_its_clocks():
    scenario = Scenario()
    encoding = Encoding(256, False, "float32")
    trace = AppState(scenario).trace
    found = clocks_shown(scenario, trace, encoding, IdeaSettings().positions)
    assert len(found.data["pairs"]) == 64
    assert (found.data["pairs"][0], found.data["pairs"][-1]) == (0, 127)


@pytest.mark.parametrize(
    ("shift", "there"),
    [(1, "“the word after”"), (-1, "“the word before”"), (-9, "the word 9 places before")],
)
def test_the_word_at_the_end_of_a_shift_is_named(shift, there):
    scenario = Scenario()
    chosen = IdeaSettings().positions.changed("position", 12).changed("shift", shift)
    encoding = encoding_of(scenario)
    found = clocks_shown(scenario, AppState(scenario).trace, encoding, chosen)
    assert f"can learn to look for {there}." in found.sentence


def test_with_an_odd_width_the_last_sine_has_no_cosine():
    encoding = Encoding(9, True, "float64")
    np.testing.assert_allclose(encoding.row(5), positional.sinusoidal_halves(6, 9)[5])
    assert encoding.standing(positional.sinusoidal_halves(80, 9)[77]) == 77
    assert encoding.standing(np.full(9, 3.0)) is None


def test_an_angle_is_written_with_two_significant_digits():
    assert [angle(x) for x in (0.0057, 5.73, 57.3, 360 * 2 + 9.5)] == [
        "0.0057°",
        "5.7°",
        "57°",
        "2 turns and 9.5°",
    ]


def test_dragging_a_position_states_the_angle_by_which_the_hands_turned():
    state, picture = opened(PositionsPicture)
    plain = said(picture)
    for value in (5, 7):
        picture.clocks.receive({"type": "move", "what": "position", "value": value, **DRAG})
    assert "You moved p from 3 to 7: the hands turned on by 229°, 23°, 2.3°" in said(picture)
    picture.clocks.receive({"type": "release"})
    assert "You moved p from 3 to 7" in said(picture)
    picture.clocks.receive({"type": "move", "what": "position", "value": 3, **DRAG})
    picture.clocks.receive({"type": "move", "what": "position", "value": 3, **KEY})
    state.ideas = state.ideas.changed("positions.position", 3)
    choose(picture, "positions.range", "1000")
    assert "You moved" not in said(picture)
    assert said(picture) == plain


def test_giving_a_word_another_position_states_the_words_that_the_model_would_write():
    state, picture = opened(PositionsPicture)
    choose(picture, "positions.word", 1)
    picture.clocks.receive({"type": "move", "what": "position", "value": 6, **DRAG})
    assert "You gave “black” the position 6 instead of 1: the hands turned on" in said(picture)
    assert "would write" in said(picture)
    picture.clocks.receive({"type": "release"})
    written = " ".join(state.scenario.target[1:])
    assert f"The model now writes: {written}." in said(picture)
    state.undo()
    assert "You gave" not in said(picture)


# -- layer norm -----------------------------------------------------------------------------------


def shown_row(state, path, row):
    return state.trace[path].value[row].astype(float)


def test_the_last_line_equals_the_output_of_the_model_s_own_norm():
    state, picture = opened(LayerNormPicture)
    for path in ("encoder.0.self_attn.norm", "decoder.0.cross_attn.norm"):
        choose(picture, "layer_norm.norm", path)
        choose(picture, "layer_norm.row", 2)
        steps = np.array(picture.lines.data["steps"])
        residual = path.replace("norm", "residual")
        np.testing.assert_allclose(steps[0], shown_row(state, residual, 2), atol=1e-6)
        np.testing.assert_allclose(steps[4], shown_row(state, path, 2), atol=1e-5)
    assert "The row of “chat” has mean" in said(picture)


@pytest.mark.parametrize("line", range(5))
def test_dragging_a_dot_sets_its_number(line):
    state, picture = opened(LayerNormPicture)
    data = picture.lines.data
    cell, wanted = 3, data["steps"][line][3] + 0.25
    dot = {"type": "dot", "line": line, "cell": cell, "value": wanted}
    assert picture.lines.receive({**dot, **DRAG}) == ""
    assert picture.lines.data["steps"][line][cell] == pytest.approx(wanted, abs=1e-5)
    (edit,) = state.scenario.edits
    leaf = ("residual", "residual", "residual", "gamma", "beta")[line]
    assert edit.path == f"encoder.0.self_attn.{leaf}"
    picture.lines.receive({"type": "release"})


def test_the_norm_undoes_a_constant_and_a_factor():
    state, picture = opened(LayerNormPicture)
    before = np.array(picture.lines.data["steps"][4])
    picture.lines.receive({"type": "choice", "what": "constant", "value": 3})
    picture.lines.receive({"type": "choice", "what": "factor", "value": 2})
    data = picture.lines.data
    row = shown_row(state, "encoder.0.self_attn.residual", 0)
    start = np.array(data["steps"][0])
    at = state.ideas.layer_norm
    assert (at.constant, at.factor) == (3, 2)
    off = np.abs(np.array(data["steps"][4]) - before).max()
    assert off < 1e-4
    assert "was multiplied by 2 and moved by 3.00" in said(picture)
    assert "the norm undoes it" in said(picture)
    assert start.std() == pytest.approx(2 * row.std(), rel=0.5)
    # Dragging a dot of the trial row sets the number of the model's own row.
    picture.lines.receive({"type": "dot", "line": 0, "cell": 0, "value": 5.0, **KEY})
    (value,) = state.scenario.edits.values()
    assert value == pytest.approx(1.0)
    assert "8 numbers" in picture.lines.receive(
        {"type": "dot", "line": 0, "cell": 99, "value": 1.0, **KEY}
    )
    assert len(state.scenario.edits) == 1


def test_a_model_without_norms_is_described_as_such(monkeypatch):
    monkeypatch.setattr("tinkerformer.ideas.normalizing.computation.norms", lambda _: [])
    _, picture = opened(LayerNormPicture)
    assert picture._none.visible
    assert not picture._picture.visible


# -- softmax --------------------------------------------------------------------------------------


def shares(picture):
    return {row["column"]: row["share"] for row in picture.bars.data["rows"]}


def test_the_model_s_own_temperature_gives_its_own_probabilities():
    state, picture = opened(SoftmaxPicture)
    choose(picture, "softmax.row", 3)
    own = state.trace["output.probabilities"].value[3]
    for column, share in shares(picture).items():
        if column >= 0:
            assert share == pytest.approx(own[column], abs=1e-6)
    assert sum(shares(picture).values()) == pytest.approx(1)
    path = "decoder.0.self_attn.head.1.raw_scores"
    choose(picture, "softmax.scores", path)
    weights = state.trace["decoder.0.self_attn.head.1.weights"].value[3]
    np.testing.assert_allclose(list(shares(picture).values()), weights, atol=1e-6)
    rows = picture.bars.data["rows"]
    assert [row["logit"] is None for row in rows] == [k > 3 for k in range(len(weights))]
    raw = state.trace[path].value[3]
    assert rows[1]["logit"] == pytest.approx(raw[1], abs=1e-5)
    assert picture.bars.data["own_text"] == "√d_k = 2"


def test_temperature_0_gives_one_word_all_and_infinity_gives_all_words_the_same():
    state, picture = opened(SoftmaxPicture)
    count = len(state.scenario.output_vocabulary)
    picture.bars.receive({"type": "temperature", "value": 0})
    assert max(shares(picture).values()) == 1
    assert "Close to T = 0" in said(picture)
    picture.bars.receive({"type": "temperature", "value": 1000})
    columns = [share for column, share in shares(picture).items() if column >= 0]
    np.testing.assert_allclose(columns, 1 / count)
    assert f"among {count:.1f} of {count} words" in said(picture)
    picture.bars.receive({"type": "temperature", "value": None})
    assert picture.bars.data["temperature"] == 1
    assert picture.bars.receive({"type": "temperature", "value": -1})


@pytest.mark.parametrize("scores", ["", "encoder.0.self_attn.head.0.raw_scores"])
def test_dragging_a_logit_sets_it(scores):
    state, picture = opened(SoftmaxPicture)
    choose(picture, "softmax.scores", scores)
    choose(picture, "softmax.row", 2)
    row = picture.bars.data["rows"][1]
    message = {"type": "logit", "column": row["column"], "value": row["logit"] + 4}
    picture.bars.receive({**message, **DRAG})
    after = picture.bars.data["rows"][1]
    assert after["column"] == row["column"]
    assert after["logit"] == pytest.approx(row["logit"] + 4, abs=1e-4)
    assert after["share"] > row["share"]
    picture.bars.receive({"type": "release"})
    assert len(state.history.past) == 1
    assert "counted from 0" in picture.bars.receive({**message, "column": 10**6, **KEY})


# -- who may look at whom ------------------------------------------------------------------------


def test_each_row_may_look_at_the_words_written_before():
    state, picture = opened(MaskPicture)
    data = picture.looks.data
    count = len(state.scenario.target)
    hidden = np.array([row["hidden"] for row in data["rows"]])
    np.testing.assert_array_equal(hidden, np.triu(np.ones((count, count), bool), 1))
    own = state.trace["decoder.0.self_attn.head.0.weights"].value
    np.testing.assert_allclose([row["weights"] for row in data["rows"]], own, atol=1e-7)
    assert [row["writes"] for row in data["rows"]][:-1] == [*state.scenario.target[1:]]
    picture.looks.receive({"type": "rows", "count": 3})
    assert picture.looks.data["shown"] == 3
    assert f"“chat” may look at 3 of {count} words, itself among them" in said(picture)
    assert f"hides {count * (count - 1) // 2} of {count * count} pairs" in said(picture)


def test_a_row_whose_weight_is_dragged_still_sums_to_one():
    state, picture = opened(MaskPicture)
    weight = {"type": "weight", "row": 2, "column": 0}
    picture.looks.receive({**weight, "value": 0.75, **DRAG})
    row = state.trace["decoder.0.self_attn.head.0.weights"].value[2]
    assert row[0] == pytest.approx(0.75)
    assert row.sum() == pytest.approx(1)
    assert not row[3:].any()
    assert "no such weight" in picture.looks.receive({**weight, "column": 3, "value": 1, **KEY})
    assert "no such weight" in picture.looks.receive({**weight, "row": 99, "value": 1, **KEY})


def test_a_dragged_weight_is_described_until_it_is_undone():
    state, picture = opened(MaskPicture)
    plain, before = said(picture), state.trace["decoder.0.self_attn.weights"].value[0, 2].copy()
    drag = {"type": "weight", "row": 2, "column": 0, "value": 0.9, **DRAG}
    picture.looks.receive(drag)
    told = said(picture)
    assert f"how much “chat” looks at “&lt;sos&gt;” from {before[0]:.2f} to 0.90" in told
    now = state.trace["decoder.0.self_attn.weights"].value[0, 2]
    most = 1 + int(np.abs(now - before)[1:].argmax())
    word = ("le", "chat")[most - 1]
    assert f"“{word}” has {now[most]:.2f} instead of {before[most]:.2f}." in told
    assert "would write" in told
    picture.looks.receive({"type": "release"})
    assert "from 0.21 to 0.90" in said(picture)
    assert "The model " in said(picture)
    choose(picture, "mask.weights", "decoder.0.self_attn.head.1.weights")  # of another head
    assert "You set" not in said(picture)
    choose(picture, "mask.weights", "decoder.0.self_attn.head.0.weights")
    state.undo()
    assert said(picture) == plain
    picture.looks.receive(drag | KEY)
    assert "You set" in said(picture)
    state.undo()
    assert said(picture) == plain


def test_while_a_weight_is_dragged_each_row_shows_the_word_that_it_would_write():
    state, picture = opened(MaskPicture)
    choose(picture, "mask.weights", "decoder.0.cross_attn.head.1.weights")
    weight = {"type": "weight", "row": 2, "column": 1, "value": 0}
    picture.looks.receive({**weight, **DRAG})
    assert state.scenario.target[3] == "noir"  # the sentence is not rewritten yet
    row = int(state.trace["output.probabilities"].value[2].argmax())
    now = state.scenario.output_vocabulary[row]
    assert now != "noir"
    assert picture.looks.data["rows"][2]["writes"] == now


def test_the_text_states_that_no_position_is_hidden():
    _, picture = opened(MaskPicture)
    choose(picture, "mask.weights", "encoder.0.self_attn.head.0.weights")
    assert "No mask hides anything" in said(picture)
