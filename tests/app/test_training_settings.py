"""What can be chosen about learning, and the sentences for what cannot."""

from __future__ import annotations

import dataclasses

import pytest
from tinkerformer.learning import TrainingSettings
from tinkerformer.learning.ablations import ABLATIONS

from transformer_math import Recipe
from transformer_math.data.dates import dates
from transformer_math.data.pairs import read_csv

PAIRS = dates()


def test_the_defaults_are_the_recipe_of_the_date_translator():
    assert TrainingSettings().recipe == Recipe()
    config = TrainingSettings().config(PAIRS)
    assert (config.d_model, config.heads, config.encoder_layers, config.decoder_layers) == (
        32,
        4,
        1,
        1,
    )
    assert config.target_vocabulary == 68
    assert config.target_pad == 67


@pytest.mark.parametrize(
    ("name", "raw", "sentence"),
    [
        ("d_model", "66", "d_model is a whole number from 4 to 64."),
        ("d_model", "32.5", "d_model is a whole number"),
        ("d_model", "30", "d_model (30) has to be a multiple of heads (4)"),
        ("encoder_layers", "4", "encoder layers is a whole number from 1 to 3."),
        ("decoder_layers", "0", "decoder layers is a whole number from 1 to 3."),
        ("steps", "5001", "steps is a whole number from 1 to 5,000."),
        ("steps", "60", "The warm-up (100) has to end before the last of the 60 steps."),
        ("batch", "257", "pairs in a batch is a whole number from 1 to 256."),
        ("peak_learning_rate", "nan", "peak learning rate is a number from 1e-05 to 1."),
        ("peak_learning_rate", "", "peak learning rate is a number"),
        ("dropout", "0.95", "dropout is a number from 0 to 0.9."),
        ("clip", "-1", "clip the gradient at is a number from 0 to 100."),
        ("schedule", "cosine", "schedule is one of linear, noam, constant."),
        ("ablation", "softmax", "take out is one of none, warmup, scale, positions, residual."),
        ("heads", "0", "heads is a whole number from 1 to 8."),
        ("color", "red", "There is no setting called “color”."),
    ],
)
def test_what_is_wrong_is_answered_in_one_sentence(name, raw, sentence):
    with pytest.raises(ValueError, match=r"\.$") as caught:
        TrainingSettings().changed(name, raw)
    assert str(caught.value).startswith(sentence)
    assert str(caught.value).count(". ") == 0


def test_numbers_may_be_typed_as_people_type_them():
    settings = TrainingSettings().changed("steps", "1,000").changed("peak_learning_rate", "0,01")
    assert (settings.steps, settings.peak_learning_rate) == (1000, 0.01)
    assert settings.changed("clip", "0").recipe.clip is None


def test_heads_take_d_model_with_them():
    settings = TrainingSettings().changed("heads", "6")
    assert (settings.heads, settings.d_model) == (6, 36)


@pytest.mark.parametrize("name", [name for name in ABLATIONS if name != "none"])
def test_a_piece_taken_out_changes_the_model_or_the_recipe_and_can_be_put_back(name):
    start = TrainingSettings(batch=64)
    ablated = start.changed("ablation", name)
    changed = ablated.config(PAIRS) != start.config(PAIRS) or ablated.recipe != start.recipe
    assert changed
    assert ABLATIONS[name].about.count(". ") <= 3
    assert ablated.changed("ablation", "none") == start


def test_each_piece_is_the_one_its_name_says():
    def config(name: str):
        return TrainingSettings().changed("ablation", name).config(PAIRS)

    assert config("scale").attention_scale == "none"
    assert config("positions").positions == "none"
    assert config("residual").residual is False
    assert TrainingSettings().changed("ablation", "warmup").recipe.warmup == 0
    assert config("none") == TrainingSettings().config(PAIRS)


@pytest.mark.parametrize("name", ABLATIONS)
def test_settings_are_read_back_from_what_a_run_was_made_with(name):
    settings = TrainingSettings(seed=3, batch=16).changed("ablation", name)
    assert TrainingSettings.from_recipe(settings.config(PAIRS), settings.recipe, PAIRS) == settings


def test_a_run_with_something_else_is_refused():
    config = dataclasses.replace(TrainingSettings().config(PAIRS), norm="pre", final_norm=True)
    with pytest.raises(ValueError, match="made with settings that this page does not have"):
        TrainingSettings.from_recipe(config, Recipe(), PAIRS)
    with pytest.raises(ValueError, match="steps is a whole number from 1 to 5,000"):
        TrainingSettings.from_recipe(TrainingSettings().config(PAIRS), Recipe(steps=6000), PAIRS)


def test_long_pairs_in_large_batches_are_refused_before_they_fill_the_memory():
    long = read_csv("\n".join(f"{k:064},{k:064}" for k in range(20)))
    large = TrainingSettings(d_model=64, heads=8, encoder_layers=3, decoder_layers=3, batch=256)
    with pytest.raises(ValueError, match="choose a smaller batch"):
        large.check_size(long)
    large.check_size(PAIRS)
    TrainingSettings().check_size(long)
