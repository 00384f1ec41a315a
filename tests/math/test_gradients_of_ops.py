"""The rule for gradients of every op, compared with finite differences."""

import numpy as np
import pytest

from tests.math.directional import TOLERANCE
from tests.math.op_cases import CASES, OpCase, largest_error, op_classes
from transformer_math.graph.backward import sum_to_shape
from transformer_math.ops import Dropout, SinusoidalPositions
from transformer_math.ops.base import Leaf, Op
from transformer_math.ops.embedding import sum_by_id

WITH_A_RULE = {name: case for name, case in CASES.items() if case.learned}


def test_every_op_has_a_case() -> None:
    """Without and with a batch; leaves are excluded, because they are not computed."""
    for kind in op_classes() - {Leaf}:
        of_it = {name for name, case in CASES.items() if type(case.op) is kind}
        assert any("in a batch" in name for name in of_it), kind
        assert any("in a batch" not in name for name in of_it), kind


@pytest.mark.parametrize("name", WITH_A_RULE)
def test_the_rule_of_an_op_equals_finite_differences(name: str) -> None:
    for seed in range(3):
        assert largest_error(CASES[name], seed) < TOLERANCE


@pytest.mark.parametrize("name", CASES)
def test_a_rule_does_not_change_its_inputs_and_keeps_their_dtype(name: str) -> None:
    """Also in float32, where one double would slow down all later operations."""
    op, inputs, _ = CASES[name]
    if isinstance(op, Dropout):
        op = Dropout(op.rate, op.kept, np.dtype(np.float32))
    narrow = [x.astype(np.float32) if x.dtype.kind == "f" else x for x in inputs]
    output = op.forward(*narrow)
    if isinstance(op, SinusoidalPositions):
        return
    flow = np.ones_like(output)
    before = [array.copy() for array in (*narrow, output, flow)]
    for gradient in op.backward(flow, output, *narrow):
        assert gradient is None or gradient.dtype == np.float32
    for array, copy in zip((*narrow, output, flow), before, strict=True):
        np.testing.assert_array_equal(array, copy)


def test_given_tensors_have_no_gradient() -> None:
    """Masks, ids and fixed positions have none, and a leaf has no inputs."""
    for case in CASES.values():
        output = case.op.forward(*case.inputs)
        found = case.op.backward(np.ones_like(output), output, *case.inputs)
        assert [i for i, part in enumerate(found) if part is not None] == case.learned
    assert Leaf().backward(np.ones(3), np.ones(3)) == ()


def test_an_error_of_a_millionth_is_detected() -> None:
    """This tests the comparison itself."""
    case = CASES["Linear"]

    class Wrong(Op):
        def forward(self, *values: np.ndarray) -> np.ndarray:
            return case.op.forward(*values)

        def backward(self, g, output, *values):
            dx, dW = case.op.backward(g, output, *values)
            return dx, dW * (1 + 1e-5)

    assert 0.9e-5 < largest_error(OpCase(Wrong(), case.inputs)) < 1.1e-5


@pytest.mark.parametrize(
    ("shape", "extra"),
    [((5,), (3, 2)), ((2, 5), (3,)), ((1, 5), ()), ((2, 1), (3,)), ((), (3, 2, 5)), ((2, 5), ())],
)
def test_the_gradient_of_a_broadcast_is_a_sum(
    shape: tuple[int, ...], extra: tuple[int, ...]
) -> None:
    """The gradient of a broadcast number is the sum over all its repetitions."""
    full = (*extra, *(np.broadcast_shapes(shape, (2, 5)[len((2, 5)) - len(shape) :])))
    gradient = np.random.default_rng(0).normal(size=full)
    found = sum_to_shape(gradient, shape)
    assert found.shape == shape
    expected = np.zeros(shape)
    for index in np.ndindex(full):
        own = index[len(full) - len(shape) :]
        place = tuple(0 if n == 1 else i for i, n in zip(own, shape, strict=True))
        expected[place] += gradient[index]
    np.testing.assert_allclose(found, expected, rtol=1e-13)


def test_rows_are_summed_by_id() -> None:
    found = sum_by_id(np.array([4, 0, 4, 2, 4]), np.arange(10.0).reshape(5, 2), 6)
    expected = [[2, 3], [0, 0], [6, 7], [0, 0], [0 + 4 + 8, 1 + 5 + 9], [0, 0]]
    np.testing.assert_array_equal(found, expected)
