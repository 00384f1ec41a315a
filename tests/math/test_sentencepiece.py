"""Texts split into pieces, as the ``sentencepiece`` package splits them; and damaged files."""

import contextlib
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.math.stored import load
from transformer_math.checkpoints.protobuf import Message, WireError
from transformer_math.checkpoints.sentencepiece import (
    MAX_BYTES,
    Piece,
    PieceKind,
    SentencePiece,
    SentencePieceError,
    joined,
)
from transformer_math.checkpoints.text_normalizer import CharacterMap, Normalizer

STORED = load("sentencepiece")
MODELS = {name: array.tobytes() for name, array in STORED.arrays.items()}
SMALL = MODELS["rules"]


@pytest.mark.parametrize("name", MODELS)
def test_texts_are_split_as_by_the_package(name: str) -> None:
    model = SentencePiece.from_bytes(MODELS[name])
    cut = STORED.config["cut"][name]
    assert len(cut) > 150
    for text, pieces in cut:
        assert model.segment(text) == tuple(pieces), repr(text)


def test_a_text_is_split_as_by_hand() -> None:
    """ln p of three pieces: ab + c at −3 beats a + bc at −4; x is unknown."""
    scores = {"a": -2.0, "ab": -2.0, "c": -1.0, "bc": -2.0}
    pieces = [Piece(text, score, PieceKind.NORMAL) for text, score in scores.items()]
    bare = Normalizer(None, starts_with_space=False)
    model = SentencePiece(pieces, bare)
    assert model.segment("abc") == ("ab", "c")
    assert model.segment("axyc") == ("a", "xy", "c")
    assert model.segment("") == ()
    unused = SentencePiece([*pieces[:1], Piece("ab", -2.0, PieceKind.UNUSED), *pieces[2:]], bare)
    assert unused.segment("abc") == ("a", "bc")


def test_pieces_are_joined_to_the_text_again() -> None:
    model = SentencePiece.from_bytes(MODELS["identity"])
    assert joined(model.segment("  the cat  in a new 日本 hat ")) == "the cat in a new 日本 hat"


def test_half_a_surrogate_pair_is_replaced() -> None:
    model = SentencePiece.from_bytes(MODELS["identity"])
    assert model.segment("a\ud83d b") == model.segment("a\ufffd b")


def field(number: int, wire: int, value: bytes) -> bytes:
    return bytes([number << 3 | wire]) + value


def chunk(number: int, value: bytes) -> bytes:
    size = [len(value)] if len(value) < 128 else [len(value) & 127 | 128, len(value) >> 7]
    return field(number, 2, bytes(size) + value)


def piece(text: bytes, score: float = -1.0, kind: int = 1) -> bytes:
    score_bytes = struct.pack("<f", score)
    return chunk(1, chunk(1, text) + field(2, 5, score_bytes) + field(3, 0, bytes([kind])))


UNKNOWN = piece(b"<unk>", 0, 2)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "not exactly one unknown piece"),
        (b"?", "unknown wire type 7"),
        (b"\x00\x00", "number 0"),
        (b"\xff" * 20, "has no end"),
        (b"\x0a\x05ab", "reaches beyond its end"),
        (b"\x08\x05", "field 1 is of another type"),
        (b"PK\x03\x04", "another type|wire type|truncated|number 0|unknown piece"),
        (UNKNOWN * 2, "a piece twice"),
        (UNKNOWN + piece(b""), "a piece of 0 characters"),
        (UNKNOWN + piece(b"\xff"), "a piece that is no text"),
        (UNKNOWN + piece(b"a", float("nan")), "score is not from"),
        (UNKNOWN + piece(b"a", 1e30), "score is not from"),
        (UNKNOWN + piece(b"a", kind=9), "unknown kind 9"),
        (UNKNOWN + chunk(2, field(3, 0, b"\2")), "only unigram models"),
        (UNKNOWN + chunk(2, b"\x98\x02\x01"), "byte fallback"),
        (UNKNOWN + chunk(2, b"\xc0\x01\x01"), "spaces as suffixes"),
        (UNKNOWN + chunk(3, chunk(2, b"abc")), "character map is damaged"),
        (UNKNOWN + chunk(3, chunk(2, b"\x09\0\0\0" + b"a" * 20)), "character map is damaged"),
        (UNKNOWN + chunk(3, chunk(2, b"\x04\0\0\0" + b"a" * 1029)), "replaces by 1,025 bytes"),
        (bytes(MAX_BYTES + 1), "at most 8 MB are read"),
    ],
)
def test_damage_is_reported_in_one_sentence(data: bytes, sentence: str) -> None:
    with pytest.raises(SentencePieceError, match=sentence) as told:
        SentencePiece.from_bytes(data)
    assert str(told.value).endswith(".")
    assert "\n" not in str(told.value)


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_a_damaged_file_raises_no_other_error(data: st.DataObject) -> None:
    """If such a file is read, it splits any text."""
    good = bytearray(SMALL)
    for _ in range(data.draw(st.integers(1, 6))):
        good[data.draw(st.integers(0, len(good) - 1))] = data.draw(st.integers(0, 255))
    text = data.draw(st.text(max_size=12))
    with contextlib.suppress(SentencePieceError):
        SentencePiece.from_bytes(bytes(good)).segment("die katze" + text)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=60))
def test_any_bytes_are_a_message_or_raise_the_declared_error(data: bytes) -> None:
    with contextlib.suppress(SentencePieceError):
        SentencePiece.from_bytes(data)
    with contextlib.suppress(WireError):
        Message(data)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.integers(0, 2**32 - 1), min_size=1, max_size=40), st.binary(max_size=9), st.text()
)
def test_any_character_map_ends(units: list[int], replacements: bytes, text: str) -> None:
    trie = struct.pack(f"<{len(units)}I", *units)
    rules = CharacterMap(struct.pack("<I", len(trie)) + trie + replacements)
    assert isinstance(Normalizer(rules)(text), str)
