"""The data that a model is trained on."""

from __future__ import annotations

import functools
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from transformer_math.data import dates, phrases
from transformer_math.data.pairs import Pairs, read_csv
from transformer_math.data.texts import MASK, Texts
from transformer_math.data.tokenizer import EOS, SPECIAL, Unit

from .vocabulary import Side

DataName = Literal["phrases", "dates", "next-word", "blanks", "own"]
Kind = Literal["encoder-decoder", "decoder-only", "encoder-only"]
# The kind of model that learns from data, where it is not one that translates.
_KINDS: dict[DataName, Kind] = {"next-word": "decoder-only", "blanks": "encoder-only"}


@dataclass(frozen=True, slots=True, weakref_slot=True)
class TrainingData:
    """A built-in data set of source and target pairs, or pairs supplied by the user.

    Attributes:
        name: the phrases, the dates, phrases whose next words or blanks are learned, or the user's
            own pairs.
        text: the CSV of the user's own pairs; empty for built-in data.
        unit: whether a token is a character or a word.
    """

    name: DataName
    text: str = ""
    unit: Unit = "character"

    def pairs(self) -> Pairs:
        """The training and held-out pairs; the split is the same on every call.

        Raises:
            ValueError: the user's pairs cannot be parsed; one sentence on the first bad line.
        """
        return read_csv(self.text, unit=self.unit) if self.name == "own" else _built_in(self.name)

    @property
    def example_texts(self) -> tuple[str, ...]:
        """Example source texts."""
        if self.name == "next-word":
            return phrases.NEXT_WORD_EXAMPLES
        if self.name == "blanks":
            return phrases.BLANK_EXAMPLES
        examples = {"phrases": phrases.EXAMPLES, "dates": dates.EXAMPLES}.get(self.name, ())
        return tuple(source for source, _ in examples)

    @property
    def kind(self) -> Kind:
        """The kind of model that learns from the data."""
        return _KINDS.get(self.name, "encoder-decoder")

    def right_words(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """The words that may come next, or fill the first blank, in the order of the vocabulary.

        Empty if the data are not texts by themselves, or none of their texts fits.
        """
        pairs = self.pairs() if self.kind != "encoder-decoder" else None
        if not isinstance(pairs, Texts) or pairs.allowed is None:
            return ()
        given = [token for token in tokens if token not in SPECIAL]
        is_blank = self.name == "blanks"
        if is_blank and MASK not in given:
            return ()
        found = _fitting(pairs.allowed, tuple(given), is_blank)
        return tuple(word for word in pairs.target_tokenizer.tokens if word in found)

    def accepts(self, text: str) -> bool | None:
        """Whether a finished text is right; None if the data do not tell it of a text alone."""
        pairs = self.pairs() if self.kind != "encoder-decoder" else None
        return text in pairs.allowed if isinstance(pairs, Texts) and pairs.allowed else None

    def word_kinds(self, side: Side) -> Mapping[str, tuple[str, ...]]:
        """The words of one side by their kind, such as verb; empty if no grammar is known."""
        if self.name in ("next-word", "blanks"):
            return phrases.ENGLISH_KINDS if self.name == "next-word" else phrases.FRENCH_KINDS
        if self.name != "phrases":
            return {}
        return phrases.ENGLISH_KINDS if side == "source" else phrases.FRENCH_KINDS

    def random_text(self) -> str:
        """A random source text."""
        pairs = self.pairs()
        row, _ = pairs.rows(np.array([random.randrange(pairs.train_count)]))
        return pairs.source_tokenizer.decode(row[0].tolist())

    def translate(self, text: str) -> str | None:
        """The correct target of a source; None if the data do not determine one.

        Raises:
            ValueError: the source has no valid target; one sentence says why.
        """
        if self.name == "phrases":
            return phrases.translate(text)
        return dates.translate(text) if self.name == "dates" else None


PHRASES = TrainingData("phrases", unit="word")
DATES = TrainingData("dates")
NEXT_WORD = TrainingData("next-word", unit="word")
BLANKS = TrainingData("blanks", unit="word")


@functools.cache  # they take a moment to build and are immutable
def _built_in(name: DataName) -> Pairs:
    if name == "next-word":
        return phrases.next_word_phrases()
    if name == "blanks":
        return phrases.blank_phrases()
    return phrases.phrases() if name == "phrases" else dates.dates()


@functools.lru_cache(256)  # asked for every lane of the picture, after every edit
def _fitting(allowed: frozenset[str], given: tuple[str, ...], is_blank: bool) -> frozenset[str]:
    """The words that texts have in place of the first blank, or after what is given."""
    at = given.index(MASK) if is_blank else len(given)
    found = set()
    for text in allowed:
        words = [*text.split(), EOS]
        is_long = len(words) == len(given) + 1 if is_blank else len(words) > at
        pieces = zip(given, words, strict=False)
        if is_long and all(own in (MASK, word) for own, word in pieces):
            found.add(words[at])
    return frozenset(found)
