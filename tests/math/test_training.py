import gc
import sys
from typing import Any

import numpy as np
import pytest

from tests.math.training_cases import DROPOUT, PAIRS, small, take, trainer
from transformer_math import DropoutRates, Labels, Recipe, Trace, Trainer, Transformer
from transformer_math.data.pairs import read_csv
from transformer_math.data.texts import next_words
from transformer_math.ops.loss import cross_entropy
from transformer_math.training.blas_threads import blas_threads
from transformer_math.training.trainer import ONE_THREAD_WIDTH, config_for


def test_a_few_pairs_are_learned_completely() -> None:
    training = trainer(
        model=small(), steps=100, batch=9, warmup=10, peak_learning_rate=3e-2, smoothing=0.0
    )
    losses = [progress.loss for progress in training]
    assert losses[0] > 2
    assert np.mean(losses[-5:]) < 0.15


def test_the_first_step_is_that_of_adam_with_the_gradient_of_the_loss() -> None:
    """Written out: teacher forcing on the batch, the gradient's norm, then one step."""
    model = small(dtype="float64")
    training = trainer(
        model=model, clip=None, schedule="constant", warmup=0, peak_learning_rate=1e-3
    )
    progress = next(training)
    source, target = PAIRS.batch(1, 7, 0)
    trace = model(source, target[:, :-1], labels=Labels(target[:, 1:], 0.1))
    found = trace.backward()
    gradient = np.concatenate([found[path].ravel() for path in model.parameters])
    pad = PAIRS.target_tokenizer.pad
    logits = trace["output.logits"].value
    expected = cross_entropy(logits, target[:, 1:], smoothing=0.1, ignore=pad)
    assert progress.loss == pytest.approx(float(expected), rel=1e-12)
    assert progress.norm == pytest.approx(float(np.linalg.norm(gradient)), rel=1e-12)
    assert (progress.step, progress.learning_rate) == (1, 1e-3)
    # Adam's first step is rate · g / (|g| + ε), whatever the size of g.
    for path, array in training.parameters().items():
        g = found[path]
        step = np.where(np.abs(g) > 1e-12, 1e-3 * g / (np.abs(g) + 1e-9), 0)
        np.testing.assert_allclose(array, model.parameters[path] - step, atol=2e-6, err_msg=path)


def test_progress_states_the_rate_and_the_time() -> None:
    training = trainer(schedule="linear", peak_learning_rate=2e-3, warmup=4, steps=10)
    taken = list(training)
    rates = training.recipe.learning_rate_schedule(8).learning_rates(10)
    np.testing.assert_allclose([p.learning_rate for p in taken], rates)
    assert [p.step for p in taken] == list(range(1, 11))
    for p in taken:
        assert p.seconds > 0
        labels = PAIRS.batch(p.step, 7, 0)[1][:, 1:]
        counted = np.count_nonzero(labels != PAIRS.target_tokenizer.pad)
        assert p.tokens_per_second * p.seconds == pytest.approx(counted)
    assert list(training) == []


def test_dropout_is_on_and_differs_between_steps() -> None:
    assert next(trainer()).loss != next(trainer(model=small())).loss
    pairs = read_csv("a,b\nc,b")  # one pair to learn from, so that all batches are equal
    settings = {"schedule": "constant", "warmup": 0, "peak_learning_rate": 1e-30, "batch": 3}
    for dropout, expected in ((DropoutRates(), 1), (DROPOUT, 4)):
        model = Transformer.create(config_for(pairs, d_model=8, heads=2, dropout=dropout), 3)
        taken = take(Trainer(model, pairs, Recipe(**settings)), 4)
        assert len({progress.loss for progress in taken}) == expected


def test_the_norm_of_a_gradient_is_reported_before_clipping() -> None:
    free, clipped = trainer(clip=None), trainer(clip=1e-3)
    assert next(free).norm == next(clipped).norm > 1e-3


def test_the_given_model_is_not_changed() -> None:
    model = small()
    before = {path: array.copy() for path, array in model.parameters.items()}
    training = trainer(model=model)
    take(training, 3)
    for path, array in model.parameters.items():
        np.testing.assert_array_equal(array, before[path])
        assert not np.array_equal(training.model.parameters[path], array), path
    copy = training.parameters()
    take(training, 1)
    for path, array in copy.items():
        assert not np.array_equal(training.model.parameters[path], array), path


def test_a_step_leaves_no_objects_in_memory(request: pytest.FixtureRequest) -> None:
    """A pass is freed with its step, without the garbage collector."""
    training = trainer(2, steps=400)  # with dropout, so that no pass is recomputed
    take(training, 150)  # the first steps fill caches of the interpreter
    gc.collect()  # which also empties the interpreter's caches of freed tuples and numbers
    traces = {id(x) for x in gc.get_objects() if type(x) is Trace}  # from other tests
    blocks, objects = sys.getallocatedblocks(), len(gc.get_objects())
    gc.disable()
    try:
        take(training, 160)
        kept = gc.get_objects()
    finally:
        gc.enable()
    assert not [x for x in kept if type(x) is Trace and id(x) not in traces]
    assert len(kept) - objects < 20
    del kept
    gc.collect()
    if not request.config.getoption("last_bits"):  # the noise of --last-bits allocates memory
        assert sys.getallocatedblocks() - blocks < 160  # less than one block for each step


def test_a_value_of_a_recomputed_pass_is_freed_with_its_step() -> None:
    training = trainer(2, model=small())
    take(training, 3)
    passes = list(training._passes.values())
    assert len(passes) == 2
    computed = [x for kept in passes for x in kept.trace.tensors.values() if x.inputs]
    assert computed
    assert not sum(tensor.value.size for tensor in computed)


@pytest.mark.parametrize(("d_model", "is_small"), [(8, True), (ONE_THREAD_WIDTH + 8, False)])
def test_a_step_of_a_small_model_uses_one_thread_of_blas(d_model: int, is_small: bool) -> None:
    threads = blas_threads()
    before = threads.count
    if before in (None, 1):
        pytest.skip("NumPy has one thread, or another library than OpenBLAS.")
    counts: list[int | None] = []

    def observed(function: Any, shards: Any) -> Any:
        counts.append(threads.count)
        return map(function, shards)

    pairs = next_words(["the sun rises", "the moon sets", "the sun sets"])
    model = Transformer.create(config_for(pairs, d_model=d_model, heads=1))
    next(Trainer(model, pairs, map_shards=observed))
    assert counts == [1 if is_small else before]
    assert threads.count == before
