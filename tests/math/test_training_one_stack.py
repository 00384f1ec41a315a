import itertools
import math

import numpy as np
import pytest

from tests.math.training_cases import PAIRS, assert_same, numbers, small, take
from transformer_math import (
    Labels,
    Recipe,
    Trainer,
    Transformer,
    blanks,
    classes,
    config_for,
    exact_matches,
    gradients,
    next_words,
)
from transformer_math.data.texts import Texts
from transformer_math.ops import log_softmax
from transformer_math.training.evaluation import answers

# Any name may be followed by any verb, and each verb has its own continuation.
TEXTS = [
    f"{who} {' '.join(way)}"
    for who in ("ann", "bob", "cy")
    for way in (("runs", "to", "barn"), ("swims", "in", "lakes"), ("flies", "over", "hills"))
    for _ in range(4)
]
ALLOWED = set(TEXTS)
WEATHER = [
    (f"{' '.join(words)}", "good" if ("warm" in words) != ("not" in words) else "bad")
    for words in itertools.product(
        ("", "not"), ("warm", "cold"), ("sun", "rain", "wind", "sky"), "abcdef"
    )
    for words in [tuple(filter(None, words))]
]
KINDS = {
    "next": lambda: next_words(TEXTS, allowed=ALLOWED),
    "blanks": lambda: blanks(TEXTS, allowed=ALLOWED),
    "classes": lambda: classes(WEATHER, held_out=8),
}
RECIPE = {"steps": 150, "batch": 16, "warmup": 10, "peak_learning_rate": 2e-2, "smoothing": 0.0}


def trainer(name: str, **recipe) -> Trainer:
    data = KINDS[name]()
    model = Transformer.create(config_for(data), 3)
    return Trainer(model, data, Recipe(**{**RECIPE, **recipe}))


@pytest.mark.parametrize("name", KINDS)
def test_the_loss_of_a_step_is_the_mean_over_predicted_words(name: str) -> None:
    """Written out: −log p of each right word, over all labels that are not padding."""
    training = trainer(name)
    data, model = training.pairs, training.model
    lesson = data.lesson(*data.batch(1, 16, 0))
    logs = log_softmax(model.logits(lesson.source, lesson.target).astype(np.float64))
    asked = lesson.labels != data.target_tokenizer.pad
    losses = [-logs[b, n, lesson.labels[b, n]] for b, n in np.argwhere(asked)]
    trace = model(lesson.source, lesson.target, labels=Labels(lesson.labels))
    norm = math.sqrt(sum(float((g**2).sum()) for g in gradients(trace, model.parameters).values()))
    progress = next(training)
    assert progress.loss == pytest.approx(np.mean(losses), rel=1e-5)
    assert progress.norm == pytest.approx(norm, rel=1e-4)


@pytest.mark.parametrize("name", KINDS)
def test_a_model_of_one_stack_learns(name: str) -> None:
    training = trainer(name)
    before, total = exact_matches(training.model, training.pairs)
    for _ in training:
        pass
    assert exact_matches(training.model, training.pairs) == (total, total)
    assert before < total


@pytest.mark.parametrize("name", KINDS)
def test_resumed_training_continues_as_if_it_had_not_stopped(name: str) -> None:
    whole, first = trainer(name), trainer(name)
    taken = take(whole, 8)
    assert numbers(take(first, 3)) == numbers(taken[:3])
    second = Trainer.load(first.save(), KINDS[name]())
    assert numbers(take(second, 5)) == numbers(taken[3:])
    assert_same(whole, second)


def test_the_answers_of_each_kind_are_texts() -> None:
    for name in KINDS:
        training = trainer(name)
        data: Texts = training.pairs  # type: ignore[assignment]
        found = answers(training.model, data, data.held_out_source)
        assert len(found) == len(data.held_out_source)
        given = [data.source_tokenizer.decode(row) for row in data.held_out_source.tolist()]
        if name == "next":
            assert all(text.startswith(start) for start, text in zip(given, found, strict=True))
        if name == "classes":
            assert all(len(text.split()) <= 1 for text in found)


def test_data_of_another_kind_than_the_model_are_refused() -> None:
    data = {name: make() for name, make in KINDS.items()}
    models = {name: Transformer.create(config_for(texts)) for name, texts in data.items()}
    assert [model.config.kind for model in models.values()] == [
        "decoder-only",
        "encoder-only",
        "encoder-only",
    ]
    with pytest.raises(ValueError, match=r"Next words train a decoder-only model, .* encoder-only"):
        Trainer(models["blanks"], data["next"])
    with pytest.raises(
        ValueError, match=r"Blanks and classes train an encoder-only .*decoder-only"
    ):
        Trainer(models["next"], data["blanks"])
    with pytest.raises(ValueError, match="Pairs train an encoder-decoder, and this model is dec"):
        Trainer(models["next"], PAIRS)
    with pytest.raises(ValueError, match="this model is encoder-decoder"):
        Trainer(small(), data["blanks"])
    with pytest.raises(ValueError, match="The source of the pairs has"):
        Trainer(models["blanks"], data["classes"])


def test_learned_positions_must_suffice_for_the_longest_input() -> None:
    data = KINDS["next"]()
    longest = data.target_length - 1
    for positions, fits in ((longest, True), (longest - 1, False)):
        config = config_for(data, positions="learned", max_positions=positions)
        if fits:
            next(Trainer(Transformer.create(config), data))
        else:
            with pytest.raises(ValueError, match="learned positions end at"):
                Trainer(Transformer.create(config), data)


def test_a_preset_of_two_stacks_is_reduced_to_the_stack_that_learns() -> None:
    config = config_for(KINDS["next"](), "phrases", heads=4)
    assert (config.kind, config.heads, config.d_ff) == ("decoder-only", 4, 16)
    assert config_for(KINDS["blanks"](), "dates").kind == "encoder-only"
