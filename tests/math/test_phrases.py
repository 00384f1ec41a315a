"""Phrases: French by hand, agreement in every phrase, and sentences for invalid phrases."""

import csv
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.math.stored import DATA
from transformer_math import Config, Recipe
from transformer_math.data.pairs import read_csv
from transformer_math.data.phrases import (
    ADJECTIVES,
    ANIMALS,
    ARTICLES,
    ENGLISH,
    FRENCH,
    PLACES,
    PREPOSITIONS,
    VERBS,
    Phrase,
    alignment,
    parse,
    phrases,
    translate,
)
from transformer_math.training import config_for

BY_HAND = DATA / "phrases_by_hand.csv"
PAIRS = phrases()
ADJECTIVE_OR_NONE = st.sampled_from(["", *ADJECTIVES])
PHRASES = st.builds(
    Phrase,
    st.sampled_from(list(ARTICLES)),
    ADJECTIVE_OR_NONE,
    st.sampled_from(list(ANIMALS)),
    st.sampled_from(list(VERBS)),
    st.sampled_from(list(PREPOSITIONS)),
    st.sampled_from(list(ARTICLES)),
    ADJECTIVE_OR_NONE,
    st.sampled_from(list(PLACES)),
)


def test_a_hundred_phrases_are_translated_as_by_hand() -> None:
    with BY_HAND.open(encoding="utf-8", newline="") as file:
        pairs = list(csv.reader(file))
    assert len({source for source, _ in pairs}) == 100
    assert [translate(source) for source, _ in pairs] == [target for _, target in pairs]


@given(PHRASES)
def test_every_phrase_agrees_with_its_nouns(phrase: Phrase) -> None:
    """Only the French is read: the gender of articles, adjectives and ``assis``."""
    words = translate(" ".join(phrase.english)).split()
    feminine = {"souris", "poule", "boîte", "voiture", "maison"}
    masculine = {"chat", "chien", "lapin", "tapis", "lit"}
    (verb,) = (i for i, word in enumerate(words) if word in {"est", "dort", "court"})
    place = verb + (3 if words[verb] == "est" else 2)
    for part in (words[: place - 1], words[place:]):
        (noun,) = feminine.union(masculine).intersection(part)
        forms = {"la", "une", "petite", "grande", "noire", "blanche", "assise"}
        if noun in masculine:
            forms = {"le", "un", "petit", "grand", "noir", "blanc", "assis"}
        assert set(part) - {noun, "est", "dort", "court"} <= forms
        before = part.index(noun)
        assert not {"noir", "noire", "blanc", "blanche"}.intersection(part[:before])
        assert not {"petit", "petite", "grand", "grande"}.intersection(part[before:])


@given(PHRASES)
def test_the_alignment_pairs_words_that_mean_the_same(phrase: Phrase) -> None:
    english, french = phrase.english, phrase.french
    found = alignment(" ".join(english))
    assert len(found) == len(french)
    assert set(found) == set(range(len(english))), "every English word is translated"
    meanings = {
        **{word: set(forms) for word, forms in (ARTICLES | ADJECTIVES).items()},
        **{word: {noun} for word, (noun, _) in (ANIMALS | PLACES).items()},
        **{word: {"est", *(f for form in forms for f in form)} for word, forms in VERBS.items()},
        **{word: {translated} for word, translated in PREPOSITIONS.items()},
    }
    assert all(word in meanings[english[at]] for word, at in zip(french, found, strict=True))


@given(PHRASES, st.sampled_from([" ", "  ", "\t"]))
def test_a_phrase_is_parsed_to_itself(phrase: Phrase, blank: str) -> None:
    assert parse(f" {blank.join(phrase.english)}\n") == phrase


@given(st.lists(st.sampled_from([*ENGLISH.tokens, "fox"]), max_size=9) | st.lists(st.text()))
def test_any_text_is_translated_or_refused_in_one_sentence(words: list[str]) -> None:
    text = " ".join(words)
    try:
        assert FRENCH.encode(translate(text))
        assert tuple(text.split()) == parse(text).english
    except ValueError as error:
        sentence = str(error)
        assert sentence.endswith(".")
        assert sentence.isprintable()
        unknown = [word for word in text.split() if word not in ENGLISH.tokens[: ENGLISH.start]]
        assert ("not among these" in sentence) == bool(unknown)


ANIMAL_NOUNS = "cat, dog, rabbit, mouse or hen"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "There is no phrase; it begins with the or a."),
        ("cat", "At the start stands 'cat', where the grammar has the or a."),
        (
            "the",
            "The phrase breaks off after 'the'; it goes on with small, big, black, white, "
            f"{ANIMAL_NOUNS}.",
        ),
        (
            "the the",
            f"After 'the' stands 'the', where the grammar has small, big, black, white, "
            f"{ANIMAL_NOUNS}.",
        ),
        (
            "the black small cat",
            f"After 'black' stands 'small', where the grammar has {ANIMAL_NOUNS}.",
        ),
        (
            "a mat",
            f"After 'a' stands 'mat', where the grammar has small, big, black, white, "
            f"{ANIMAL_NOUNS}.",
        ),
        (
            "the cat on the mat",
            "After 'cat' stands 'on', where the grammar has sat, sleeps or runs.",
        ),
        (
            "the cat sat on the big",
            "The phrase breaks off after 'big'; it goes on with mat, bed, box, car or house.",
        ),
        ("the cat sat on the mat on the bed", "The phrase has ended before 'on'."),
        (
            "the cat sat on the red fox",
            "The word 'red' is not among these: the, a, small, big, black, white, "
            "cat, dog, rabbit, mouse, hen, sat, sleeps, runs, on, in, under, mat, bed, box, car, "
            "house.",
        ),
    ],
)
def test_an_invalid_phrase_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        translate(text)


def test_every_phrase_exists_once() -> None:
    """Either held out or learned, with its translation."""
    train = PAIRS.rows(np.arange(PAIRS.train_count))
    sources = np.concatenate([train[0], PAIRS.held_out_source])
    targets = np.concatenate([train[1], PAIRS.held_out_target])
    assert (sources.shape, targets.shape) == ((22_500, 8), (22_500, 11))
    assert PAIRS.held_out_source.shape == (1000, 8)
    texts = [ENGLISH.decode(row) for row in sources.tolist()]
    assert len(set(texts)) == 22_500
    for number in range(0, 22_500, 37):
        assert FRENCH.decode(targets[number].tolist()) == translate(texts[number])
    held_out = texts[-1000:]
    assert held_out != sorted(held_out), "the first hundred are to be a sample of all"
    assert len({text.split()[1] for text in held_out[:200]}) == 9


def test_the_seed_decides_which_phrases_are_held_out() -> None:
    again, other = phrases(), phrases(1, 500)
    np.testing.assert_array_equal(again.held_out_source, PAIRS.held_out_source)
    for one, same in zip(again.batch(3, 20, 4), PAIRS.batch(3, 20, 4), strict=True):
        np.testing.assert_array_equal(one, same)
    assert other.held_out_source.shape == (500, 8)
    assert not np.array_equal(other.held_out_source, PAIRS.held_out_source[:500])


def test_the_phrases_have_these_counts() -> None:
    assert (PAIRS.name, PAIRS.unit, PAIRS.train_count) == ("phrases", "word", 21_500)
    assert (PAIRS.source_count, PAIRS.target_count) == (22, 30)
    assert (PAIRS.longest_source, PAIRS.longest_target) == (8, 9)


def test_the_preset_has_this_model_and_this_recipe() -> None:
    config = config_for(PAIRS, "phrases")
    assert config == Config.preset("phrases", max_positions=11)
    assert config.parameter_count() == 2136
    recipe = Recipe.preset("phrases", seed=3)
    assert recipe == Recipe(steps=1000, batch=64, peak_learning_rate=1e-2, warmup=100, seed=3)
    with pytest.raises(ValueError, match="one of dates, phrases"):
        Recipe.preset("verbs")


def test_own_pairs_of_words_are_read_like_the_phrases() -> None:
    own = read_csv(BY_HAND.read_text(encoding="utf-8"), unit="word")
    assert (own.source_count, own.target_count) == (22, 30)
    assert (own.source_length, own.target_length) == (PAIRS.source_length, PAIRS.target_length)
    for row in own.held_out_source.tolist():
        text = own.source_tokenizer.decode(row)
        assert row[: len(text.split())] == own.source_tokenizer.encode(text)
        assert translate(text)
