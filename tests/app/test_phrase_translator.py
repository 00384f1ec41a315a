"""The phrase translator of ``assets``: it generalizes, and its attention can be interpreted."""

import json
from pathlib import Path

import numpy as np
import pytest
from tinkerformer.cli.command import main

from tests.app.test_cli import told
from transformer_math import Config, Recipe, Trainer, Transformer
from transformer_math.checkpoints import safetensors
from transformer_math.data.phrases import ENGLISH, FRENCH, alignment, phrases, translate
from transformer_math.training import config_for
from transformer_math.training.evaluation import exact_matches, translations

ASSET = Path(__file__).parents[2] / "assets" / "phrases.safetensors"
PAIRS = phrases()
SENTENCE = "the black cat sat on the small mat"
EXAMPLE = "the black cat sat on the mat"


@pytest.fixture(scope="module")
def model() -> Transformer:
    file = safetensors.load(ASSET.read_bytes())
    return Transformer(Config.from_dict(json.loads(file.metadata["config"])), file.arrays)


def cross_attention(model: Transformer, source: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Return the weights of every head while the target is decoded: (…, heads, m − 1, n)."""
    trace = model(source, target[..., :-1])
    return np.asarray(trace["decoder.0.cross_attn.weights"].value)


def test_every_held_out_phrase_is_translated_correctly(model: Transformer) -> None:
    assert ASSET.stat().st_size < 40_000
    assert model.config.parameter_count() == 2136
    assert exact_matches(model, PAIRS) == (1000, 1000)


def test_replacing_a_source_word_changes_only_words_that_depend_on_it(model: Transformer) -> None:
    """The gender of a noun changes article, adjective and verb, and nothing else."""
    for text in (
        "the black cat sat on the mat",
        "the white cat sat on the mat",
        "the white hen sat on the mat",
        "the white hen sat on a box",
    ):
        source = np.array([ENGLISH.encode(text, PAIRS.source_length)])
        assert translations(model, PAIRS, source) == [translate(text)]


def test_in_one_head_each_word_attends_most_to_the_word_it_translates(model: Transformer) -> None:
    """Of all words of 200 unseen phrases, 95 % do."""
    count = 200
    source, target = PAIRS.held_out_source[:count], PAIRS.held_out_target[:count]
    largest = cross_attention(model, source, target).argmax(-1)  # (count, heads, m - 1)
    aligned = [alignment(ENGLISH.decode(row)) for row in source.tolist()]
    words = sum(map(len, aligned))
    hits = [
        sum(
            int(np.count_nonzero(largest[row, head, : len(at)] == at))
            for row, at in enumerate(aligned)
        )
        for head in range(model.config.heads)
    ]
    assert max(hits) >= 0.95 * words


def test_the_weights_of_a_sentence_align_it(model: Transformer) -> None:
    """le→the, chat→cat, noir→black, est→sat, assis→sat, sur→on, le→the, petit→small, tapis→mat."""
    source, target = (
        np.array(ENGLISH.encode(SENTENCE)),
        np.array(FRENCH.encode(translate(SENTENCE))),
    )
    at = list(alignment(SENTENCE))
    weights = cross_attention(model, source, target)[:, np.arange(len(at)), at]
    clearest = weights[weights.min(-1).argmax()]
    assert clearest.min() > 0.85
    assert np.delete(clearest, 3).min() > 0.9  # all but est


def test_the_probabilities_of_written_words_follow_label_smoothing(model: Transformer) -> None:
    """Label smoothing with 0.9 as target makes other probabilities unlikely."""
    source, target = np.array(ENGLISH.encode(EXAMPLE)), np.array(FRENCH.encode(translate(EXAMPLE)))
    probabilities = model(source, target[:-1])["output.probabilities"].value
    right = probabilities[np.arange(len(target) - 1), target[1:]]
    assert 0.84 < right.min() < right.max() < 0.9


def test_the_checkpoint_is_what_the_command_writes(tmp_path: Path) -> None:
    """Only words, shapes and settings are compared, because computing the numbers takes seconds."""
    kept = safetensors.load(ASSET.read_bytes())
    out = tmp_path / "a.safetensors"
    few = ["--steps", "2", "--warmup", "1"]
    main(["train", "--data", "phrases", "--seed", kept.metadata["seed"], *few, str(out)])
    made = safetensors.load(out.read_bytes())
    assert told(made) == told(kept)
    assert {p: a.shape for p, a in made.arrays.items()} == {
        p: a.shape for p, a in kept.arrays.items()
    }


def test_a_wider_model_learns_the_phrases_in_250_steps() -> None:
    """Training from random weights takes about two seconds."""
    config = config_for(PAIRS, "phrases", d_model=16, d_ff=32)
    trainer = Trainer(Transformer.create(config, 0), PAIRS, Recipe.preset("phrases", steps=250))
    assert exact_matches(trainer.model, PAIRS, 200) == (0, 200)
    for _ in trainer:
        pass
    right, total = exact_matches(trainer.model, PAIRS)
    assert right >= 0.99 * total
