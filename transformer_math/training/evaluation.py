"""Evaluation of a model on pairs that it was not trained on."""

from __future__ import annotations

import numpy as np

from transformer_math.data.pairs import Pairs
from transformer_math.decoding import Decoding, greedy_decode
from transformer_math.model import Transformer


def translations(model: Transformer, pairs: Pairs, source: np.ndarray) -> list[str]:
    """The model's translations of sources (K, n), by greedy decoding in one batch."""
    tokenizer = pairs.target_tokenizer
    written = greedy_decode(
        model,
        source,
        # Minus 1, because the start token is given.
        Decoding(tokenizer.start, tokenizer.end, max_length=pairs.target_length - 1),
        keep_probabilities=False,
    )
    return [tokenizer.decode(ids) for ids in written.rows()]


def exact_matches(model: Transformer, pairs: Pairs, count: int | None = None) -> tuple[int, int]:
    """The number of exactly right translations among held-out pairs, and the number of pairs.

    Args:
        model: the model.
        pairs: whose held-out pairs are translated.
        count: how many of them, from the first; None for all.
    """
    source, target = pairs.held_out_source[:count], pairs.held_out_target[:count]
    right = [pairs.target_tokenizer.decode(ids) for ids in target.tolist()]
    written = translations(model, pairs, source)
    return sum(a == b for a, b in zip(written, right, strict=True)), len(right)
