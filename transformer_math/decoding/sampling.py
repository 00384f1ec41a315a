"""Sampling: a token is drawn from the distribution, after that was sharpened or cut."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from transformer_math.decoding.prefill import begin, is_whole
from transformer_math.model import Transformer
from transformer_math.ops import log_softmax, softmax
from transformer_math.seeding import generator

# How far a sum of probabilities may fall short of p by rounding and still reach it.
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class SampleResult:
    """What was drawn in L steps.

    Attributes:
        ids: (L,), without start and prefix, with the end if there is one.
        finished: whether the end was drawn within the limit.
        log_probability: of what was drawn, under the model's own distribution.
        before: (L, V), each step's distribution as the model gives it.
        after: (L, V), the distribution that the token was drawn from.
    """

    ids: np.ndarray
    finished: bool
    log_probability: float
    before: np.ndarray
    after: np.ndarray


def filtered(
    logits: ArrayLike,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
) -> np.ndarray:
    """The probabilities (…, V) in float64 that are left of logits (…, V).

    First softmax(logits / temperature): below 1 sharper, above 1 flatter, at 0 the largest logit
    alone. Of that the ``top_k`` likeliest tokens (Fan et al., 2018). Of that the smallest set
    whose probability reaches ``top_p``, the nucleus (Holtzman et al., 2020, Section 3.1). What
    is left is scaled to sum to 1. Of equally likely tokens the lower id comes first.

    Raises:
        ValueError: temperature, top_k or top_p is out of range, or the logits are not finite.
    """
    _check(temperature, top_k, top_p)
    logits = np.asarray(logits, np.float64)
    largest = logits.max(-1, keepdims=True)
    if not np.isfinite(largest).all():
        raise ValueError("The logits are not finite, so there is no distribution over tokens.")
    if temperature == 0:
        return (np.arange(logits.shape[-1]) == logits.argmax(-1)[..., None]).astype(np.float64)
    with np.errstate(over="ignore"):  # −∞ is what a logit becomes at a temperature close to 0
        probabilities = softmax((logits - largest) / temperature)
    if top_k is None and top_p is None:
        return probabilities
    order = np.argsort(-probabilities, axis=-1, kind="stable")
    ranked = np.take_along_axis(probabilities, order, -1)
    if top_k is not None:
        ranked[..., top_k:] = 0
        ranked /= ranked.sum(-1, keepdims=True)
    if top_p is not None and top_p < 1:
        # A token stays as long as those before it do not reach p without it.
        ahead = np.cumsum(ranked, axis=-1)[..., :-1]
        ranked[..., 1:][ahead >= top_p - _ROUNDING] = 0
        ranked /= ranked.sum(-1, keepdims=True)
    np.put_along_axis(probabilities, order, ranked, -1)
    return probabilities


def sample(
    model: Transformer,
    source_ids: ArrayLike | None,
    *,
    start: int,
    end: int,
    limit: int,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    seed: int = 0,
    prefix: ArrayLike | None = None,
    never: Collection[int] = (),
) -> SampleResult:
    """Draws token after token until ``end`` is drawn; a temperature of 0 is greedy decoding.

    Args:
        source_ids: (n,), one source; None for a decoder-only model.
        start: the token that every target begins with.
        end: the token that ends a target.
        limit: how many tokens are drawn at most, the end included.
        temperature: what the logits are divided by, from 0; see ``filtered``.
        top_k: how many of the likeliest tokens can be drawn; None for all.
        top_p: the probability that the tokens to draw from have to reach; None for all.
        seed: which tokens are drawn; the same seed draws the same ones.
        prefix: (p,), tokens that are given after ``start`` and not drawn.
        never: tokens that are not to be written, whatever their logits.

    Raises:
        ValueError: the model has no decoder; ids, start, end or a setting does not fit; or the
            logits are not finite.
    """
    _check(temperature, top_k, top_p)
    decoder, logits = begin(model, source_ids, start, end, limit, prefix, never, one=True)
    random = generator(seed, "sample")
    ids: list[int] = []
    before, after = [], []
    total = 0.0
    while True:
        after.append(filtered(logits[0], temperature, top_k, top_p))
        token = int(random.choice(len(after[-1]), p=after[-1]))
        log_probabilities = log_softmax(logits[0].astype(np.float64, copy=False))
        before.append(np.exp(log_probabilities))
        total += float(log_probabilities[token])
        ids.append(token)
        if token == end or len(ids) == limit:
            return SampleResult(
                np.array(ids), token == end, total, np.array(before), np.array(after)
            )
        logits = decoder.step([token])


def _check(temperature: float, top_k: int | None, top_p: float | None) -> None:
    if not isinstance(temperature, (int, float)) or not 0 <= temperature < math.inf:
        raise ValueError(f"temperature is a number from 0, not {temperature!r}.")
    if top_k is not None and (not is_whole(top_k) or top_k < 1):
        raise ValueError(f"top_k is a whole number from 1, or None for all, not {top_k!r}.")
    if top_p is not None and (not isinstance(top_p, (int, float)) or not 0 < top_p <= 1):
        raise ValueError(f"top_p is a number above 0 and up to 1, or None for all, not {top_p!r}.")
