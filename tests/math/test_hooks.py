import numpy as np
import pytest

from tests.math.tiny import SOURCE, TARGET, tiny
from transformer_math import explain, gradients, sweep

MODEL = tiny()
PLAIN = MODEL(SOURCE, TARGET)
BATCH = [SOURCE, SOURCE[::-1]], [TARGET, TARGET[::-1]]
HEAD, STACK = "encoder.0.self_attn.head.1.context", "encoder.0.self_attn.context"


def silenced(value: np.ndarray) -> np.ndarray:
    return np.zeros_like(value)


@pytest.mark.parametrize("path", [STACK, "source.W_e", "target.mask", "output.logits"])
def test_the_value_that_a_hook_returns_replaces_the_computed_one(path: str) -> None:
    other = PLAIN[path].value * 0.5 + 1
    expected = MODEL(SOURCE, TARGET, overrides={path: other})
    trace = MODEL(SOURCE, TARGET, hooks={path: lambda value: value * 0.5 + 1})
    for name in expected.paths():
        np.testing.assert_array_equal(trace[name].value, expected[name].value, err_msg=name)
    found = MODEL.logits(SOURCE, TARGET, hooks={path: lambda value: value * 0.5 + 1})
    np.testing.assert_array_equal(found, expected["output.logits"].value)


def test_a_hook_that_returns_nothing_observes_or_changes_its_copy() -> None:
    seen = []
    trace = MODEL(SOURCE, TARGET, hooks={STACK: lambda value: seen.append(value)})
    np.testing.assert_array_equal(seen[0], PLAIN[STACK].value)
    np.testing.assert_array_equal(trace["output.logits"].value, PLAIN["output.logits"].value)
    assert not trace[STACK].overridden.any()

    def in_place(value: np.ndarray) -> None:
        value[1] = 0

    expected = MODEL(SOURCE, TARGET, hooks={HEAD: silenced})
    trace = MODEL(SOURCE, TARGET, hooks={STACK: in_place})
    np.testing.assert_array_equal(trace["output.logits"].value, expected["output.logits"].value)
    assert MODEL.parameters["source.W_e"].any()


def test_cells_that_a_hook_changes_are_overridden_and_other_cells_are_explained() -> None:
    trace = MODEL(SOURCE, TARGET, hooks={HEAD: silenced})
    assert np.argwhere(trace[STACK].overridden)[:, 0].tolist() == [1] * 15
    assert str(explain(trace, HEAD, (2, 1))) == "overridden = 0"
    assert "weights" in str(explain(trace, STACK, (0, 2, 1)))
    seed = np.random.default_rng(1).normal(size=(3, 17))
    set_to = {HEAD: np.zeros((5, 3))}
    expected = gradients(MODEL(SOURCE, TARGET, overrides=set_to), path="output.logits", seed=seed)
    found = gradients(trace, path="output.logits", seed=seed)
    for path, gradient in expected.items():
        np.testing.assert_allclose(found[path], gradient, atol=1e-12, err_msg=path)


def test_hooks_apply_to_batches_and_their_examples_and_the_frames_of_a_sweep() -> None:
    hooks = {HEAD: lambda value: value - value.mean(-2, keepdims=True)}
    trace = MODEL(*BATCH, hooks=hooks)
    cell, values = ("encoder.0.self_attn.W_v", (1, 2, 0)), [-1.0, 2.0]
    swept = sweep(trace, *cell, values)
    for i in range(2):
        ids = BATCH[0][i], BATCH[1][i]
        alone = MODEL(*ids, hooks=hooks)
        found = trace.example(i)
        np.testing.assert_array_equal(found[STACK].overridden, alone[STACK].overridden)
        for t, value in enumerate(values):
            frame = swept.frame(t).example(i)
            set_alone = MODEL(*ids, hooks=hooks, overrides={cell[0]: {cell[1]: value}})
            for path in alone.paths():
                for one, other in ((found, alone), (frame, set_alone)):
                    np.testing.assert_allclose(one[path].value, other[path].value, atol=1e-11)


def test_a_hook_runs_after_overrides() -> None:
    overrides = {"source.sum": {(0, 0): 3.0}}
    trace = MODEL(SOURCE, TARGET, overrides=overrides, hooks={"source.sum": lambda x: 2 * x})
    assert trace["source.sum"].value[0, 0] == 6


@pytest.mark.parametrize(
    "hooks",
    [
        {"encoder.7.self_attn.out": silenced},
        {"encoder.0.self_attn.head.1.out": silenced},
        {"encoder.0.self_attn.head.2.weights": silenced},
        {"source.sum": lambda value: value[0]},
        {"source.sum": 3.0},
        {"source.ids": lambda ids: ids + 100},
    ],
)
def test_an_invalid_hook_is_refused_in_a_sentence(hooks) -> None:
    for run in (MODEL, MODEL.logits):
        with pytest.raises(ValueError, match=r"\.$"):
            run(SOURCE, TARGET, hooks=hooks)
