import json

import numpy as np
import pytest

from tests.math.test_families import STORED, read
from transformer_math import Config
from transformer_math.checkpoints import safetensors
from transformer_math.checkpoints.given_files import GivenFiles
from transformer_math.checkpoints.vocabulary import read_words, words_of_files

WORDS = ("<pad>", "the", "cat", "ä\u2028b")
IDS = {word: n for n, word in enumerate(WORDS)}
SHUFFLED = {word: IDS[word] for word in sorted(IDS)}
LINES = "\n".join(WORDS)
TOKENIZER = {
    "model": {"type": "WordLevel", "vocab": {w: IDS[w] for w in WORDS[:3]}},
    "added_tokens": [{"id": 3, "content": WORDS[3]}, {"id": 0, "content": "<pad>"}],
}
UNIGRAM = {"model": {"type": "Unigram", "vocab": [[word, -1.5] for word in WORDS]}}
FORMS = {
    "vocab.json": json.dumps(SHUFFLED),
    "a list": json.dumps(WORDS),
    "id to word": json.dumps({str(n): word for word, n in SHUFFLED.items()}),
    "stoi": json.dumps({"min_freq": 2, "stoi": SHUFFLED}),
    "itos": json.dumps({"itos": WORDS}),
    "tokenizer.json": json.dumps(TOKENIZER),
    "unigram": json.dumps(UNIGRAM),
    "lines": LINES,
    "lines with an end": f"{LINES}\n",
    "lines of Windows": f"\ufeff{LINES}\n".replace("\n", "\r\n"),
    "words and scores": "".join(f"{word}\t-{n}.5\n" for n, word in enumerate(WORDS)),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_format_gives_the_words_in_the_order_of_their_ids(form: str) -> None:
    assert read_words(FORMS[form].encode()) == WORDS


def test_words_that_look_like_json_remain_words() -> None:
    assert read_words(b"[PAD]\n[CLS]\na") == ("[PAD]", "[CLS]", "a")
    assert read_words(b"[\xc3\xa4\nb") == ("[ä", "b")


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", r"^V is empty\.$"),
        (b"\xff\xfe", r"^V is not text in UTF-8\.$"),
        (b"a\nb\na", "^V has “a” twice"),
        (b'{"a": 1, "b": 2}', "^V has other ids than 0 to 1, each once"),
        (b'{"a": 0, "b": 0}', "^V has other ids than 0 to 1, each once"),
        (b'{"a": "b"}', "^V has no whole number for each word"),
        (b'{"a": true}', "^V has no whole number for each word"),
        (b'["a", 1]', "^V is a list of texts, and 1 is none"),
        (b'{"model": {"vocab": 3}}', "^V has no vocabulary"),
        (b'{"model": {"vocab": [3]}}', "^V is a list of texts, and None is none"),
        (b'{"model": {"vocab": {"a": 0}}, "added_tokens": [{"content": "b"}]}', "no whole number"),
        (b'{"0": "a", "2": "b"}', "^V has other ids"),
        (b"[" * 100_000, "^V is not JSON"),
        (b'{"a": 0, "b', "^V is not JSON"),
    ],
)
def test_a_damaged_vocabulary_is_refused_in_one_sentence(data: bytes, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence) as error:
        read_words(data, "V")
    assert str(error.value).endswith(".")
    assert "\n" not in str(error.value)


def config(source: int = 4, target: int = 4, **changes: int) -> Config:
    return Config(8, 2, source_vocabulary=source, target_vocabulary=target, **changes)


WEIGHTS = safetensors.save({"a": np.ones(3)})
SHORT = b"a\nb"


def words(files: dict[str, bytes], found: Config) -> tuple[object, object]:
    return words_of_files(GivenFiles({"model": WEIGHTS, **files}), found)


def test_vocabularies_are_found_among_the_files_of_a_model() -> None:
    lines = LINES.encode()
    assert words({"vocab.txt": lines}, config()) == (WORDS, WORDS)
    assert words({"notes": lines, "README.md": b"# A model"}, config()) == (WORDS, WORDS)
    assert words({}, config()) == (None, None)
    assert words({"words": SHORT}, config()) == (None, None)
    both = {"src_vocab.txt": lines, "tgt_vocab.txt": SHORT}
    assert words(both, config(4, 2)) == (WORDS, ("a", "b"))
    assert words({"x": lines, "y": SHORT}, config(4, 2)) == (WORDS, ("a", "b"))
    assert words({"vocab.txt": SHORT}, config(9, 2, encoder_layers=0)) == (None, ("a", "b"))
    separate = {"vocab.json": FORMS["vocab.json"].encode(), "target_vocab.json": b'["a", "b"]'}
    assert words(separate, config(4, 2)) == (WORDS, ("a", "b"))


def test_a_vocabulary_of_a_wrong_size_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^vocab\.txt has 2 words, the model 4\.$"):
        words({"vocab.txt": SHORT}, config())
    with pytest.raises(ValueError, match=r"^target_vocab\.json has 2 words, the model 4\.$"):
        words({"vocab.txt": LINES.encode(), "target_vocab.json": b'["a", "b"]'}, config())
    with pytest.raises(ValueError, match=r"^vocab\.json has “a” twice\.$"):
        words({"vocab.json": b'["a", "a"]'}, config())


def test_a_vocabulary_is_found_beside_a_torch_file() -> None:
    source, target = (
        b"\n".join(b"%c%d" % (side, n) for n in range(size))
        for side, size in ((b"s", 13), (b"t", 11))
    )
    given = GivenFiles({**STORED["tutorial"].files(), "src.txt": source, "tgt.txt": target})
    found = words_of_files(given, read("tutorial").config)
    assert [side and side[1] for side in found] == ["s1", "t1"]
