"""A hidden word, compared with passes in which it is padding, and passes without it."""

import numpy as np
import pytest

from transformer_math import Config, Transformer
from transformer_math.experiments import hidden_word

SOURCE, TARGET = np.array([3, 1, 2, 0]), np.array([1, 4, 2])
PROBABILITIES = "output.probabilities"


def probabilities(model, source=SOURCE, target=TARGET, **options):
    return model(source, target, **options)[PROBABILITIES].value


def deep(**settings):
    sizes = {"d_model": 8, "heads": 2, "source_vocabulary": 7, "target_vocabulary": 6}
    return Transformer.create(
        Config(**{**sizes, "encoder_layers": 2, "decoder_layers": 2, **settings}, dtype="float64"),
        3,
    )


@pytest.mark.parametrize("position", range(4))
def test_hiding_a_word_equals_padding_in_its_place(position):
    model = deep(source_pad=6)
    padded = SOURCE.copy()
    padded[position] = 6
    found = probabilities(model, hooks=hidden_word(model, "source", position))
    assert found == pytest.approx(probabilities(model, padded), abs=1e-12)
    assert np.abs(found - probabilities(model)).max() > 1e-3


@pytest.mark.parametrize("position", range(4))
def test_hiding_a_word_equals_removing_it_if_others_keep_their_positions(position):
    model = deep()
    places = np.delete(model(SOURCE, TARGET)["source.positions"].value, position, axis=0)
    shorter = probabilities(
        model, np.delete(SOURCE, position), overrides={"source.positions": places}
    )
    found = probabilities(model, hooks=hidden_word(model, "source", position))
    assert found == pytest.approx(shorter, abs=1e-12)


def test_a_decoder_only_model_hides_words_of_its_own_text():
    model = deep(encoder_layers=0, target_pad=5)
    padded = TARGET.copy()
    padded[1] = 5
    found = model(None, TARGET, hooks=hidden_word(model, "target", 1))[PROBABILITIES].value
    then = model(None, padded)[PROBABILITIES].value
    assert found[[0, 2]] == pytest.approx(then[[0, 2]], abs=1e-12)


def test_hiding_the_only_word_gives_zeros_and_no_error():
    model = deep()
    trace = model(SOURCE[:1], TARGET, hooks=hidden_word(model, "source", 0))
    assert not trace["decoder.1.cross_attn.context"].value.any()
    assert np.isfinite(trace[PROBABILITIES].value).all()


def test_a_text_that_the_model_does_not_read_has_no_word_to_hide():
    with pytest.raises(ValueError, match="side is source, which"):
        hidden_word(deep(encoder_layers=0), "source", 0)
