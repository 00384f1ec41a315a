"""SentencePiece unigram models, which divide text into pieces (Kudo, 2018).

Every piece has a score, the logarithm of its probability; the Viterbi algorithm finds the division
with the largest sum of scores. The file is a ``ModelProto`` of Protocol Buffers
(https://github.com/google/sentencepiece, ``sentencepiece_model.proto``). BPE models, byte fallback
and spaces at the end of words are not supported.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable
from enum import IntEnum
from typing import NamedTuple

from transformer_math.checkpoints.protobuf import Message, WireError
from transformer_math.checkpoints.text_normalizer import SPACE, CharacterMap, Normalizer

MAX_BYTES = 8 << 20
MAX_PIECE = 512  # characters
MAX_SCORE = 1e6  # so that sums of many scores stay within single precision
_UNKNOWN_PENALTY = 10.0  # subtracted from the lowest score for an unknown character
_UNIGRAM = 1


class SentencePieceError(ValueError):
    """A file cannot be read; the message is one sentence with the reason."""


class PieceKind(IntEnum):
    """The kinds of pieces, as in ``ModelProto``."""

    NORMAL = 1
    UNKNOWN = 2
    CONTROL = 3
    USER_DEFINED = 4
    UNUSED = 5
    BYTE = 6


class Piece(NamedTuple):
    """A piece, with the logarithm of its probability as score."""

    text: str
    score: float
    kind: PieceKind


class SentencePiece:
    """A unigram model.

    Attributes:
        pieces: all pieces, in the order of the file.
    """

    def __init__(self, pieces: Iterable[Piece], normalizer: Normalizer) -> None:
        self.pieces = tuple(pieces)
        self._normalizer = normalizer
        usual = [piece.score for piece in self.pieces if piece.kind is PieceKind.NORMAL]
        self._unknown = _single(min(usual, default=0.0) - _UNKNOWN_PENALTY)
        self._scores = {}
        for piece in self.pieces:
            if piece.kind is PieceKind.NORMAL:
                self._scores[piece.text] = piece.score
            elif piece.kind is PieceKind.USER_DEFINED:
                # Preferred to all others, whose scores are at most 0: the score is 0.1 for each
                # byte after the first, as in version 0.2.3 of SentencePiece.
                self._scores[piece.text] = 0.1 * (len(piece.text.encode()) - 1)
        self._lengths = sorted({len(text) for text in self._scores})

    @classmethod
    def from_bytes(cls, data: bytes) -> SentencePiece:
        """Return the model in a ``.spm`` or ``.model`` file.

        Raises:
            SentencePieceError: the file is too large, damaged or of a kind that is not supported.
        """
        if len(data) > MAX_BYTES:
            raise SentencePieceError(
                f"The SentencePiece file has {len(data) / (1 << 20):.0f} MB; "
                f"at most {MAX_BYTES >> 20} MB are read."
            )
        try:
            return _read(data)
        except SentencePieceError:
            raise
        except ValueError as error:
            raise SentencePieceError(f"This is not a SentencePiece file: {error}") from None

    def segment(self, text: str) -> tuple[str, ...]:
        """Return the pieces of a text; successive unknown characters are one piece."""
        text = self._normalizer(text)
        found: list[str] = []
        after_unknown = False
        for start, end, known in self._best_path(text):
            if after_unknown and not known:
                found[-1] += text[start:end]
            else:
                found.append(text[start:end])
            after_unknown = not known
        return tuple(found)

    def _best_path(self, text: str) -> list[tuple[int, int, bool]]:
        """Return each piece's start, end and whether it is known, by the Viterbi algorithm.

        Sums are rounded to single precision, as in SentencePiece, so that ties are the same.
        """
        best: list[float] = [0.0] + [-math.inf] * len(text)
        previous: list[tuple[int, bool]] = [(0, True)] * len(best)
        for start in range(len(text)):
            before, single = best[start], False
            for length in self._lengths:
                end = start + length
                if end > len(text):
                    break
                score = self._scores.get(text[start:end])
                if score is None:
                    continue
                single |= length == 1
                total = _single(before + score)
                if total > best[end]:
                    best[end], previous[end] = total, (start, True)
            total = _single(before + self._unknown)
            if not single and total > best[start + 1]:
                best[start + 1], previous[start + 1] = total, (start, False)
        path, end = [], len(text)
        while end:
            start, known = previous[end]
            path.append((start, end, known))
            end = start
        return path[::-1]


def joined(pieces: Iterable[str]) -> str:
    """Return the text of pieces, without spaces at both ends."""
    return "".join(pieces).replace(SPACE, " ").strip()


def _read(data: bytes) -> SentencePiece:
    """Return the model of a ``ModelProto``."""
    proto = Message(data)
    trainer, rules = proto.message(2), proto.message(3)
    if trainer.integer(3, _UNIGRAM) != _UNIGRAM:
        raise SentencePieceError("Of SentencePiece models only unigram models are read.")
    if trainer.integer(35, 0):
        raise SentencePieceError("A SentencePiece model with byte fallback is not read.")
    if trainer.integer(24, 0):
        raise SentencePieceError("A SentencePiece model with spaces as suffixes is not read.")
    pieces = [_piece(chunk) for chunk in proto.chunks(1)]
    if len({piece.text for piece in pieces}) != len(pieces):
        raise WireError("It has a piece twice.")
    if sum(piece.kind is PieceKind.UNKNOWN for piece in pieces) != 1:
        raise WireError("It has not exactly one unknown piece.")
    whole = [piece.text for piece in pieces if piece.kind is PieceKind.USER_DEFINED]
    normalizer = Normalizer(
        rules=CharacterMap(rules.chunk(2)) if rules.chunk(2) else None,
        whole=tuple(sorted(whole, key=len, reverse=True)),
        starts_with_space=bool(rules.integer(3, 1)),
        drops_spaces=bool(rules.integer(4, 1)),
        escapes_spaces=bool(rules.integer(5, 1)),
    )
    return SentencePiece(pieces, normalizer)


def _piece(data: bytes) -> Piece:
    """Return the piece of a ``ModelProto.SentencePiece``, checked."""
    fields = Message(data)
    score, kind = fields.float32(2, 0.0), fields.integer(3, PieceKind.NORMAL)
    try:
        text = fields.chunk(1).decode()
    except UnicodeDecodeError:
        raise WireError("It has a piece that is no text.") from None
    if not text or len(text) > MAX_PIECE:
        raise WireError(f"It has a piece of {len(text):,} characters; from 1 to {MAX_PIECE} do.")
    if not abs(score) <= MAX_SCORE:
        raise WireError(f"It has a piece whose score is not from −{MAX_SCORE:g} to {MAX_SCORE:g}.")
    if kind not in list(PieceKind):
        raise WireError(f"It has a piece of the unknown kind {kind}.")
    return Piece(text, score, PieceKind(kind))


def _single(x: float) -> float:
    """Return a number rounded to single precision."""
    return float(struct.unpack("<f", struct.pack("<f", x))[0])
