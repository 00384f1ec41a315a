"""Filling in blanks with an encoder-only model, which reads the words on both sides of them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from transformer_math.arguments import checked
from transformer_math.checks import check_whole
from transformer_math.model import Transformer, checked_ids
from transformer_math.ops import softmax
from transformer_math.suggestions import DECODED


@dataclass(frozen=True, slots=True, eq=False)
class FillResult:
    """Texts whose blanks are filled in.

    Attributes:
        ids: (B, n), the texts with a word in place of each blank.
        order: (B, n), for each blank the pass that filled it, from 1; 0 where there was none.
        probabilities: (B, n), of each word that was filled in, in its pass; 0 elsewhere.
    """

    ids: np.ndarray
    order: np.ndarray
    probabilities: np.ndarray


@checked(DECODED)
def fill_blanks(
    model: Transformer,
    source_ids: ArrayLike,
    mask: int,
    *,
    forbidden_tokens: Collection[int] = (),
    at_once: bool = False,
) -> FillResult:
    """Put the likeliest word in place of each blank.

    Each pass fills the blank of a text with the most probable word, which the next pass reads, so
    that the words of several blanks fit one another. Of equally likely words, the word with the
    lowest id is written.

    Args:
        model: an encoder-only model.
        source_ids: (n,) or (B, n), with blanks.
        mask: the token of a blank, which is never filled in.
        forbidden_tokens: other tokens that are never filled in.
        at_once: whether one pass fills all blanks, each as if the others stayed blank.

    Raises:
        ValueError: the model is not encoder-only, an id is not in the vocabulary, no token could
            be filled in, or the logits are not finite.
    """
    config = model.config
    if config.kind != "encoder-only":
        raise ValueError(
            f"Blanks are filled in by an encoder-only model, and this one is {config.kind}."
        )
    ids = np.atleast_2d(checked_ids("source_ids", source_ids, config.source_vocabulary)).copy()
    check_whole("mask", mask, 0, config.source_vocabulary - 1)
    never = np.unique(
        checked_ids("forbidden_tokens", [mask, *forbidden_tokens], config.source_vocabulary)
    )
    if len(never) == config.source_vocabulary:
        raise ValueError("Every token is forbidden, so that none could be filled in.")
    order = np.zeros(ids.shape, np.intp)
    found = np.zeros(ids.shape)
    count = 0
    while (rows := np.flatnonzero((ids == mask).any(1))).size:
        count += 1
        blank = ids[rows] == mask
        logits = model.logits(ids[rows]).astype(np.float64, copy=False)
        logits[..., never] = -np.inf
        if not np.isfinite(logits.max(-1)).all():
            raise ValueError("The model's logits are not finite, so no token can be chosen.")
        sure = softmax(logits)
        if not at_once:
            best = np.where(blank, sure.max(-1), -1).argmax(1)
            blank = np.arange(ids.shape[1]) == best[:, None]
        at = rows[np.nonzero(blank)[0]], np.nonzero(blank)[1]
        ids[at] = logits.argmax(-1)[blank]
        found[at] = sure.max(-1)[blank]
        order[at] = count
    return FillResult(ids, order, found)
