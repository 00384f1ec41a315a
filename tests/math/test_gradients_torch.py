"""Gradients of whole models, compared with PyTorch: every parameter and every intermediate."""

from typing import Any, Literal

import numpy as np
import pytest

from tests.math.stored import Stored, load
from tests.math.test_torch_multihead import additive, parameters, run
from tests.math.test_torch_reference import CASES, STORED, assert_near, config_of
from transformer_math import Labels, Trace, Transformer
from transformer_math.graph.backward import LOSS, gradients
from transformer_math.ops import IDENTITY

TOLERANCE = 1e-10
LOSSES = {name: load(name) for name in ("torch_loss_post", "torch_loss_pre")}
MULTIHEAD = load("torch_multihead")


def model_of(stored: Stored) -> Transformer:
    return Transformer.from_torch(stored.under("state"), config_of(stored, "float64"))


def traced(stored: Stored, **settings: Any) -> Trace:
    ids = (stored.arrays.get("source_ids"), stored.arrays.get("target_ids"))
    return model_of(stored)(*ids, **settings)


def assert_all_near(
    found: dict[str, np.ndarray],
    stored: Stored,
    of_parameters: dict[str, np.ndarray],
    of_intermediates: dict[str, np.ndarray],
) -> None:
    """PyTorch's gradients are converted as its parameters are, because the conversion is linear."""
    expected = Transformer.from_torch(of_parameters, config_of(stored, "float64")).parameters
    assert expected.keys() == model_of(stored).parameters.keys()
    for path, gradient in (expected | of_intermediates).items():
        if path.endswith("beta") and not stored.config["bias"]:
            continue  # PyTorch's norm without bias has no β
        assert_near(found[path], gradient, TOLERANCE, path)


@pytest.mark.parametrize("name", CASES)
def test_gradients_of_weighted_logits_equal_those_of_torch(name: str) -> None:
    stored = STORED[name]
    trace = traced(stored)
    found = gradients(trace, None, "output.logits", stored.arrays["loss_weights"])
    of_intermediates = stored.under("grad_intermediate")
    assert_all_near(found, stored, stored.under("grad"), of_intermediates)
    # Tensors without a reference belong to a step that is off, or follow the logits.
    for path in found.keys() - of_intermediates.keys():
        tensor = trace[path]
        if not tensor.is_leaf and not path.endswith("positions"):
            assert tensor.op is IDENTITY or path == "output.probabilities", path


@pytest.mark.parametrize("form", ["torch", "paper"])
@pytest.mark.parametrize("name", LOSSES)
def test_gradients_of_the_padded_and_smoothed_loss_equal_those_of_torch(
    name: str, form: Literal["torch", "paper"]
) -> None:
    reference = LOSSES[name]
    stored = STORED[reference.config["model"]]
    trace = traced(
        stored, labels=Labels(reference.arrays["labels"], reference.config["smoothing"], form)
    )
    np.testing.assert_allclose(trace[LOSS].value, reference.arrays[f"{form}/loss"], rtol=1e-13)
    of_parameters = reference.under(f"{form}/grad")
    of_intermediates = reference.under(f"{form}/grad_intermediate")
    assert_all_near(trace.backward(), stored, of_parameters, of_intermediates)


@pytest.mark.parametrize(
    "name", [case for case in MULTIHEAD.config["cases"] if "per_head" not in case]
)
def test_gradients_of_attention_alone_equal_those_of_torch(name: str) -> None:
    """Of its three inputs and its parameters, with every kind of mask."""
    case, state = MULTIHEAD.under(name), MULTIHEAD.under(f"{name}/state")
    trace = run(case, state, additive(case, np.float64))
    found = gradients(trace, None, "out", case["loss_weights"])
    expected = parameters(MULTIHEAD.under(f"{name}/grad")) | MULTIHEAD.under(f"{name}/grad_input")
    assert {"query", "key", "value", "W_q", "W_o"} <= expected.keys()
    for path, gradient in expected.items():
        assert_near(found[path], gradient, TOLERANCE, path)
    assert "mask" not in found


def test_the_references_are_not_zero() -> None:
    """Except for the bias of keys, which does not affect the softmax."""
    for stored, prefix in [(stored, "grad") for stored in STORED.values()] + [
        (stored, f"{form}/grad") for stored in LOSSES.values() for form in ("torch", "paper")
    ]:
        for name, gradient in stored.under(prefix).items():
            assert np.abs(gradient).max() > 1e-5, name
