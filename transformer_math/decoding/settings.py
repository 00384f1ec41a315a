"""How a target is written: where it begins, where it ends, and what may not stand in it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from transformer_math.checks import check_above, check_number, check_whole, make_plain, plain
from transformer_math.ops import log_softmax


@dataclass(frozen=True, slots=True, eq=False)
class Decoding:
    """What every way of decoding goes by.

    Attributes:
        start: the token that every target begins with.
        end: the token that ends a target.
        max_length: how many tokens are written at most, the end included.
        forbidden_tokens: tokens that are not written, whatever their logits.
        normalize_forbidden: whether what forbidden tokens would have had is shared out among the
            others, whose probabilities then sum to 1. Hugging Face's ``generate`` does not in a
            beam search unless ``renormalize_logits`` is set: with False the scores are as there.
        prefix: (p,) or (B, p), tokens that are given after ``start`` and not written.

    Raises:
        ValueError: start or end is no token, or max_length no whole number from 1.
    """

    start: int
    end: int
    max_length: int
    forbidden_tokens: Collection[int] = ()
    prefix: ArrayLike = ()
    normalize_forbidden: bool = True

    def __post_init__(self) -> None:
        for name, low in (("start", 0), ("end", 0), ("max_length", 1)):
            object.__setattr__(self, name, plain(getattr(self, name)))
            check_whole(name, getattr(self, name), low)

    def log_probabilities(self, logits: np.ndarray) -> np.ndarray:
        """Of the next token (…, V), in float64, out of the logits that a decoder gives."""
        logits = logits.astype(np.float64, copy=False)
        if self.normalize_forbidden or not len(self.forbidden_tokens):
            return log_softmax(logits)
        return logits  # the decoder made them log-probabilities before it forbade any


@dataclass(frozen=True, slots=True)
class Sampling:
    """Which tokens can be drawn, and how much likelier the likelier ones are.

    Attributes:
        temperature: what the logits are divided by, from 0; below 1 sharper, above 1 flatter, at
            0 the largest logit alone.
        top_k: how many of the likeliest tokens can be drawn (Fan et al., 2018); None for all.
        top_p: the probability that the tokens to draw from have to reach, the *nucleus* (Holtzman
            et al., 2020, Section 3.1); None for all.

    Raises:
        ValueError: one of them is out of range.
    """

    temperature: float = 1.0
    top_k: int | None = None
    top_p: float | None = None

    def __post_init__(self) -> None:
        make_plain(self)
        check_number("temperature", self.temperature, 0)
        if self.top_k is not None:
            check_whole("top_k", self.top_k, 1, otherwise=", or None for all")
        if self.top_p is not None:
            check_above("top_p", self.top_p, 0, 1, otherwise=", or None for all")
