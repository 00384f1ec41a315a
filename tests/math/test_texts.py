import numpy as np
import pytest

from transformer_math import blank_phrases, blanks, classes, next_word_phrases, next_words
from transformer_math.data.phrases import english_texts, french_texts, translate
from transformer_math.data.texts import MASK, Texts

TEXTS = ["a b c", "a c", "b b a c d", "c", "d a b", "d d d d a", "b a", "c a b d"]
ENGLISH, FRENCH = next_word_phrases(), blank_phrases()
LABELED = [("warm sun", "good"), ("cold rain", "bad"), ("warm rain", "good"), ("cold sun", "bad")]


def decoded(data: Texts, rows: np.ndarray, side: str = "target") -> list[str]:
    tokenizer = data.target_tokenizer if side == "target" else data.source_tokenizer
    return [tokenizer.decode(row) for row in rows.tolist()]


def test_the_phrases_of_both_languages_are_texts() -> None:
    english, french = english_texts(), french_texts()
    assert len(set(english)) == len(set(french)) == 22_500
    for n in (0, 777, 22_499):
        assert translate(english[n]) == french[n]
    assert ENGLISH.train_count == FRENCH.train_count == 21_500
    assert len(ENGLISH.held_out_target) == len(FRENCH.held_out_target) == 1000


@pytest.mark.parametrize("data", [ENGLISH, FRENCH, next_words(TEXTS), blanks(TEXTS)])
def test_a_held_out_text_is_not_learned(data: Texts) -> None:
    source, whole = data.rows(np.arange(data.train_count))
    learned = set(decoded(data, whole))
    apart = set(decoded(data, data.held_out_target))
    assert not learned & apart
    assert len(learned) + len(apart) == data.train_count + len(data.held_out_target)
    assert source.shape == (data.train_count, data.source_length)


def test_a_beginning_is_the_beginning_of_its_text_without_the_last_word() -> None:
    for data in (ENGLISH, next_words(TEXTS, held_out=4)):
        for sources, targets in (
            (data.held_out_source, data.held_out_target),
            data.rows(np.arange(min(data.train_count, 500))),
        ):
            pairs = zip(decoded(data, sources, "source"), decoded(data, targets), strict=True)
            for beginning, text in pairs:
                given, whole = beginning.split(), text.split()
                assert given == whole[: len(given)]
                assert 1 <= len(given) < max(len(whole), 2)
    lengths = (ENGLISH.held_out_source != ENGLISH.source_tokenizer.pad).sum(1)
    assert set(lengths.tolist()) == {1, 2, 3, 4}


def test_the_input_of_next_words_is_the_text_itself() -> None:
    data = next_words(TEXTS)
    read = data.lesson(*data.batch(3, 5, 1))
    assert read.source is None
    _, whole = data.batch(3, 5, 1)
    np.testing.assert_array_equal(read.target, whole[:, :-1])
    np.testing.assert_array_equal(read.labels, whole[:, 1:])
    assert (read.target[:, 0] == data.target_tokenizer.start).all()


def test_blanks_are_drawn_again_in_each_step_and_are_reproducible() -> None:
    data = blanks(TEXTS, share=0.5)
    pad = data.source_tokenizer.pad
    for step in range(1, 30):
        source, whole = data.batch(step, 6, seed=4)
        hidden = source == data.mask
        assert hidden.any(1).all()
        assert not hidden[whole == pad].any()
        np.testing.assert_array_equal(source[~hidden], whole[~hidden])
        lesson = data.lesson(source, whole)
        assert lesson.target is None
        np.testing.assert_array_equal(lesson.labels, np.where(hidden, whole, pad))
        again = data.batch(step, 6, seed=4)
        np.testing.assert_array_equal(again[0], source)
    assert any(not np.array_equal(data.batch(1, 6, 4)[0], data.batch(n, 6, 4)[0]) for n in (2, 3))


def test_the_share_of_blanks_is_right() -> None:
    """One word of each text, and the requested share of the others."""
    data = blank_phrases()
    source, whole = data.batch(1, 4000, seed=0)
    words = (whole != data.source_tokenizer.pad).sum(1)
    hidden = (source == data.mask).sum(1)
    assert (hidden - 1).sum() / (words - 1).sum() == pytest.approx(0.15, abs=0.01)


def test_each_held_out_text_has_one_blank() -> None:
    hidden = FRENCH.held_out_source == FRENCH.mask
    assert (hidden.sum(1) == 1).all()
    assert (hidden.sum(0)[:6] > 80).all()  # at any position
    assert FRENCH.source_tokenizer.tokens[FRENCH.mask] == MASK
    assert FRENCH.source_tokenizer.encode(f"le {MASK} noir")[1] == FRENCH.mask


def test_characters_can_be_blanks() -> None:
    data = blanks(["moon", "noon", "soon"], unit="character")
    assert data.source_tokenizer.tokens[data.mask] == "_"
    assert data.source_tokenizer.encode("m__n")[1:3] == [data.mask] * 2


def test_the_class_is_predicted_only_at_the_first_position() -> None:
    data = classes(LABELED)
    source, answer = data.rows(np.arange(3))
    assert (source[:, 0] == data.source_tokenizer.start).all()
    lesson = data.lesson(source, answer)
    np.testing.assert_array_equal(lesson.labels[:, 0], answer[:, 0])
    assert (lesson.labels[:, 1:] == data.source_tokenizer.pad).all()
    known = dict(LABELED)
    texts = decoded(data, source, "source")
    assert decoded(data, answer) == [known[text] for text in texts]


def test_texts_that_agree_with_the_data_are_right() -> None:
    assert ENGLISH.is_right("the cat sat on the mat", "the cat sat on a mat")
    assert not ENGLISH.is_right("the cat sat on the mat", "the cat sat on a")
    assert FRENCH.is_right("le chat dort sur le lit", "le chien dort sur le lit")
    assert not FRENCH.is_right("le chat dort sur le lit", "la chat dort sur le lit")
    alone = next_words(TEXTS)
    assert alone.is_right("a b", "a b")
    assert not alone.is_right("a b", "a c")


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: next_words(["one"]), "Two texts are needed"),
        (lambda: next_words(TEXTS, held_out=8), "held_out is a whole number from 1 to 7, not 8"),
        (lambda: blanks(TEXTS, share=1), "share of blanks lies from 0 to below 1"),
        (lambda: blanks([*TEXTS, f"a {MASK}"]), "stands for a blank"),
        (lambda: classes([("a b", "two words"), ("c", "d")]), "A class is one word"),
        (lambda: next_words(TEXTS, tokens=["a"]), "has no token"),
    ],
)
def test_texts_that_leave_nothing_to_learn_are_refused(make, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        make()
