import numpy as np
import pytest
from tinkerformer.model.scenario.weights import Weights

ARRAYS = {"source.W_e": np.arange(6.0).reshape(2, 3), "encoder.0.self_attn.gamma": np.ones(3)}
WEIGHTS = Weights(ARRAYS, ("a", "b"), ("x",), "one")


def test_weights_do_not_depend_on_their_name():
    assert Weights(ARRAYS, ("a", "b"), ("x",), "other") == WEIGHTS
    assert hash(Weights(ARRAYS, ("a", "b"), ("x",))) == hash(WEIGHTS)


@pytest.mark.parametrize(
    "other",
    [
        Weights(ARRAYS, ("a", "c"), ("x",)),
        Weights(ARRAYS, ("b", "a"), ("x",)),
        Weights(ARRAYS, ("a", "b"), ("y",)),
        Weights(ARRAYS, ("a",), ("b", "x")),
        Weights({**ARRAYS, "source.W_e": ARRAYS["source.W_e"] + 1e-9}, ("a", "b"), ("x",)),
        Weights({**ARRAYS, "source.W_e": np.arange(6.0).reshape(3, 2)}, ("a", "b"), ("x",)),
        Weights({**ARRAYS, "more": np.ones(3)}, ("a", "b"), ("x",)),
    ],
    ids=["another token", "another order", "target", "moved", "a number", "a shape", "a matrix"],
)
def test_weights_differ_if_any_array_or_word_differs(other):
    assert other != WEIGHTS


def test_weights_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        WEIGHTS.arrays["source.W_e"][0, 0] = 1
    assert ARRAYS["source.W_e"].flags.writeable
