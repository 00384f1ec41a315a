import itertools
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from transformer_math import (
    Config,
    Recipe,
    Trainer,
    Transformer,
    config_for,
    exact_matches,
    fill_blanks,
)
from transformer_math.checkpoints import safetensors
from transformer_math.data.phrases import (
    BLANK_EXAMPLES,
    blank_phrases,
    english_texts,
    french_texts,
    next_word_phrases,
)
from transformer_math.data.texts import MASK

ASSETS = Path(__file__).parents[2] / "assets"
DATA = {"next-word": next_word_phrases(), "blanks": blank_phrases()}
MODELS = {name: Transformer.load(ASSETS / f"{name}.safetensors") for name in DATA}


@pytest.mark.parametrize("name", DATA)
def test_every_held_out_phrase_is_answered_correctly(name: str) -> None:
    model = MODELS[name]
    assert exact_matches(model, DATA[name]) == (1000, 1000)
    preset = Config.preset(name, max_positions=model.config.max_positions)
    assert model.config == preset == config_for(DATA[name])


def shares(texts: list[str], fits: str) -> dict[str, float]:
    """Return word -> probability at the first blank, if all fitting phrases are equally likely."""
    at = fits.split().index(MASK)
    given = fits.split()
    found = Counter(
        words[at]
        for text in texts
        if len(words := text.split()) == len(given)
        and all(a in (MASK, b) for a, b in zip(given, words, strict=True))
    )
    return {word: count / found.total() for word, count in found.items()}


def test_the_probabilities_of_the_next_word_are_those_of_the_phrases() -> None:
    """The tolerance is a few hundredths, at every position of every fiftieth phrase."""
    model, words = MODELS["next-word"], DATA["next-word"].target_tokenizer
    texts = [[*text.split(), "<eos>"] for text in english_texts()]
    follow: dict[tuple[str, ...], Counter[str]] = {}
    for text in texts:
        for n, word in enumerate(text):
            follow.setdefault(tuple(text[:n]), Counter())[word] += 1
    off = []
    for text in texts[::50]:
        ids = [words.start, *words.encode(" ".join(text[:-1]))[1:-1]]
        p = model(None, ids)["output.probabilities"].value
        for n in range(len(text)):
            right = follow[tuple(text[:n])]
            ideal = np.array([right[word] / right.total() for word in words.tokens])
            off.append(np.abs(p[n] - ideal).max())
    assert np.mean(off) < 0.03
    assert np.max(off) < 0.25


@pytest.mark.parametrize("text", BLANK_EXAMPLES[:4])
def test_a_blank_is_filled_with_a_word_that_agrees_with_the_noun(text: str) -> None:
    model, words = MODELS["blanks"], DATA["blanks"].source_tokenizer
    ids = words.encode(text)
    p = model(ids)["output.probabilities"].value[text.split().index(MASK)]
    ideal = shares(french_texts(), text)
    found = {words.tokens[k]: float(p[k]) for k in np.argsort(-p)[: len(ideal)]}
    assert found.keys() == ideal.keys()
    assert all(abs(found[word] - ideal[word]) < 0.15 for word in ideal)


def test_several_blanks_are_filled_with_words_that_agree() -> None:
    """Filled one by one they always agree; all at once, not always."""
    model, data = MODELS["blanks"], DATA["blanks"]
    words, known = data.source_tokenizer, set(french_texts())
    texts = [text.split() for text in french_texts()[::450]]
    right = total = 0
    for text, pair in itertools.product(texts, [(0, 1), (1, 3)]):
        blanked = [MASK if n in pair else word for n, word in enumerate(text)]
        ids = fill_blanks(
            model,
            words.encode(" ".join(blanked)),
            data.mask,
            forbidden_tokens=range(words.start, words.size),
        ).ids[0]
        right += words.decode(ids.tolist()) in known
        total += 1
    assert right / total > 0.97


@pytest.mark.parametrize("name", DATA)
def test_the_command_trains_the_models_of_one_stack(name: str) -> None:
    """Only the first steps from the same seed; the loss falls as before."""
    data = DATA[name]
    seed = int(safetensors.metadata((ASSETS / f"{name}.safetensors").read_bytes())["seed"])
    tokens = data.source_tokenizer.tokens, data.target_tokenizer.tokens
    model = Transformer.create(config_for(data), seed, *tokens)
    trainer = Trainer(model, data, Recipe(seed=seed))
    losses = [progress.loss for progress in itertools.islice(trainer, 60)]
    assert np.mean(losses[-10:]) < 0.85 * np.mean(losses[:10])
