import math
import re

import pytest
from tinkerformer.ideas.chain.computation import Chain, order_of, telling_cell
from tinkerformer.ideas.chain.view import ChainPicture
from tinkerformer.ideas.naming import decimal_text, number_in_words
from tinkerformer.ideas.settings import ChainSettings
from tinkerformer.model.inference import cost
from tinkerformer.model.matrices.address import CellAddress, read_address
from tinkerformer.model.matrices.resolved_cell import resolve
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.session.session_json import from_json, to_json
from tinkerformer.session.state import AppState

from tests.app.idea_page import DRAG, PHRASES, picture_around
from transformer_math import sweep
from transformer_math.graph.backward import LOSS

STREAM = "decoder.0.cross_attn.norm"


def opened(scenario=PHRASES, cell=None):
    """Return the state and the picture of a page with a scenario, for a cell if one is given."""
    state = AppState(scenario)
    if cell is not None:
        state.selection = CellAddress(*cell)
    return state, picture_around(ChainPicture, state)


def shown(state, picture) -> tuple[str, tuple[int, ...]]:
    found = picture._chain().shown.cell
    return found.stored, found.full


def minded(state, picture) -> float:
    """Return the gradient of the shown number, estimated by the difference of two passes."""
    path, index = shown(state, picture)
    now, step = float(state.trace[path].value[index]), 0.01
    loss = sweep(state.trace, path, index, [now - step, now + step])[LOSS].value
    return float((loss[1] - loss[0]) / (2 * step))


def said(picture) -> str:
    return re.sub("<[^>]*>", "", picture.said.object)


def step(picture, kind: str, index: int) -> str:
    return picture.bars.receive({"type": kind, "index": index})


def test_the_picture_opens_with_a_number_whose_products_add_up():
    state, picture = opened()
    data = picture.bars.data
    assert data["label"].startswith("W^out[")
    assert re.fullmatch(r"weight of the output layer, dimension \d of “noir”", data["name"])
    assert len(data["rows"]) == len(state.scenario.target)
    products = [row["gradient"] * row["slope"] for row in data["rows"]]
    assert sorted(map(abs, products), reverse=True) == list(map(abs, products))
    assert sum(products) == pytest.approx(data["total"])
    assert data["total"] == pytest.approx(minded(state, picture), rel=0.02)
    assert data["next"] == "the 9 numbers next to it: logit"
    assert "add up to" in data["all"]


def test_the_picture_opens_with_the_word_in_focus():
    state, _ = opened()
    trace = state.runner.with_gradients(state.scenario)
    for position, word in enumerate(state.scenario.source):
        cell = telling_cell(trace, ("encoder", position))
        assert (cell.stored, cell.row) == ("source.W_e", trace["source.ids"].value[position])
        assert f"of “{word}”" in number_in_words(state.scenario.axis_tokens, cell)
    for position, word in enumerate(state.scenario.target[1:]):
        cell = telling_cell(trace, ("decoder", position))
        assert cell.stored == "output.W_out"
        assert state.scenario.output_vocabulary[cell.column] == word


@pytest.mark.parametrize("name", ["tie_output", "encoder_layers", "decoder_layers"])
def test_every_model_has_a_number_with_a_gradient_to_open_with(name):
    value = {"tie_output": True}.get(name, 0)
    scenario = Scenario().with_setting(name, value)
    state, _ = opened(scenario)
    trace = state.runner.with_gradients(scenario)
    for followed in (None, ("encoder", 1), ("decoder", 1), ("decoder", 99)):
        cell = telling_cell(trace, followed)
        assert scenario.is_parameter(cell.path)
        assert trace[cell.stored].grad[cell.full]
    tied = trace["output.logits"].inputs[1].path
    assert telling_cell(trace).stored == tied


def test_a_trial_gives_the_losses_of_separate_passes_and_a_small_trial_fits_the_gradient():
    state, picture = opened()
    data = picture.bars.data
    path, index = shown(state, picture)
    tried = data["trial"]
    now = float(state.trace[path].value[index])
    for step in (-1.0, -0.01, 0.01, 0.5, 1.0):
        change = tried["changes"][tried["steps"].index(step)]
        other = state.scenario.with_value(path, index, now + step)
        loss = float(state.runner.aside().trace(other)[LOSS].value)
        assert change == pytest.approx(loss - tried["loss"], abs=2e-6)
    small = tried["changes"][tried["steps"].index(0.01)]
    assert small == pytest.approx(0.01 * data["total"], rel=0.06)
    large = tried["changes"][tried["steps"].index(1.0)]
    assert abs(large - data["total"]) > abs(data["total"])  # too large a step for the slope
    assert "and run the model again: the loss " in said(picture)
    assert f"by {decimal_text(abs(small))}. Its gradient said so before" in said(picture)


def test_a_row_states_its_products_for_a_small_step():
    _, picture = opened()
    row = picture.bars.data["rows"][0]
    first, second = re.findall(r"(\S+) × (\S+) [=≈] (\S+)\.(?: |$)", row["reads"])
    number = [[float(x.replace("−", "-")) for x in each] for each in (first, second)]
    assert number[0][0] == pytest.approx(row["slope"], rel=0.01)
    assert number[1][0] == pytest.approx(row["gradient"], rel=0.01)
    assert number[1][2] == pytest.approx(0.01 * row["slope"] * row["gradient"], rel=0.01)


def test_an_attention_weight_is_tried_with_steps_within_0_and_1():
    _, picture = opened(cell=("decoder.0.cross_attn.head.1.weights", 2, 1))
    steps = picture.bars.data["trial"]["steps"]
    assert max(steps) < 0.01 < -min(steps) < 1


def test_during_a_drag_no_step_is_tried():
    state, picture = opened(cell=("encoder.0.self_attn.head.0.scores", 2, 1))
    picture.bars.receive({"type": "value", "value": 1.0, **DRAG})
    assert picture.bars.data["trial"] is None
    assert "says its gradient" in said(picture)
    picture.bars.receive({"type": "release"})
    assert picture.bars.data["trial"]["loss"] == pytest.approx(
        float(state.trace[LOSS].value), abs=5e-6
    )


def test_the_selected_number_is_shown_until_the_reader_follows_the_chain():
    path = "encoder.0.self_attn.head.1.W_k"
    state, picture = opened(cell=(path, 2, 1))
    assert shown(state, picture) == ("encoder.0.self_attn.W_k", (1, 2, 1))
    assert {row["label"].partition("[")[0] for row in picture.bars.data["rows"]} == {"K₂"}
    assert picture.bars.data["why"].startswith("It is learned")
    step(picture, "onward", 0)
    assert shown(state, picture)[0] == "encoder.0.self_attn.k"
    state.selection = CellAddress("source.sum", 1, 1)  # selecting another number starts a new chain
    assert shown(state, picture) == ("source.sum", (1, 1))
    assert len(picture.bars.data["links"]) == 1


def test_the_chain_is_extended_to_the_loss_and_is_a_part_of_the_gradient():
    state, picture = opened(cell=("encoder.0.feed_forward.norm", 1, 3))
    while not picture.bars.data["is_loss"]:
        assert step(picture, "onward", picture.bars.data["rows"][0]["term"]) == ""
        assert picture.bars.data["at"] == len(picture.bars.data["links"]) - 1
    links = picture.bars.data["links"]
    assert links[-1]["label"] == "loss"
    assert len(links) > 8
    assert not picture.bars.data["rows"]
    assert "at which every chain ends" in said(picture)
    product = math.prod(link["slope"] for link in links)
    along = re.search(r"≈ ([^ ]+)\. All ways", picture._notes.object)
    assert float(along[1].replace("−", "-")) == pytest.approx(product, rel=0.05)
    step(picture, "link", 2)
    assert len(picture.bars.data["links"]) == len(links)
    assert picture.bars.data["at"] == 2
    assert from_json(to_json(state.snapshots.take())).ideas == state.ideas


def test_stepping_back_and_on_again_gives_the_same_chain():
    state, picture = opened(cell=("decoder.0.self_attn.head.0.context", 2, 1))
    start = shown(state, picture)
    back = picture.bars.data["made_of"]
    assert any(each["label"].startswith("V₁") for each in back)
    assert step(picture, "back", 0) == ""
    assert picture.bars.data["at"] == 0
    before = picture.bars.data["links"]
    assert before[1]["slope"] == pytest.approx(back[0]["slope"], abs=1e-6)
    step(picture, "link", 1)
    assert shown(state, picture) == start
    assert step(picture, "back", 0) == ""  # the previous number in the chain
    assert picture.bars.data["links"] == before


def test_a_drag_moves_both_factors_and_keeps_the_dragged_number():
    state, picture = opened(cell=("encoder.0.self_attn.head.0.scores", 2, 1))
    rows = picture.bars.data["rows"]
    for k, value in enumerate((1.0, -2.0, 3.5)):
        picture.bars.receive({"type": "value", "value": value, **DRAG})
        data = picture.bars.data
        assert data["value"] == value
        assert [row["term"] for row in data["rows"]] == [row["term"] for row in rows]
        assert data["rows"] != rows, k
    picture.bars.receive({"type": "release"})
    assert len(state.history.past) == 1
    assert picture.bars.data["total"] == pytest.approx(minded(state, picture), rel=0.02, abs=1e-4)
    assert "set by hand" in picture.bars.data["why"]


def test_a_step_to_a_number_that_does_not_exist_is_refused():
    state, picture = opened()
    before = state.ideas
    assert "9 numbers" in step(picture, "onward", 99)
    assert "numbers, counted from 0" in step(picture, "back", 999)
    assert state.ideas == before


def test_a_softmax_over_many_words_shows_the_largest_and_sums_the_rest():
    scenario = Scenario().with_setting("tie_output", False)
    state, picture = opened(scenario, (STREAM, 0, 0))
    path = picture._chain().shown.cell.stored
    logits = state.trace["output.W_out"]
    assert path == STREAM
    state.selection = CellAddress("decoder.0.feed_forward.norm", 0, 0)
    data, found = picture.bars.data, picture._chain()
    assert len(found.terms) == logits.shape[-1]
    shown_terms = [row for row in data["rows"] if row["term"] >= 0]
    if len(found.terms) > 11:
        assert len(shown_terms) == 10
        assert data["rows"][-1]["label"] == f"{len(found.terms) - 10} others"
        assert data["rows"][-1]["to"] == pytest.approx(data["total"])


@pytest.mark.parametrize("norm", ["post", "pre"])
@pytest.mark.parametrize("decoder", [0, 1])
def test_every_number_in_the_form_has_a_picture(norm, decoder):
    scenario = Scenario().with_setting("norm", norm).with_setting("decoder_layers", decoder)
    state, picture = opened(scenario)
    (field,) = picture.form.fields
    for address, label in field["options"][::5]:
        picture.form.receive({"type": "change", "name": "cell", "value": address})
        cell = resolve(state.trace, read_address(address))
        assert shown(state, picture) == (cell.stored, cell.full)
        grad = float(state.trace[cell.stored].grad[cell.full])
        expected = 0 if cell.stored == LOSS else grad
        assert picture.bars.data["total"] == pytest.approx(expected, rel=1e-3, abs=1e-6), label
        order = order_of(picture._chain())
        assert len(set(order)) == len(order)


def test_a_chain_that_the_model_lacks_is_cut_where_the_model_ends_it():
    state, picture = opened()
    cell = "decoder.0.feed_forward.activation[1,3]"
    state.ideas = state.ideas.replace(chain=ChainSettings(cell=cell, way="0 999 1", at=2))
    assert len(picture.bars.data["links"]) == 2
    state.ideas = state.ideas.replace(chain=ChainSettings(cell="nowhere[0,0]", way="0"))
    assert picture.bars.data["rows"]


def test_numbers_that_are_not_finite_are_not_split_into_products(monkeypatch):
    monkeypatch.setattr(Chain, "is_finite", property(lambda _: False))
    _, picture = opened()
    assert picture._none.visible
    assert "infinite or not a number" in picture._none.object


def test_the_gradients_of_a_large_model_are_computed_in_a_thread(monkeypatch):
    monkeypatch.setattr(cost, "INLINE_GRADIENTS", 0)
    _, picture = opened()
    assert picture._picture.visible
    assert len(picture.bars.data["rows"]) == 9
    assert "Tried out" not in picture._notes.object
