"""What the output would read off the stream at each depth: the word it would say first."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from transformer_math import Trace, Transformer
from transformer_math.experiments import lens

from ..matrices.values import shown_tensor
from ..scenario.scenario import Scenario
from .depths import Stack, depths, read_stack


class LensRow(NamedTuple):
    """The reading at one depth.

    Attributes:
        path: of the stream, as it is drawn.
        words: the likeliest at each position.
        probabilities: (positions,), theirs.
    """

    path: str
    words: tuple[str, ...]
    probabilities: tuple[float, ...]


class LensShown(NamedTuple):
    """What there is to see of the lens.

    Attributes:
        stack: whose stream the output reads.
        rows: a reading for each depth, the last of them the output's own.
        is_costly: it takes long, and is read when it is asked for.
    """

    stack: Stack = "decoder"
    rows: tuple[LensRow, ...] = ()
    is_costly: bool = False


def multiply_adds(scenario: Scenario, trace: Trace) -> int:
    """What reading every depth and position costs."""
    paths = depths(trace, read_stack(scenario))
    n, width = trace[paths[-1]].shape
    return len(paths) * n * width * len(scenario.output_vocabulary)


def lens_words(scenario: Scenario, trace: Trace, model: Transformer) -> LensShown:
    """The likeliest word at each depth and position.

    Args:
        scenario: what the user chose.
        trace: its pass.
        model: of the pass.
    """
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
    return LensShown(stack, tuple(found.values()))
