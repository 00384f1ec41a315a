import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.math.test_own_pairs import written
from transformer_math.data.pairs import Pairs, pairs, read_csv
from transformer_math.data.text_checks import BadLine

TWELVE = [(f"s{i}", f"the target {i}") for i in range(12)]
SIDE = st.text(
    # Without the character that replaces undecodable bytes.
    st.characters(
        exclude_categories=["C", "Z"], include_characters=' ",', exclude_characters="\ufffd"
    ),
    max_size=64,
)
SIDES = SIDE.filter(str.strip)


def read_back(pairs: Pairs, source: np.ndarray, target: np.ndarray) -> list[tuple[str, str]]:
    assert source.shape == (len(target), pairs.source_length)
    assert target.shape == (len(source), pairs.target_length)
    return [
        (pairs.source_tokenizer.decode(s), pairs.target_tokenizer.decode(t))
        for s, t in zip(source, target, strict=True)
    ]


def parts(pairs: Pairs) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return the training pairs in order, and the held-out pairs."""
    train = read_back(pairs, *pairs.rows(np.arange(pairs.train_count)))
    return train, read_back(pairs, pairs.held_out_source, pairs.held_out_target)


def test_rows_are_encoded_as_by_hand() -> None:
    pairs = read_csv("ab,x\nb,xyz\n")
    assert pairs.source_tokenizer.tokens == ("a", "b", "<sos>", "<eos>", "<pad>")
    assert pairs.target_tokenizer.tokens == ("x", "y", "z", "<sos>", "<eos>", "<pad>")
    assert (pairs.source_length, pairs.target_length) == (4, 5)
    assert (pairs.name, pairs.train_count) == ("own pairs", 1)
    train, held_out = pairs.rows(np.array([0])), (pairs.held_out_source, pairs.held_out_target)
    rows = sorted((s.tolist(), t.tolist()) for (s,), (t,) in (train, held_out))
    assert rows == [([2, 0, 1, 3], [3, 0, 4, 5, 5]), ([2, 1, 3, 4], [3, 0, 1, 2, 4])]


@pytest.mark.parametrize(
    "text",
    [
        "a,1\rb,2\r",
        "\n\na,1\n   \n\nb,2\n\n",
        "a, 1\n b, 2\n",
        "\ufeffX , Y\r\na,1\r\nb,2",
        '\n"Input","OUTPUT"\na,1\nb,2\n',
    ],
)
def test_the_same_pairs_can_be_written_in_several_ways(text: str) -> None:
    train, held_out = parts(read_csv(text))
    assert sorted(train + held_out) == [("a", "1"), ("b", "2")]


@given(st.dictionaries(SIDES, SIDES, min_size=2, max_size=30), st.integers(0, 3))
def test_written_pairs_are_read_as_the_same_pairs(sides: dict[str, str], seed: int) -> None:
    pairs = list(sides.items())
    text = written([("source", "target"), *pairs], quoting=csv.QUOTE_ALL)
    train, held_out = parts(read_csv(text, seed))
    assert sorted(train + held_out) == sorted(pairs)
    assert len(held_out) == max(1, len(pairs) // 10)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("alone", "Line 3 has 1 column and needs 2: a source, a comma and its target."),
        (
            "a,b,c",
            "Line 3 has 3 columns, and most have 2: a text with a comma in it needs quotation "
            "marks.",
        ),
        ("a,", "The target of line 3 is empty."),
        (",a", "The source of line 3 is empty."),
        ('a,"  "', "The target of line 3 is empty."),
        ("a\tb,c", "The source of line 3 has U+0009 as its character 2, which is no text."),
        ("a,b\0", "The target of line 3 has U+0000 as its character 2, which is no text."),
        ("a\u0085,b", "The source of line 3 has U+0085 as its character 2, which is no text."),
        ("a,\u2028b", "The target of line 3 has U+2028 as its character 1, which is no text."),
        ("\ud83d,b", "The source of line 3 has U+D83D as its character 1, which is no text."),
        ("a," + "b" * 65, "The target of line 3 has 65 characters; at most 64 are read."),
        ("a" * 2000 + ",b", "The source of line 3 has 2,000 characters; at most 64 are read."),
        ("a" * 200_000 + ",b", "Line 3 has 200,002 characters; at most 10,000 are read."),
        *(
            (line, "Line 3 has a quotation mark that is not closed, or text after the closing one.")
            for line in ('"a,b', 'a,"b"c', '"a","b""')
        ),
    ],
)
def test_bad_lines_are_refused_by_number(line: str, sentence: str) -> None:
    with pytest.raises(BadLine) as caught:
        read_csv(f"good,line\n\n{line}\nanother,one\n")
    assert str(caught.value) == sentence
    assert caught.value.line == 3


def test_sides_of_the_greatest_length_with_an_emoji_are_read() -> None:
    pairs = read_csv("🙂é" + "a" * 62 + "," + "b" * 64 + "\nc,d\n")
    assert (pairs.source_length, pairs.target_length) == (66, 66)


@pytest.mark.parametrize(
    ("count", "held_out"), [(2, 1), (19, 1), (20, 2), (12_345, 1000), (20_000, 1000)]
)
def test_a_tenth_is_held_out(count: int, held_out: int) -> None:
    """Headers and blank lines do not count."""
    pairs = read_csv("x,y\n\n" + "".join(f"{i},{i % 7}\n\n" for i in range(count)))
    assert len(pairs.held_out_source) == len(pairs.held_out_target) == held_out
    assert pairs.train_count == count - held_out


@given(
    st.lists(st.tuples(st.sampled_from("abcde"), st.sampled_from("vwxyz")), min_size=2).filter(
        lambda pairs: len({source for source, _ in pairs}) > 1
    ),
    st.integers(0, 9),
)
def test_a_source_is_either_learned_or_held_out(pairs: list[tuple[str, str]], seed: int) -> None:
    """Even with repetitions, and with sources that have several targets."""
    train, held_out = parts(read_csv(written([("x", "y"), *pairs]), seed))
    sources = {source for source, _ in held_out}
    assert train == [pair for pair in pairs if pair[0] not in sources]
    assert train
    assert set(held_out) <= set(pairs)
    assert 1 <= len(held_out) == len(set(held_out)) <= max(1, len(set(pairs)) // 10)


def test_few_sources_of_many_targets_leave_enough_to_learn_from() -> None:
    """Targets of one source are held out together, which must not be too many."""
    pairs = read_csv("".join(f"s{i % 50},t{i}\n" for i in range(5000)))
    assert len(pairs.held_out_source) == 500
    assert pairs.train_count == 4500


@pytest.mark.parametrize("seed", range(6))
def test_at_least_one_source_is_left_to_learn_from(seed: int) -> None:
    """A tenth would be three pairs: either those of ``a`` or those of ``b`` are held out."""
    pairs = read_csv("a,0\n" + "".join(f"b,{i}\n" for i in range(30)), seed)
    assert (pairs.train_count, len(pairs.held_out_source)) in {(30, 1), (1, 3)}


def test_the_seed_decides_which_pairs_are_held_out() -> None:
    text = written(TWELVE)
    drawn = {tuple(parts(read_csv(text, seed))[1]) for seed in range(20)}
    assert len(drawn) > 5
    assert parts(read_csv(text, 3)) == parts(read_csv(text, 3))


def test_batches_contain_training_pairs_and_depend_only_on_seed_and_step_and_size() -> None:
    pairs, again = read_csv(written(TWELVE), 1), read_csv(written(TWELVE), 1)
    train, _ = parts(pairs)
    again.batch(0, 5, 0)
    source, target = pairs.batch(4, 300, seed=9)
    assert source.dtype == target.dtype == np.intp
    assert set(read_back(pairs, source, target)) == set(train)
    for one, other in zip((source, target), again.batch(4, 300, seed=9), strict=True):
        np.testing.assert_array_equal(one, other)
    for others in ((5, 300, 9), (4, 300, 8)):
        assert not np.array_equal(source, pairs.batch(*others)[0])


def test_large_alphabets_keep_their_ids() -> None:
    """Ids above 255 need more than one byte."""
    pairs = [(chr(0x4E00 + i), chr(0x5E00 + i)) for i in range(600)]
    train, held_out = parts(read_csv(written(pairs)))
    assert sorted(train + held_out) == pairs


# -- by words ------------------------------------------------------------------------------------


def test_rows_of_words_are_encoded_as_by_hand() -> None:
    """Sources have only padding as a special token; targets have all special tokens."""
    pairs = read_csv('the cat,le chat\n"cat,","chat ,"\n', unit="word")
    assert pairs.source_tokenizer.tokens == ("cat", "cat,", "the", "<sos>", "<eos>", "<pad>")
    assert pairs.target_tokenizer.tokens == (",", "chat", "le", "<sos>", "<eos>", "<pad>")
    assert (pairs.source_length, pairs.target_length) == (2, 4)
    train, held_out = pairs.rows(np.array([0])), (pairs.held_out_source, pairs.held_out_target)
    rows = sorted((s.tolist(), t.tolist()) for (s,), (t,) in (train, held_out))
    assert rows == [([1, 5], [3, 1, 0, 4]), ([2, 0], [3, 2, 1, 4])]


def test_the_report_describes_the_pairs() -> None:
    pairs = read_csv("a b c,d\nb b,e f\n", unit="word")
    assert (pairs.unit, pairs.source_count, pairs.target_count) == ("word", 3, 3)
    assert (pairs.longest_source, pairs.longest_target) == (3, 2)
    pairs = read_csv("abc,d\nb b,e f\n")
    assert (pairs.unit, pairs.source_count, pairs.target_count) == ("character", 4, 4)
    assert (pairs.longest_source, pairs.longest_target) == (3, 3)


def test_spaces_between_words_do_not_count() -> None:
    train, held_out = parts(read_csv("a  b,c\nd,e\n a b ,c\n", unit="word"))
    assert sorted(set(train + held_out)) == [("a b", "c"), ("d", "e")]
    assert len(held_out) == 1


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("\u00a0,a", "The source of line 3 is empty."),
        ("a," + "b " * 65, "The target of line 3 has 65 words; at most 64 are read."),
        (
            "the " + "b" * 25 + ",c",
            "The source of line 3 has a word of 25 characters, 'bbbbbbbbbbbbbbbbbbbbbbbb…'; "
            "at most 24 are read.",
        ),
        (
            "a,le <eos>",
            "The target of line 3 has the word <eos>, which stands for a special token.",
        ),
    ],
)
def test_bad_lines_of_words_are_refused_by_number(line: str, sentence: str) -> None:
    with pytest.raises(BadLine) as caught:
        read_csv(f"good,line\n\n{line}\nanother,one\n", unit="word")
    assert str(caught.value) == sentence
    assert caught.value.line == 3


def test_the_longest_words_and_lines_are_read() -> None:
    pairs = read_csv("b" * 24 + " a" * 63 + ",x\nc,d\n", unit="word")
    assert (pairs.longest_source, pairs.longest_target) == (64, 1)


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ([f"a{i},b" for i in range(20_001)], "There are more pairs than the 20,000 that "),
        ([f"a{i},b" for i in range(5_001)], "The sources have 5,001 different words; at most "),
        ([f"a b{i % 2},c{i}" for i in range(5_001)], "The targets have 5,001 different words; "),
    ],
    ids=["lines", "sources", "targets"],
)
def test_too_many_lines_or_words_are_refused(lines: list[str], sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{sentence}"):
        read_csv("\n".join(lines), unit="word")


def test_a_missing_file_of_pairs_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"^There is no file .*none.csv to read pairs from"):
        pairs(tmp_path / "none.csv")
    with pytest.raises(ValueError, match="is a folder, and pairs are read from a file"):
        pairs(tmp_path)
