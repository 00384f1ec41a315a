"""The data that a model is trained on."""

from __future__ import annotations

import functools
import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from transformer_math.data import dates, phrases
from transformer_math.data.pairs import Pairs, read_csv
from transformer_math.data.tokenizer import Unit

from .vocabulary import Side

DataName = Literal["phrases", "dates", "own"]


@dataclass(frozen=True, slots=True, weakref_slot=True)
class TrainingData:
    """A built-in data set of source and target pairs, or pairs supplied by the user.

    Attributes:
        name: the phrases, the dates, or the user's own pairs.
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
        examples = {"phrases": phrases.EXAMPLES, "dates": dates.EXAMPLES}.get(self.name, ())
        return tuple(source for source, _ in examples)

    def word_kinds(self, side: Side) -> Mapping[str, tuple[str, ...]]:
        """The words of one side by their kind, such as verb; empty if no grammar is known."""
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


@functools.cache  # they take a moment to build and are immutable
def _built_in(name: DataName) -> Pairs:
    return phrases.phrases() if name == "phrases" else dates.dates()
