"""Adam and clipping: the steps of PyTorch, the cases of ONNX, and general properties."""

import math
from typing import Any

import numpy as np
import pytest

from tests.math.stored import load
from transformer_math.training.optimizer import Adam, clip_gradient, update
from transformer_math.training.parameter_vector import ParameterVector

TORCH = load("torch_adam")
ONNX = load("onnx_adam")
STEPS = len(TORCH.arrays["rates"])


def initial(width: str) -> ParameterVector:
    return ParameterVector(
        {name: array.astype(width) for name, array in TORCH.under("initial").items()}
    )


def gradient(packed: ParameterVector, step: int) -> np.ndarray:
    """Return a step's gradient; parameters without one are omitted, as in a backward pass."""
    arrays = {name: array[step] for name, array in TORCH.under("gradients").items()}
    return packed.gather({name: array for name, array in arrays.items() if array.any()})


@pytest.mark.parametrize(("width", "tolerance"), [("float64", 1e-14), ("float32", 2e-6)])
@pytest.mark.parametrize("case", TORCH.config["cases"])
def test_steps_equal_those_of_torch(case: str, width: str, tolerance: float) -> None:
    packed = initial(width)
    adam = Adam(packed.flat, *TORCH.config["cases"][case])
    for step in range(STEPS):
        adam.step(packed.flat, gradient(packed, step), TORCH.arrays["rates"][step])
        for name, expected in TORCH.under(f"{case}/parameters").items():
            np.testing.assert_allclose(
                packed.arrays[name], expected[step], rtol=tolerance, atol=tolerance
            )
    state = adam.state()
    assert state.steps == STEPS
    for moment, flat in (("m", state.m), ("v", state.v)):
        assert flat.dtype == width
        for name, expected in TORCH.under(f"{case}/{moment}").items():
            scale = np.abs(expected).max()
            np.testing.assert_allclose(
                packed.views(flat)[name], expected, rtol=0, atol=tolerance * scale
            )


@pytest.mark.parametrize("name", ONNX.config["cases"])
def test_steps_equal_the_cases_of_onnx(name: str) -> None:
    """ONNX corrects only the bias of the rate, and adds norm_coefficient · X to the gradient."""
    tensors = ONNX.under(name)
    settings: dict[str, Any] = ONNX.config["cases"][name]["attributes"]
    alpha, beta, count = settings["alpha"], settings["beta"], int(tensors["T"])
    rate = float(tensors["R"])
    if count:
        rate *= math.sqrt(1 - beta**count) / (1 - alpha**count)
    suffixes = [key[1:] for key in tensors if key.startswith("X") and not key.endswith("_new")]
    assert suffixes
    for n in suffixes:
        x, v, h = (tensors[letter + n].copy() for letter in "XVH")
        regularized = settings["norm_coefficient"] * x + tensors[f"G{n}"]
        update(
            x,
            regularized,
            v,
            h,
            beta_1=alpha,
            beta_2=beta,
            epsilon=settings["epsilon"],
            learning_rate=rate,
            scratch=np.empty_like(x),
        )
        for found, letter in ((x, "X"), (v, "V"), (h, "H")):
            np.testing.assert_allclose(found, tensors[f"{letter}{n}_new"], rtol=1e-6, atol=1e-7)


def test_a_saved_optimizer_continues_bit_for_bit() -> None:
    whole, half = initial("float32"), initial("float32")
    one, two = Adam(whole.flat), Adam(half.flat)
    for step in range(4):
        for packed, adam in ((whole, one), (half, two)):
            adam.step(packed.flat, gradient(packed, step), 0.01)
    saved = two.state()
    two.step(half.flat.copy(), gradient(half, 0), 1.0)  # this does not change the copied state
    resumed = Adam(half.flat)
    resumed.load(saved)
    for step in range(4, STEPS):
        for packed, adam in ((whole, one), (half, resumed)):
            adam.step(packed.flat, gradient(packed, step), 0.01)
    np.testing.assert_array_equal(half.flat, whole.flat)
    assert not np.array_equal(whole.flat, initial("float32").flat)


def test_a_step_does_not_change_the_gradient_and_keeps_the_dtype() -> None:
    x, g = np.ones(5, np.float32), np.full(5, 0.3, np.float32)
    adam = Adam(x)
    adam.step(x, g, np.float64(0.1))
    np.testing.assert_array_equal(g, np.full(5, 0.3, np.float32))
    assert x.dtype == adam.state().m.dtype == np.float32


@pytest.mark.parametrize("rate", [-1e-9, math.nan, math.inf])
def test_an_invalid_rate_is_refused_and_changes_nothing(rate: float) -> None:
    x = np.ones(3)
    adam = Adam(x)
    with pytest.raises(ValueError, match="learning_rate"):
        adam.step(x, np.ones(3), rate)
    assert adam.steps == 0
    np.testing.assert_array_equal(x, 1)


@pytest.mark.parametrize(("width", "tolerance"), [("float64", 1e-15), ("float32", 1e-6)])
@pytest.mark.parametrize("n", range(len(TORCH.config["clip_limits"])))
def test_clipping_equals_that_of_torch(n: int, width: str, tolerance: float) -> None:
    case = TORCH.under(f"clip/{n}")
    found = case["before"].astype(width)
    norm = clip_gradient(found, TORCH.config["clip_limits"][n])
    assert found.dtype == width
    assert norm == pytest.approx(case["norm"].item(), rel=tolerance)
    np.testing.assert_allclose(found, case["after"], rtol=tolerance, atol=tolerance)


def test_a_small_gradient_is_not_changed() -> None:
    found = np.array([0.3, 0.4])
    assert clip_gradient(found, 1.0) == pytest.approx(0.5)
    np.testing.assert_array_equal(found, [0.3, 0.4])
    assert clip_gradient(found, math.inf) == pytest.approx(0.5)
    np.testing.assert_array_equal(found, [0.3, 0.4])


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_the_norm_of_a_gradient_with_nan_is_not_finite(bad: float) -> None:
    found = np.array([1.0, bad, 2.0], np.float32)
    assert not math.isfinite(clip_gradient(found, 1.0))
    np.testing.assert_array_equal(found, np.array([1.0, bad, 2.0], np.float32))


def test_a_huge_gradient_has_a_finite_norm() -> None:
    """Its squares overflow in float32, but its norm does not."""
    found = np.array([3e30, 4e30], np.float32)
    assert clip_gradient(found, 1.0) == pytest.approx(5e30)
    np.testing.assert_allclose(found, [0.6, 0.8], rtol=1e-6)
