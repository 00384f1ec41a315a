"""The cross-entropy: cases of the ONNX standard and of PyTorch, and its definition."""

from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tests.math.stored import load
from tests.math.tiny import SOURCE, TARGET, tiny
from transformer_math import Labels, explain, explain_gradient, ops
from transformer_math.ops.loss import cross_entropy

Form = Literal["paper", "torch"]
FORMS: tuple[Form, ...] = ("paper", "torch")
TOLERANCE = {"rtol": 1e-5, "atol": 1e-6}
ONNX = load("onnx_cross_entropy")


def onnx_tensors(name: str) -> dict[str, np.ndarray]:
    """Return a case's tensors by ONNX name; inputs that several cases share are stored once."""
    start = f"{name}/"
    same = {
        key.removeprefix(start): ONNX.arrays[stored]
        for key, stored in ONNX.config["same"].items()
        if key.startswith(start)
    }
    return ONNX.under(name) | same


@pytest.mark.parametrize("name", ONNX.config["cases"])
def test_cases_of_onnx_are_reproduced(name: str) -> None:
    """ONNX has the classes on axis 1."""
    tensors, settings = onnx_tensors(name), ONNX.config["cases"][name]["attributes"]
    logits = np.moveaxis(tensors["x"], 1, -1)
    found = cross_entropy(
        logits,
        tensors["y"],
        ignore=settings.get("ignore_index"),
        weights=tensors.get("w"),
        reduction=settings["reduction"],
    )
    assert found.dtype == np.float32
    assert found.shape == tensors["z"].shape
    np.testing.assert_allclose(found, tensors["z"], **TOLERANCE)
    if "log_prob" in tensors:
        log_p = np.moveaxis(ops.log_softmax(logits), -1, 1)
        np.testing.assert_allclose(log_p, tensors["log_prob"], **TOLERANCE)


def target_distribution(label: int, classes: int, smoothing: float, form: Form) -> np.ndarray:
    """Return the target distribution over the classes."""
    if form == "torch":
        target = np.full(classes, smoothing / classes)
        target[label] += 1 - smoothing
    else:
        target = np.full(classes, smoothing / (classes - 1))
        target[label] = 1 - smoothing
    return target


@st.composite
def logits_and_labels(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    """Draw logits (…, V) and labels (…,), with at least two classes."""
    shape = draw(hnp.array_shapes(min_dims=0, max_dims=3, max_side=5))
    classes = draw(st.integers(2, 7))
    logits = draw(hnp.arrays(np.float64, (*shape, classes), elements=st.floats(-30, 30)))
    labels = draw(hnp.arrays(np.int64, shape, elements=st.integers(0, classes - 1)))
    return logits, labels


@given(logits_and_labels(), st.floats(0, 0.99), st.sampled_from(FORMS))
def test_each_loss_equals_the_written_out_sum(
    pair: tuple[np.ndarray, np.ndarray], smoothing: float, form: Form
) -> None:
    logits, labels = pair
    found = cross_entropy(logits, labels, smoothing=smoothing, form=form, reduction="none")
    assert found.shape == labels.shape
    for place in np.ndindex(labels.shape):
        x = logits[place]
        log_p = x - x.max() - np.log(np.exp(x - x.max()).sum())
        target = target_distribution(int(labels[place]), len(x), smoothing, form)
        assert target.sum() == pytest.approx(1)
        assert found[place] == pytest.approx(-(target * log_p).sum(), rel=1e-9, abs=1e-12)


@given(logits_and_labels(), st.floats(0, 0.99), st.sampled_from(FORMS), st.data())
def test_reductions_ignore_the_padding(
    pair: tuple[np.ndarray, np.ndarray], smoothing: float, form: Form, data: st.DataObject
) -> None:
    logits, labels = pair
    ignore = data.draw(st.integers(-1, logits.shape[-1]))
    settings: dict[str, Any] = {"smoothing": smoothing, "form": form}
    counted = labels != ignore
    each = cross_entropy(logits, labels, reduction="none", **settings)[counted]
    settings["ignore"] = ignore
    every = cross_entropy(logits, labels, reduction="none", **settings)
    np.testing.assert_array_equal(every[counted], each)
    assert not every[~counted].any()
    total = cross_entropy(logits, labels, reduction="sum", **settings)
    np.testing.assert_allclose(total, each.sum(), rtol=1e-12)
    mean = cross_entropy(logits, labels, **settings)
    np.testing.assert_allclose(mean, each.mean() if each.size else 0, rtol=1e-12)


def test_huge_logits_do_not_overflow() -> None:
    logits = np.array([[1e4, 0.0], [0.0, 1e4]], np.float32)
    found = cross_entropy(logits, np.array([0, 0]), reduction="none")
    np.testing.assert_allclose(found, [0, 1e4])


def test_a_loss_of_only_padding_is_explained() -> None:
    trace = tiny(target_pad=7)(SOURCE, TARGET, labels=Labels([7, 7, 7]))
    how = explain(trace, "output.loss", ())
    assert trace["output.loss"].value == how.evaluate() == 0
    assert how.symbols() == how.numbers() == "0 (padding does not count)"


def test_the_explanation_writes_the_shares_of_smoothing_with_the_formatter() -> None:
    trace = tiny()(SOURCE, TARGET, labels=Labels(TARGET, 0.1))
    trace.backward()
    for how in (
        explain(trace, "output.token_loss", (0,)),
        explain_gradient(trace, "output.logits", (0, TARGET[0])),
    ):
        assert "<0.9" in how.numbers(lambda x: f"<{x:.5f}>")
        assert "0.9" in how.symbols()
