import numpy as np
import pytest

from tests.math.directional import TOLERANCE
from tests.math.gradient_cases import SETTINGS, Example
from tests.math.tiny import SOURCE, TARGET, tiny
from transformer_math import Config, Recipe, Trainer, Transformer
from transformer_math.data.phrases import phrases
from transformer_math.training.evaluation import exact_matches
from transformer_math.training.trainer import config_for

OPEN = {"causal_mask": False}
PADDED = [2, 7, 1, 7]  # 7 is padding where a model has padding


def test_without_the_causal_mask_no_key_is_hidden() -> None:
    """The parameters and paths are the same; M is 0, and all weights are above 0."""
    model, causal = tiny(**OPEN), tiny()
    assert model.parameters.keys() == causal.parameters.keys()
    trace = model(SOURCE, TARGET)
    assert trace.paths() == causal(SOURCE, TARGET).paths()
    np.testing.assert_array_equal(trace["target.mask"].value, np.zeros((3, 3)))
    assert trace["decoder.0.self_attn.weights"].value.min() > 0
    longer = model(SOURCE, TARGET * 9)["target.mask"].value
    np.testing.assert_array_equal(longer, np.zeros((27, 27)))


def test_without_the_causal_mask_padding_stays_hidden() -> None:
    mask = tiny(**OPEN, target_pad=7)(SOURCE, PADDED)["target.mask"].value
    hidden = -np.inf
    np.testing.assert_array_equal(mask, [[0, hidden, 0, hidden]] * 4)


def test_without_the_causal_mask_the_encoder_is_unchanged_and_row_0_sees_the_last_token() -> None:
    model, causal = tiny(**OPEN), tiny()
    before, after = model(SOURCE, TARGET), model(SOURCE, [*TARGET[:-1], 9])
    path = "encoder.0.feed_forward.norm"
    np.testing.assert_array_equal(before[path].value, causal(SOURCE, TARGET)[path].value)
    moved = np.abs(after["output.logits"].value - before["output.logits"].value)
    assert moved[0].max() > 1e-2


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
@pytest.mark.parametrize("changes", [{}, {"target_pad": 7}, {"encoder_layers": 0}], ids=str)
def test_gradients_without_the_mask_equal_finite_differences(changes: dict, settings: dict) -> None:
    model = tiny(**OPEN, **changes, activation="gelu")
    source = np.array([SOURCE] * 2) if model.config.encoder_layers else None
    case = Example(model, source, np.array([PADDED, [*TARGET, 5]]), np.array([[7, 1, 4, 3]] * 2))
    assert case.error(**settings) < TOLERANCE


def test_without_the_causal_mask_training_copies_the_answer_and_decoding_fails() -> None:
    """In training, a position sees the word that it has to predict; in decoding, it does not."""
    pairs = phrases()
    losses, right = {}, {}
    for causal in (True, False):
        config = config_for(pairs, "phrases", d_model=16, d_ff=32, causal_mask=causal)
        recipe = Recipe.preset("phrases", steps=120, smoothing=0.0)
        training = Trainer(Transformer.create(config, 0), pairs, recipe)
        losses[causal] = np.mean([progress.loss for progress in training][-10:])
        right[causal], _ = exact_matches(training.model, pairs, 100)
    assert max(losses.values()) < 0.3
    assert right[True] > 80
    assert right[False] < 10


def test_a_config_without_the_setting_has_the_causal_mask() -> None:
    data = tiny().config.as_dict()
    assert "causal_mask" not in data  # so earlier versions can read the config
    assert Config.from_dict(data) == tiny().config
    without = tiny(**OPEN).config
    assert without.as_dict() == {**data, **OPEN}
    assert Config.from_dict(without.as_dict()) == without
