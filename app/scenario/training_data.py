"""What a model is trained on."""

from __future__ import annotations

import functools
import random
from dataclasses import dataclass
from typing import Literal

import numpy as np

from transformer_math.data import dates, phrases
from transformer_math.data.pairs import Pairs, read_csv
from transformer_math.data.tokenizer import Unit

DataName = Literal["phrases", "dates", "own"]


@dataclass(frozen=True, slots=True, weakref_slot=True)
class TrainingData:
    """Pairs of a source and its target, by name, or the text of one's own.

    Attributes:
        name: the phrases, the dates, or pairs of one's own.
        text: the CSV of one's own pairs; empty for the others.
        unit: what one token is.
    """

    name: DataName
    text: str = ""
    unit: Unit = "character"

    def pairs(self) -> Pairs:
        """The pairs to train on and those held out, the same each time.

        Raises:
            ValueError: those of one's own cannot be read; one sentence on the first line that is
                wrong.
        """
        return read_csv(self.text, unit=self.unit) if self.name == "own" else _built_in(self.name)

    @property
    def example_texts(self) -> tuple[str, ...]:
        """Sources to begin with."""
        examples = {"phrases": phrases.EXAMPLES, "dates": dates.EXAMPLES}.get(self.name, ())
        return tuple(source for source, _ in examples)

    def random_text(self) -> str:
        """A source, any there can be."""
        pairs = self.pairs()
        row, _ = pairs.rows(np.array([random.randrange(pairs.train_count)]))
        return pairs.source_tokenizer.decode(row[0].tolist())

    def translate(self, text: str) -> str | None:
        """The right target of a source; None where nobody knows it.

        Raises:
            ValueError: there is none; one sentence.
        """
        if self.name == "phrases":
            return phrases.translate(text)
        return dates.translate(text) if self.name == "dates" else None


PHRASES = TrainingData("phrases", unit="word")
DATES = TrainingData("dates")


@functools.cache  # they take a moment, and nothing in them can change
def _built_in(name: DataName) -> Pairs:
    return phrases.phrases() if name == "phrases" else dates.dates()
