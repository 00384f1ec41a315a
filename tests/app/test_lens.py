import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tinkerformer.board import view as explore
from tinkerformer.board.stages import picture
from tinkerformer.board.view import ExploreView
from tinkerformer.experiments.depths import depth_words, depths
from tinkerformer.experiments.lens_words import lens_words, multiply_adds, read_stack
from tinkerformer.features.header.view import HeaderView
from tinkerformer.features.lens.view import LensView
from tinkerformer.features.measure.lens import LensSection
from tinkerformer.features.measure.token_table import TokenTable
from tinkerformer.files import catalog
from tinkerformer.model.inference import cost
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.matrices.address import PROBABILITIES
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.session.results import Results
from tinkerformer.session.session_json import SavedSession, from_json, to_json
from tinkerformer.session.state import AppState
from tinkerformer.transport.runtime.derived import OUTDATED, Result
from tinkerformer.view_model.page_location import PageLocation

MODELS = st.fixed_dictionaries(
    {},
    optional={
        "norm": st.sampled_from(["pre", "post"]),
        "residual": st.booleans(),
        "encoder_layers": st.sampled_from([0, 1, 3]),
        "decoder_layers": st.sampled_from([0, 1, 3]),
        "causal_mask": st.booleans(),
        "tie_output": st.booleans(),
    },
)


def model_of(changes, words=("a", "b")) -> Scenario:
    scenario = Scenario().with_tokens("source", words).with_tokens("target", words)
    for name, value in changes.items():
        scenario = scenario.with_setting(name, value)
    return scenario


def read(scenario):
    runner = ForwardPassRunner()
    trace = runner.trace(scenario)
    return trace, lens_words(scenario, trace, runner.model(scenario))


@settings(max_examples=25, deadline=None)
@given(MODELS, st.lists(st.sampled_from("abc"), min_size=1, max_size=3), st.booleans())
def test_the_lens_has_one_row_for_each_depth_and_the_last_row_is_the_output(changes, words, drops):
    if changes.get("encoder_layers") == 0 and changes.get("decoder_layers") == 0:
        return
    scenario = model_of(changes, words).with_training(drops)
    trace, shown = read(scenario)
    assert shown.stack == read_stack(scenario)
    assert [row.path for row in shown.rows] == depths(trace, shown.stack)
    probabilities = trace[PROBABILITIES].value
    best = probabilities.argmax(-1)
    assert list(shown.rows[-1].words) == [scenario.output_vocabulary[k] for k in best]
    np.testing.assert_allclose(shown.rows[-1].probabilities, probabilities.max(-1), atol=1e-6)


def test_an_overridden_row_is_read_with_its_new_numbers():
    scenario = Scenario()
    trace, before = read(scenario)
    path = before.rows[1].path
    changed = scenario.with_values(path, {(1, j): 3.0 * (-1) ** j for j in range(4)})
    _, after = read(changed)
    assert before.rows[0] == after.rows[0]
    assert before.rows[1].probabilities[0] == after.rows[1].probabilities[0]
    assert before.rows[1].probabilities[1] != after.rows[1].probabilities[1]
    assert trace[path].value[1, 0] != 3


def test_a_depth_is_named_by_its_place_in_the_model():
    assert depth_words("target.sum", "decoder") == "embeddings"
    after = depth_words("decoder.1.cross_attn.norm", "decoder")
    assert after == "after layer 2, cross-attention"


# -- the table ------------------------------------------------------------------------------------


def section(state: AppState, results: Results, ask=lambda: None) -> LensSection:
    found = LensSection(state, results, ask)
    found.show(True)
    return found


def page(scenario: Scenario | None = None) -> tuple[AppState, Results, LensView]:
    state = AppState(scenario or catalog.first("phrases"))
    state.go("view", "measure")
    results = Results()
    return state, results, LensView(state, results)


def cells(table: TokenTable) -> list[list[str]]:
    (only,) = table.tables
    return [[cell["text"] for cell in row["cells"]] for row in only["rows"]]


def test_the_table_states_the_words_and_pressing_a_cell_selects_its_row():
    state, results, _ = page()
    found = section(state, results)
    assert found.table.visible
    trace = state.trace
    best = trace[PROBABILITIES].value.max(-1)
    words = [*state.scenario.target[1:], "<eos>"]
    assert cells(found.table)[-1] == [f"{w} {p:.2f}" for w, p in zip(words, best, strict=True)]
    found.table.receive({"type": "choose", "table": 0, "row": 2, "column": 3})
    assert state.selection == (results.lens.value.rows[2].path, 3, 0)
    assert found.table.chosen == [0, 2, 3]


def test_the_lens_follows_the_sentence_and_is_computed_only_while_visible():
    state, results, _ = page()
    found = section(state, results)
    before = cells(found.table)
    state.change(state.scenario.with_tokens("source", ["the", "white", "cat"]))
    assert cells(found.table) != before
    shown = results.lens
    state.go("view", "formulas")
    state.change(state.scenario.with_tokens("source", ["the", "cat"]))
    assert results.lens is shown
    state.go("view", "picture")
    assert results.lens is shown
    state.go("lens", True)
    assert results.lens is not shown


@pytest.mark.parametrize("path", ["output.logits", PROBABILITIES])
def test_the_note_names_an_overridden_output_that_the_lens_ignores(path):
    state = AppState(catalog.first("phrases"))
    results = Results()
    lens = LensView(state, results)
    section = LensSection(state, results, lens.ask)
    state.go("drawer", "measure")
    section.show(True)
    assert "The lens ignores" not in section.form.fields[0]["value"]
    state.change(state.scenario.with_value(path, (0, 0), 1.0))
    section.draw()
    assert "The lens ignores logits and probabilities" in section.form.fields[0]["value"]
    state.change(state.scenario.without_overrides())
    section.draw()
    assert "The lens ignores" not in section.form.fields[0]["value"]


@pytest.mark.parametrize(
    ("name", "said"),
    [("decoder_layers", "no decoder"), ("encoder_layers", "the decoder would write")],
)
def test_a_note_says_that_only_one_stack_exists(name, said):
    state, results, _ = page(Scenario().with_setting(name, 0))
    found = section(state, results)
    (note,) = [f["value"] for f in found.form.fields if f["kind"] == "note"]
    assert said in note
    assert found.table.visible


def test_a_large_model_is_read_on_request(monkeypatch):
    monkeypatch.setattr("tinkerformer.model.inference.cost.UNASKED", 0)
    state, results, view = page()
    found = section(state, results, view.ask)
    assert not cost.fits_unasked(multiply_adds(state.scenario, state.trace))
    assert not found.table.visible
    found.form.receive({"type": "change", "name": "ask", "value": None})
    assert found.table.visible
    assert not found.table.pending
    words, cells_before = state.scenario.target, cells(found.table)
    state.change(state.scenario.with_tokens("source", ["the", "cat"]))
    assert found.table.pending == OUTDATED
    assert found.table.tables[0]["columns"] == list(words)
    assert cells(found.table) == cells_before


def test_the_lens_of_a_model_is_removed_when_another_opens(monkeypatch):
    state, results, view = page()
    found = section(state, results, view.ask)
    assert found.table.visible
    monkeypatch.setattr("tinkerformer.model.inference.cost.UNASKED", 0)
    state.change(catalog.first("dates"))
    assert results.lens.value is None
    assert not found.table.visible


@pytest.mark.parametrize(
    "place",
    [(0, 0, 99), (0, 99, 0), (1, 0, 0), (-1, 0, 0), (0, 0, "1"), (0, 0, None), (True, 0, 0)],
)
def test_a_missing_cell_cannot_be_chosen(place):
    state, results, _ = page()
    found = section(state, results)
    found.table.receive(dict(zip(("table", "row", "column"), place, strict=True), type="choose"))
    assert state.selection is None


# -- the words in the picture ---------------------------------------------------------------------


def sent(board):
    """Return all properties that a browser receives."""
    messages = []
    board.component.connect(messages.append)
    board.component.receive({"type": "ready", "again": False})
    return messages


def test_the_words_are_sent_to_the_picture_which_makes_room_for_them_at_each_depth():
    state = AppState(catalog.first("phrases"))
    results = Results()
    view, keeper = ExploreView(state, results=results), LensView(state, results)
    messages = sent(view.board)
    assert not any(m["type"] == "lens" and m["json"] != "{}" for m in messages)
    header = HeaderView(state)
    header.show.receive({"type": "change", "name": "lens", "value": True})
    assert state.location.lens
    last = [json.loads(m["json"]) for m in messages if m["type"] == "lens"][-1]
    assert last == {row.path: list(row.words) for row in results.lens.value.rows}
    manifest = [json.loads(m["json"]) for m in messages if m["type"] == "manifest"][-1]
    assert manifest["whole"]["lens"]
    items = [item for part in manifest["whole"]["parts"] for item in part["items"]]
    roomy = [manifest["matrices"][i["strip"]]["path"] for i in items if i.get("lens")]
    assert roomy == list(last)
    header.show.receive({"type": "change", "name": "lens", "value": "yes"})
    assert state.location.lens
    assert keeper is not None


def test_the_picture_of_every_model_has_each_depth_of_the_lens():
    for changes in ({}, {"norm": "pre"}, {"residual": False}, {"decoder_layers": 0}):
        scenario = model_of(changes)
        trace = ForwardPassRunner().trace(scenario)
        paths = depths(trace, read_stack(scenario))
        manifest = picture.manifest(scenario, trace, 1, rows=picture.Rows(paths))
        items = [item for part in manifest["whole"]["parts"] for item in part["items"]]
        assert [
            manifest["matrices"][item["strip"]]["path"] for item in items if item.get("lens")
        ] == paths


def test_a_link_opens_the_lens_and_a_large_model_says_where_to_request_it():
    again = from_json(to_json(SavedSession(Scenario(), place=PageLocation(lens=True, word="noir"))))
    assert again.place == PageLocation(lens=True, word="noir")
    state = AppState(catalog.first("phrases"))
    results = Results()
    ExploreView(state, results=results)
    state.go("lens", True)
    results.lens = Result(is_offered=True)
    assert state.notice == explore.LARGE_LENS
