import json
from pathlib import Path

import numpy as np
import pytest
from tinkerformer.files import model_file
from tinkerformer.model.scenario.scenario import Scenario

from transformer_math import DropoutRates, Recipe, Trainer
from transformer_math.checkpoints import safetensors
from transformer_math.data.pairs import Pairs, read_csv

SAVED = Path(__file__).parents[1] / "data" / "saved"
RUN = (SAVED / "training_run.safetensors").read_bytes()
MODEL = (SAVED / "model.safetensors").read_bytes()
WORDS = ("one", "two", "six", "ten", "won", "net")


def pairs() -> Pairs:
    return read_csv("\n".join(f"{word},{word[::-1]}" for word in WORDS))


def test_a_stored_training_run_continues_with_the_same_numbers() -> None:
    trainer = Trainer.load(RUN, pairs())
    assert trainer.recipe == Recipe(
        steps=6, batch=5, schedule="noam", peak_learning_rate=2e-2, warmup=2, smoothing=0.2,
        smoothing_form="torch", clip=0.5, beta_1=0.8, beta_2=0.95, epsilon=1e-8, seed=4,
    )  # fmt: skip
    assert trainer.model.config.dropout == DropoutRates.after_activation(0.1)
    expected = json.loads((SAVED / "training_run.json").read_text(encoding="utf-8"))["next_steps"]
    assert trainer.step == 3
    for known, taken in zip(expected, trainer, strict=True):
        assert (taken.step, taken.learning_rate) == (known["step"], known["learning_rate"])
        assert taken.loss == pytest.approx(known["loss"], rel=1e-5)
        assert taken.norm == pytest.approx(known["norm"], rel=1e-5)


def test_a_training_run_is_written_as_it_was_stored() -> None:
    """Numbers and names are the same; the recipe may have more settings."""
    written = Trainer.load(RUN, pairs()).save()
    (arrays, metadata), (kept, stored) = safetensors.load(written), safetensors.load(RUN)
    assert list(arrays) == list(kept)
    for path, array in kept.items():
        np.testing.assert_array_equal(arrays[path], array, err_msg=path)
    assert metadata.keys() == stored.keys()
    for name, text in stored.items():
        if not text.startswith("{"):
            assert metadata[name] == text
            continue
        known, now = json.loads(text), json.loads(metadata[name])
        assert {field: now[field] for field in known} == known
        if name == "config":
            assert now.keys() == known.keys(), "settings that came later are in LATER of config.py"
    assert Trainer.load(written, pairs()).save() == written


def test_a_stored_model_with_its_own_vocabulary_opens() -> None:
    opened = model_file.load(MODEL, Scenario(), "words")
    arrays, metadata = safetensors.load(MODEL)
    assert opened.settings.dropout.rates == DropoutRates.after_activation(0.1)
    assert opened.source == ("<sos>", "o", "n", "e", "<eos>")
    assert list(opened.target_vocabulary) == json.loads(metadata["target_vocabulary"])
    assert opened.weights is not None
    for path, array in arrays.items():
        np.testing.assert_array_equal(opened.weights.arrays[path], array)
