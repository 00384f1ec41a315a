"""The explanation of a cell's gradient: its arithmetic, its operands, and what it means."""

import json

import numpy as np
import pytest
from tinkerformer.board import stages
from tinkerformer.explain import gradient, labels
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.matrices.values import matrix_shape
from tinkerformer.model.scenario.scenario import Scenario

from tests.app.cells import cell_at, details, gradient_details, operands
from tests.app.losses import EACH, SCENARIOS
from transformer_math import sweep


def walked(scenario):
    runner = ForwardPassRunner()
    return runner, runner.with_gradients(scenario)


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
def test_the_sentence_holds_when_the_number_is_moved(scenario):
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
        # A pass and a sweep are rounded otherwise: losses are told apart as finely as on the page.
        rounding = gradient.RESOLUTION * max(1, before)
        assert changes[0] == pytest.approx(found["value"] * gradient.STEP, rel=0.1, abs=rounding)
        if found["exact"]:
            assert found["exact"] == pytest.approx(changes, rel=0.05, abs=rounding)


def test_what_is_told_of_a_cell():
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
def test_what_is_said_of_special_cells(path, sentence):
    found = gradient_details(ForwardPassRunner(), Scenario(), path, 0, 0)
    assert sentence in found["note"]
    assert ("value" in found) == (path != "target.mask")


def test_a_product_with_a_difference_is_written_with_parentheses():
    found = gradient_details(ForwardPassRunner(), Scenario(), "output.logits", 1, 2)
    assert found["arithmetic"][1] == "= ∂ℓ[chat]·(p − 0)"


def test_the_loss_of_thousands_of_words_is_told_briefly(monkeypatch):
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


def test_the_names_of_gradients():
    assert labels.plain(r"\partial W_{1}^{Q}") == "∂W₁^Q"
    assert labels.plain(r"\partial \mathrm{loss}") == "∂loss"


def test_what_is_lost_in_single_precision_is_not_given_as_a_change():
    """Of the cells of W^Q and W^K, some move the loss by less than it is computed to."""
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
