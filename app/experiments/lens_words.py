"""Computes the logit lens: the likeliest words if the output layer read the stream earlier."""

from typing import NamedTuple

import numpy as np

from transformer_math import Trace, Transformer
from transformer_math.experiments import lens

from ..model.matrices.values import shown_tensor
from ..model.scenario.scenario import Scenario
from .depths import Stack, depths, read_stack


class LensRow(NamedTuple):
    """The words at one depth."""

    path: str  # of the stream, as drawn
    words: tuple[str, ...]  # the likeliest at each position
    probabilities: tuple[float, ...]  # (positions,), of these words


class Lens(NamedTuple):
    """The words at all depths."""

    stack: Stack  # from which the output layer reads
    rows: tuple[LensRow, ...]  # by depth; the last row is the model's own output


def multiply_adds(scenario: Scenario, trace: Trace) -> int:
    """Return the cost of the lens at all depths and positions."""
    paths = depths(trace, read_stack(scenario))
    n, width = trace[paths[-1]].shape
    return len(paths) * n * width * len(scenario.output_vocabulary)


def lens_words(scenario: Scenario, trace: Trace, model: Transformer) -> Lens:
    """Return the likeliest word at each depth and position of a model's pass."""
    stack = read_stack(scenario)
    words = scenario.output_vocabulary
    found: dict[str, LensRow] = {}
    for path, probabilities in lens(model, trace, stack).items():
        best = probabilities.argmax(-1)
        shown = shown_tensor(trace[path]).path
        found[shown] = LensRow(
            shown,
            tuple(words[k] for k in best),
            tuple(float(p) for p in np.take_along_axis(probabilities, best[:, None], -1)[:, 0]),
        )
    return Lens(stack, tuple(found.values()))
