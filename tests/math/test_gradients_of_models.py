"""Gradients of whole models, compared with finite differences, also with overridden cells."""

import dataclasses
from typing import Any

import numpy as np
import pytest

from tests.math.directional import STEP, TOLERANCE, error_along
from tests.math.gradient_cases import SETTINGS, example
from tests.math.tiny import SOURCE, TARGET, VARIANTS, tiny
from transformer_math import Labels, Trace, Transformer
from transformer_math.graph.backward import LOSS, gradients
from transformer_math.graph.overrides import Overrides

LABELS = [7, 1, 4]
ENCODER = "encoder.0.self_attn"
WEIGHTS = "decoder.0.cross_attn.weights"


def traced(**settings: Any) -> Trace:
    return tiny()(SOURCE, TARGET, labels=Labels(LABELS), **settings)


@pytest.mark.parametrize("padded", [False, True], ids=["full", "padded"])
@pytest.mark.parametrize("batch", [None, 3], ids=["one", "batch"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_all_parameters_have_right_gradients(variant: str, batch: int | None, padded: bool) -> None:
    for settings in SETTINGS.values():
        assert example(variant, batch, padded).error(**settings) < TOLERANCE


@pytest.mark.parametrize("batch", [None, 3], ids=["one", "batch"])
@pytest.mark.parametrize("variant", ["post", "pre", "tied", "learned_positions", "decoder_only"])
def test_the_gradient_of_every_computed_tensor_is_right(variant: str, batch: int | None) -> None:
    """Each is overridden and moved in a random direction."""
    case = example(variant, batch, padded=True)
    settings = SETTINGS["with dropout"]
    trace = case.run(**settings)
    for path in trace.paths():
        tensor = trace[path]
        # Numbers of −∞ stay, and have no gradient. The loss does not depend on the probabilities.
        if not tensor.is_leaf and path != "output.probabilities":
            assert case.error_at(path, **settings) < TOLERANCE, path


@pytest.mark.parametrize("variant", VARIANTS)
def test_gradients_in_float32_equal_those_in_float64_except_for_rounding(variant: str) -> None:
    case = example(variant, 3, padded=True)
    narrow = dataclasses.replace(case.model.config, dtype="float32")
    expected = case.run().backward()
    found = case._replace(model=Transformer(narrow, case.model.parameters)).run().backward()
    assert found.keys() == expected.keys()
    for path, gradient in found.items():
        assert gradient.dtype == np.float32, path
        scale = max(1.0, np.abs(expected[path]).max())
        np.testing.assert_allclose(gradient, expected[path], rtol=0, atol=1e-5 * scale)


SET_BY_HAND: dict[str, Overrides] = {
    "a weight of one head": {"decoder.0.cross_attn.head.1.weights": {(2, 3): 0.9}},
    "scores": {"encoder.0.self_attn.scores": {(0, 1, 2): 1.5, (1, 4, 4): -2.0}},
    "a sum": {"source.sum": {(3, 5): 0.4}, "target.embedding": {(0, 0): 1.1}},
    "all keys of a head": {"encoder.0.self_attn.head.0.k": np.full((5, 3), 0.3)},
    "a whole stream": {"decoder.0.self_attn.norm": np.linspace(-1, 1, 24).reshape(4, 6)},
    "a parameter's cell": {"encoder.0.self_attn.W_q": {(1, 2, 0): 2.5}},
    "a table's cell": {"source.W_e": {(3, 1): -0.7}},
    "a logit and a loss": {"output.logits": {(1, 3): 2.0}, "output.token_loss": {(2,): 1.0}},
    "a loss that does not count": {"output.token_loss": {(3,): 9.0}},
}


@pytest.mark.parametrize("batch", [None, 3], ids=["one", "batch"])
@pytest.mark.parametrize("name", SET_BY_HAND)
def test_an_overridden_cell_stops_the_gradient_of_its_inputs(name: str, batch: int | None) -> None:
    """Parameters that only affect this cell have no gradient from it; other gradients are right."""
    case, overrides = example("post", batch, padded=True), SET_BY_HAND[name]
    trace = case.run(overrides=overrides)
    found = gradients(trace, case.model.parameters)
    for path in found.keys() & overrides.keys():  # an edit is not the model's own number
        found[path] = np.where(trace[path].overridden, 0, found[path])

    def loss(parameters: dict[str, np.ndarray]) -> float:
        return float(case.run(parameters, overrides=overrides)[LOSS].value)

    assert error_along(loss, case.model.parameters, found, 1) < TOLERANCE


@pytest.mark.parametrize(
    ("path", "index"),
    [
        (f"{ENCODER}.head.1.weights", (2, 3)),
        (f"{ENCODER}.scores", (0, 1, 2)),
        ("source.sum", (3, 5)),
        ("encoder.0.self_attn.W_q", (1, 2, 0)),
        ("output.token_loss", (1,)),
    ],
)
def test_an_overridden_cell_has_a_gradient(path: str, index: tuple[int, ...]) -> None:
    """It is the derivative of the loss by the number that was set."""

    def run(number: float) -> Trace:
        return traced(overrides={path: {index: number}})

    trace = run(0.8)
    trace.backward()
    measured = (run(0.8 + STEP)[LOSS].value - run(0.8 - STEP)[LOSS].value) / (2 * STEP)
    assert trace[path].grad[index] == pytest.approx(measured, rel=TOLERANCE)


def test_an_overridden_array_stops_the_gradient() -> None:
    """The encoder does not affect a memory that is overridden."""
    memory = "encoder.0.feed_forward.norm"
    trace = traced(overrides={memory: traced()[memory].value})
    free, found = traced().backward(), trace.backward()
    for path, gradient in found.items():
        if path.startswith(("source.", "encoder.")) and path != memory:
            assert not gradient.any(), path
        else:
            np.testing.assert_allclose(gradient, free[path], rtol=1e-12, err_msg=path)
    assert found[memory].any()


def test_a_row_without_a_key_has_gradient_0_and_not_nan() -> None:
    case = example("padded", 3, padded=True)
    trace = case.run()
    found = trace.backward()
    assert not trace["encoder.0.self_attn.weights"].value[-1].any()
    assert not found["encoder.0.self_attn.scores"][-1].any()
    assert all(np.isfinite(gradient).all() for gradient in found.values())


def test_requesting_some_gradients_gives_the_same_as_requesting_all() -> None:
    """Also those of a tensor that several others read."""
    trace = example("tied", 3, padded=True).run()
    everything = gradients(trace)
    for path, gradient in everything.items():
        alone = gradients(trace, [path])
        assert alone.keys() == {path}
        np.testing.assert_array_equal(alone[path], gradient, err_msg=path)
        assert gradient.shape == trace[path].shape
    for path, gradient in gradients(trace).items():
        np.testing.assert_array_equal(gradient, everything[path])


def test_only_ids_and_labels_and_masks_have_no_gradient() -> None:
    trace = example("padded", padded=True).run(with_unprojected=True)
    found = trace.backward()
    without = {path for path in trace.paths() if trace[path].grad is None}
    assert without == {*("source.ids", "source.mask", "target.ids", "target.mask", "output.labels")}
    assert found.keys() == set(trace.paths()) - without
    assert trace[LOSS].grad == 1
    for path in ("output.probabilities", "source.unprojected.weights"):
        assert not found[path].any()


def test_the_gradient_of_a_head_is_a_view_of_that_of_the_stack() -> None:
    trace = traced()
    trace.backward()
    view = trace["decoder.0.cross_attn.head.1.weights"]
    np.testing.assert_array_equal(view.grad, trace[WEIGHTS].grad[1])
    assert traced()["decoder.0.cross_attn.head.1.weights"].grad is None


def test_gradients_of_a_weighted_tensor_are_right() -> None:
    """For any weighting of any tensor; later tensors have no gradient."""
    trace = traced()
    seed = np.random.default_rng(0).normal(size=trace[WEIGHTS].shape)
    found = gradients(trace, None, WEIGHTS, seed)
    np.testing.assert_array_equal(found[WEIGHTS], seed)
    assert not found["output.logits"].any()
    model = tiny()

    def loss(parameters: dict[str, np.ndarray]) -> float:
        moved = model.with_parameters(parameters)(SOURCE, TARGET)
        return float((moved[WEIGHTS].value * seed).sum())

    assert error_along(loss, model.parameters, found, 1) < TOLERANCE


def test_a_single_cell_and_a_single_head_are_differentiated_without_labels() -> None:
    trace = tiny()(SOURCE, TARGET)
    head = "decoder.0.cross_attn.head.1.weights"
    seed = np.zeros(trace[WEIGHTS].shape)
    seed[1, 2, 0] = 1.5
    whole = gradients(trace, None, WEIGHTS, seed)
    found = gradients(trace, "source.W_e", path=head, seed={(2, 0): 1.5})
    assert found.keys() == {"source.W_e"}
    np.testing.assert_array_equal(found["source.W_e"], whole["source.W_e"])
    of_head = "encoder.0.self_attn.head.1.context"
    for path, pick in ((of_head, 1), ("decoder.0.cross_attn.head.1.W_q", 1)):
        stored = path.replace(f"head.{pick}.", "")
        found = gradients(trace, [path], path=head, seed={(2, 0): 1.5})
        np.testing.assert_array_equal(found[path], whole[stored][pick])
        assert found[path].any()
