"""A token for each character or word: ids of document 001, round trips and errors."""

import dataclasses
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from transformer_math.data.tokenizer import DATES, EOS, PAD, SOS, Tokenizer, UnknownToken, shown

ABC = Tokenizer(("a", "b", "c", SOS, EOS, PAD))
WORDS = Tokenizer(("le", "l'eau", "a", SOS, EOS, PAD), "word")
BARE = Tokenizer(WORDS.tokens, "word", framed=False)
CHARACTERS = DATES.tokens[:65]


def test_the_dates_have_68_tokens() -> None:
    assert DATES.size == len(DATES) == 68
    assert (DATES.start, DATES.end, DATES.pad) == (65, 66, 67)
    assert DATES.tokens[65:] == ("<sos>", "<eos>", "<pad>")
    places = {"0": 0, "9": 9, "A": 10, "Z": 35, "a": 36, "z": 61, "-": 62, ",": 63, " ": 64}
    assert {character: DATES.encode(character)[1] for character in places} == places


def test_a_text_is_encoded_as_by_hand() -> None:
    assert ABC.encode("cab") == [3, 2, 0, 1, 4]
    assert ABC.encode("cab", 7) == [3, 2, 0, 1, 4, 5, 5]
    assert ABC.encode("cab", 5) == [3, 2, 0, 1, 4]
    assert ABC.encode("", 3) == [3, 4, 5]


def test_ids_are_decoded_as_by_hand() -> None:
    assert ABC.decode([3, 2, 5, 0, 3, 1, 4, 1, 5]) == "cab"
    assert ABC.decode([2, 0]) == "ca"
    assert ABC.decode([4, 99]) == ""
    assert ABC.decode(np.array([3, 1, 4])) == "b"


def test_words_are_encoded_as_by_hand() -> None:
    assert WORDS.encode(" a le\tle ", 7) == [3, 2, 0, 0, 4, 5, 5]
    assert BARE.encode("a le le", 5) == [2, 0, 0, 5, 5]
    assert BARE.encode("a le le", 3) == [2, 0, 0]
    assert BARE.encode("", 0) == []
    assert WORDS.decode([3, 2, 1, 5, 4, 0]) == "a l'eau"
    assert BARE.decode([2, 1, 5, 5]) == "a l'eau"
    assert (WORDS.special_count, BARE.special_count) == (2, 0)


@given(st.lists(st.text(), min_size=1).filter(any))
def test_any_texts_are_restored_from_their_ids(texts: list[str]) -> None:
    tokenizer = Tokenizer.of_texts(texts)
    assert tokenizer.tokens == (*sorted(set("".join(texts))), SOS, EOS, PAD)
    for text in texts:
        assert tokenizer.decode(tokenizer.encode(text)) == text


@given(st.lists(st.text()), st.booleans())
def test_any_words_are_restored_from_their_ids(texts: list[str], framed: bool) -> None:
    words = [text.split() for text in texts]
    if not any(words):
        return
    tokenizer = Tokenizer.of_texts(texts, "word", framed=framed)
    assert tokenizer.tokens == (*sorted({w for found in words for w in found}), SOS, EOS, PAD)
    for text, found in zip(texts, words, strict=True):
        ids = tokenizer.encode(text)
        assert len(ids) == len(found) + 2 * framed
        assert tokenizer.decode(ids) == " ".join(found)


@given(st.text(min_size=1), st.text(CHARACTERS))
def test_the_first_unknown_character_is_named(text: str, before: str) -> None:
    wrong = [i for i, character in enumerate(before + text) if character not in CHARACTERS]
    if not wrong:
        assert DATES.decode(DATES.encode(before + text)) == before + text
        return
    with pytest.raises(UnknownToken) as caught:
        DATES.encode(before + text)
    assert caught.value.position == wrong[0]
    assert caught.value.token == (before + text)[wrong[0]]
    assert str(caught.value).startswith("The character ")
    assert str(caught.value).isprintable()


def test_the_error_for_an_unknown_character_lists_the_alphabet() -> None:
    with pytest.raises(UnknownToken) as caught:
        DATES.encode("1676/11")
    assert str(caught.value) == (
        "The character '/' has no token; a text may have 0–9, A–Z, a–z, '-', ',' and the space."
    )
    assert (caught.value.token, caught.value.position) == ("/", 4)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("le a la le", "The word 'la' has no token; a text may have 'le', "),
        ("L'eau", 'The word "L\'eau" has no token; '),
        ("a " + "b" * 30, f"The word '{'b' * 24}…' has no token; "),
        ("a\u200bb", "The word 'aU+200Bb' has no token; "),
        ("<eos>", "The word '<eos>' has no token; "),
    ],
)
def test_the_error_for_an_unknown_word_names_it(text: str, sentence: str) -> None:
    with pytest.raises(UnknownToken, match=f"^{re.escape(sentence)}") as caught:
        WORDS.encode(text)
    assert text.split()[caught.value.position] == caught.value.token
    assert WORDS.alphabet == "'le', \"l'eau\" and 'a'"


@pytest.mark.parametrize(
    ("text", "length", "sentence"),
    [
        ("cabca", 6, "The text has 5 characters; at most 4 fit."),
        ("!!!", 4, "The text has 3 characters; at most 2 fit."),
        ("", 1, "<sos> and <eos> need a length of at least 2, not 1."),
    ],
)
def test_a_text_that_is_too_long_is_refused(text: str, length: int, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        ABC.encode(text, length)


def test_too_many_words_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^The text has 3 words; at most 2 fit\.$"):
        BARE.encode("le le le", 2)
    with pytest.raises(ValueError, match=r"^The text has 3 words; at most 2 fit\.$"):
        WORDS.encode("le le le", 4)


@pytest.mark.parametrize("token", [-1, 6])
def test_an_id_outside_the_vocabulary_is_refused(token: int) -> None:
    with pytest.raises(ValueError, match=f"^ids holds numbers from 0 to 5, not {token}.$"):
        ABC.decode([0, token])


@pytest.mark.parametrize(
    ("characters", "words"),
    [
        ("a", "a"),
        ("ab", "a and b"),
        ("abc", "a–c"),
        ("acd", "a, c and d"),
        ("!\"#'", "'!', '\"', '#' and \"'\""),
        (" \u00a0é", "the space, U+00A0 and é"),
        ("/012:", "'/', 0–2 and ':'"),
        ("".join(chr(1000 + 2 * i) for i in range(1, 51)), None),
    ],
)
def test_the_alphabet_is_described_in_words(characters: str, words: str | None) -> None:
    alphabet = Tokenizer((*characters, SOS, EOS, PAD)).alphabet
    if words is None:
        assert alphabet.endswith(" and 10 more")
        assert alphabet.count(",") == 39
    else:
        assert alphabet == words


def test_invisible_characters_are_shown_as_code_points() -> None:
    assert [shown(c) for c in ("x", "\n", "\ud800", "\u202e")] == [
        "'x'",
        "U+000A",
        "U+D800",
        "U+202E",
    ]


def test_a_tokenizer_is_frozen_and_compared_by_value() -> None:
    other = Tokenizer.of_texts(["cab", "b"])
    assert other == ABC
    assert hash(other) == hash(ABC)
    assert other != DATES
    assert Tokenizer(list(ABC.tokens)) == ABC  # type: ignore[arg-type]
    with pytest.raises(dataclasses.FrozenInstanceError):
        ABC.tokens = ()  # type: ignore[misc]


@pytest.mark.parametrize(
    ("tokens", "reason"),
    [
        (("a", "b"), "last tokens"),
        (("a", SOS, PAD, EOS), "last tokens"),
        ((SOS, EOS, PAD), "at least one"),
        (("ab", SOS, EOS, PAD), "single characters"),
        (("", SOS, EOS, PAD), "single characters"),
        (("a", "b", "a", SOS, EOS, PAD), "twice"),
    ],
)
def test_invalid_characters_are_refused(tokens: tuple[str, ...], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Tokenizer(tokens)


@pytest.mark.parametrize(
    ("words", "unit", "reason"),
    [
        ((), "word", "at least one"),
        (("a b",), "word", "words without blanks"),
        (("",), "word", "words without blanks"),
        (("a", "a"), "word", "Each word has one token"),
        (("a", SOS), "word", "twice"),
        (("a",), "letter", "unit is one of character, word, not 'letter'"),
    ],
)
def test_invalid_words_are_refused(words: tuple[str, ...], unit: Any, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Tokenizer((*words, SOS, EOS, PAD), unit)


def test_texts_without_characters_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        Tokenizer.of_texts([""])
