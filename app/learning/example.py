"""The pair that a model in training is shown on: a date, or one that is held out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from transformer_math.data import dates
from transformer_math.data.pairs import Pairs

FIRST_DATE = "1969-07-20"
MAX_HELD_OUT = 200


@dataclass(frozen=True, eq=False)
class Example:
    """A source and its reference translation; ids are (n,) and (m,), without padding."""

    text: str
    reference: str
    source: np.ndarray
    target: np.ndarray

    @classmethod
    def of_date(cls, text: str, pairs: Pairs) -> Example:
        """A date that was typed.

        Raises:
            ValueError: it is none; one sentence.
        """
        text = text.strip()
        return cls._encoded(text, dates.translate(text), pairs)

    @classmethod
    def held_out(cls, number: int, pairs: Pairs) -> Example:
        """One of the pairs that training never sees."""
        return cls._encoded(*held_out_pair(number, pairs), pairs)

    @classmethod
    def default(cls, pairs: Pairs) -> Example:
        """What is shown until something else is chosen."""
        if pairs.name == "dates":
            return cls.of_date(FIRST_DATE, pairs)
        return cls.held_out(0, pairs)

    @classmethod
    def _encoded(cls, text: str, reference: str, pairs: Pairs) -> Example:
        source = np.array(pairs.source_tokenizer.encode(text))
        return cls(text, reference, source, np.array(pairs.target_tokenizer.encode(reference)))


def held_out_pair(number: int, pairs: Pairs) -> tuple[str, str]:
    """The texts of a held-out pair."""
    ids = pairs.held_out_source[number].tolist(), pairs.held_out_target[number].tolist()
    return pairs.source_tokenizer.decode(ids[0]), pairs.target_tokenizer.decode(ids[1])


def held_out_sources(pairs: Pairs) -> list[str]:
    """The sources to choose an example from."""
    count = min(len(pairs.held_out_source), MAX_HELD_OUT)
    return [held_out_pair(k, pairs)[0] for k in range(count)]
