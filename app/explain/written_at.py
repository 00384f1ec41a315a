"""Finds the word that each row writes at each value of one cell, and the borders between words."""

from collections.abc import Callable, Sequence

import numpy as np

from transformer_math import Trace

from ..model.matrices import sweeps
from ..model.matrices.address import PROBABILITIES
from ..model.matrices.resolved_cell import ResolvedCell
from ..model.scenario.scenario import Scenario
from .word_borders import PARTS, Sentence, WordStretches, word_stretches

MAX_SETTINGS = 101  # settings whose words are compared; bisection refines between them


def stretches_of(
    scenario: Scenario,
    trace: Trace,
    cell: ResolvedCell,
    span: tuple[float, float],
    go_on: Callable[[], None] = sweeps.to_the_end,
) -> tuple[WordStretches, ...]:
    """Return the stretches of each row's likeliest next word over the values of one cell.

    The decoder reads the present words at every value, as it does while the cell oscillates.
    ``go_on`` is called between pieces of the work, and cancels the work by raising an exception.
    """
    words, forbidden = scenario.output_vocabulary, scenario.vocabulary.forbidden_ids
    asked = max(scenario.asked, default=-1) + 1  # padding is at the end

    def likeliest(values: Sequence[float]) -> list[Sentence]:
        found: list[Sentence] = []
        for piece in sweeps.pieces(trace, cell.stored, cell.full, values, go_on):
            rows = np.nan_to_num(piece[PROBABILITIES].value[..., :asked, :], nan=-np.inf)
            rows[..., forbidden] = -np.inf
            best = rows.argmax(-1)
            if best.ndim == 1:  # the cell changes no row
                return [sentence(best)] * len(values)
            found += map(sentence, best)
        return found

    def sentence(ids: np.ndarray) -> Sentence:
        return tuple(words[k] for k in ids.tolist())

    count = sweeps.affordable(trace, cell.stored, MAX_SETTINGS, sweeps.CURVE_BYTES)
    # More parts need fewer calls but more values, which would take too long in a large model.
    parts = PARTS if count == MAX_SETTINGS else 2
    return word_stretches(likeliest, np.linspace(*span, count).tolist(), parts)
