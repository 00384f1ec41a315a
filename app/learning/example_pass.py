"""What the model of one step makes of an example."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from transformer_math import Labels, Trace, Transformer
from transformer_math.training.evaluation import translations

from .example import Example
from .snapshots import Parameters
from .training_run import TrainingRun


class Letter(NamedTuple):
    """A letter of what was written, and whether it is the reference's in this place."""

    text: str
    is_correct: bool


@dataclass(frozen=True, eq=False)
class ExamplePass:
    """An example through the model of one step.

    Attributes:
        step: how many steps it had taken.
        example: what it was shown.
        parameters: path -> array, as they were.
        trace: the pass in which the decoder reads the reference, as in training; it has the
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
        reference = self.example.reference
        padded = self.written.ljust(len(reference), "\0")
        return [
            Letter("" if a == "\0" else a, k < len(reference) and a == reference[k])
            for k, a in enumerate(padded)
        ]

    def with_gradients(self) -> ExamplePass:
        """The same with the gradient of the loss in every tensor; backpropagated only once."""
        if self.trace["output.loss"].grad is None:
            self.trace.backward()
        return self


def run_example(run: TrainingRun, example: Example, step: int | None = None) -> ExamplePass:
    """An example through the model of a step that has a snapshot, or as the model is now.

    Raises:
        KeyError: nothing was kept of that step.
        ValueError: the model's numbers are too large to say what it would write.
    """
    parameters = run.parameters(step)
    model = Transformer(run.trainer.model.config, parameters)
    trace = model(
        example.source,
        example.target[:-1],
        labels=Labels(example.target[1:], run.settings.smoothing),
    )
    written = translations(model, run.pairs, example.source[np.newaxis])[0]
    return ExamplePass(run.step if step is None else step, example, parameters, trace, written)
