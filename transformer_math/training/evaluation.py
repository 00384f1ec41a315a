"""How good a model is on pairs that it was not trained on."""

from __future__ import annotations

import numpy as np

from transformer_math.data.pairs import Pairs
from transformer_math.decoding import Decoding, greedy_decode
from transformer_math.model import Transformer


def translations(model: Transformer, pairs: Pairs, source: np.ndarray) -> list[str]:
    """What the model writes for sources (K, n), by greedy decoding, all at once."""
    tokenizer = pairs.target_tokenizer
    written = greedy_decode(
        model,
        source,
        # All but the start is written.
        Decoding(tokenizer.start, tokenizer.end, max_length=pairs.target_length - 1),
        keep_probabilities=False,
    )
    return [tokenizer.decode(ids) for ids in written.rows()]


def exact_matches(model: Transformer, pairs: Pairs, count: int | None = None) -> tuple[int, int]:
    """How many of the first ``count`` held-out pairs come out letter by letter, and of how many."""
    source, target = pairs.held_out_source[:count], pairs.held_out_target[:count]
    right = [pairs.target_tokenizer.decode(ids) for ids in target.tolist()]
    written = translations(model, pairs, source)
    return sum(a == b for a, b in zip(written, right, strict=True)), len(right)
