"""Sampling: a token is drawn from the distribution, after that was sharpened or cut."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from transformer_math.decoding.prefill import prefill
from transformer_math.decoding.settings import Decoding, Sampling
from transformer_math.model import Transformer
from transformer_math.ops import softmax
from transformer_math.seeding import generator

# How far a sum of probabilities may fall short of p by rounding and still reach it.
_ROUNDING = 1e-12
_FREE = Sampling()


@dataclass(frozen=True, slots=True, eq=False)
class SampleResult:
    """What was drawn in L steps.

    Attributes:
        ids: (L,), without start and prefix, with the end if there is one.
        finished: whether the end was drawn within ``max_length``.
        log_probability: of what was drawn, under the model's own distribution.
        before: (L, V), each step's distribution as the model gives it.
        after: (L, V), the distribution that the token was drawn from.
    """

    ids: np.ndarray
    finished: bool
    log_probability: float
    before: np.ndarray
    after: np.ndarray


def filtered(logits: ArrayLike, sampling: Sampling) -> np.ndarray:
    """The probabilities (…, V) in float64 that are left of logits (…, V).

    First softmax(logits / temperature). Of that the ``top_k`` likeliest tokens. Of that the
    smallest set whose probability reaches ``top_p``. What is left is scaled to sum to 1. Of
    equally likely tokens the lower id comes first.

    Raises:
        ValueError: the logits are not finite.
    """
    temperature, top_k, top_p = sampling.temperature, sampling.top_k, sampling.top_p
    logits = np.asarray(logits, np.float64)
    largest = logits.max(-1, keepdims=True)
    if not np.isfinite(largest).all():
        raise ValueError("The logits are not finite, so there is no distribution over tokens.")
    if temperature == 0:
        likeliest = logits.argmax(-1)[..., None]
        alone: np.ndarray = np.arange(logits.shape[-1]) == likeliest
        return alone.astype(np.float64)
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
    decoding: Decoding,
    sampling: Sampling = _FREE,
    *,
    seed: int = 0,
) -> SampleResult:
    """Draws token after token until ``end`` is drawn; a temperature of 0 is greedy decoding.

    Args:
        source_ids: (n,), one source; None for a decoder-only model.
        decoding: where a target starts and ends, and how long it is at most.
        sampling: what is drawn from; the model's own distribution unless given.
        seed: which tokens are drawn; the same seed draws the same ones.

    Raises:
        ValueError: the model has no decoder; ids or the settings do not fit it; or the logits are
            not finite.
    """
    decoder, logits = prefill(model, source_ids, decoding, one=True)
    random = generator(seed, "sample")
    ids: list[int] = []
    before, after = [], []
    total = 0.0
    while True:
        after.append(filtered(logits[0], sampling))
        token = int(random.choice(len(after[-1]), p=after[-1]))
        log_probabilities = decoding.log_probabilities(logits[0])
        before.append(np.exp(log_probabilities))
        total += float(log_probabilities[token])
        ids.append(token)
        finished = token == decoding.end
        if finished or len(ids) == decoding.max_length:
            return SampleResult(np.array(ids), finished, total, np.array(before), np.array(after))
        logits = decoder.step([token])
