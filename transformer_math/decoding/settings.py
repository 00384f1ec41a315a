"""The settings of decoding."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from transformer_math.arguments import checked_settings
from transformer_math.checks import check_above, check_number, check_whole, make_plain, plain
from transformer_math.ops import log_softmax
from transformer_math.suggestions import DECODING, SAMPLING


@checked_settings("Decoding", DECODING)
@dataclass(frozen=True, slots=True, eq=False)
class Decoding:
    """The settings that all ways of decoding have in common.

    Attributes:
        start: the token with which every target begins.
        end: the token that ends a target.
        max_length: the maximal number of tokens written, the end included.
        forbidden_tokens: tokens that are never written.
        normalize_forbidden: whether the probabilities of the other tokens are scaled to sum to 1.
            In a beam search, Hugging Face's ``generate`` does not do this unless
            ``renormalize_logits`` is set.
        prefix: (p,) or (B, p), tokens given after ``start``, which do not count as written.
        before_step: called before each pass of the decoder; raises an exception to end decoding.

    Raises:
        ValueError: start or end is not a token, or max_length is not an integer from 1.
    """

    start: int
    end: int
    max_length: int
    forbidden_tokens: Collection[int] = ()
    prefix: ArrayLike = ()
    normalize_forbidden: bool = True
    before_step: Callable[[], None] | None = None

    def __post_init__(self) -> None:
        for name, low in (("start", 0), ("end", 0), ("max_length", 1)):
            object.__setattr__(self, name, plain(getattr(self, name)))
            check_whole(name, getattr(self, name), low)

    def log_probabilities(self, logits: np.ndarray) -> np.ndarray:
        """Return the log-probabilities, in float64, for a ``Decoder``'s logits (…, V)."""
        logits = logits.astype(np.float64, copy=False)
        if self.normalize_forbidden or not len(self.forbidden_tokens):
            return log_softmax(logits)
        return logits  # which the decoder has normalized before it excluded forbidden tokens


@checked_settings("Sampling", SAMPLING)
@dataclass(frozen=True, slots=True)
class Sampling:
    """Temperature and cut-offs of sampling.

    Attributes:
        temperature: the divisor of the logits, from 0. The distribution is sharper below 1 and
            flatter above 1; at 0 the likeliest token is certain.
        top_k: the number of likeliest tokens to draw from (Fan et al., 2018); 0 or None
            for all.
        top_p: draw from the smallest set of likeliest tokens with at least this probability, the
            *nucleus* (Holtzman et al., 2020, Section 3.1); None for all.

    Raises:
        ValueError: a setting is out of range.
        UnknownSetting: there is no such setting; the message suggests a setting.
    """

    temperature: float = 1.0
    top_k: int | None = None
    top_p: float | None = None

    def __post_init__(self) -> None:
        make_plain(self)
        check_number("temperature", self.temperature, 0)
        if self.top_k is not None:
            check_whole("top_k", self.top_k, 0, otherwise=" (0 for all), or None")
        if self.top_p is not None:
            check_above("top_p", self.top_p, 0, 1, otherwise=", or None for all")
