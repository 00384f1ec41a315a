"""Greedy decoding: at each step the likeliest token."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from transformer_math.decoding.prefill import prefill
from transformer_math.decoding.settings import Decoding
from transformer_math.model import Transformer


@dataclass(frozen=True, slots=True, eq=False)
class GreedyResult:
    """What greedy decoding wrote for each of B sources in at most L steps.

    Attributes:
        ids: (B, L), without start and prefix; after the end of a row come more of ``end``.
        lengths: (B,), how many tokens a row wrote, its end included.
        finished: (B,), whether the row came to its end within ``max_length``.
        log_probability: (B,), of all that a row wrote, its end included.
        probabilities: (B, L, V), each step's distribution, and 0 after the end of a row; None
            if not kept.
        end: the token that ends a row.
    """

    ids: np.ndarray
    lengths: np.ndarray
    finished: np.ndarray
    log_probability: np.ndarray
    probabilities: np.ndarray | None
    end: int

    def rows(self) -> list[list[int]]:
        """What was written up to the end, and without it."""
        texts = zip(self.ids.tolist(), (self.lengths - self.finished).tolist(), strict=True)
        return [ids[:length] for ids, length in texts]


def greedy_decode(
    model: Transformer,
    source_ids: ArrayLike | None,
    decoding: Decoding,
    *,
    keep_probabilities: bool | None = None,
) -> GreedyResult:
    """Writes the likeliest token after all before it, until that is ``end``.

    Of tokens that are equally likely the one with the lowest id is written.

    Args:
        source_ids: (n,) or (B, n); None for a decoder-only model.
        decoding: where a target starts and ends, and how long it is at most.
        keep_probabilities: whether each step's distribution is kept; unless given, for a
            single source alone.

    Raises:
        ValueError: the model has no decoder; ids or the settings do not fit it; or the logits are
            not finite.
    """
    decoder, logits = prefill(model, source_ids, decoding)
    end, max_length = decoding.end, decoding.max_length
    rows, vocabulary = logits.shape
    ids = np.full((rows, max_length), end)
    lengths = np.zeros(rows, np.intp)
    total = np.zeros(rows)
    kept = None
    if keep_probabilities or (keep_probabilities is None and rows == 1):
        kept = np.zeros((rows, max_length, vocabulary))
    going = np.arange(rows)  # the rows that are not at their end
    for step in range(max_length):
        written = logits.argmax(-1)
        log_probabilities = decoding.log_probabilities(logits)
        ids[going, step] = written
        lengths[going] += 1
        total[going] += log_probabilities[np.arange(len(going)), written]
        if kept is not None:
            kept[going, step] = np.exp(log_probabilities)
        goes_on = np.flatnonzero(written != end)
        if not goes_on.size or step + 1 == max_length:
            going = going[goes_on]
            break
        if goes_on.size < going.size:
            decoder.reorder(goes_on)
            going, written = going[goes_on], written[goes_on]
        logits = decoder.step(written)
    finished = np.ones(rows, bool)
    finished[going] = False
    longest = lengths.max()
    return GreedyResult(
        ids[:, :longest],
        lengths,
        finished,
        total,
        None if kept is None else kept[:, :longest],
        end,
    )
