"""The picture of a row, a column and their products, compared with transformer_math."""

import numpy as np
import pytest
from tinkerformer.explain.arithmetic import MAX_LISTED
from tinkerformer.explain.strips import MAX_TERMS
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.scenario.scenario import Scenario

from tests.app.cells import details, gradient_details

PRODUCTS = {
    "encoder.0.self_attn.head.0.q": ("X[cat, ·]", "W₁^Q[·, k1]"),
    "encoder.0.self_attn.head.0.raw_scores": ("Q₁[cat, ·]", "K₁[cat, ·]"),
    "encoder.0.self_attn.head.0.context": ("A₁[cat, ·]", "V₁[·, v1]"),
    "encoder.0.feed_forward.hidden": None,
    "output.logits": None,
}


@pytest.mark.parametrize("path", PRODUCTS)
def test_the_products_and_the_bias_add_up_to_the_cell(path):
    runner, scenario = ForwardPassRunner(), Scenario()
    found = details(runner, scenario, path, 1, 1).get("strips")
    assert found is not None
    row, column = (np.array(found[side]["values"], float) for side in ("row", "column"))
    assert len(row) == len(column) == len(found["labels"])
    bias = found.get("bias", ("", 0.0))[1]
    expected = runner.trace(scenario)[path].value[1, 1]
    assert row @ column + bias == pytest.approx(expected, abs=1e-5)
    if names := PRODUCTS[path]:
        assert (found["row"]["name"], found["column"]["name"]) == names


@pytest.mark.parametrize(
    "path",
    ["encoder.0.self_attn.head.0.weights", "encoder.0.self_attn.norm", "source.sum", "source.W_e"],
)
def test_only_products_of_a_row_and_a_column_have_such_a_picture(path):
    assert not details(ForwardPassRunner(), Scenario(), path, 1, 1).get("strips")


def test_the_largest_products_are_drawn_and_the_sum_of_the_others():
    scenario = Scenario().with_setting("d_model", 64).with_setting("heads", 1)
    runner = ForwardPassRunner()
    found = details(runner, scenario, "encoder.0.self_attn.head.0.q", 1, 1)
    strips = found["strips"]
    assert strips is not None
    row, column = (np.array(strips[side]["values"], float) for side in ("row", "column"))
    assert len(row) == MAX_TERMS
    count, rest = strips["rest"]
    assert count == 64 - MAX_TERMS
    expected = runner.trace(scenario)["encoder.0.self_attn.head.0.q"].value[1, 1]
    assert row @ column + rest == pytest.approx(expected, abs=1e-5)
    assert len(found["operands"]) == MAX_LISTED
    assert found["more_operands"] == 2 * 64 - MAX_LISTED


def test_a_gradient_that_is_a_product_has_such_a_picture():
    runner = ForwardPassRunner()
    found = gradient_details(runner, Scenario(), "encoder.0.self_attn.head.0.W_v", 2, 1)
    strips, value = found.get("strips"), found.get("value")
    assert strips is not None
    row, column = (np.array(strips[side]["values"], float) for side in ("row", "column"))
    assert row @ column == pytest.approx(value, rel=1e-4)
