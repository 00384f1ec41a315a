from typing import Any

import numpy as np
import pytest

from tests.math.gradient_cases import SETTINGS, example
from tests.math.tiny import VARIANTS
from transformer_math import Trace
from transformer_math.explain import explain_gradient
from transformer_math.graph.backward import LOSS
from transformer_math.ops.expression import Cell, Expression
from transformer_math.ops.tensor import head_path

WEIGHTS = "decoder.0.cross_attn.weights"
SMOOTHED = {"smoothing": 0.1, "form": "torch"}
OVERRIDES: dict[str, Any] = {
    "encoder.0.self_attn.head.1.scores": {(2, 1): 0.3},
    WEIGHTS: {(0, 1, 0): 0.9, (1, 3, 2): -0.4},
    "decoder.0.self_attn.norm": {(1, 4): 2.0},
    "encoder.0.self_attn.W_v": {(0, 1, 1): 1.3},
    "decoder.0.feed_forward.hidden": np.linspace(-2, 2, 44).reshape(4, 11),
}
# Together these have every op, and each case of its rule.
CASES: dict[str, tuple[str, bool, dict[str, Any]]] = {
    "padded": ("padded", True, {}),
    "biases, GELU, pre-norm, dropout": ("pre", False, SETTINGS["with dropout"]),
    "tied, smoothed as in PyTorch": ("tied", True, SMOOTHED),
    "learned positions, dropout": ("learned_positions", False, SETTINGS["with dropout"]),
    "own widths, smoothed as in the paper": ("own_widths", True, {"smoothing": 0.1}),
    "encoder only": ("encoder_only", True, {}),
    "overridden": ("post", True, {"overrides": OVERRIDES}),
}


def traced(variant: str, padded: bool, settings: dict[str, Any]) -> Trace:
    trace = example(variant, padded=padded).run(**settings)
    trace.backward()
    return trace


def cells(trace: Trace) -> list[tuple[str, tuple[int, ...]]]:
    """Yield every cell that has a gradient."""
    return [
        (path, index)
        for path in trace.paths()
        if trace[path].grad is not None
        for index in np.ndindex(trace[path].shape)
    ]


def check_operands(trace: Trace, path: str, tree: Expression) -> None:
    """Check that the operands are gradients of later tensors, and values of their other inputs."""
    readers = {name for name, t in trace.tensors.items() if any(s is trace[path] for s in t.inputs)}
    read = {source.path for name in readers for source in trace[name].inputs} | readers
    for cell in tree.operands():
        tensor = trace[cell.tensor.path]
        overridden = tensor.overridden is not None and tensor.overridden[cell.index]
        if is_gradient(cell):
            assert tensor.path in readers
            assert cell.evaluate() == (0 if overridden else tensor.grad[cell.index])
        else:
            assert tensor.path in read
            if not overridden:
                assert cell.evaluate() == tensor.value[cell.index]


def is_gradient(cell: Cell) -> bool:
    return cell.tensor.symbol.startswith(r"\partial ")


@pytest.mark.parametrize("name", CASES)
def test_every_gradient_equals_its_explanation(name: str) -> None:
    trace = traced(*CASES[name])
    random = np.random.default_rng(0)
    for path, index in cells(trace):
        tree = explain_gradient(trace, path, index)
        expected = float(trace[path].grad[index])
        assert tree.evaluate() == pytest.approx(expected, rel=1e-12, abs=1e-12), (path, index)
        if random.random() < 0.03:
            check_operands(trace, path, tree)
            check_texts(tree)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_corner_of_every_tensor_is_explained(variant: str) -> None:
    trace = traced(variant, True, {**SETTINGS["with dropout"], "smoothing": 0.1})
    for path in trace.paths():
        tensor = trace[path]
        if tensor.grad is not None:
            last = tuple(n - 1 for n in tensor.shape)
            for index in (last, tuple(n // 2 for n in tensor.shape)):
                found = explain_gradient(trace, path, index).evaluate()
                assert found == pytest.approx(float(tensor.grad[index]), rel=1e-12, abs=1e-12)


def check_texts(tree: Expression) -> None:
    """The text has ∂ before each gradient, and is one line without code."""
    whole = tree.symbols(fold=None)
    for cell in tree.operands():
        assert (f"∂{cell.tensor.path.rpartition('.')[2]}[" in whole) or not is_gradient(cell)
    for text in (whole, tree.symbols(), tree.numbers(), tree.numbers(fold=None)):
        assert text
        assert not any(word in text for word in ("nan", "inf", "None", "np.", "<", "\n"))


def test_a_product_is_explained_by_the_gradient_and_the_weights() -> None:
    trace = traced("post", False, {})
    path = "decoder.0.feed_forward.activation_dropout"
    text = explain_gradient(trace, path, (1, 3)).symbols(fold=None)
    assert text == " + ".join(f"∂out[1, {j}]·W_2[3, {j}]" for j in range(6))
    weight = explain_gradient(trace, "decoder.0.feed_forward.W_2", (3, 2)).symbols(fold=None)
    assert weight == " + ".join(f"activation_dropout[{n}, 3]·∂out[{n}, 2]" for n in range(4))


def test_a_cell_of_a_head_and_that_of_the_stack_have_the_same_explanation() -> None:
    trace = traced("post", False, {})
    for path in (WEIGHTS, "encoder.0.self_attn.W_q"):
        whole = explain_gradient(trace, path, (1, 2, 0))
        head = explain_gradient(trace, head_path(path, 1), (2, 0))
        assert head.symbols(fold=None) == whole.symbols(fold=None)


def test_the_gradient_of_the_loss_is_1_and_tensors_without_effect_on_it_have_none() -> None:
    trace = traced("post", False, {})
    assert explain_gradient(trace, LOSS, ()).evaluate() == 1
    idle = explain_gradient(trace, "output.probabilities", (0, 0))
    assert (idle.evaluate(), list(idle.operands())) == (0, [])
    assert "does not depend" in idle.numbers()


def test_before_an_overridden_array_the_gradient_is_0() -> None:
    memory = np.ones((5, 6))
    trace = traced("post", False, {"overrides": {"encoder.0.feed_forward.norm": memory}})
    tree = explain_gradient(trace, "encoder.0.feed_forward.residual", (1, 1))
    assert (tree.evaluate(), list(tree.operands())) == (0, [])
