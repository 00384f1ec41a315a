from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from tests.math.training_cases import PAIRS, small, take, trainer
from transformer_math import Config, Diverged, Labels, Trainer, Transformer
from transformer_math.data.dates import dates
from transformer_math.training.trainer import config_for


def test_with_a_rate_that_is_far_too_high_training_stops() -> None:
    """The error is one sentence, and the parameters are those of the last finite loss."""
    model, weights = small(norm="pre", final_norm=False), "decoder.0.feed_forward.W_2"
    training = trainer(
        # The weights are so large that float32 overflows after a few steps.
        model=model.with_parameters({weights: model.parameters[weights] * 1e30}),
        schedule="constant",
        warmup=0,
        peak_learning_rate=100.0,
    )
    starts, losses = [], []

    def until_it_ends() -> None:
        starts.append(training.parameters())
        for progress in training:
            losses.append(progress.loss)
            starts.append(training.parameters())

    with pytest.raises(Diverged) as raised:
        until_it_ends()
    error = raised.value
    assert error.step == len(losses) + 1 == training.step + 1 >= 2
    assert error.what in {"the loss", "the gradient's norm"}  # the first that overflows
    assert str(error) == (
        f"Training stopped at step {error.step:,}: {error.what} is no longer a finite number. "
        "The parameters are those of the last good step."
    )
    for path, array in training.parameters().items():
        assert np.isfinite(array).all(), path
        np.testing.assert_array_equal(array, starts[-2][path])
    assert loss_of(training, len(losses)) == losses[-1]
    assert np.isfinite(losses[-1])


def loss_of(training: Trainer, step: int) -> float:
    source, target = PAIRS.batch(step, training.recipe.batch, training.recipe.seed)
    trace = training.model(
        source, target[:, :-1], labels=Labels(target[:, 1:], training.recipe.smoothing)
    )
    return float(trace["output.loss"].value)


@pytest.mark.parametrize("pooled", [False, True], ids=["alone", "threads"])
def test_an_infinite_parameter_stops_training(pooled: bool) -> None:
    """It does so without a warning, in every thread."""
    model = small()
    table = model.parameters["source.W_e"].copy()
    table[PAIRS.batch(1, 7, 0)[0][0, 1]] = np.inf
    broken = model.with_parameters({"source.W_e": table})
    with ThreadPoolExecutor(2) as pool:
        training = trainer(2, pool.map if pooled else map, model=broken)
        with pytest.raises(Diverged, match=r"^Training stopped at step 1: the loss is no longer"):
            next(training)
    assert training.step == 0


def test_a_gradient_that_overflows_although_the_loss_is_finite_stops_training(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    training = trainer(model=small())
    take(training, 2)
    kept, right = training._last_good.copy(), training._loss_and_gradient

    def overflowing(*args):
        loss, gradient, count = right(*args)
        gradient[3] = np.inf
        return loss, gradient, count

    monkeypatch.setattr(training, "_loss_and_gradient", overflowing)
    with pytest.raises(Diverged, match="step 3: the gradient's norm is"):
        next(training)
    assert training.step == 2
    np.testing.assert_array_equal(training._vector.flat, kept)


def test_a_batch_of_only_padding_changes_no_parameter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pairs never give such a batch."""
    training = trainer(model=small())
    before = training.parameters()
    source = np.full((3, PAIRS.source_length), PAIRS.source_tokenizer.pad)
    target = np.full((3, PAIRS.target_length), PAIRS.target_tokenizer.pad)
    monkeypatch.setattr(type(PAIRS), "batch", lambda *_: (source, target))
    progress = next(training)
    assert (progress.loss, progress.norm, progress.tokens_per_second) == (0, 0, 0)
    for path, array in training.parameters().items():
        np.testing.assert_array_equal(array, before[path])


def refused(model: Transformer, **settings) -> str:
    with pytest.raises(ValueError, match=r"\.$") as raised:
        Trainer(model, PAIRS, **settings)
    return str(raised.value)


def test_a_model_that_does_not_fit_the_pairs_is_refused() -> None:
    config = config_for(PAIRS, d_model=8, heads=2)
    fits = config.as_dict()

    def changed(**settings) -> Transformer:
        return Transformer.create(Config.from_dict({**fits, **settings}), 0)

    source = PAIRS.source_tokenizer
    assert f"has {source.size + 1} with" in refused(changed(source_vocabulary=source.size + 1))
    assert "The target of the pairs" in refused(changed(target_vocabulary=99))
    assert "with None" in refused(changed(source_pad=None))
    assert "padding" in refused(changed(target_pad=0))
    assert "decoder-only" in refused(changed(encoder_layers=0))
    assert "encoder-only" in refused(changed(decoder_layers=0))
    short = changed(positions="learned", max_positions=PAIRS.source_length - 1)
    assert "learned positions end at" in refused(short)
    assert "shards is a whole number from 1, not 0" in refused(changed(), shards=0)


def test_config_for_fits_the_pairs() -> None:
    config = config_for(PAIRS, d_model=24, positions="learned")
    source, target = PAIRS.source_tokenizer, PAIRS.target_tokenizer
    assert (config.source_vocabulary, config.target_vocabulary) == (source.size, target.size)
    assert (config.source_pad, config.target_pad) == (source.pad, target.pad)
    assert config.max_positions == max(PAIRS.source_length, PAIRS.target_length)
    assert (config.d_model, config.heads) == (24, 4)
    next(Trainer(Transformer.create(config, 0), PAIRS))
    assert config_for(dates(held_out=1)) == Config.preset("dates", max_positions=20)
    assert config_for(PAIRS, "sandbox").heads == 2
    with pytest.raises(ValueError, match="heads"):
        config_for(PAIRS, heads=5)
