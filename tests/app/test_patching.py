import asyncio

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tinkerformer.experiments.depths import SIDES, depths, stacks
from tinkerformer.experiments.matching import match, sentence
from tinkerformer.experiments.patch_map import Asked, most_apart, site_map, words_apart
from tinkerformer.experiments.patching import MATRIX, NUMBER, ROW, patched
from tinkerformer.features.header.view import HeaderView
from tinkerformer.features.inspector.view import InspectorView
from tinkerformer.features.measure.patch import PatchSection
from tinkerformer.features.patch_map.view import PatchMapView
from tinkerformer.features.plane.view import PlaneView
from tinkerformer.files import catalog
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.matrices.address import PROBABILITIES, CellAddress
from tinkerformer.model.matrices.reader import MatrixReader
from tinkerformer.model.matrices.values import ScenarioTrace
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.session.address import page_address
from tinkerformer.session.offer import UNDO
from tinkerformer.session.results import Results
from tinkerformer.session.session_json import SavedSession, from_json, to_json
from tinkerformer.session.state import AppState
from tinkerformer.shell import create_page
from tinkerformer.transport.runtime.derived import COMPUTING_AGAIN

from tests.app.cells import cell_at

MEMORY = "encoder.0.feed_forward.norm"
CHANGES = {
    "usual": {},
    "pre-norm": {"norm": "pre"},
    "no residual": {"residual": False},
    "three layers": {"encoder_layers": "3", "decoder_layers": "3"},
    "encoder-only": {"decoder_layers": "0"},
    "decoder-only": {"encoder_layers": "0"},
    "no mask": {"causal_mask": False},
}


def passed(scenario: Scenario) -> ScenarioTrace:
    return ScenarioTrace(scenario, ForwardPassRunner().trace(scenario))


def sandbox(changes=None, **texts) -> Scenario:
    scenario = Scenario()
    for name, raw in (changes or {}).items():
        scenario = scenario.with_setting(name, raw)
    for side, words in texts.items():
        scenario = scenario.with_tokens(side, words.split())
    return scenario


def phrases(text: str) -> Scenario:
    return catalog.first("phrases").with_tokens("source", text.split())


def pair(changes=None):
    """Two texts of one model, whose vocabulary has the words of both."""
    answers = ["le", "chat", "chien", "est", "assis", "sur", "tapis"]
    whole = sandbox(changes).with_answers(["<sos>", "<eos>", *answers])
    if whole.settings.encoder_layers:
        now = whole.with_tokens("source", ["a", "b", "c"])
        then = whole.with_tokens("source", ["a", "c", "b"])
    else:
        now = then = whole
    if whole.settings.decoder_layers:
        now = now.with_tokens("target", ["<sos>", "le", "chat"])
        then = then.with_tokens("target", ["<sos>", "chat", "le"])
    return passed(now), passed(then)


EACH = pytest.mark.parametrize("changes", CHANGES.values(), ids=CHANGES)


@EACH
def test_patching_all_inputs_of_the_output_gives_the_answer_of_the_baseline(changes):
    now, then = pair(changes)
    *_, stack = stacks(now.scenario)
    last = depths(now.trace, stack)[-1]
    scenario = patched(now, then, cell_at(now.trace, last, 0, 0), MATRIX).scenario
    words, others = (each.scenario.output_vocabulary for each in (now, then))
    np.testing.assert_allclose(
        passed(scenario).trace[PROBABILITIES].value,
        then.trace[PROBABILITIES].value[:, [others.index(word) for word in words]],
        # With other words, the softmax adds in another order, which changes the last bits.
        rtol=0 if words == others else 1e-5,
    )


@EACH
def test_a_site_of_the_map_equals_the_pass_with_that_row_patched(changes):
    now, then = pair(changes)
    row = most_apart(now, then)
    asked = Asked(row, words_apart(now, then, row)[0])
    found = site_map(now, then, asked)
    column = now.scenario.output_vocabulary.index(asked.word)
    for site in found.rows:
        tokens = getattr(now.scenario, SIDES[site.stack])
        assert len(site.probabilities) == len(tokens)
        for at, probability in enumerate(site.probabilities):
            expected = found.now
            if (now.trace[site.path].value[at] != then.trace[site.path].value[at]).any():
                one = passed(patched(now, then, cell_at(now.trace, site.path, at, 0), ROW).scenario)
                expected = float(one.trace[PROBABILITIES].value[row, column])
            assert probability == pytest.approx(expected, abs=1e-6)
    last = found.rows[-1]
    assert found.shares(last)[row] == pytest.approx(1, abs=1e-3)


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_rows_of_texts_of_different_lengths_are_matched_by_their_tokens(data):
    words = st.lists(st.sampled_from(["the", "black", "white", "big", "cat", "dog"]), min_size=1)
    known = catalog.first("phrases").source_vocabulary
    first, second = (
        [word for word in data.draw(words)[:5] if word in known] or ["the"] for _ in range(2)
    )
    now, then = passed(phrases(" ".join(first))), passed(phrases(" ".join(second)))
    row = data.draw(st.integers(0, len(first) - 1))
    other = match(now.scenario, then.scenario, "source")[row]
    there = then.trace[MEMORY].value
    if other is None or np.array_equal(now.trace[MEMORY].value[row], there[other]):
        said = "matched to no token" if other is None else "same numbers"
        with pytest.raises(ValueError, match=said):
            patched(now, then, cell_at(now.trace, MEMORY, row, 0), ROW)
        return
    scenario = patched(now, then, cell_at(now.trace, MEMORY, row, 0), ROW).scenario
    expected = now.trace[MEMORY].value.copy()
    expected[row] = there[other]
    np.testing.assert_array_equal(passed(scenario).trace[MEMORY].value, expected)


def test_a_cell_without_a_partner_is_refused_in_a_sentence():
    now, then = passed(phrases("the black cat")), passed(phrases("the cat"))
    with pytest.raises(ValueError, match="“black” is matched to no token"):
        patched(now, then, cell_at(now.trace, MEMORY, 1, 0), ROW)
    found = patched(now, then, cell_at(now.trace, MEMORY, 1, 0), MATRIX)
    width = now.trace[MEMORY].shape[1]
    assert (found.taken, found.left) == (2 * width, width)
    assert "“black”" in sentence(now.scenario, then.scenario)
    assert not sentence(now.scenario, now.scenario)


@pytest.mark.parametrize(
    ("path", "said"), [("source.ids", "cannot set"), ("target.mask", "cannot set")]
)
def test_tensors_that_are_not_computed_are_refused(path, said):
    now, then = pair()
    with pytest.raises((ValueError, KeyError), match=said):
        patched(now, then, cell_at(now.trace, path, 0, 0), NUMBER)


def test_masked_scores_stay_masked_and_other_scores_are_patched():
    now, then = pair()
    path = "decoder.0.self_attn.head.0.masked_scores"
    scenario = patched(now, then, cell_at(now.trace, path, 1, 0), ROW).scenario
    values = passed(scenario).trace[path].value
    assert values[1, 2] == -np.inf
    np.testing.assert_array_equal(values[1], then.trace[path].value[1])


def test_a_row_of_a_table_is_patched_by_its_word_and_only_where_it_differs():
    then = sandbox().with_value("source.W_e", (1, 2), 0.5)
    then = then.with_value("source.W_e", (3, 0), -2)
    now = sandbox(source="the mat cat sat on the")
    word = then.source_vocabulary[1]
    row = now.source_vocabulary.index(word)
    found = patched(
        passed(now), passed(then), cell_at(passed(now).trace, "source.W_e", row, 0), ROW
    )
    assert [edit.place for edit in found.scenario.edits] == [(word, 2)]
    both = patched(
        passed(now), passed(then), cell_at(passed(now).trace, "source.W_e", row, 0), MATRIX
    ).scenario
    assert dict(both.edits) == dict(then.edits)


def test_models_of_different_sizes_and_equal_answers_are_refused():
    now, then = passed(sandbox()), passed(sandbox({"d_model": "16"}))
    with pytest.raises(ValueError, match="16 in the baseline"):
        patched(now, then, cell_at(now.trace, "encoder.0.feed_forward.norm", 0, 0), ROW)
    with pytest.raises(ValueError, match="other parts or sizes"):
        site_map(now, then, Asked(0, "le"))
    deeper = passed(sandbox({"encoder_layers": "2"}))
    with pytest.raises(ValueError, match="no such matrix"):
        patched(deeper, now, cell_at(deeper.trace, "encoder.1.feed_forward.norm", 0, 0), ROW)
    with pytest.raises(ValueError, match="the same probability"):
        site_map(now, now, Asked(0, "le"))


@pytest.mark.parametrize("layers", ["decoder_layers", "encoder_layers"])
def test_models_whose_outputs_read_different_stacks_are_refused(layers):
    whole, part = passed(sandbox()), passed(sandbox({layers: "0"}))
    for now, then in ((whole, part), (part, whole)):
        if layers == "encoder_layers" and now is part:
            continue  # the baseline has both stacks
        with pytest.raises(ValueError, match="other parts or sizes"):
            words_apart(now, then, len(now.scenario.target) - 1)
        with pytest.raises(ValueError, match="other parts or sizes"):
            most_apart(now, then)


def test_a_page_whose_model_loses_its_decoder_states_that_it_cannot_be_compared():
    page = create_page(scenario=Scenario(), address=page_address("view=measure"))
    state = page.state
    state.baseline = state.scenario
    state.change(state.scenario.with_setting("decoder_layers", 0))
    assert state.scenario.settings.decoder_layers == 0
    assert "other parts or sizes" in page.results.patch_map.problem


# -- on the page ----------------------------------------------------------------------------------


@pytest.fixture
def page():
    state = AppState()
    state.baseline = state.scenario
    state.change(phrases("the white cat sat on the mat").with_writing(True))
    return state, InspectorView(state)


def test_the_inspector_takes_a_row_of_the_baseline_in_one_step(page):
    state, view = page
    assert "blanc" in state.scenario.target
    state.selection = CellAddress(MEMORY, 1, 3)
    assert view.inspector.details["patches"]
    steps = len(state.history.past)
    view.inspector.receive({"type": "patch", "part": "row"})
    assert len(state.history.past) == steps + 1
    assert "noir" in state.scenario.target
    np.testing.assert_array_equal(state.trace[MEMORY].value[1], state.pinned.trace[MEMORY].value[1])
    assert state.trace[MEMORY].overridden[1].all()
    assert state.offer.what == UNDO
    again = from_json(to_json(SavedSession(state.scenario))).scenario
    np.testing.assert_array_equal(
        passed(again).trace[PROBABILITIES].value, state.trace[PROBABILITIES].value
    )
    state.undo()
    assert "blanc" in state.scenario.target
    assert not state.scenario.edits


@pytest.mark.parametrize(
    ("part", "has_baseline"),
    [("row", False), ("all", True), (None, True), (3, True), (["row"], True)],
)
def test_without_a_baseline_or_with_a_missing_part_nothing_happens(page, part, has_baseline):
    state, view = page
    state.selection = CellAddress(MEMORY, 1, 3)
    if not has_baseline:
        state.baseline = None
        assert "patches" not in view.inspector.details
    before = state.scenario
    view.inspector.receive({"type": "patch", "part": part})
    assert state.scenario is before


# -- the map, kept and shown ----------------------------------------------------------------------


def compared(now="the white cat sat on the mat", then="the black cat sat on the mat"):
    """A page in Experiments with a baseline; the results and the section."""
    state = AppState()
    state.change(phrases(then).with_writing(True))
    state.baseline = state.scenario
    state.change(phrases(now).with_writing(True))
    state.go("view", "measure")
    results = Results()
    keeper = PatchMapView(state, results)
    section = PatchSection(state, results, keeper.ask)
    section.show(True)
    return state, results, section


def written(state):
    return state.scenario.target, state.baseline.target


def field(form, name):
    return next((f for f in form.fields if f["name"] == name), None)


def test_the_map_is_requested_for_the_changed_word_and_equals_transformer_math():
    state, results, section = compared()
    assert field(section.form, "word")["value"] == "noir"
    assert state.scenario.target[field(section.form, "position")["value"]] == "chat"
    found = results.patch_map.result.value
    expected = site_map(ScenarioTrace(state.scenario, state.trace), state.pinned, found.asked)
    for row, other in zip(found.rows, expected.rows, strict=True):
        np.testing.assert_array_equal(row.probabilities, other.probabilities)
    encoder, decoder = section.table.tables
    # A column names both tokens if they differ.
    assert encoder["columns"] == ["the", "white ← black", *state.scenario.source[2:]]
    put = [f"{a} ← {b}" if a != b else a for a, b in zip(*written(state), strict=True)]
    assert decoder["columns"] == put
    texts = [[cell["text"] for cell in row["cells"]] for row in encoder["rows"]]
    shares = [found.shares(row) for row in found.rows if row.stack == "encoder"]
    assert texts == [[f"{x:.2f}".replace("-", "−") for x in row] for row in shares]


def test_another_position_and_another_word_can_be_chosen():
    state, results, section = compared()
    section.form.receive({"type": "change", "name": "word", "value": "blanc"})
    assert state.location.word == results.patch_map.asked.word == "blanc"
    section.form.receive({"type": "change", "name": "position", "value": 0})
    assert (state.location.asked, state.location.word) == (0, "")
    section.form.receive({"type": "change", "name": "position", "value": 77})
    assert state.location.asked == 0


def test_pressing_a_site_selects_it_and_patches_it_as_one_edit():
    state, results, section = compared()
    # The line for the result is there before, so that nothing moves.
    assert section.site.visible
    assert field(section.site, "patch")["disabled"]
    section.table.receive({"type": "choose", "table": 0, "row": 1, "column": 1})
    assert not field(section.site, "patch")["disabled"]
    assert "“black” of the baseline" in field(section.site, "said")["value"]
    path = "encoder.0.self_attn.norm"
    assert state.selection == (path, 1, 0)
    assert section.table.chosen == [0, 1, 1]
    assert "share 1.00" in field(section.site, "said")["value"]
    steps = len(state.history.past)
    section.site.receive({"type": "change", "name": "patch", "value": None})
    assert len(state.history.past) == steps + 1
    assert {edit.path for edit in state.scenario.edits} == {path}
    assert "noir" in state.scenario.target
    # The shown word stays the same, and is now as likely as in the baseline.
    assert results.patch_map.asked.word == "noir"
    assert "same probability" in results.patch_map.result.note
    state.undo()
    assert results.patch_map.result.value is not None


def test_without_a_baseline_the_map_explains_how_to_set_one_and_has_an_example():
    state = AppState()
    state.go("view", "measure")
    results = Results()
    PatchMapView(state, results)
    section = PatchSection(state, results, lambda: None)
    section.show(True)
    assert "Compare from here" in field(section.form, "said")["value"]
    assert not section.table.visible
    before = state.scenario
    section.form.receive({"type": "change", "name": "example", "value": None})
    assert state.baseline is before
    changed = [a for a, b in zip(before.source, state.scenario.source, strict=True) if a != b]
    assert len(changed) == 1
    assert section.table.visible


def test_for_texts_of_different_lengths_the_map_names_the_matched_tokens():
    _, _, section = compared(now="the big white cat sat on the mat")
    said = field(section.form, "said")["value"]
    assert "from both ends" in said
    assert "“big”" in said
    cells = section.table.tables[0]["rows"][0]["cells"]
    alone = [cell for cell in cells if cell["share"] is None]
    assert alone
    assert all("no token of the baseline is matched" in cell["title"] for cell in alone)
    at = cells.index(alone[0])
    section.table.receive({"type": "choose", "table": 0, "row": 0, "column": at})
    assert field(section.site, "patch")["disabled"]


def test_the_map_is_computed_only_while_it_is_visible():
    state, results, _ = compared()
    shown = results.patch_map
    state.go("view", "formulas")
    state.change(phrases("the red cat sat on the mat").with_writing(True))
    assert results.patch_map is shown
    state.change(state.scenario.with_view("plane", "patch"))
    assert results.patch_map is not shown


def test_a_large_model_is_compared_on_request(monkeypatch):
    monkeypatch.setattr("tinkerformer.model.inference.cost.UNASKED", 0)
    state, results, section = compared()
    assert results.patch_map.result.is_offered
    assert not section.table.visible
    section.form.receive({"type": "change", "name": "ask", "value": None})
    assert section.table.visible
    state.change(phrases("the red cat sat on the mat").with_writing(True))
    assert results.patch_map.result.is_offered


async def made(results):
    """Wait for the map."""
    for _ in range(500):
        if results.patch_map.result.status == "ready":
            return
        await asyncio.sleep(0.02)


def test_in_an_event_loop_only_the_last_of_several_maps_is_shown(monkeypatch):
    monkeypatch.setattr("tinkerformer.model.inference.cost.INLINE", 0)

    async def run():
        state, results, section = compared()
        await made(results)
        shown, before = [], section.table.tables
        results.param.watch(lambda event: shown.append(event.new.result), "patch_map")
        for words in ("the red", "the big white", "the"):
            state.change(phrases(f"{words} cat sat on the mat").with_writing(True))
            # Meanwhile the old map stays, with its own words and a note that it is outdated.
            assert section.table.tables == before
            assert section.table.pending == COMPUTING_AGAIN
        await made(results)
        return state, results, [each for each in shown if each.status == "ready"]

    state, results, shown = asyncio.run(run())
    expected = site_map(
        ScenarioTrace(state.scenario, state.trace), state.pinned, results.patch_map.asked
    )
    assert results.patch_map.result.value.now == expected.now
    assert len(shown) == 1


def test_a_map_that_fails_states_it_and_can_be_requested_again(monkeypatch):
    def breaks(*_):
        raise MemoryError

    async def run():
        for name in ("INLINE", "UNASKED"):
            monkeypatch.setattr(f"tinkerformer.model.inference.cost.{name}", 0)
        monkeypatch.setattr("tinkerformer.features.patch_map.view.site_map", breaks)
        _, results, section = compared()
        section.form.receive({"type": "change", "name": "ask", "value": None})
        assert "Computing" in field(section.form, "said")["value"]
        for _ in range(500):
            if results.patch_map.result.status == "failed":
                break
            await asyncio.sleep(0.01)
        return section

    section = asyncio.run(run())
    assert "not enough memory" in field(section.form, "said")["value"]
    assert "Computing" not in field(section.form, "said")["value"]
    assert field(section.form, "ask")


def test_a_canceled_map_ends_after_its_current_piece():
    now, then = (passed(phrases(f"the {word} cat sat")) for word in ("white", "black"))
    pieces = []

    def go_on():
        pieces.append(None)
        raise InterruptedError

    row = most_apart(now, then)
    with pytest.raises(InterruptedError):
        site_map(now, then, Asked(row, words_apart(now, then, row)[0]), go_on)
    assert len(pieces) == 1


def test_the_colors_give_each_row_its_share_and_other_cells_none():
    state, results, _ = compared()
    state.change(state.scenario.with_view("plane", "patch"))
    found = results.patch_map.result.value
    shares = {row.path: found.shares(row) for row in found.rows}
    reader = MatrixReader(state.shown, state.pinned, shares=shares)
    for path, share in shares.items():
        cells = reader.read(path)
        np.testing.assert_allclose(cells.gradients, np.repeat(share[:, None], 8, 1), rtol=1e-6)
        np.testing.assert_allclose(reader.read(f"{path}@1").gradients, cells.gradients[1:2])
        np.testing.assert_allclose(reader.read(f"{path}@overview").gradients, cells.gradients)
    assert np.isnan(reader.read("encoder.0.self_attn.head.0.W_q").gradients).all()
    assert np.isnan(reader.read(f"{PROBABILITIES}@likeliest").gradients).all()


def test_without_a_comparison_values_are_shown():
    state, results, _ = compared()
    header, line = HeaderView(state), PlaneView(state, results)
    line.show(True)
    state.change(state.scenario.with_view("plane", "patch"))
    assert "noir" in line.line.nothing
    assert "patch" in dict(field(header.show, "plane")["options"])
    header.show.receive({"type": "change", "name": "pin", "value": None})
    assert state.baseline is None
    assert state.scenario.view.plane == "value"
    assert "patch" not in dict(field(header.show, "plane")["options"])


MORE = {**CHANGES, "learned positions": {"positions": "learned"}, "tied": {"tie_output": True}}


@pytest.mark.parametrize("drops", [False, True], ids=["", "dropout"])
@pytest.mark.parametrize("words", ["a", "a b c"])
@pytest.mark.parametrize("changes", MORE.values(), ids=MORE)
def test_every_model_has_a_map_or_a_reason_for_having_none(changes, words, drops):
    scenario = Scenario().with_training(drops)
    for name, raw in changes.items():
        scenario = scenario.with_setting(name, raw)
    scenario = scenario.with_tokens("source", words.split()).with_tokens("target", words.split())
    page = create_page(scenario=scenario, address=page_address("view=measure"))
    state = page.state
    state.baseline = scenario
    side = "source" if scenario.settings.encoder_layers else "target"
    *front, _ = words.split()
    state.change(scenario.with_tokens(side, [*front, "zebra"]))
    if words == "a" and scenario.settings.decoder_layers == 0:
        assert "no word in common" in page.results.patch_map.problem
    elif words == "a" and scenario.settings.encoder_layers:
        # A single token may leave nothing to compare.
        assert (
            page.results.patch_map.result.value
            or "the same probability" in page.results.patch_map.result.note
        )
    else:
        assert page.results.patch_map.result.value is not None
    for row in (
        page.results.patch_map.result.value.rows if page.results.patch_map.result.value else ()
    ):
        assert np.isfinite(row.probabilities).all()
    assert page.results.lens.value.rows
    state.change(state.scenario.with_view("plane", "patch"))
    for view in ("whole", "stages", "attention", "experiments"):
        state.go("view", view)
    state.undo()
    state.undo()
    assert state.scenario.source == scenario.source
