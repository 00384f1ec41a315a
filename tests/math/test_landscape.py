"""The loss over a plane of changes, compared with separate passes."""

import numpy as np
import pytest

from tests.math.tiny import SOURCE, TARGET, tiny
from transformer_math import Transformer
from transformer_math.explain import landscape
from transformer_math.explain.landscape import losses, main_directions
from transformer_math.ops import Labels

RANDOM = np.random.default_rng(5)
STEPS = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, -2.0], [0.5, 0.25]])
BATCH = [SOURCE, SOURCE[::-1]], [TARGET, TARGET[::-1]], [[7, 1, 3], [2, 2, 16]]


def directions(model):
    """Return two random directions of all parameters."""
    shapes = {path: array.shape for path, array in model.parameters.items()}
    return [
        {path: RANDOM.normal(scale=0.1, size=shape) for path, shape in shapes.items()}
        for _ in range(2)
    ]


@pytest.mark.parametrize("piece", [1, landscape.PIECE_BYTES])
@pytest.mark.parametrize("inputs", [(SOURCE, TARGET, [7, 1, 3]), BATCH], ids=["one", "batch"])
def test_over_all_parameters_the_losses_equal_those_of_separate_models(inputs, piece, monkeypatch):
    monkeypatch.setattr(landscape, "PIECE_BYTES", piece)
    model = tiny()
    source, target, ids = inputs
    labels = Labels(np.array(ids), 0.1)
    across, up = directions(model)
    found = losses(model(source, target, labels=labels), across, up, STEPS)
    for (a, b), loss in zip(STEPS, found, strict=True):
        moved = {
            path: array + a * across[path] + b * up[path]
            for path, array in model.parameters.items()
        }
        other = Transformer(model.config, moved)(source, target, labels=labels)
        assert loss == pytest.approx(float(other["output.loss"].value), rel=1e-9)


def test_computed_numbers_are_changed_where_they_are_computed():
    model, labels = tiny(), Labels(np.array([7, 1, 3]))
    path = "encoder.0.self_attn.q"
    trace = model(SOURCE, TARGET, labels=labels)
    one, other = np.zeros((2, *trace[path].shape))
    one[1, 2, 0], other[0, 4, 1] = 1, 1
    found = losses(trace, {path: one}, {path: other}, STEPS)
    for (a, b), loss in zip(STEPS, found, strict=True):
        value = trace[path].value + a * one + b * other
        moved = model(SOURCE, TARGET, labels=labels, overrides={path: value})
        assert loss == pytest.approx(float(moved["output.loss"].value), rel=1e-9)


def test_overridden_numbers_remain():
    model, labels = tiny(), Labels(np.array([7, 1, 3]))
    held = {
        "encoder.0.feed_forward.hidden": {(0, 1): 2.0},
        "decoder.0.self_attn.W_q": {(1, 0, 1): 3.0},
    }
    across, up = directions(model)
    across["decoder.0.self_attn.W_q"][1, 0, 1] = up["decoder.0.self_attn.W_q"][1, 0, 1] = 0
    trace = model(SOURCE, TARGET, labels=labels, overrides=held)
    found = losses(trace, across, up, STEPS)
    for (a, b), loss in zip(STEPS, found, strict=True):
        moved = {
            path: array + a * across[path] + b * up[path]
            for path, array in model.parameters.items()
        }
        other = Transformer(model.config, moved)(SOURCE, TARGET, labels=labels, overrides=held)
        assert loss == pytest.approx(float(other["output.loss"].value), rel=1e-9)


def test_directions_without_effect_on_the_loss_are_flat():
    trace = tiny()(SOURCE, TARGET, labels=Labels(np.array([7, 1, 3])))
    nothing = np.zeros(trace["source.W_e"].shape)
    found = losses(trace, {"source.W_e": nothing}, {}, STEPS)
    assert found == pytest.approx(float(trace["output.loss"].value))


def test_a_landscape_can_be_canceled():
    def stop():
        raise InterruptedError

    trace = tiny()(SOURCE, TARGET, labels=Labels(np.array([7, 1, 3])))
    with pytest.raises(InterruptedError):
        losses(trace, {"source.W_e": np.ones((13, 6))}, {}, STEPS, stop)


def test_the_main_directions_are_the_singular_vectors():
    points, end = RANDOM.normal(size=(9, 40)), RANDOM.normal(size=40)
    found, coordinates, share = main_directions(points, end)
    _, sizes, rows = np.linalg.svd(points - end)
    for direction, row in zip(found, rows[:2], strict=True):
        assert abs(direction @ row) == pytest.approx(1)
    assert coordinates == pytest.approx((points - end) @ found.T)
    assert (coordinates[0] <= 0).all()
    assert share == pytest.approx((sizes[:2] ** 2).sum() / (sizes**2).sum())


def test_a_single_point_has_one_direction():
    found, coordinates, share = main_directions(np.eye(5)[:1], np.zeros(5))
    assert share == pytest.approx(1)
    assert np.abs(coordinates) == pytest.approx(np.array([[1, 0]]))
    assert found.shape == (2, 5)
