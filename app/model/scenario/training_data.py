"""The data that a model is trained on."""

import functools
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from transformer_math.data import dates, phrases
from transformer_math.data.own_texts import Task, read_lines
from transformer_math.data.pairs import Pairs, StoredPairs, read_csv
from transformer_math.data.texts import CHARACTER_MASK, MASK, Texts
from transformer_math.data.tokenizer import EOS, SPECIAL, Unit, units

from .vocabulary import Side

DataName = Literal["phrases", "dates", "next-word", "blanks", "own", "own-next-word", "own-blanks"]
Kind = Literal["encoder-decoder", "decoder-only", "encoder-only"]
# The kind of model that learns from data other than translations.
_KINDS: dict[DataName, Kind] = {
    "next-word": "decoder-only",
    "own-next-word": "decoder-only",
    "blanks": "encoder-only",
    "own-blanks": "encoder-only",
}
# The task of the user's own texts, by the name of the data.
OWN_TASKS: dict[DataName, Task] = {"own-next-word": "next-word", "own-blanks": "blanks"}
OWN_NAMES: tuple[DataName, ...] = ("own", *OWN_TASKS)


MAX_TEXTS = 5_000  # if the user has more texts, they are not searched for correct words


@dataclass(frozen=True, slots=True, weakref_slot=True)
class TrainingData:
    """A built-in data set, or pairs or texts supplied by the user."""

    name: DataName
    text: str = ""  # CSV of the user's pairs, or lines of their texts; empty for built-in data
    unit: Unit = "character"
    given: Pairs | None = None  # all pairs, supplied by a program; not in links and files

    def pairs(self) -> Pairs:
        """Return the training and held-out pairs; the split is the same on every call.

        Raise ``ValueError`` if the user's pairs cannot be parsed; the message names the bad line.
        """
        if self.given is not None:
            return self.given
        if not self.is_own:
            return _built_in(self.name)
        if self not in _READ:
            task = OWN_TASKS.get(self.name)
            _READ[self] = (
                read_csv(self.text, unit=self.unit)
                if task is None
                else read_lines(self.text, task, unit=self.unit)
            )
        return _READ[self]

    @property
    def is_own(self) -> bool:
        """Whether the data are the user's own."""
        return self.name in OWN_NAMES

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

    @property
    def blank(self) -> str | None:
        """The token of a blank; None if the model does not learn to fill blanks."""
        if self.kind != "encoder-only":
            return None
        return MASK if self.unit == "word" else CHARACTER_MASK

    def right_words(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """Return the words that may come next or fill the first blank, in the vocabulary's order.

        Empty if the data are pairs, or if no text contains these tokens.
        """
        found = _allowed(self)
        if found is None or (self.is_own and len(found.texts) > MAX_TEXTS):
            return ()
        given = [token for token in tokens if token not in SPECIAL]
        blank = self.blank
        if blank is not None and blank not in given:
            return ()
        fitting = _fitting(found.texts, tuple(given), blank, self.unit)
        return tuple(word for word in found.words if word in fitting)

    def accepts(self, text: str) -> bool | None:
        """Return whether a finished text is correct; None if the data do not decide that."""
        found = _allowed(self)
        return None if found is None else text in found.texts

    def word_kinds(self, side: Side) -> Mapping[str, tuple[str, ...]]:
        """Return the words of one side by kind, such as verb; empty if no grammar is known."""
        if self.name in ("next-word", "blanks"):
            return phrases.ENGLISH_KINDS if self.name == "next-word" else phrases.FRENCH_KINDS
        if self.name != "phrases":
            return {}
        return phrases.ENGLISH_KINDS if side == "source" else phrases.FRENCH_KINDS

    def random_text(self) -> str:
        """Return a random source text."""
        pairs = self.pairs()
        row, _ = pairs.rows(np.array([random.randrange(pairs.train_count)]))
        return pairs.source_tokenizer.decode(row[0].tolist())

    def answers(self, text: str) -> tuple[str, ...]:
        """Return the correct targets of a source; empty if the data do not determine one.

        For the user's own pairs, return all targets paired with this source, held-out pairs
        included. Raise ``ValueError`` with one sentence if the source has no valid target.
        """
        if self.name == "phrases":
            return (phrases.translate(text),)
        if self.name == "dates":
            return (dates.translate(text),)
        pairs = self.pairs() if self.name == "own" else None
        return pairs.answers(text) if isinstance(pairs, StoredPairs) else ()


PHRASES = TrainingData("phrases", unit="word")
DATES = TrainingData("dates")
NEXT_WORD = TrainingData("next-word", unit="word")
BLANKS = TrainingData("blanks", unit="word")


class _Allowed(NamedTuple):
    """The correct texts, and the words in the order of the vocabulary."""

    texts: frozenset[str]
    words: tuple[str, ...]


# Parsing the user's data is slow, so the result is cached as long as the data are in use.
_READ: WeakKeyDictionary[TrainingData, Pairs] = WeakKeyDictionary()
# Correct texts are cached in the same way.
_ALLOWED: WeakKeyDictionary[TrainingData, _Allowed | None] = WeakKeyDictionary()


def _allowed(data: TrainingData) -> _Allowed | None:
    """Return the correct texts and words of data that are texts; None for other data."""
    if data.kind == "encoder-decoder":
        return None
    if data not in _ALLOWED:
        pairs = data.pairs()
        texts = pairs.allowed if isinstance(pairs, Texts) else None
        words = pairs.target_tokenizer.tokens
        _ALLOWED[data] = None if texts is None else _Allowed(texts, words)
    return _ALLOWED[data]


@functools.cache  # slow to build, and immutable
def _built_in(name: DataName) -> Pairs:
    if name == "next-word":
        return phrases.next_word_phrases()
    if name == "blanks":
        return phrases.blank_phrases()
    return phrases.phrases() if name == "phrases" else dates.dates()


@functools.lru_cache(256)  # called for every lane of the picture after every edit
def _fitting(
    allowed: frozenset[str], given: tuple[str, ...], blank: str | None, unit: Unit
) -> frozenset[str]:
    """Return the words that correct texts have at the first blank, or after the given words."""
    at = len(given) if blank is None else given.index(blank)
    found = set()
    for text in allowed:
        words = [*units(text, unit), EOS]
        is_long = len(words) > at if blank is None else len(words) == len(given) + 1
        pieces = zip(given, words, strict=False)
        if is_long and all(own in (blank, word) for own, word in pieces):
            found.add(words[at])
    return frozenset(found)
