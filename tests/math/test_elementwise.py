import numpy as np
import pytest

from tests.math.tiny import SOURCE, TARGET, tiny
from transformer_math import Trace, Transformer, explain, explain_gradient
from transformer_math.graph.backward import gradients
from transformer_math.layers import Layers
from transformer_math.ops import Elementwise, Labels
from transformer_math.ops.base import Gradients
from transformer_math.ops.expression import Number

PATH = "output.warped_logits"


class Warp(Elementwise):
    """x² exp(−x / 2) + 1 − tanh(x), which uses every kind of expression."""

    def forward(self, x: np.ndarray) -> np.ndarray:
        y: np.ndarray = x**2 * np.exp(np.float32(-0.5) * x) + 1 - np.tanh(x) / 1
        return y

    def backward(self, g: np.ndarray, output: np.ndarray, *values: np.ndarray) -> Gradients:
        (x,) = values
        return (g * ((2 * x - 0.5 * x**2) * np.exp(-0.5 * x) - (1 - np.tanh(x) ** 2)),)

    def latex(self, x: str) -> str:
        return rf"\mathrm{{warp}}({x})"


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Transformer:
    """Return a model with warped logits, under a path that ``TENSORS`` does not have."""
    output = Layers.output

    def warped(self, scope, x, tied):
        return scope("warped_logits", Warp(), output(self, scope, x, tied))

    monkeypatch.setattr(Layers, "output", warped)
    return tiny()


def run(model: Transformer, **settings) -> Trace:
    return model(SOURCE, TARGET, labels=Labels([3, 4, 5]), **settings)


def test_a_cell_of_an_elementwise_operation_is_explained_by_its_rule(model: Transformer) -> None:
    trace = run(model)
    how = explain(trace, PATH, (1, 2))
    assert how.evaluate() == pytest.approx(trace[PATH].value[1, 2])
    x = "logits[1, 2]"
    assert how.symbols() == f"{x}·{x}·exp((−0.5)·{x}) + 1 − tanh({x}) / 1"
    assert [cell.index for cell in how.operands()] == [(1, 2)] * 4


def test_a_gradient_of_an_elementwise_operation_is_explained_by_it(model: Transformer) -> None:
    trace = run(model)
    found = gradients(trace)
    trace.backward()
    why = explain_gradient(trace, "output.logits", (1, 2))
    assert why.evaluate() == pytest.approx(found["output.logits"][1, 2])
    assert "∂warped_logits[1, 2]·" in why.symbols()


@pytest.mark.parametrize("batch", [None, 2])
def test_a_path_without_an_entry_has_the_axes_of_the_first_input(
    model: Transformer, batch: int | None
) -> None:
    ids = [[SOURCE] * 2, [TARGET] * 2] if batch else [SOURCE, TARGET]
    trace = model(*ids)
    assert trace[PATH].dims == trace["output.logits"].dims
    assert trace[PATH].symbol == r"\mathrm{warped\,logits}"
    cells = {PATH: {(1, 2): 7.0}}
    changed = model.logits(*ids, overrides=cells)
    np.testing.assert_array_equal(changed, model(*ids, overrides=cells)[PATH].value)
    assert (changed[..., 1, 2] == 7).all()


def test_an_unsupported_operation_raises_an_error() -> None:
    with pytest.raises(TypeError):
        np.maximum(Number(1.0, "1"), 0)
    with pytest.raises(TypeError):
        np.add.reduce(Number(1.0, "1"))
