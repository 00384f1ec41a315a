"""Evaluation of a model on pairs that it was not trained on."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_math.arguments import checked
from transformer_math.checks import check_whole
from transformer_math.data.pairs import Pairs, as_pairs
from transformer_math.data.texts import Blanks
from transformer_math.decoding import Decoding, fill_blanks, greedy_decode
from transformer_math.model import Transformer


def answers(model: Transformer, pairs: Pairs, source: np.ndarray) -> list[str]:
    """Return the model's answers to sources (K, n).

    Answers are translations of pairs' sources, continuations of beginnings, texts with filled-in
    blanks, or classes of texts.
    """
    if pairs.kind == "decoder-only":
        return continuations(model, pairs, source)
    if pairs.kind == "encoder-decoder":
        return translations(model, pairs, source)
    tokenizer = pairs.target_tokenizer
    if isinstance(pairs, Blanks):
        special = range(tokenizer.start, tokenizer.size)
        rows = fill_blanks(model, source, pairs.mask, forbidden_tokens=special).ids
    else:
        rows = model.logits(source)[:, :1].argmax(-1)
    return [tokenizer.decode(ids) for ids in rows.tolist()]


def translations(model: Transformer, pairs: Pairs, source: np.ndarray) -> list[str]:
    """Return the model's translations of sources (K, n), by greedy decoding in one batch."""
    tokenizer = pairs.target_tokenizer
    written = greedy_decode(
        model,
        source,
        # Minus 1, because the start token is given.
        Decoding(tokenizer.start, tokenizer.end, max_length=pairs.target_length - 1),
        keep_probabilities=False,
    )
    return [tokenizer.decode(ids) for ids in written.rows()]


def continuations(model: Transformer, pairs: Pairs, beginnings: np.ndarray) -> list[str]:
    """Return a decoder-only model's continuations of beginnings (K, n), by greedy decoding.

    Beginnings of the same length are one batch.
    """
    tokenizer = pairs.target_tokenizer
    lengths = (beginnings != tokenizer.pad).sum(1)
    found = [""] * len(beginnings)
    for length in np.unique(lengths).tolist():
        these = np.flatnonzero(lengths == length)
        given = beginnings[these, :length]
        most = pairs.target_length - 1 - length
        decoding = Decoding(tokenizer.start, tokenizer.end, most, prefix=given)
        written = greedy_decode(model, None, decoding, keep_probabilities=False).rows()
        for at, start, rest in zip(these.tolist(), given.tolist(), written, strict=True):
            found[at] = tokenizer.decode([*start, *rest])
    return found


@checked()
def exact_matches(model: Transformer, pairs: Any, count: int | None = None) -> tuple[int, int]:
    """Return the number of right answers to held-out pairs, and the number of those pairs.

    Args:
        model: the model.
        pairs: the data with the held-out pairs, or anything that `pairs` reads.
        count: the number of held-out pairs to test, from the first; None for all.

    Raises:
        ValueError: the count is negative, or the model does not fit the pairs.
    """
    pairs = as_pairs(pairs)
    if count is not None:
        check_whole("count", count, 0)
    source, target = pairs.held_out_source[:count], pairs.held_out_target[:count]
    right = [pairs.target_tokenizer.decode(ids) for ids in target.tolist()]
    found = zip(right, answers(model, pairs, source), strict=True)
    return sum(pairs.is_right(*pair) for pair in found), len(right)
