"""Greedy decoding, which writes the likeliest token in each step."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from transformer_math.arguments import checked
from transformer_math.decoding.prefill import prefill
from transformer_math.decoding.settings import Decoding
from transformer_math.model import Transformer
from transformer_math.suggestions import DECODED


@dataclass(frozen=True, slots=True, eq=False)
class GreedyResult:
    """The targets that greedy decoding wrote for B sources in L steps.

    Attributes:
        ids: (B, L), without start and prefix; rows that ended earlier are filled with ``end``.
        lengths: (B,), the number of tokens of each row, its end included.
        finished: (B,), whether the row ended within ``max_length``.
        log_probability: (B,), of the whole row, its end included.
        probabilities: (B, L, V), the distribution of each step, 0 after the end of a row; None if
            not kept.
        end: the token that ends a row.
    """

    ids: np.ndarray
    lengths: np.ndarray
    finished: np.ndarray
    log_probability: np.ndarray
    probabilities: np.ndarray | None
    end: int

    def rows(self) -> list[list[int]]:
        """Return the tokens of each row, without the end."""
        texts = zip(self.ids.tolist(), (self.lengths - self.finished).tolist(), strict=True)
        return [ids[:length] for ids, length in texts]


@checked(DECODED)
def greedy_decode(
    model: Transformer,
    source_ids: ArrayLike | None,
    decoding: Decoding,
    *,
    keep_probabilities: bool | None = None,
) -> GreedyResult:
    """Write the likeliest token in each step, until it is ``end``.

    Of equally likely tokens, the token with the lowest id is written.

    Args:
        model: the model.
        source_ids: (n,) or (B, n); None for a decoder-only model.
        decoding: the start, the end and the maximal length of a target.
        keep_probabilities: whether to keep the distribution of each step; by default only for a
            single source.

    Raises:
        ValueError: the model has no decoder, ids or settings do not fit it, or the logits are not
            finite.
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
    unfinished = np.arange(rows)  # the indices of the rows that have not ended
    for step in range(max_length):
        written = logits.argmax(-1)
        log_probabilities = decoding.log_probabilities(logits)
        ids[unfinished, step] = written
        lengths[unfinished] += 1
        total[unfinished] += log_probabilities[np.arange(len(unfinished)), written]
        if kept is not None:
            kept[unfinished, step] = np.exp(log_probabilities)
        remaining = np.flatnonzero(written != end)
        if not remaining.size or step + 1 == max_length:
            unfinished = unfinished[remaining]
            break
        if remaining.size < unfinished.size:
            decoder.reorder(remaining)
            unfinished, written = unfinished[remaining], written[remaining]
        logits = decoder.step(written)
    finished = np.ones(rows, bool)
    finished[unfinished] = False
    longest = lengths.max()
    return GreedyResult(
        ids[:, :longest],
        lengths,
        finished,
        total,
        None if kept is None else kept[:, :longest],
        end,
    )
