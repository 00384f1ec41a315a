from dataclasses import replace

from tinkerformer.explain.units import in_units
from tinkerformer.files import catalog
from tinkerformer.model.scenario.model_names import DATES, PHRASES

SENTENCE = "Word by word: the likeliest word after “no word” is one of 3 words, in its own wording."


def test_a_sentence_names_the_tokens_of_its_model() -> None:
    assert in_units(catalog.first(PHRASES), SENTENCE) == SENTENCE
    assert in_units(catalog.first(DATES), SENTENCE) == (
        "Character by character: the likeliest character after “no word” is one of 3 characters, "
        "in its own wording."
    )


def test_tokens_that_are_neither_words_nor_characters_are_called_tokens() -> None:
    known = catalog.first(DATES).vocabulary
    assert known.unit_name == "character"
    assert replace(known, source=(*known.source, "ing")).unit_name == "token"
