"""Text cut into the pieces of a SentencePiece unigram model (Kudo, 2018).

Every piece has a score, the logarithm of its probability; a text is cut so that the sum of the
scores is largest, which the Viterbi algorithm finds. The file is a ``ModelProto`` of Protocol
Buffers (https://github.com/google/sentencepiece, ``sentencepiece_model.proto``). Of the options
of such files byte fallback, spaces at the end of words and BPE models are refused.
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
MAX_SCORE = 1e6  # logarithms of probabilities; sums of many stay within single precision
_UNKNOWN_PENALTY = 10.0  # an unknown character scores that much less than the rarest piece
_UNIGRAM = 1


class SentencePieceError(ValueError):
    """A file that is not to be read; the message is one sentence that says why."""


class PieceKind(IntEnum):
    """What a piece is for."""

    NORMAL = 1
    UNKNOWN = 2
    CONTROL = 3
    USER_DEFINED = 4
    UNUSED = 5
    BYTE = 6


class Piece(NamedTuple):
    """A piece, the logarithm of its probability, and what it is for."""

    text: str
    score: float
    kind: PieceKind


class SentencePiece:
    """A vocabulary of pieces with their scores.

    Attributes:
        pieces: all of them, in the order of the file.
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
                # Above 0, where no logarithm is: 0.1 for each byte after the first. So does
                # version 0.2.3 of the original; earlier ones had other ways to prefer them.
                self._scores[piece.text] = 0.1 * (len(piece.text.encode()) - 1)
        self._lengths = sorted({len(text) for text in self._scores})

    @classmethod
    def from_bytes(cls, data: bytes) -> SentencePiece:
        """The model in a ``.spm`` or ``.model`` file.

        Raises:
            SentencePieceError: one sentence that says what is wrong with the file.
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
        """The pieces of a text; characters that no piece has stay together as they came."""
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
        """The Viterbi algorithm: (start, end, whether a piece is there) from left to right.

        Sums are kept in single precision, as the original does: ties fall the same way.
        """
        best: list[float] = [0.0] + [-math.inf] * len(text)
        came: list[tuple[int, bool]] = [(0, True)] * len(best)
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
                    best[end], came[end] = total, (start, True)
            total = _single(before + self._unknown)
            if not single and total > best[start + 1]:
                best[start + 1], came[start + 1] = total, (start, False)
        path, end = [], len(text)
        while end:
            start, known = came[end]
            path.append((start, end, known))
            end = start
        return path[::-1]


def joined(pieces: Iterable[str]) -> str:
    """The text of some pieces, without spaces at both ends."""
    return "".join(pieces).replace(SPACE, " ").strip()


def _read(data: bytes) -> SentencePiece:
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
    """Rounded to single precision."""
    return float(struct.unpack("<f", struct.pack("<f", x))[0])
