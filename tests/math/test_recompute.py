"""A pass recomputed in place equals a new pass, bit for bit."""

from typing import Any

import numpy as np
import pytest

from tests.math.tiny import VARIANTS, tiny
from tests.math.training_cases import assert_same, numbers, small, take, trainer
from transformer_math import Labels, Trainer, Transformer
from transformer_math.graph.backward import BackwardPass, gradients
from transformer_math.graph.replay import drop_values, recompute
from transformer_math.training.parameter_vector import ParameterVector


def batch(model: Transformer, seed: int) -> tuple[Any, Any, Labels]:
    """Return random ids of 5 and 4 in a row; if the model has padding, each row has some."""
    config, random = model.config, np.random.default_rng(seed)
    source = random.integers(0, config.source_vocabulary, (3, 5))
    target = random.integers(0, config.target_vocabulary, (3, 4))
    for ids, pad in ((source, config.source_pad), (target, config.target_pad)):
        if pad is not None:
            ids[:, 3] = pad
    length = 4 if config.decoder_layers else 5
    labels = random.integers(0, config.output_vocabulary, (3, length))
    return (
        source if config.encoder_layers else None,
        target if config.decoder_layers else None,
        Labels(labels, 0.1),
    )


@pytest.mark.parametrize("variant", [*VARIANTS, "no_causal_mask"])
def test_recomputed_values_and_gradients_equal_those_of_a_new_pass(variant: str) -> None:
    """With other ids, other masks and other parameters."""
    model = tiny(**{"no_causal_mask": {"causal_mask": False}, **VARIANTS}[variant])
    vector = ParameterVector(model.parameters)
    model = Transformer(model.config, vector.arrays, shared=True)
    source, target, labels = batch(model, 1)
    trace = model(source, target, labels=labels)
    backward = BackwardPass(trace, model.parameters)
    backward.gradients()
    drop_values(trace)
    for seed in (2, 3):
        source, target, labels = batch(model, seed)
        vector.flat *= 1.01
        recompute(trace, model.inputs(source, target, labels))
        repeated = model(source, target, labels=labels)
        assert trace.paths() == repeated.paths()
        for path in repeated.paths():
            np.testing.assert_array_equal(trace[path].value, repeated[path].value, err_msg=path)
        found, expected = backward.gradients(), gradients(repeated, model.parameters)
        assert found.keys() == expected.keys() == model.parameters.keys()
        for path, gradient in expected.items():
            np.testing.assert_array_equal(found[path], gradient, err_msg=path)


@pytest.mark.parametrize("variant", ["post", "padded", "encoder_only", "decoder_only"])
def test_the_given_tensors_are_the_leaves_without_the_parameters(variant: str) -> None:
    model = tiny(**VARIANTS[variant])
    source, target, labels = batch(model, 1)
    trace = model(source, target, labels=labels)
    given = model.inputs(source, target, labels)
    leaves = {path for path, tensor in trace.tensors.items() if tensor.is_leaf}
    assert given.keys() == leaves - model.parameters.keys()
    for path, array in given.items():
        np.testing.assert_array_equal(array, trace[path].value)


def test_invalid_inputs_are_refused_as_in_a_new_pass() -> None:
    with pytest.raises(ValueError, match="source_ids lie from 0 to 12"):
        tiny().inputs([13], [1], Labels([1]))
    with pytest.raises(ValueError, match=r"labels have the shape \(2,\)"):
        tiny().inputs([1], [1], Labels([1, 2]))


def test_after_values_are_dropped_the_operations_remain() -> None:
    model = tiny()
    trace = model([3, 1], [2], labels=Labels([4]))
    drop_values(trace)
    for path, tensor in trace.tensors.items():
        assert tensor.value.size == (0 if tensor.inputs else trace[path].value.size), path
    assert trace["source.ids"].value.tolist() == [3, 1]


def with_new_passes(training: Trainer) -> list[tuple]:
    """Return the steps of a trainer that creates a new pass for each."""
    taken = []
    for _ in range(12):
        training._passes.clear()
        taken.append(next(training))
    return numbers(taken)


@pytest.mark.parametrize("shards", [1, 2])
@pytest.mark.parametrize("size", [1, 3, 7])
def test_a_training_with_recomputed_passes_takes_the_same_steps(size: int, shards: int) -> None:
    """With batches of one or few pairs, so that some have padding and others have none."""
    one, other = (trainer(shards, model=small(), batch=size) for _ in range(2))
    assert numbers(take(one, 12)) == with_new_passes(other)
    assert_same(one, other)
