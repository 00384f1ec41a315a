"""The model at one step, looked at through one example. Pure: no panel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from transformer_math import Trace, Transformer
from transformer_math.data import dates
from transformer_math.data.pairs import Pairs
from transformer_math.training.evaluation import translations

from .history import Parameters
from .run import Run

FIRST_DATE = "1969-07-20"
HELD_OUT_SHOWN = 200


class Letter(NamedTuple):
    """A letter of the answer, and whether it is the right one in this place."""

    text: str
    right: bool


@dataclass(frozen=True, eq=False)
class Example:
    """A source and the right answer to it; ids are (n,) and (m,), without padding."""

    text: str
    answer: str
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
    def first(cls, pairs: Pairs) -> Example:
        """What is shown unless the visitor chooses something else."""
        if pairs.name == "dates":
            return cls.of_date(FIRST_DATE, pairs)
        return cls.held_out(0, pairs)

    @classmethod
    def _encoded(cls, text: str, answer: str, pairs: Pairs) -> Example:
        source = np.array(pairs.source_tokenizer.encode(text))
        return cls(text, answer, source, np.array(pairs.target_tokenizer.encode(answer)))


def held_out_pair(number: int, pairs: Pairs) -> tuple[str, str]:
    """The texts of a held-out pair."""
    ids = pairs.held_out_source[number].tolist(), pairs.held_out_target[number].tolist()
    return pairs.source_tokenizer.decode(ids[0]), pairs.target_tokenizer.decode(ids[1])


@dataclass(frozen=True, eq=False)
class Moment:
    """What the model of one step makes of an example.

    Attributes:
        step: how many steps it had taken.
        example: what it was shown.
        parameters: path -> array, as they were.
        trace: the pass in which the decoder reads the right answer, as in training; it has the
            loss of the next letter at each position.
        written: what the model writes when it reads its own letters.
    """

    step: int
    example: Example
    parameters: Parameters
    trace: Trace
    written: str

    @property
    def letters(self) -> list[Letter]:
        """What was written, letter by letter; a letter that is missing is an empty one."""
        right = self.example.answer
        shown = self.written.ljust(len(right), "\0")
        return [
            Letter("" if a == "\0" else a, k < len(right) and a == right[k])
            for k, a in enumerate(shown)
        ]

    def with_gradients(self) -> Moment:
        """The same with the gradient of the loss in every tensor; walked back only once."""
        if self.trace["output.loss"].grad is None:
            self.trace.backward()
        return self


def moment(run: Run, example: Example, step: int | None = None) -> Moment:
    """The model of a step in the timeline, or as it is now.

    Raises:
        KeyError: nothing was kept of that step.
        ValueError: the model's numbers are too large to tell what it would write.
    """
    parameters = run.parameters(step)
    model = Transformer(run.trainer.model.config, parameters)
    trace = model(
        example.source,
        example.target[:-1],
        labels=example.target[1:],
        label_smoothing=run.settings.smoothing,
    )
    written = translations(model, run.pairs, example.source[np.newaxis])[0]
    return Moment(run.step if step is None else step, example, parameters, trace, written)
