"""Gradients on the page: the backward pass and its arithmetic, compared with transformer_math."""

import json

import numpy as np
import pytest
from tinkerformer.board import stages
from tinkerformer.explain import gradient, labels
from tinkerformer.features.exports.view import ExportsView, _values
from tinkerformer.features.header.view import HeaderView
from tinkerformer.files import csv
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.matrices.address import CellAddress
from tinkerformer.model.matrices.gradients import GradientSweep, matrix_gradient
from tinkerformer.model.matrices.values import matrix_shape, matrix_values
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.session.state import AppState

from tests.app.cells import cell_at, details, gradient_details, operands
from tests.app.losses import EACH, SCENARIOS
from transformer_math import Labels, Transformer, sweep
from transformer_math.ops.tensor import head_path


def walked(scenario):
    runner = ForwardPassRunner()
    return runner, runner.with_gradients(scenario)


def drawings(trace):
    """Yield every drawn path, one for each head."""
    for path, tensor in trace.tensors.items():
        if tensor.dims[:1] == ("head",):
            yield from (head_path(path, k) for k in range(tensor.shape[0]))
        elif not path.endswith((".ids", ".labels")):
            yield path


# -- the backward pass -----------------------------------------------------------------------------


def reference(scenario):
    """Return the gradients that transformer_math computes alone."""
    model = Transformer.create(
        scenario.config, scenario.settings.seed, scenario.source_vocabulary,
        scenario.target_vocabulary,
    )  # fmt: skip
    trace = model(
        *scenario.inputs, training=scenario.training,
        seed=scenario.mask_seed, overrides=scenario.overrides(),
        labels=Labels(scenario.labels(), scenario.settings.label_smoothing),
    )  # fmt: skip
    trace.backward()
    return trace


@EACH
def test_every_matrix_is_shown_with_its_gradient(scenario):
    _, trace = walked(scenario)
    expected = reference(scenario)
    met = 0
    for path in drawings(trace):
        shown = matrix_gradient(trace, path)
        assert shown.shape == matrix_shape(trace[path])
        if path.endswith(".mask"):
            assert np.isnan(shown).all()
        elif path in expected:
            np.testing.assert_array_equal(shown, expected[path].grad.reshape(shown.shape))
            met += 1
        else:
            assert ".unprojected." in path
            assert not shown.any()
    assert met > 25


def test_parts_of_a_matrix_have_the_gradient_of_their_cells():
    scenario, (_, trace) = Scenario(), walked(Scenario())
    whole = matrix_gradient(trace, "encoder.0.self_attn.head.1.q")
    np.testing.assert_array_equal(
        matrix_gradient(trace, "encoder.0.self_attn.head.1.q@2"), whole[2:3]
    )
    score = matrix_gradient(trace, "encoder.0.self_attn.head.1.raw_scores@2,4")
    products = matrix_gradient(trace, "encoder.0.self_attn.head.1.pair@2,4")
    assert (
        products.shape
        == matrix_values(scenario, trace, "encoder.0.self_attn.head.1.pair@2,4")[0].shape
    )
    assert (products == score).all()
    overview = matrix_gradient(trace, "source.W_e@overview")
    np.testing.assert_array_equal(overview, matrix_gradient(trace, "source.W_e"))


def test_the_backward_pass_runs_once_and_only_on_request():
    runner, scenario = ForwardPassRunner(), Scenario()
    trace = runner.trace(scenario)
    assert not runner.has_gradients(scenario)
    first_walk = runner.with_gradients(scenario)[("source.W_e")].grad
    assert runner.with_gradients(scenario)["source.W_e"].grad is first_walk
    assert runner.trace(scenario) is trace
    assert not runner.has_gradients(scenario.with_value("source.W_e", (0, 0), 1))


@pytest.mark.parametrize(
    ("path", "index"),
    [
        ("source.W_e", (1, 3)),
        ("encoder.0.feed_forward.b_1", (4,)),
        ("decoder.0.cross_attn.head.1.W_k", (2, 1)),
        ("encoder.0.self_attn.head.1.weights", (2, 1)),
        ("output.logits", (1, 2)),
    ],
)
def test_frames_of_an_oscillation_equal_the_gradients_of_separate_passes(path, index):
    scenario, (_, trace) = Scenario(), walked(Scenario())
    settings = [-2.0, 0.25, 3.0]
    cell = cell_at(trace, path, *(0, *index)[-2:])
    swept = GradientSweep(trace, cell, settings, list(trace.tensors))
    for t, value in enumerate(settings):
        _, there = walked(scenario.with_value(path, index, value))
        for drawn_path in drawings(there):
            frames = swept.frames(drawn_path)
            if drawn_path.endswith(".mask"):
                assert frames is None
                continue
            expected = matrix_gradient(there, drawn_path)
            np.testing.assert_allclose(frames[t], expected, atol=2e-6, err_msg=drawn_path)


# -- header and files ------------------------------------------------------------------------------


def test_the_header_offers_values_and_gradients_and_with_a_baseline_changes():
    state = AppState()
    view = HeaderView(state)

    def options():
        field = next(field for field in view.show.fields if field["name"] == "plane")
        return [value for value, _ in field["options"]]

    assert options() == ["value", "gradient"]
    view.show.receive({"type": "change", "name": "pin"})
    assert options() == ["value", "gradient", "change", "patch"]
    assert state.scenario.view.plane == "change"
    view.show.receive({"type": "change", "name": "plane", "value": "gradient"})
    view.show.receive({"type": "change", "name": "pin"})
    assert state.scenario.view.plane == "gradient"
    assert state.history.past == []


def test_a_matrix_is_exported_as_it_is_shown():
    state = AppState()
    state.selection = CellAddress("source.embedding", 0, 0)
    view = ExportsView(state)
    assert view._make("npy", "source.embedding").make().name == "source.embedding.npy"
    state.scenario = state.scenario.with_view("plane", "gradient")
    _, trace = walked(state.scenario)
    file = view._make("npy", "source.embedding").make()
    assert file.name == "source.embedding.gradient.npy"
    assert file.data.endswith(trace["source.embedding"].grad.tobytes())
    table = view._make("csv", "source.embedding").make()
    assert table.name == "source.embedding.gradient.csv"
    rows = table.data.decode("utf-8-sig").splitlines()
    assert rows[0].startswith("∂loss/∂E,d0,")
    assert float(rows[1].split(",")[1]) == pytest.approx(trace["source.embedding"].grad[0, 0])
    with pytest.raises(ValueError, match="no gradient"):
        view._make("csv", "target.mask").make()
    values, _, second = _values(state.shown, ["source.sum"])["source.sum"]
    assert values == trace["source.sum"].value.tobytes()
    assert second == trace["source.sum"].grad.tobytes()
    assert csv.harmless("∂loss/∂E") == "∂loss/∂E"


# -- the explanation of a cell's gradient ----------------------------------------------------------


@EACH
def test_the_arithmetic_of_every_matrix_gives_its_gradient(scenario):
    _, trace = walked(scenario)
    on_board = {m["path"] for m in stages.manifest(scenario, trace, 1)["matrices"]}
    for path in on_board - {"@0+1,0+1"}:
        tensor = trace[path]
        if tensor.grad is None:
            continue
        rows, columns = matrix_shape(tensor)
        for row, column in {(0, 0), (rows - 1, columns - 1), (rows // 2, columns // 2)}:
            cell = cell_at(trace, path, row, column)
            expected = float(tensor.grad[cell.index])
            found = gradient.explained(trace, cell.stored, cell.full).evaluate()
            assert found == pytest.approx(expected, rel=2e-3, abs=2e-6), (path, row, column)
            for at, i, j, i2, j2 in gradient.operands(trace, cell):
                assert at in on_board, f"{path} leads to {at}, which is not drawn"
                last = matrix_shape(trace[at])
                assert 0 <= i <= i2 < last[0]
                assert 0 <= j <= j2 < last[1]


@EACH
def test_the_sentence_on_a_gradient_predicts_the_change_of_the_loss(scenario):
    runner, trace = walked(scenario)
    before = float(trace["output.loss"].value)
    table = "target.W_e" if scenario.settings.decoder_layers else "source.W_e"
    for path, row, column in ((table, 0, 1), ("output.logits", 1, 1)):
        found = gradient_details(runner, scenario, path, row, column)
        cell = cell_at(trace, path, row, column)
        changes = []
        for step in (gradient.STEP, -gradient.STEP):
            moved = ForwardPassRunner().trace(
                scenario.with_value(path, cell.index, cell.value + step)
            )
            changes.append(float(moved["output.loss"].value) - before)
        # A pass and a sweep round differently, so the losses are compared to the page's precision.
        rounding = gradient.RESOLUTION * max(1, before)
        assert changes[0] == pytest.approx(found["value"] * gradient.STEP, rel=0.1, abs=rounding)
        if found["exact"]:
            assert found["exact"] == pytest.approx(changes, rel=0.05, abs=rounding)


def test_the_explanation_of_a_gradient_has_symbols_and_numbers():
    scenario = Scenario()
    found = gradient_details(ForwardPassRunner(), scenario, "encoder.0.self_attn.head.1.W_q", 0, 1)
    assert found["symbol"] == r"\frac{\partial\,\mathrm{loss}}{\partial W_{2}^{Q}}"
    first_line, symbols, numbers = found["arithmetic"]
    assert first_line == "∂W₂^Q[d0, k1]"
    assert symbols.startswith("= X[the, d0]·∂Q₂[the, k1] + X[cat, d0]·∂Q₂[cat, k1] + ")
    assert numbers.startswith("≈ 1.25·(−0.00161) + ")
    assert "Q₂ is computed from this number" in found["note"]
    operand = next(o for o in found["operands"] if o["name"] == "∂Q₂[the, k1]")
    assert (operand["path"], operand["i"], operand["j"]) == ("encoder.0.self_attn.head.1.q", 0, 1)
    json.dumps(found, allow_nan=False)


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("target.mask", "no gradient"),
        ("output.loss", "All gradients are gradients of this number"),
        ("output.probabilities", "from the logits"),
        ("source.unprojected.weights", "The loss does not depend on this number"),
        ("source.sum", "Q, K, V and R_a are computed"),
    ],
)
def test_special_cells_have_a_sentence_on_their_gradient(path, sentence):
    found = gradient_details(ForwardPassRunner(), Scenario(), path, 0, 0)
    assert sentence in found["note"]
    assert ("value" in found) == (path != "target.mask")


def test_a_product_with_a_difference_is_written_with_parentheses():
    found = gradient_details(ForwardPassRunner(), Scenario(), "output.logits", 1, 2)
    assert found["arithmetic"][1] == "= ∂ℓ[chat]·(p − 0)"


def test_the_loss_of_thousands_of_words_is_explained_briefly(monkeypatch):
    from tinkerformer.explain import value

    whole = details(ForwardPassRunner(), Scenario(), "output.token_loss", 0, 1)
    monkeypatch.setattr(value, "MAX_SOFTMAX_WIDTH", 3)
    for scenario in (Scenario(), SCENARIOS["smoothed"], SCENARIOS["padded"]):
        found = details(ForwardPassRunner(), scenario, "output.token_loss", 0, 1)
        assert len(found["arithmetic"]) == 3
    assert (
        details(ForwardPassRunner(), Scenario(), "output.token_loss", 0, 1)["arithmetic"][2]
        == whole["arithmetic"][2]
    )
    boxes = operands(ForwardPassRunner().trace(Scenario()), "output.token_loss", 0, 1)
    assert boxes == [("output.logits", 1, 0, 1, 7)]


def test_gradients_are_named_by_the_symbol_of_their_matrix():
    assert labels.plain(r"\partial W_{1}^{Q}") == "∂W₁^Q"
    assert labels.plain(r"\partial \mathrm{loss}") == "∂loss"


def test_rounding_in_single_precision_is_not_shown_as_a_change_of_the_loss():
    """Some cells of W^Q and W^K change the loss by less than its precision."""
    trace = walked(Scenario())[1]
    loss = float(trace["output.loss"].value)
    lost = 0
    heads = [f"decoder.0.self_attn.head.{k}.W_{of}" for k in (0, 1) for of in "qk"]
    cells = [(head, index) for head in heads for index in np.ndindex(trace[head].shape)]
    for path, index in cells:
        now = float(trace[path].value[index])
        settings = [now, now + gradient.STEP, now - gradient.STEP]
        before, *after = sweep(trace, path, index, settings)["output.loss"].value.tolist()
        largest = max(abs(x - before) for x in after)
        is_lost = largest < 2e-6 * max(1, loss)
        lost += is_lost and largest > 0
        assert (gradient.exact(trace, path, index) is None) == is_lost
    assert lost > 0


def test_probabilities_have_no_gradient_and_the_page_says_why():
    runner, scenario = ForwardPassRunner(), Scenario()
    found = gradient_details(runner, scenario, "output.probabilities", 1, 2)
    assert found["value"] == 0
    assert found["note"].startswith("Its gradient is 0: the loss is computed from the logits")
    manifest = stages.manifest(scenario, runner.trace(scenario), 1)
    captions = [row["caption"] or "" for row in manifest["stages"][-1]["rows"]]
    assert any("from the logits" in c and "their gradients are 0" in c for c in captions)
