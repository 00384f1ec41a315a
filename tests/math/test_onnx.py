"""Cases of the ONNX standard: attention, layer norm, softmax, log-softmax, ReLU, GELU."""

from typing import Any

import numpy as np
import pytest

from tests.math.stored import load
from transformer_math import attention, masks, ops

TOLERANCE = {"rtol": 1e-5, "atol": 1e-6}


def cases(operator: str) -> list[Any]:
    """Return one pytest parameter for each case: its attributes and its tensors by ONNX name."""
    stored = load(f"onnx_{operator}")
    return [
        pytest.param(case["attributes"], stored.under(name), id=name)
        for name, case in stored.config["cases"].items()
    ]


def split_heads(x: np.ndarray, heads: int) -> np.ndarray:
    """(B, n, h·k) -> (B, h, n, k)"""
    return x.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)


@pytest.mark.parametrize("width", [np.float32, np.float64])
@pytest.mark.parametrize(("attributes", "tensors"), cases("attention"))
def test_attention(attributes: dict, tensors: dict[str, np.ndarray], width: type) -> None:
    q, k, v = (tensors[name].astype(width) for name in "QKV")
    together = q.ndim == 3
    if together:
        heads = attributes["q_num_heads"]
        q, k, v = (split_heads(x, heads) for x in (q, k, v))
    mask = np.zeros((q.shape[-2], k.shape[-2]), width)
    if "attn_mask" in tensors:
        given = tensors["attn_mask"]
        boolean = given.dtype == bool
        mask = masks.from_true_means_attend(given, width) if boolean else given.astype(width)
    if attributes.get("is_causal"):
        # Aligned at the first position, even with more keys than queries.
        rows, columns = np.indices((q.shape[-2], k.shape[-2]))
        mask = mask + masks.from_true_means_attend(columns <= rows, width)
    context, weights = attention.scaled_dot_product_attention(
        q, k, v, mask=mask, scale=attributes.get("scale")
    )
    assert context.dtype == weights.dtype == width
    if together:
        context = context.swapaxes(1, 2).reshape(tensors["Y"].shape)
    np.testing.assert_allclose(context, tensors["Y"], **TOLERANCE)
    sums = weights.sum(-1)
    assert np.all((np.abs(sums - 1) < 1e-5) | (sums == 0))


@pytest.mark.parametrize(("attributes", "tensors"), cases("layer_norm"))
def test_layer_norm_agrees_with_onnx(attributes: dict, tensors: dict[str, np.ndarray]) -> None:
    """ONNX normalizes over all axes from ``axis`` on; here these are one axis."""
    x = tensors["X"]
    axis = attributes.get("axis", -1) % x.ndim
    flat = x.reshape(*x.shape[:axis], -1) if axis else x.reshape(1, -1)
    found = ops.layer_norm(
        flat, tensors["W"].ravel(), tensors["B"].ravel(), attributes.get("epsilon", 1e-5)
    )
    np.testing.assert_allclose(found.reshape(x.shape), tensors["Y"], **TOLERANCE)


@pytest.mark.parametrize(("attributes", "tensors"), cases("softmax"))
def test_softmax_agrees_with_onnx(attributes: dict, tensors: dict[str, np.ndarray]) -> None:
    found = ops.softmax(tensors["x"], axis=attributes.get("axis", -1))
    np.testing.assert_allclose(found, tensors["y"], **TOLERANCE)


@pytest.mark.parametrize(("attributes", "tensors"), cases("log_softmax"))
def test_log_softmax_agrees_with_onnx(attributes: dict, tensors: dict[str, np.ndarray]) -> None:
    found = ops.log_softmax(tensors["x"], axis=attributes.get("axis", -1))
    np.testing.assert_allclose(found, tensors["y"], **TOLERANCE)


@pytest.mark.parametrize(("attributes", "tensors"), cases("relu"))
def test_relu_agrees_with_onnx(attributes: dict, tensors: dict[str, np.ndarray]) -> None:
    np.testing.assert_array_equal(ops.relu(tensors["x"]), tensors["y"])


@pytest.mark.parametrize(("attributes", "tensors"), cases("gelu"))
def test_gelu_agrees_with_onnx(attributes: dict, tensors: dict[str, np.ndarray]) -> None:
    function = ops.gelu_tanh if attributes.get("approximate") == "tanh" else ops.gelu
    np.testing.assert_allclose(function(tensors["x"]), tensors["y"], **TOLERANCE)
